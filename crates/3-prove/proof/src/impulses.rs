//! Impacts whose impulses have no closed form, checked: all solutions of the contact law are in the ways that a proof has.
//!
//! # Method
//! A way claims where its auxiliaries are. From the middle of that, polynomials are improved until they nearly solve the jump's own equations, and an inclusion
//! [Krawczyk 1969] shows the root for all unknowns. Where its signs obey the law it is *the* solution (`definite.rs`), and every other assignment of modes is impossible. Where
//! signs are broken by something, impulses moved into their cones solve the law for a bias that differs as much, so all solutions are near; an assignment is impossible where
//! signs say so there, and else what its equations leave of that region must be claimed.
//!
//! Polynomials are of a low degree here: what is cut off is in the remainder.
//!
//! # Guarantee
//! Rigorous: for all unknowns of the box no solution is outside of what is found for the jumps that are possible.

use std::rc::Rc;
use std::sync::Arc;

use dyverse_enclose::{Basis, Formulas, TaylorModel, Undefined};
use dyverse_expr::{NodeId, SymbolId};
use dyverse_formulas::{Condition, Constraint, Evolution, ImpactRow, ImpulseLaw, Jump, Relation, Row};
use dyverse_num::{Interval, Tri};

use crate::definite::Contacts;
use crate::frame::States;
use crate::matrix::symmetric;
use crate::path::judge;
use crate::proof::Way;
use crate::rejected::{Rejected, Why};
use crate::verify::Checker;

/// Turns of the polynomials' improvement, and of an inclusion.
const TURNS: usize = 10;

/// Between the polynomials of the checker and those of a low degree.
struct Lower {
    basis: Arc<Basis>,
    /// For every monomial of low degree, the same among the checker's.
    places: Vec<Option<usize>>,
    whole: Arc<Basis>,
}

impl Lower {
    fn new(whole: &Arc<Basis>) -> Self {
        // The last variable is the local time of a step, which no set depends on.
        let unknowns = whole.variables() - 1;
        let basis = Basis::new(unknowns.max(1), if unknowns > 3 { 2 } else { 3 });
        let place = |i: usize| {
            let mut wanted = basis.exponents(i).to_vec();
            wanted.resize(unknowns + 1, 0);
            let is_same = |j: &usize| whole.exponents(*j) == wanted.as_slice();
            let is_free = basis.exponents(i).iter().skip(unknowns).all(|e| *e == 0);
            (0..whole.len()).find(is_same).filter(|_| is_free)
        };
        Lower {
            places: (0..basis.len()).map(place).collect(),
            whole: whole.clone(),
            basis,
        }
    }

    fn lowered(&self, model: &TaylorModel) -> TaylorModel {
        // A monomial that the model does not have; and zeros at the end are left out.
        let own = |place: &Option<usize>| {
            let at = place.and_then(|at| model.coefficients().get(at));
            at.copied().unwrap_or(0.0)
        };
        let coefficients: Vec<f64> = self.places.iter().map(own).collect();
        let mut cut = Interval::ZERO;
        for (place, c) in model.coefficients().iter().enumerate() {
            if *c != 0.0 && !self.places.contains(&Some(place)) {
                cut = cut + Interval::point(c.abs());
            }
        }
        let remainder = model.remainder() + symmetric(cut.hi());
        TaylorModel::from_parts(&self.basis, coefficients, remainder)
    }

    fn raised(&self, model: &TaylorModel) -> TaylorModel {
        let mut coefficients = vec![0.0; self.whole.len()];
        for (place, c) in self.places.iter().zip(model.coefficients()) {
            if let Some(place) = place {
                coefficients[*place] = *c;
            }
        }
        TaylorModel::from_parts(&self.whole, coefficients, model.remainder())
    }
}

/// The equations of a jump about polynomials that nearly solve them.
struct Inclusion<'a> {
    scene: &'a Scene,
    slopes: Formulas,
    near: Vec<TaylorModel>,
    /// Y.
    inverse: Vec<Vec<f64>>,
    /// Y F(near).
    rest: Vec<Interval>,
}

/// What formulas are evaluated on, at a low degree.
struct Scene {
    lower: Lower,
    states: Vec<TaylorModel>,
    unknowns: Vec<TaylorModel>,
}

