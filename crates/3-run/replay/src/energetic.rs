//! The energetic law, from its definition \[Stronge 2000\]: the course of an impact by Runge and Kutta's steps of fourth order in Λ_N.
//!
//! dγ/dΛ_N = G (1, t), t = −μ γ_T/|γ_T| while it slips; from γ_T = 0 on t = −C⁻¹B if |C⁻¹B| ≤ μ, else along the direction that keeps itself, which is looked for by its angle. It ends where the works
//! of γ_N in restitution and in compression are as e² to 1.
//!
//! # Guarantee
//! To tolerance: steps are [`SHARE`] of the slip and of all velocities, so the impulse is found to some 1e-7 of itself. At most [`MOST_STEPS`] steps.

/// How much of the slip, or of all velocities, one step changes.
const SHARE: f64 = 0.01;
/// Slip below this part of the largest velocity has stopped.
const STOPPED: f64 = 1e-9;
/// Steps at the most.
const MOST_STEPS: usize = 200_000;
/// Angles at which a direction that keeps itself is looked for.
const ANGLES: u32 = 720;
/// Halvings of an interval.
const HALVINGS: u32 = 60;

/// γ, Λ, and the work of γ_N.
type Course = [f64; 7];

/// The impulse of one contact with this G that closes with these velocities; `None` where it is not found.
pub(crate) fn impulse(g: &[[f64; 3]; 3], before: [f64; 3], e: f64, mu: f64) -> Option<[f64; 3]> {
    let speed = before.iter().map(|v| v.abs()).fold(0.0, f64::max);
    let mut course: Course = [before[0], before[1], before[2], 0.0, 0.0, 0.0, 0.0];
    let mut fixed = None;
    let (mut compressed, mut restored) = (0.0, 0.0);
    for _ in 0..MOST_STEPS {
        let slip = course[1].hypot(course[2]);
        if fixed.is_none() && slip <= STOPPED * speed {
            (course[1], course[2]) = (0.0, 0.0);
            fixed = Some(from_rest(g, mu)?);
        }
        let rates = rates(g, mu, fixed, &course);
        let change = rates[0].abs().max(rates[1].hypot(rates[2]));
        let mut step = SHARE * speed / change;
        if fixed.is_none() {
            step = step.min(SHARE * slip / rates[1].hypot(rates[2]).max(f64::MIN_POSITIVE));
        }
        if !(step > 0.0 && step.is_finite()) {
            return None;
        }
        let went = |share: f64| advanced(g, mu, fixed, &course, share * step);
        let is_restoring = course[0] > 0.0 || course[0] == 0.0 && rates[0] > 0.0;
        let wanted = e * e * compressed - restored;
        let is_over = |next: &Course| match is_restoring {
            true => next[0] <= 0.0 || next[6] >= wanted,
            false => next[0] >= 0.0,
        };
        let mut next = went(1.0);
        let turned = is_over(&next);
        if turned {
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if is_over(&went(middle)) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            next = went(high);
        }
        if is_restoring {
            restored += next[6];
        } else {
            compressed -= next[6];
        }
        if turned && next[0].abs() <= 1e-12 * speed {
            next[0] = 0.0;
        }
        let is_finished = restored >= (1.0 - 1e-12) * e * e * compressed;
        course = next;
        course[6] = 0.0;
        if turned && course[0] >= 0.0 && is_finished {
            return Some([course[3], course[4], course[5]]);
        }
    }
    None
}

fn rates(g: &[[f64; 3]; 3], mu: f64, fixed: Option<[f64; 2]>, course: &Course) -> Course {
    let slip = course[1].hypot(course[2]);
    let [x, y] = fixed.unwrap_or([-mu * course[1] / slip, -mu * course[2] / slip]);
    let row = |i: usize| g[i][0] + g[i][1] * x + g[i][2] * y;
    [row(0), row(1), row(2), 1.0, x, y, course[0]]
}

fn advanced(g: &[[f64; 3]; 3], mu: f64, fixed: Option<[f64; 2]>, from: &Course, step: f64) -> Course {
    let at =
        |slope: &Course, share: f64| -> Course { std::array::from_fn(|i| from[i] + share * step * slope[i]) };
    let a = rates(g, mu, fixed, from);
    let b = rates(g, mu, fixed, &at(&a, 0.5));
    let c = rates(g, mu, fixed, &at(&b, 0.5));
    let d = rates(g, mu, fixed, &at(&c, 1.0));
    std::array::from_fn(|i| from[i] + step / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]))
}

/// Λ_T by Λ_N of a contact that does not slip: that which holds it, or that along which slip begins.
fn from_rest(g: &[[f64; 3]; 3], mu: f64) -> Option<[f64; 2]> {
    let determinant = g[1][1] * g[2][2] - g[1][2] * g[2][1];
    let held = [
        -(g[2][2] * g[1][0] - g[1][2] * g[2][0]) / determinant,
        -(g[1][1] * g[2][0] - g[2][1] * g[1][0]) / determinant,
    ];
    if held[0].hypot(held[1]) <= mu * (1.0 + 1e-9) {
        return Some(held);
    }
    // How slip in this direction grows, and how it turns.
    let slip = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let p = [1, 2].map(|i| g[i][0] - mu * (g[i][1] * c + g[i][2] * s));
        (c * p[0] + s * p[1], c * p[1] - s * p[0])
    };
    let width = std::f64::consts::TAU / f64::from(ANGLES);
    let found = (0..ANGLES).find_map(|n| {
        let (mut low, mut high) = (width * f64::from(n), width * f64::from(n + 1));
        let sign = slip(low).1;
        if sign * slip(high).1 > 0.0 {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if sign * slip(middle).1 > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (slip(low).0 > 0.0).then_some(low)
    });
    found.map(|angle| [-mu * angle.cos(), -mu * angle.sin()])
}
