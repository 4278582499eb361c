//! ExploreCompNode: every way to go on from a computation node, and the root of each [002, Algorithm 4].
//!
//! | Algorithm 4 | here |
//! |---|---|
//! | formulas of the contact forces, sweep by sweep, until every trajectory has converged | [`Jump`]s: one for each assignment of modes, with its forces in closed form, or as [`auxiliaries`] that solve equations |
//! | x⁺ = R(x) | `Jump::reset` on the set |
//! | does the reset create an unsafe solution? | the property at the moments of the jump ([`Evolution::moments`]) |
//! | which guards of the exit are crossed? | the jumps whose condition is not false of the set |
//!
//! # Done differently
//! Sweeps of SORPROX are not unrolled: a sweep that has converged to a tolerance is no fixed point, so nothing is proved by it. The fixed point itself is the contact law, and each
//! assignment of modes freezes it into equations; what is proved of all solutions of those is proved of the law. Sweeps at the centre of a box only propose (`impulses.rs`).
//!
//! # Guarantee
//! Rigorous: every trajectory of the root is in the root of a way that is not left out. `Jump::when` false of the set, or equations without a solution there, leave a way out; nothing else
//! does.
//!
//! [`auxiliaries`]: Jump::auxiliaries
//! [`Evolution::moments`]: dyverse_formulas::Evolution::moments

use dyverse_enclose::{Failure, Formulas, StateSet, TaylorModel};
use dyverse_expr::Pool;
use dyverse_formulas::{Condition, Constraint, Evolution, Jump, Relation};
use dyverse_num::{Interval, Tri};
use dyverse_proof::{Way, claim};

use crate::create_roots::RootFormula;
use crate::depth_first_search::{End, Together, Violation};
use crate::explorer::{Explorer, judge, lost, time_of};
use crate::impulses::{Cover, Law, Missing};
use crate::outcome::Reason;

/// The ways to go on from a node: made one by one.
pub(crate) struct Ways<L> {
    /// The event that led here; empty for a node of its own.
    pub(crate) label: String,
    pub(crate) time: Interval,
    root: RootFormula<L>,
    /// Those not looked at yet; none beyond the horizon.
    jumps: Option<std::vec::IntoIter<Jump<L>>>,
    covers: Vec<Cover>,
    /// The one being explored: its label, and where its auxiliaries are.
    taken: Option<(String, Vec<(f64, f64)>)>,
    found: Together<Way>,
}

impl<L> Ways<L> {
    /// Adds what was found of the way that was taken.
    pub(crate) fn take(&mut self, end: End) {
        let Some((label, impulses)) = self.taken.take() else {
            unreachable!("bug: no way was taken");
        };
        match end {
            End::Safe(stay) => self.found.safe.push(Way {
                label,
                impulses,
                stay,
            }),
            End::Unsafe(violation) => self.found.violation = Some(violation),
        }
    }

    /// What all ways are together.
    pub(crate) fn verdict(self) -> Result<Result<Vec<Way>, Violation>, Reason> {
        match self.jumps {
            None => Ok(Ok(Vec::new())),
            Some(_) => self.found.verdict(self.time.lo()),
        }
    }
}

impl<E: Evolution> Explorer<E> {
    /// Algorithm 4.
    pub(crate) fn explore_comp_node(
        &mut self,
        label: String,
        root: RootFormula<E::Place>,
    ) -> Result<Ways<E::Place>, Reason> {
        let time = time_of(&root.set);
        let jumps = if time.lo() > self.horizon {
            None
        } else {
            let (whole, unknowns) = (root.set.whole(), self.unknowns.clone());
            let judging =
                |pool: &Pool, condition: &Condition| judge(pool, &whole, &unknowns, &root.facts, condition);
            let jumps = self.evolution.jumps(&root.location, root.event, &judging);
            Some(jumps.map_err(|o| Reason::Obstacle(o.what))?.into_iter())
        };
        Ok(Ways {
            label,
            time,
            root,
            jumps,
            covers: Vec::new(),
            taken: None,
            found: Together::none(),
        })
    }