impl Scene {
    fn on(&self, formulas: &Formulas, y: &[TaylorModel]) -> Result<Vec<TaylorModel>, Undefined> {
        let all: Vec<TaylorModel> = self.unknowns.iter().chain(y).cloned().collect();
        formulas.on(&self.states, &all)
    }
}

/// Σ rows of doubles times models.
fn product(rows: &[Vec<f64>], models: &[TaylorModel]) -> Vec<TaylorModel> {
    let Some(zero) = models
        .first()
        .map(|m| TaylorModel::constant(m.basis(), Interval::ZERO))
    else {
        return Vec::new();
    };
    let one = |row: &Vec<f64>| {
        row.iter()
            .zip(models)
            .fold(zero.clone(), |sum, (x, m)| match *x == 0.0 {
                true => sum,
                false => &sum + &(m * Interval::point(*x)),
            })
    };
    rows.iter().map(one).collect()
}

/// An inverse, nearly.
fn inverse(rows: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = rows.len();
    let unit = |i: usize| (0..n).map(move |j| f64::from(u8::from(i == j)));
    let mut all: Vec<Vec<f64>> = (0..n)
        .map(|i| rows[i].iter().copied().chain(unit(i)).collect())
        .collect();
    for k in 0..n {
        let best = (k..n).max_by(|a, b| all[*a][k].abs().total_cmp(&all[*b][k].abs()))?;
        all.swap(k, best);
        let pivot = all[k].clone();
        if pivot[k] == 0.0 {
            return None;
        }
        for (i, row) in all.iter_mut().enumerate() {
            let factor = if i == k {
                1.0 - 1.0 / pivot[k]
            } else {
                row[k] / pivot[k]
            };
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x -= factor * p;
            }
        }
    }
    let right = all.into_iter().map(|row| row[n..].to_vec());
    let right: Vec<Vec<f64>> = right.collect();
    right.iter().flatten().all(|x| x.is_finite()).then_some(right)
}

impl<'a> Inclusion<'a> {
    fn new(scene: &'a Scene, equations: &Formulas, slopes: Formulas, start: &[f64]) -> Option<Self> {
        let n = start.len();
        let constant = |x: &f64| TaylorModel::constant(&scene.lower.basis, Interval::point(*x));
        let mut near: Vec<TaylorModel> = start.iter().map(constant).collect();
        let mut found = Vec::new();
        for turn in 0..2 * TURNS {
            if turn < TURNS / 2 {
                let all = scene.on(&slopes, &near).ok()?;
                let rows: Vec<Vec<f64>> = all
                    .chunks(n)
                    .map(|row| row.iter().map(TaylorModel::centre).collect())
                    .collect();
                found = inverse(&rows)?;
            }
            let change = product(&found, &scene.on(equations, &near).ok()?);
            near = near
                .iter()
                .zip(&change)
                .map(|(y, c)| (y - c).polynomial())
                .collect();
        }
        let rest = product(&found, &scene.on(equations, &near).ok()?);
        Some(Inclusion {
            scene,
            slopes,
            near,
            inverse: found,
            rest: rest.iter().map(TaylorModel::bound).collect(),
        })
    }

    fn with(&self, off: &[Interval]) -> Vec<TaylorModel> {
        self.near
            .iter()
            .zip(off)
            .map(|(y, d)| y.with_remainder(*d))
            .collect()
    }

    /// Where roots within `off` of the polynomials are: (1 − Y F′) off − Y F, slopes taken between the two.
    fn image(&self, off: &[Interval]) -> Option<Vec<Interval>> {
        let n = off.len();
        let between: Vec<Interval> = off.iter().map(|d| d.hull(&Interval::ZERO)).collect();
        let slopes = self.scene.on(&self.slopes, &self.with(&between)).ok()?;
        let mut image: Vec<Interval> = self.rest.iter().map(|z| -*z).collect();
        for j in 0..n {
            let column: Vec<TaylorModel> = (0..n).map(|i| slopes[n * i + j].clone()).collect();
            for (i, entry) in product(&self.inverse, &column).iter().enumerate() {
                let own = if i == j { Interval::ONE } else { Interval::ZERO };
                image[i] = image[i] + (own - entry.bound()) * off[j];
            }
        }
        image
            .iter()
            .all(|d| !d.is_empty() && d.is_bounded())
            .then_some(image)
    }

