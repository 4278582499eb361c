//! Stronge's energetic impact law for one contact: the course of its impulses, with Coulomb friction in space.
//!
//! | paper        | here                     | unit  |
//! |--------------|--------------------------|-------|
//! | γ            | `rate`                   | m/s   |
//! | A, B, C      | G = [A Bᵀ; B C]          | 1/kg  |
//! | Λ_N          | the independent variable | N s   |
//! | W_c, W_r     | `compressed`, `restored` | J     |
//!
//! # The law \[Stronge 2000; Keller 1986; Batlle 1996\]
//! Along an impact dγ/dΛ_N = G (1, t) with t = −μ γ_T/|γ_T| where the contact slips, and t = −C⁻¹B where it sticks, which it does from γ_T = 0 on if
//! |C⁻¹B| ≤ μ. Else it slips from γ_T = 0 along the one direction d that keeps itself: B − μCd = f d with f > 0. There is one: |(μC + f)⁻¹B| falls from
//! |C⁻¹B|/μ > 1 to 0. While γ_N < 0 the contact is compressed, W_c = −∫γ_N dΛ_N; while γ_N > 0 it is restored, W_r = ∫γ_N dΛ_N. The impact ends where
//! W_r = e² W_c. So it changes the kinetic energy by −(1 − e²) W_c − μ∫|γ_T| dΛ_N ≤ 0, whatever G, e and μ are.
//!
//! Slip may stop, stay stopped, turn round, or turn its direction in the plane. A contact whose γ_N falls at first (A + B·t < 0) is pressed by its slip alone; slip
//! then ends, because A C > B², and γ_N rises. It may be compressed more than once: works are those of all of the impact.
//!
//! # Method
//! Along directions that keep themselves (planar impacts, spheres, stick, slip from rest) all is linear and the ends of pieces have closed forms. Elsewhere, with
//! γ_T = r d and dτ = dΛ_N/r, the equations d′ = g d⊥, r′ = f r, γ_N′ = r (A + B·t) are polynomial, also where slip stops (τ → ∞ there, and d goes to a direction that
//! keeps itself). They are solved by their Taylor series of order [`ORDER`]; ends of phases are roots of these polynomials.
//!
//! # Guarantee
//! To tolerance: 1e-12 of the largest velocity in closed forms, and where series are used [`TRUNCATION`] a step. Phases that begin and end between two looks
//! ([`LOOKS`] a step) are not seen. At most [`MOST_STEPS`] steps, then there is no result. No elementary function but the square root.

use super::delassus::Triple;
use super::problem::length;

/// The order of the series.
const ORDER: usize = 24;
/// Their terms.
const TERMS: usize = ORDER + 1;
/// What the last terms of a step may be, of the largest velocity.
const TRUNCATION: f64 = 1e-17;
/// Pieces and steps at the most.
const MOST_STEPS: usize = 20_000;
/// Halvings of one step at the most.
const MOST_HALVINGS: usize = 100;
/// Places in a step at which ends of phases are looked for.
const LOOKS: u32 = 16;
/// Halvings of an interval with a root.
const BISECTIONS: u32 = 64;
/// A direction that turns slower than this keeps itself, relative to what could turn it.
const STRAIGHT: f64 = 1e-15;
/// Slip below this part of the largest velocity has stopped.
const STOPPED: f64 = 1e-16;

type Series = [f64; TERMS];

/// The impulse of a collision, with how far rates that were followed are from those that the impulse gives, relative to the largest. `None` where the course does not end.
pub(super) fn energetic_impulse(
    block: &[Triple; 3],
    velocity: Triple,
    restitution: f64,
    friction: f64,
) -> Option<(Triple, f64)> {
    let largest = velocity.iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
    if velocity[0] >= 0.0 {
        return Some(([0.0; 3], 0.0));
    }
    // In units of A and the largest velocity.
    let unit = block[0][0];
    let scaled = |row: usize, column: usize| 0.5 * (block[row][column] + block[column][row]) / unit;
    let operator = Operator {
        coupling: [scaled(1, 0), scaled(2, 0)],
        tangential: [scaled(1, 1), scaled(1, 2), scaled(2, 2)],
        friction,
    };
    let before = velocity.map(|rate| rate / largest);
    let mut course = Course {
        rate: before,
        impulse: [0.0; 3],
        compressed: 0.0,
        restored: 0.0,
        elastic: restitution * restitution,
        is_restoring: false,
    };
    course.run(&operator)?;
    let [n, x, y] = course.impulse;
    let push = operator.push([x, y]);
    let given = [
        n + operator.coupling[0] * x + operator.coupling[1] * y,
        operator.coupling[0] * n + push[0],
        operator.coupling[1] * n + push[1],
    ];
    let off = (0..3).map(|k| (before[k] + given[k] - course.rate[k]).abs());
    let impulse = course.impulse.map(|part| part * largest / unit);
    let is_found = impulse.iter().all(|part| part.is_finite());
    is_found.then(|| (impulse, off.fold(0.0, f64::max)))
}

