//! Where the motion meets an event, as a function of the unknowns.
//!
//! An event happens when one of its constraints, g, changes sign while all others stay as they are. σ(p) is a polynomial with g(P(p, σ(p))) ≈ 0 (Newton's method,
//! which proves nothing). Then, with ω > 0 behind and δ > 0 ahead of σ:
//!
//! 1. the event is false for s from 0 to σ(p) − ω;
//! 2. between σ − ω and σ + δ only g is open, its rate never zero, of the right sign;
//! 3. at σ + δ it has happened.
//!
//! So every motion meets it exactly once, at τ = σ − γ(σ)/γ′(ξ), γ = g along the motion. With e the rest at σ, γ(σ) = ρ + ∇g·e:
//!
//! > x(τ) = P(σ) + S e − (f/γ′) ρ,  S = I − (f/γ′) ∇gᵀ
//!
//! A motion for which τ < 0 meets it where it begins: that is f κ further, 0 ≤ κ ≤ −τ. Where it is known that g has not changed sign when the stay begins, there is no such
//! motion: after one of two events that may be the first, the other has not happened.
//!
//! # Guarantee
//! Rigorous, or an error.

use dyverse_enclose::{TaylorModel, Undefined};
use dyverse_expr::{NodeId, Pool, SymbolId};
use dyverse_formulas::{Condition, Constraint, Relation};
use dyverse_num::{Interval, Tri};

use crate::frame::States;
use crate::matrix::{Matrix, dot};
use crate::path::{Known, Path, Watched, sign, truth};
use crate::picard::{Lost, is_within};

/// The rate of a formula along the flow.
fn rate_of(pool: &mut Pool, node: NodeId, rates: &[NodeId]) -> NodeId {
    let mut rate = pool.number(0.0);
    for symbol in pool.symbols(&[node]) {
        if let Some(speed) = rates.get(symbol.0 as usize) {
            let slope = pool.derive(node, SymbolId(symbol.0));
            let part = pool.multiply(slope, *speed);
            rate = pool.add(rate, part);
        }
    }
    rate
}

/// What is known when a location is entered, with rates; those at the beginning are not told.
pub(crate) fn known(pool: &Pool, constraints: &[Constraint], rates: &[NodeId]) -> Vec<Known> {
    if constraints.is_empty() {
        return Vec::new();
    }
    let mut own = pool.clone();
    let with_rate = |constraint: &Constraint| {
        let rate = rate_of(&mut own, constraint.node, rates);
        let second = rate_of(&mut own, rate, rates);
        Known {
            constraint: *constraint,
            rate: Watched::new(&own, rate),
            second: Watched::new(&own, second),
            begin: Interval::ENTIRE,
        }
    };
    constraints.iter().map(with_rate).collect()
}

/// A formula whose sign may make an event happen.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    constraint: Constraint,
    value: Watched,
    /// Along the flow.
    rate: Watched,
    /// Value over rate.
    newton: Watched,
}

impl Guard {
    /// `rates` are those of the states 0, 1, ….
    pub(crate) fn new(pool: &Pool, constraint: Constraint, rates: &[NodeId]) -> Self {
        // Derivatives are nodes of a pool of their own.
        let mut own = pool.clone();
        let rate = rate_of(&mut own, constraint.node, rates);
        let quotient = own.divide(constraint.node, rate);
        Guard {
            constraint,
            value: Watched::new(&own, constraint.node),
            rate: Watched::new(&own, rate),
            newton: Watched::new(&own, quotient),
        }
    }

    /// Must it fall to become true? `None` for equalities, which no motion meets for certain.
    fn falls(&self) -> Option<bool> {
        match self.constraint.relation {
            Relation::Less | Relation::LessEqual => Some(true),
            Relation::Greater | Relation::GreaterEqual => Some(false),
            Relation::Equal | Relation::NotEqual => None,
        }
    }

    /// What holds of the formula until then.
    fn before(&self) -> Option<Relation> {
        self.falls().map(|falls| {
            if falls {
                Relation::GreaterEqual
            } else {
                Relation::LessEqual
            }
        })
    }

    /// About how far it is, by value and rate where the step begins (local time): a guess as a polynomial.
    pub(crate) fn distance(&self, path: &Path<'_>) -> Result<TaylorModel, Lost> {
        let start = path.clock.constant(0.0);
        let quotient = self
            .newton
            .beyond(path.clock, &path.step.nominal, path.unknowns, &start)?;
        Ok((&quotient.polynomial() * Interval::point(-1.0 / path.step.reach)).polynomial())
    }