    /// The one root there.
    fn root(&self) -> Option<Vec<TaylorModel>> {
        let mut radii: Vec<f64> = self.rest.iter().map(|z| 1.5 * z.magnitude() + 1e-16).collect();
        for _ in 0..TURNS {
            let off: Vec<Interval> = radii.iter().map(|r| symmetric(*r)).collect();
            let image = self.image(&off)?;
            if image.iter().zip(&radii).all(|(d, r)| d.magnitude() < *r) {
                return Some(self.with(&self.flat(&radii).unwrap_or(image)));
            }
            radii = image.iter().map(|d| 1.5 * d.magnitude() + 1e-16).collect();
        }
        None
    }

    /// The same root with components that are exactly those of the polynomials (a motion in a plane): their equations are zero wherever these components are so, which is seen
    /// by their images, and the others have an inclusion of their own. `None` if there are none.
    fn flat(&self, radii: &[f64]) -> Option<Vec<Interval>> {
        let mut flat: Vec<bool> = self.rest.iter().map(|z| *z == Interval::ZERO).collect();
        while flat.contains(&true) {
            let own = |(r, is_flat): (&f64, &bool)| if *is_flat { Interval::ZERO } else { symmetric(*r) };
            let off: Vec<Interval> = radii.iter().zip(&flat).map(own).collect();
            let image = self.image(&off)?;
            let Some(out) = (0..flat.len()).find(|i| flat[*i] && image[*i] != Interval::ZERO) else {
                let is_inside = |i: usize| flat[i] || image[i].magnitude() < radii[i];
                return (0..flat.len()).all(is_inside).then_some(image);
            };
            flat[out] = false;
        }
        None
    }

    /// Roots in a region: `None` if there are none.
    fn within(&self, region: &[TaylorModel]) -> Option<Vec<TaylorModel>> {
        let mut off: Vec<Interval> = region
            .iter()
            .zip(&self.near)
            .map(|(y, p)| (y - p).bound())
            .collect();
        for _ in 0..TURNS {
            let Some(image) = self.image(&off) else { break };
            off = off.iter().zip(&image).map(|(a, b)| a.intersect(b)).collect();
            if off.iter().any(Interval::is_empty) {
                return None;
            }
        }
        let found = self.with(&off);
        let width = |y: &TaylorModel| y.remainder().width();
        let best = |(a, b): (TaylorModel, &TaylorModel)| if width(&a) < width(b) { a } else { b.clone() };
        Some(found.into_iter().zip(region).map(best).collect())
    }
}

/// Where all impulses of one law are.
pub(crate) struct Cover {
    of: Rc<ImpulseLaw>,
    scene: Scene,
    /// Λ and γ, at a low degree; all solutions are there.
    impulses: Vec<TaylorModel>,
    gamma: Vec<TaylorModel>,
    friction: Vec<Option<TaylorModel>>,
    /// If there are no others: the label of their jump, and its auxiliaries.
    only: Option<(String, Vec<TaylorModel>)>,
}

type Found = Option<Vec<TaylorModel>>;