    /// The root of the next way that is possible.
    pub(crate) fn next_way(
        &mut self,
        ways: &mut Ways<E::Place>,
    ) -> Result<Option<RootFormula<E::Place>>, Reason> {
        while let Some(jump) = ways.jumps.as_mut().and_then(Iterator::next) {
            self.go_on()?;
            let (root, now) = (&ways.root, ways.time);
            if self.judge(root, &jump.when) == Tri::False {
                continue;
            }
            let Some(auxiliaries) = self.auxiliaries(&jump, root, &mut ways.covers)? else {
                continue;
            };
            self.figures.jumps += 1;
            // Collisions one by one, each in doubt, branch without any step.
            if self.figures.jumps - self.jumps_before > self.limits.steps {
                return Err(Reason::Limit(format!("more than {} jumps", self.limits.steps)));
            }
            let (truth, after) = self.after(&jump, root, &auxiliaries)?;
            match truth {
                Tri::True => {
                    let impulses = auxiliaries.iter().map(|y| claim(y.bound())).collect();
                    ways.taken = Some((jump.label, impulses));
                    return Ok(Some(after));
                }
                Tri::False => {
                    ways.found.violation = Some(Violation {
                        time: (now.lo(), now.hi()),
                        place: jump.target.to_string(),
                    });
                }
                Tri::Unknown => return Err(Reason::Property { time: now.lo() }),
            }
        }
        Ok(None)
    }

    /// The root after a jump, and whether the property holds at the moments of the jump and right after it.
    fn after(
        &mut self,
        jump: &Jump<E::Place>,
        root: &RootFormula<E::Place>,
        auxiliaries: &[TaylorModel],
    ) -> Result<(Tri, RootFormula<E::Place>), Reason> {
        let obstacle = |o: dyverse_formulas::Obstacle| Reason::Obstacle(o.what);
        let with = self.with_auxiliaries(auxiliaries);
        let moments = self.evolution.moments(&root.location, jump).map_err(obstacle)?;
        let truth = moments.iter().map(|safe| self.judge_with(root, &with, safe));
        let mut truth = truth.fold(Tri::True, Tri::and);
        let (reset, mut facts) = self
            .evolution
            .with_pool(|pool| (Formulas::new(pool, &jump.reset), root.kept(pool, &jump.reset)));
        let set = if auxiliaries.is_empty() {
            reset.reset(&root.set, &self.unknowns)
        } else {
            // Auxiliaries have what the states deviate by in their remainders.
            let all = reset.on(&root.set.whole(), &with);
            all.map(|models| StateSet::new(&models))
                .map_err(Failure::Undefined)
        };
        let set = set.map_err(|f| lost(&f, time_of(&root.set).lo()))?;
        facts.extend(jump.impulses.iter().flat_map(|impulses| &impulses.after));
        let after = RootFormula {
            location: jump.target.clone(),
            event: None,
            transitions: root.transitions + 1,
            set,
            facts,
        };
        if !self.evolution.is_instant(&jump.target) {
            let safe = self.evolution.safe(&jump.target).map_err(obstacle)?;
            truth = truth.and(self.judge(&after, &safe));
        }
        Ok((truth, after))
    }

    /// The auxiliaries of a jump in all solutions of its equations that belong to it; `None` if there are none. Where energy is capped, it is shown not to be added.
    fn auxiliaries(
        &self,
        jump: &Jump<E::Place>,
        root: &RootFormula<E::Place>,
        covers: &mut Vec<Cover>,
    ) -> Result<Option<Vec<TaylorModel>>, Reason> {
        let Some(impulses) = &jump.impulses else {
            return match jump.auxiliaries.is_empty() {
                true => Ok(Some(Vec::new())),
                false => Err(Reason::Obstacle(format!("{}: no law", jump.label))),
            };
        };
        let time = time_of(&root.set).lo();
        let missing = |why: Missing| match why {
            Missing::Never(what) => Reason::Obstacle(format!("{}: {what}", jump.label)),
            Missing::Wide(what) => Reason::Enclosure { what, time },
        };
        let known = covers.iter().position(|cover| cover.of == impulses.law);
        let cover = match known {
            Some(place) => &covers[place],
            None => {
                let law = self
                    .evolution
                    .with_pool(|pool| Law::new(pool, &impulses.law, &root.set.whole(), &self.unknowns));
                let cover = law.and_then(|law| Cover::new(impulses.law.clone(), law));
                covers.push(cover.map_err(missing)?);
                &covers[covers.len() - 1]
            }
        };
        let Some(found) = cover.auxiliaries(&impulses.rows, jump.auxiliaries.len()) else {
            return Ok(None);
        };
        let with = self.with_auxiliaries(&found);
        if self.judge_with(root, &with, &jump.when) == Tri::False {
            return Ok(None);
        }
        for gain in &impulses.gains {
            let is = |relation: Relation| {
                let atom = Condition::Atom(Constraint {
                    node: *gain,
                    relation,
                });
                self.judge_with(root, &with, &atom)
            };
            let what = || {
                format!(
                    "the {} may add energy, and restitution that is capped there has no formulas",
                    jump.label
                )
            };
            match is(Relation::Greater) {
                Tri::False => {}
                Tri::True if cover.is_certain() => return Err(Reason::Obstacle(what())),
                // Smaller boxes may do.
                _ => return Err(Reason::Enclosure { what: what(), time }),
            }
        }
        Ok(Some(found))
    }
}