    /// σ, near a first guess (local time).
    pub(crate) fn time(&self, path: &Path<'_>, guess: f64) -> Result<TaylorModel, Lost> {
        let mut time = path.clock.constant(guess);
        let mut last = f64::INFINITY;
        for _ in 0..20 {
            let change = self
                .newton
                .beyond(path.clock, &path.step.nominal, path.unknowns, &time)?;
            let change = (&change.polynomial() * Interval::point(1.0 / path.step.reach)).polynomial();
            time = (&time - &change).polynomial();
            let size = change.spread() + change.centre().abs();
            if !time.is_finite() || time.bound().magnitude() > 4.0 {
                return Err(Lost::Outside);
            }
            if size <= 1e-15 || (size <= 1e-9 && size >= last) {
                break;
            }
            last = size;
        }
        Ok(time)
    }
}

/// Where an event is met.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    /// σ + δ: by then it has happened.
    pub(crate) past: TaylorModel,
    /// σ − ω: until then it has not.
    early: TaylorModel,
    guard: Guard,
    pub(crate) set: States,
}

/// Times that the time by which an event has happened is put off.
const MOST_AHEAD: usize = 8;

/// All constraints of an event that may make it happen.
pub(crate) fn guards(pool: &Pool, when: &Condition, rates: &[NodeId]) -> Vec<Guard> {
    let mut found: Vec<Guard> = Vec::new();
    for atom in when.atoms() {
        if !found.iter().any(|g| g.constraint == atom) {
            found.push(Guard::new(pool, atom, rates));
        }
    }
    found
}

/// The meeting with an event by one of its constraints, at σ.
pub(crate) fn meet(
    path: &Path<'_>,
    from: &States,
    when: &Condition,
    guard: &Guard,
    sigma: &TaylorModel,
) -> Result<Meeting, Lost> {
    let (clock, step, unknowns) = (path.clock, path.step, path.unknowns);
    let falls = guard.falls().ok_or(Lost::NoContraction)?;
    if !is_within(sigma) {
        return Err(Lost::Outside);
    }
    let value = guard.value.at(clock, &step.whole, unknowns, sigma)?.bound();
    let slope = guard.rate.at(clock, &step.whole, unknowns, sigma)?.bound();
    if slope.is_empty() || slope.contains(0.0) {
        return Err(Lost::Undefined(dyverse_enclose::Undefined::Division));
    }
    // By then it has happened: a few roundings of the value further.
    let mut ahead = 3.0 * value.magnitude() / (slope.mignitude() * step.reach) + 1e-13;
    for _ in 0..MOST_AHEAD {
        let past = sigma + &clock.constant(ahead);
        if !is_within(&past) || path.truth_at(when, &past) == Tri::True {
            break;
        }
        ahead *= 2.0;
    }
    // Where it may be there from the beginning, the tube reaches to the beginning.
    let begins_inside = sigma.bound().lo() <= 4.0 * ahead;
    let mut behind = if begins_inside {
        sigma.bound().hi().max(0.0) + ahead
    } else {
        (0.1 * sigma.bound().magnitude()).max(4.0 * ahead)
    };
    // For all unknowns: what has happened before the beginning is still so at the beginning.
    let reaching = if begins_inside {
        ahead.max(ahead - sigma.bound().lo())
    } else {
        ahead
    };
    // 2 and 3: a tube around σ with nothing but the guard open.
    let past = sigma + &clock.constant(ahead);
    let rate = loop {
        let tube = sigma + &clock.piece(-behind, reaching);
        match single(path, when, guard, falls, &tube) {
            Ok(rate) => break rate,
            Err(lost) => {
                behind *= 0.3;
                if behind < ahead || begins_inside {
                    return Err(lost);
                }
            }
        }
    };
    if path.truth_at(when, &past) != Tri::True {
        // A strict constraint that is zero there has not happened; a little further it has.
        return Err(Lost::NoContraction);
    }
    // 1.
    let before = sigma - &clock.constant(behind);
    let early = Path {
        end: &before,
        ..*path
    };
    if !begins_inside && early.doubt(when, Tri::False).is_some() {
        return Err(Lost::NoContraction);
    }
    Ok(Meeting {
        set: met(path, from, guard, sigma, rate)?,
        past,
        early: before,
        guard: guard.clone(),
    })
}

impl Meeting {
    /// What is known where another event is the first: this one has not happened, so its guard has not changed sign. That is so in the tube; before the tube it is looked
    /// at, from the earliest time of the other.
    pub(crate) fn fact_at(&self, path: &Path<'_>, other: &Meeting) -> Option<Constraint> {
        let relation = self.guard.before()?;
        let before = Path {
            end: &self.early,
            start: other.early.bound().lo().max(0.0),
            ..*path
        };
        let atom = Condition::Atom(self.guard.constraint);
        before.doubt(&atom, Tri::False).is_none().then_some(Constraint {
            node: self.guard.constraint.node,
            relation,
        })
    }
}