impl<E: Evolution> Checker<'_, E> {
    fn derived<L>(&mut self, jump: &Jump<L>) -> (Formulas, Formulas) {
        let equations: Vec<NodeId> = jump.auxiliaries.iter().map(|a| a.equation).collect();
        let variables = self.evolution.variables().clone();
        let symbols: Vec<SymbolId> = (0..equations.len()).map(|i| variables.auxiliary(i)).collect();
        let slopes: Vec<NodeId> = self.evolution.change_pool(|pool| {
            let of = |e: &NodeId| symbols.iter().map(|s| pool.derive(*e, *s)).collect::<Vec<_>>();
            equations.iter().flat_map(of).collect()
        });
        self.evolution
            .with_pool(|pool| (Formulas::new(pool, &equations), Formulas::new(pool, &slopes)))
    }

    fn lack(&self, set: &States, what: &str) -> Rejected {
        self.fail(Why::Enclosure {
            what: what.to_owned(),
            time: set.time().lo(),
        })
    }

    /// The auxiliaries of a jump in all solutions that belong to it; `None` if there are none. `jumps` are all of the event, `ways` those that are claimed.
    pub(crate) fn auxiliaries(
        &mut self,
        set: &States,
        (jump, jumps): (&Jump<E::Place>, &[Jump<E::Place>]),
        ways: &[Way],
        covers: &mut Vec<Cover>,
    ) -> Result<Found, Rejected> {
        let Some(impulses) = &jump.impulses else {
            return match jump.auxiliaries.is_empty() {
                true => Ok(Some(Vec::new())),
                false => Err(self.fail(Why::Obstacle(format!("{}: no law", jump.label)))),
            };
        };
        let place = match covers.iter().position(|cover| cover.of == impulses.law) {
            Some(place) => place,
            None => {
                covers.push(self.cover(set, &impulses.law, jumps, ways)?);
                covers.len() - 1
            }
        };
        let cover = &covers[place];
        let low = match &cover.only {
            Some((label, y)) if *label == jump.label => y.clone(),
            Some(_) => return Ok(None),
            None if !cover.may_be(&impulses.rows) => return Ok(None),
            None if jump.auxiliaries.is_empty() => Vec::new(),
            None => {
                let region = cover.region(&impulses.rows);
                let start: Option<Vec<f64>> = region.iter().map(|y| y.bound().mid()).collect();
                let (equations, slopes) = self.derived(jump);
                let inclusion =
                    start.and_then(|start| Inclusion::new(&cover.scene, &equations, slopes, &start));
                match inclusion {
                    None => region,
                    Some(inclusion) => match inclusion.within(&region) {
                        None => return Ok(None),
                        Some(found) => found,
                    },
                }
            }
        };
        let found: Vec<TaylorModel> = low.iter().map(|y| cover.scene.lower.raised(y)).collect();
        let with: Vec<TaylorModel> = self.unknowns.iter().chain(&found).cloned().collect();
        let truth = |condition: &Condition| {
            self.evolution
                .with_pool(|pool| judge(pool, &set.whole(), &with, &set.facts, condition))
        };
        if truth(&jump.when) == Tri::False {
            return Ok(None);
        }
        for gain in &impulses.gains {
            let adds = Condition::Atom(Constraint {
                node: *gain,
                relation: Relation::Greater,
            });
            if truth(&adds) != Tri::False {
                return Err(self.fail(Why::Obstacle(format!("the {} may add energy", jump.label))));
            }
        }
        Ok(Some(found))
    }

    /// Where all solutions of a law are.
    fn cover(
        &mut self,
        set: &States,
        of: &Rc<ImpulseLaw>,
        jumps: &[Jump<E::Place>],
        ways: &[Way],
    ) -> Result<Cover, Rejected> {
        let lower = Lower::new(&self.clock.basis);
        let low = |all: &[TaylorModel]| all.iter().map(|x| lower.lowered(x)).collect::<Vec<_>>();
        let (states, unknowns) = (low(&set.whole()), low(&self.unknowns));
        let scene = Scene {
            states,
            unknowns,
            lower,
        };
        let nodes: Vec<NodeId> = of
            .operator
            .iter()
            .chain([&Vec::new()])
            .flatten()
            .copied()
            .collect();
        let others = of
            .bias
            .iter()
            .flatten()
            .chain(of.friction.iter().flatten())
            .copied();
        let nodes: Vec<NodeId> = nodes.into_iter().chain(others).collect();
        let formulas = self.evolution.with_pool(|pool| Formulas::new(pool, &nodes));
        let values = scene
            .on(&formulas, &[])
            .map_err(|u| self.lack(set, &u.to_string()))?;
        let count = of.operator.len();
        let (operator, rest) = values.split_at(count * count);
        let (bias, mut rest) = rest.split_at(count);
        let mut friction = Vec::new();
        for own in &of.friction {
            friction.push(match (own, rest.split_first()) {
                (None, _) => None,
                (Some(_), Some((mu, others))) => {
                    rest = others;
                    Some(mu.clone())
                }
                (Some(_), None) => unreachable!("bug: a coefficient of friction without a value"),
            });
        }
        let coefficient = |mu: &TaylorModel| {
            let range = mu.bound();
            // Not negative by the model: what is, is rounding.
            if range.lo() < -1e-12 {
                Interval::ENTIRE
            } else {
                range.intersect(&Interval::NOT_NEGATIVE)
            }
        };
        let contacts = Contacts {
            operator: operator
                .chunks(count)
                .map(|row| row.iter().map(TaylorModel::bound).collect())
                .collect(),
            friction: friction.iter().map(|mu| mu.as_ref().map(coefficient)).collect(),
        };
        let Some(stiffness) = contacts.stiffness() else {
            return Err(self.lack(set, "the impulses of an impact may not be unique"));
        };
        let gamma = |impulses: &[TaylorModel]| -> Vec<TaylorModel> {
            let row = |i: usize| {
                let terms = operator[i * count..(i + 1) * count].iter().zip(impulses);
                terms.fold(bias[i].clone(), |sum, (g, l)| &sum + &(g * l))
            };
            (0..count).map(row).collect()
        };
        for jump in jumps {
            let Some(own) = jump.impulses.as_ref().filter(|own| own.law == *of) else {
                continue;
            };
            let Some(way) = ways.iter().find(|way| way.label == jump.label) else {
                continue;
            };
            if way.impulses.len() != jump.auxiliaries.len() {
                return Err(self.fail(Why::Form("a way has other auxiliaries than its jump")));
            }
            let Some(y) = self.rooted(&scene, jump, way) else {
                continue;
            };
            let nodes: Vec<NodeId> = own.impulses.iter().flatten().copied().collect();
            let formulas = self.evolution.with_pool(|pool| Formulas::new(pool, &nodes));
            let Ok(impulses) = scene.on(&formulas, &y) else {
                continue;
            };
            let found = gamma(&impulses);
            let (moved, changed) = broken(&own.rows, &impulses, &found, &friction);
            let is_whole = moved.iter().chain(&changed).all(|x| *x == 0.0);
            let change: Vec<Interval> = (0..count)
                .map(|i| {
                    let pushed = contacts.operator[i].iter().zip(&moved);
                    pushed.fold(symmetric(changed[i]), |sum, (g, m)| sum + *g * symmetric(*m))
                })
                .collect();
            let reach = stiffness.apart(&change);
            let widened = impulses.iter().zip(moved.iter().zip(&reach)).map(|(l, (m, r))| {
                let more = Interval::point(*m) + Interval::point(*r);
                l.widened(symmetric(if is_whole { 0.0 } else { more.hi() }))
            });
            let impulses: Vec<TaylorModel> = widened.collect();
            if impulses.iter().any(|l| !l.is_finite()) {
                continue;
            }
            return Ok(Cover {
                of: of.clone(),
                gamma: gamma(&impulses),
                only: is_whole.then(|| (jump.label.clone(), y)),
                impulses,
                friction: friction.clone(),
                scene,
            });
        }
        Err(self.lack(
            set,
            "the impulses of an impact could not be enclosed from any way that is claimed",
        ))
    }

    /// The auxiliaries of a jump, from where they are claimed to be: for all unknowns they solve its equations.
    fn rooted(&mut self, scene: &Scene, jump: &Jump<E::Place>, way: &Way) -> Found {
        if jump.auxiliaries.is_empty() {
            return Some(Vec::new());
        }
        let start: Vec<f64> = way.impulses.iter().map(|(lo, hi)| 0.5 * (lo + hi)).collect();
        let (equations, slopes) = self.derived(jump);
        Inclusion::new(scene, &equations, slopes, &start)?.root()
    }
}