/// G by A, and μ.
struct Operator {
    /// B.
    coupling: [f64; 2],
    /// C as (xx, xy, yy).
    tangential: Triple,
    /// μ.
    friction: f64,
}

impl Operator {
    /// C t.
    fn push(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [xx, xy, yy] = self.tangential;
        [xx * x + xy * y, xy * x + yy * y]
    }

    /// (C + shift)⁻¹ b.
    fn solve(&self, weight: f64, shift: f64, [x, y]: [f64; 2]) -> [f64; 2] {
        let [xx, xy, yy] = self.tangential.map(|entry| weight * entry);
        let (xx, yy) = (xx + shift, yy + shift);
        let determinant = xx * yy - xy * xy;
        [(yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant]
    }

    /// The tangential impulse by normal impulse from γ_T = 0 on, and whether the contact sticks.
    fn at_rest(&self) -> ([f64; 2], bool) {
        let [x, y] = self.coupling;
        if x == 0.0 && y == 0.0 {
            return ([0.0; 2], true);
        }
        let held = self.solve(1.0, 0.0, self.coupling).map(|part| -part);
        // What is no number does not hold.
        if length(held) <= self.friction {
            return (held, true);
        }
        let (mut low, mut high) = (0.0, length(self.coupling));
        for _ in 0..2 * BISECTIONS {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if length(self.solve(self.friction, middle, self.coupling)) > 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let along = unit(self.solve(self.friction, high, self.coupling));
        (along.map(|part| -self.friction * part), false)
    }

    /// (f, g): how slip along d grows and turns, by normal impulse.
    fn slip(&self, d: [f64; 2]) -> (f64, f64) {
        let rubbed = self.push(d);
        let p = [0, 1].map(|k| self.coupling[k] - self.friction * rubbed[k]);
        (d[0] * p[0] + d[1] * p[1], d[0] * p[1] - d[1] * p[0])
    }
}

/// An impact on its way.
struct Course {
    rate: Triple,
    impulse: Triple,
    compressed: f64,
    restored: f64,
    /// e².
    elastic: f64,
    is_restoring: bool,
}

/// How a piece ends.
#[derive(PartialEq)]
enum End {
    /// Nothing happened.
    Open,
    /// γ_N = 0: compression ends, or begins again.
    Turned,
    /// The works are in their ratio.
    Finished,
}

impl Course {
    /// The work of restitution that is left.
    fn left(&self) -> f64 {
        self.elastic * self.compressed - self.restored
    }

    fn run(&mut self, operator: &Operator) -> Option<()> {
        let mut along = {
            let [_, x, y] = self.rate;
            (length([x, y]) > STOPPED).then(|| unit([x, y]))
        };
        let mut step = 1.0;
        for _ in 0..MOST_STEPS {
            let end = match along {
                Some(d) => {
                    let (growth, turn) = operator.slip(d);
                    let could = length(operator.coupling) + operator.friction * length(operator.push(d));
                    if turn.abs() <= STRAIGHT * could {
                        self.slide(operator, d, growth, &mut along)
                    } else {
                        self.curve(operator, &mut along, &mut step)?
                    }
                }
                None => {
                    let (held, _) = operator.at_rest();
                    self.straight(operator, held, f64::INFINITY).0
                }
            };
            let is_over = match end {
                End::Open => false,
                End::Finished => true,
                End::Turned => {
                    self.rate[0] = 0.0;
                    self.is_restoring = !self.is_restoring;
                    self.is_restoring && self.left() <= 0.0
                }
            };
            if is_over {
                return Some(());
            }
        }
        None
    }

    /// Slip along a direction that keeps itself.
    fn slide(&mut self, operator: &Operator, d: [f64; 2], growth: f64, along: &mut Option<[f64; 2]>) -> End {
        let speed = length([self.rate[1], self.rate[2]]);
        let stops = if growth < 0.0 {
            -speed / growth
        } else {
            f64::INFINITY
        };
        let (end, has_stopped) = self.straight(operator, d.map(|part| -operator.friction * part), stops);
        if has_stopped {
            [self.rate[1], self.rate[2]] = [0.0; 2];
            *along = None;
        }
        end
    }

    /// Λ_N grows with the tangential impulse in one ratio to it, by `most` at the most; whether it grew so far.
    fn straight(&mut self, operator: &Operator, t: [f64; 2], most: f64) -> (End, bool) {
        let [bx, by] = operator.coupling;
        let normal = 1.0 + bx * t[0] + by * t[1];
        let (grown, end) = self.next_end(normal);
        let (by_most, grown, end) = if most < grown {
            (true, most, End::Open)
        } else {
            (false, grown, end)
        };
        if !grown.is_finite() {
            // It never rises: no such G is positive definite.
            self.impulse = [f64::NAN; 3];
            return (End::Finished, false);
        }
        let work = grown * (self.rate[0] + 0.5 * normal * grown);
        if self.is_restoring {
            self.restored += work;
        } else {
            self.compressed -= work;
        }
        let push = operator.push(t);
        self.rate[0] += normal * grown;
        self.rate[1] += (bx + push[0]) * grown;
        self.rate[2] += (by + push[1]) * grown;
        for (own, part) in self.impulse.iter_mut().zip([1.0, t[0], t[1]]) {
            *own += part * grown;
        }
        (end, by_most)
    }

    /// By how much Λ_N grows to the end of the phase, where γ_N grows by `normal` of it.
    fn next_end(&self, normal: f64) -> (f64, End) {
        let speed = self.rate[0];
        if !self.is_restoring {
            let grown = if normal > 0.0 {
                -speed / normal
            } else {
                f64::INFINITY
            };
            return (grown, End::Turned);
        }
        let left = self.left().max(0.0);
        let square = speed * speed + 2.0 * normal * left;
        if square >= 0.0 && (speed > 0.0 || normal > 0.0) {
            return (2.0 * left / (speed + square.sqrt()), End::Finished);
        }
        (-speed / normal, End::Turned)
    }

    /// One step of slip whose direction turns.
    fn curve(&mut self, operator: &Operator, along: &mut Option<[f64; 2]>, step: &mut f64) -> Option<End> {
        let d = (*along)?;
        let speed = length([self.rate[1], self.rate[2]]);
        let series = Slip::of(operator, d, speed, self.rate[0]);
        let mut h = 2.0 * *step;
        let mut halvings = 0;
        while !series.is_short(h) {
            h *= 0.5;
            halvings += 1;
            if halvings > MOST_HALVINGS {
                return None;
            }
        }
        *step = h;
        let sign = if self.is_restoring { 1.0 } else { -1.0 };
        let left = self.left();
        // Positive as long as the phase lasts.
        let lasts = |tau: f64| {
            let normal = sign * value(&series.normal, tau);
            let turned = if tau == 0.0 { 0.0_f64.max(normal) } else { normal };
            (
                turned,
                if self.is_restoring {
                    left - value(&series.work, tau)
                } else {
                    1.0
                },
            )
        };
        let mut before = 0.0;
        let mut found = None;
        for look in 1..=LOOKS {
            let tau = h * f64::from(look) / f64::from(LOOKS);
            let (normal, work) = lasts(tau);
            if normal <= 0.0 || work <= 0.0 {
                found = Some((before, tau));
                break;
            }
            before = tau;
        }
        let (tau, end) = match found {
            None => (h, End::Open),
            Some((mut low, mut high)) => {
                for _ in 0..BISECTIONS {
                    let middle = 0.5 * (low + high);
                    let (normal, work) = lasts(middle);
                    if normal > 0.0 && work > 0.0 {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                let (_, work) = lasts(high);
                (high, if work <= 0.0 { End::Finished } else { End::Turned })
            }
        };
        let work = value(&series.work, tau);
        if self.is_restoring {
            self.restored += work;
        } else {
            self.compressed -= work;
        }
        self.rate[0] = value(&series.normal, tau);
        let d = unit([value(&series.direction[0], tau), value(&series.direction[1], tau)]);
        let speed = value(&series.speed, tau);
        self.impulse[0] += value(&series.impulse[0], tau);
        self.impulse[1] += value(&series.impulse[1], tau);
        self.impulse[2] += value(&series.impulse[2], tau);
        if speed <= STOPPED {
            [self.rate[1], self.rate[2]] = [0.0; 2];
            *along = None;
        } else {
            [self.rate[1], self.rate[2]] = d.map(|part| part * speed);
            *along = Some(d);
        }
        Some(end)
    }
}

/// The Taylor series of slip over τ.
struct Slip {
    direction: [Series; 2],
    speed: Series,
    normal: Series,
    work: Series,
    impulse: [Series; 3],
}

impl Slip {
    fn of(operator: &Operator, d: [f64; 2], speed: f64, normal: f64) -> Self {
        let zero = [0.0; TERMS];
        let mut made = Self {
            direction: [zero; 2],
            speed: zero,
            normal: zero,
            work: zero,
            impulse: [zero; 3],
        };
        [made.direction[0][0], made.direction[1][0]] = d;
        made.speed[0] = speed;
        made.normal[0] = normal;
        let (mu, [bx, by], [xx, xy, yy]) = (operator.friction, operator.coupling, operator.tangential);
        let (mut px, mut py, mut turn, mut growth, mut rise) = (zero, zero, zero, zero, zero);
        for k in 0..ORDER {
            let (c, s) = (made.direction[0][k], made.direction[1][k]);
            let constant = |value: f64| if k == 0 { value } else { 0.0 };
            px[k] = constant(bx) - mu * (xx * c + xy * s);
            py[k] = constant(by) - mu * (xy * c + yy * s);
            rise[k] = constant(1.0) - mu * (bx * c + by * s);
            let [x, y] = &made.direction;
            turn[k] = product(x, &py, k) - product(y, &px, k);
            growth[k] = product(x, &px, k) + product(y, &py, k);
            let by = 1.0 / (k + 1) as f64;
            let next = [
                -product(y, &turn, k),
                product(x, &turn, k),
                product(&made.speed, &growth, k),
                product(&made.speed, &rise, k),
                product(&made.speed, &made.normal, k),
                made.speed[k],
                -mu * product(&made.speed, x, k),
                -mu * product(&made.speed, y, k),
            ]
            .map(|rate| rate * by);
            made.direction[0][k + 1] = next[0];
            made.direction[1][k + 1] = next[1];
            made.speed[k + 1] = next[2];
            made.normal[k + 1] = next[3];
            made.work[k + 1] = next[4];
            for (own, rate) in made.impulse.iter_mut().zip(&next[5..]) {
                own[k + 1] = *rate;
            }
        }
        made
    }

    /// Whether the last terms of a step are below the tolerance.
    fn is_short(&self, h: f64) -> bool {
        let mut power = 1.0;
        (0..ORDER - 1).for_each(|_| power *= h);
        let last = |series: &Series| (series[ORDER - 1].abs() + series[ORDER].abs() * h) * power;
        let turned = self.direction.iter().map(last).fold(0.0, f64::max);
        let rates = last(&self.speed) / self.speed[0].max(f64::MIN_POSITIVE);
        let rest = self.impulse.iter().chain([&self.normal, &self.work]).map(last);
        // What is no number is not short.
        turned <= TRUNCATION && rates <= TRUNCATION && rest.fold(0.0, f64::max) <= TRUNCATION
    }
}

/// Term k of a product.
fn product(a: &Series, b: &Series, k: usize) -> f64 {
    a[..=k].iter().zip(b[..=k].iter().rev()).map(|(a, b)| a * b).sum()
}

fn value(series: &Series, tau: f64) -> f64 {
    series.iter().rev().fold(0.0, |sum, term| sum * tau + term)
}

fn unit(v: [f64; 2]) -> [f64; 2] {
    let size = length(v);
    v.map(|part| part / size)
}