/// The rate of the guard on a tube, where only the guard is open and its sign decides.
fn single(
    path: &Path<'_>,
    when: &Condition,
    guard: &Guard,
    falls: bool,
    tube: &TaylorModel,
) -> Result<Interval, Lost> {
    let (clock, step, unknowns) = (path.clock, path.step, path.unknowns);
    guard.value.at(clock, &step.whole, unknowns, tube)?;
    let rate = guard.rate.at(clock, &step.whole, unknowns, tube)?.bound();
    let goes = !rate.is_empty() && if falls { rate.hi() < 0.0 } else { rate.lo() > 0.0 };
    if !goes {
        return Err(Lost::NoContraction);
    }
    let node = guard.constraint.node;
    let with = |value: Tri| {
        truth(when, &mut |atom| {
            if *atom == guard.constraint {
                value
            } else if atom.node == node {
                Tri::Unknown
            } else {
                let watched = path.atoms.get(&atom.node);
                let range = watched.and_then(|w| w.at(clock, &step.whole, unknowns, tube).ok());
                range.map_or(Tri::Unknown, |r| sign(atom.relation, r.bound()))
            }
        })
    };
    if with(Tri::True) == Tri::True && with(Tri::False) == Tri::False {
        Ok(rate)
    } else {
        Err(Lost::NoContraction)
    }
}

fn met(
    path: &Path<'_>,
    from: &States,
    guard: &Guard,
    sigma: &TaylorModel,
    rate: Interval,
) -> Result<States, Lost> {
    let (clock, step, unknowns) = (path.clock, path.step, path.unknowns);
    let n = step.whole.len();
    // Where the rate of the states is needed: between σ and τ, and on to the beginning where τ is before it.
    let value = guard.value.at(clock, &step.whole, unknowns, sigma)?.bound();
    let reach = Interval::point(step.reach);
    let off = -(value / (rate * reach));
    let earliest = (sigma.bound() + off).lo();
    // Where the guard is known not to have changed sign yet, no motion is late.
    let is_known = path.known.iter().map(|k| k.constraint).any(|c| {
        c.node == guard.constraint.node
            && (c.relation == Relation::Equal || Some(c.relation) == guard.before())
    });
    let late = if earliest < 0.0 && !is_known {
        -earliest
    } else {
        0.0
    };
    let near = if late > 0.0 {
        // All local times between τ and 0 are between −late and σ + δ.
        sigma + &clock.piece(off.lo().min(0.0), off.hi().max(0.0) + late)
    } else {
        sigma + &clock.piece(off.lo().min(0.0), off.hi().max(0.0))
    };
    let mut here = Vec::with_capacity(n);
    for x in &step.whole {
        here.push(clock.at(x, &near)?);
    }
    let speeds = path.rates.on(&here, unknowns)?;
    let q: Vec<Interval> = speeds.iter().map(|f| f.bound() / rate).collect();
    // Slopes of the guard between the polynomials and the states, at σ.
    let mut there = Vec::with_capacity(n);
    let mut new = Vec::with_capacity(n);
    for (x, p) in step.whole.iter().zip(&step.nominal) {
        there.push(clock.at(x, sigma)?.bound());
        new.push(clock.at(p, sigma)?);
    }
    let ranges: Vec<Interval> = unknowns.iter().map(TaylorModel::bound).collect();
    let gradient = guard.value.formulas.slopes(&there, &ranges)?;
    let gradient = gradient.first().ok_or(Lost::Outside)?;
    let polynomial: Vec<TaylorModel> = new.iter().map(TaylorModel::polynomial).collect();
    let rho = guard.value.on(&polynomial, unknowns)?.bound();
    let salt = Matrix {
        rows: (0..n)
            .map(|i| {
                (0..n)
                    .map(|j| {
                        let own = if i == j { Interval::ONE } else { Interval::ZERO };
                        if gradient[j] == Interval::ZERO || q[i] == Interval::ZERO {
                            own
                        } else {
                            own - q[i] * gradient[j]
                        }
                    })
                    .collect()
            })
            .collect(),
    };
    let (phi, added) = step.carried(sigma.bound())?;
    let error: Vec<Interval> = added.iter().zip(&new).map(|(a, x)| *a + x.remainder()).collect();
    let wait = Interval::new(0.0, late).unwrap_or(Interval::ENTIRE) * reach;
    let moved: Vec<TaylorModel> = (0..n)
        .map(|i| {
            let turned = dot(&salt.rows[i], &error) - q[i] * rho;
            if late == 0.0 {
                return Ok(polynomial[i].with_remainder(turned));
            }
            // Those who wait do so to one side: a set is the same to both sides of its polynomials.
            let waited = speeds[i].bound() * wait;
            let Some(middle) = waited.mid() else {
                return Err(Undefined::Unbounded.into());
            };
            let middle = Interval::point(middle);
            Ok(polynomial[i].shifted(middle).widened(turned + (waited - middle)))
        })
        .collect::<Result<_, Lost>>()?;
    let mut there = from.moved(&moved, &salt.times(&phi));
    if late == 0.0 {
        there.facts.push(Constraint {
            node: guard.constraint.node,
            relation: Relation::Equal,
        });
    }
    Ok(there)
}