/// How far impulses have to move into their cones, and γ to change then, so that they obey the law: by component.
fn broken(
    modes: &[ImpactRow],
    impulses: &[TaylorModel],
    gamma: &[TaylorModel],
    friction: &[Option<TaylorModel>],
) -> (Vec<f64>, Vec<f64>) {
    // What is no number says nothing.
    let known = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
    let below = |x: &TaylorModel| match x.is_finite() {
        true => known(-x.bound().lo()).max(0.0),
        false => f64::INFINITY,
    };
    let size = |x: &TaylorModel| match x.is_finite() {
        true => known(x.bound().magnitude()),
        false => f64::INFINITY,
    };
    let share = |part: f64, of: f64| (Interval::point(part) / Interval::point(of)).hi();
    let (mut moved, mut changed) = (vec![0.0; gamma.len()], vec![0.0; gamma.len()]);
    for (contact, mode) in modes.iter().enumerate() {
        let n = 3 * contact;
        let [l, x, y] = [0, 1, 2].map(|k| &impulses[n + k]);
        if *mode == Row::Open {
            changed[n] = below(&gamma[n]);
            continue;
        }
        moved[n] = below(l);
        let Some(mu) = &friction[contact] else { continue };
        let limit = mu * l;
        let least = limit.bound().lo();
        if *mode == Row::Stick {
            let over = below(&(&(&limit * &limit) - &(&(x * x) + &(y * y))));
            for (k, l) in [(1, x), (2, y)] {
                // (|Λ_T|² − μ²Λ_N²) / (|Λ_T| + μΛ_N), while that has a bound.
                let most = if over > 0.0 { size(l) } else { 0.0 };
                let fine = if least > 0.0 {
                    share(over, least)
                } else {
                    f64::INFINITY
                };
                moved[n + k] = if moved[n] > 0.0 { size(l) } else { most.min(fine) };
            }
        } else {
            // μΛ_N γ_T·d = −Λ_T·γ_T.
            let along = &(&gamma[n + 1] * x) + &(&gamma[n + 2] * y);
            let back = below(&(&along * Interval::point(-1.0)));
            for (k, l) in [(1, x), (2, y)] {
                if moved[n] > 0.0 || least <= 0.0 {
                    moved[n + k] = if moved[n] > 0.0 { size(l) } else { 0.0 };
                    changed[n + k] = size(&gamma[n + k]);
                } else if back > 0.0 {
                    changed[n + k] = share(back, least).min(size(&gamma[n + k]));
                }
            }
        }
    }
    (moved, changed)
}

impl Cover {
    /// Whether the signs of impulses and of γ allow some modes.
    fn may_be(&self, modes: &[ImpactRow]) -> bool {
        if self.gamma.iter().any(|x| !x.is_finite()) {
            return true;
        }
        let zero = |x: &TaylorModel| x.bound().contains(0.0);
        modes.iter().enumerate().all(|(contact, mode)| {
            let n = 3 * contact;
            let [l, x, y] = [0, 1, 2].map(|k| &self.impulses[n + k]);
            if *mode == Row::Open {
                return zero(l) && zero(x) && zero(y) && self.gamma[n].bound().hi() >= 0.0;
            }
            let is_closed = zero(&self.gamma[n]) && l.bound().hi() >= 0.0;
            let margin = self.friction[contact].as_ref().map(|mu| {
                let limit = mu * l;
                (&(&limit * &limit) - &(&(x * x) + &(y * y))).bound()
            });
            is_closed
                && match (mode, margin) {
                    (Row::Stick, Some(margin)) => {
                        margin.hi() >= 0.0 && zero(&self.gamma[n + 1]) && zero(&self.gamma[n + 2])
                    }
                    (Row::Against, Some(margin)) => margin.contains(0.0),
                    _ => true,
                }
        })
    }

    /// Where auxiliaries are.
    fn region(&self, modes: &[ImpactRow]) -> Vec<TaylorModel> {
        let mut all = Vec::new();
        for (contact, mode) in modes.iter().enumerate() {
            let own = &self.impulses[3 * contact..3 * contact + 3];
            match (mode, &self.friction[contact]) {
                (Row::Open, _) => {}
                (Row::Stick, _) => all.extend(own.iter().cloned()),
                (Row::Against, Some(mu)) => {
                    all.push(own[0].clone());
                    let share = (mu * &own[0]).inverse();
                    let unit = || TaylorModel::constant(&self.scene.lower.basis, symmetric(1.0));
                    all.extend(own[1..].iter().map(|l| match &share {
                        Ok(share) => &(l * share) * Interval::point(-1.0),
                        Err(_) => unit(),
                    }));
                }
                _ => all.push(own[0].clone()),
            }
        }
        all
    }
}
