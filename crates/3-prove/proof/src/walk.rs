//! Goes through the claimed tree of a box: every stay, and every way to go on that is not impossible.
//!
//! # Method
//! Depth first, with a stack of its own. On it lie the stays of one evolution, each with the events that may end it and the ways that are still to be followed; the next way is looked at only
//! when all that follows the one before it was.
//!
//! # Guarantee
//! No stay is followed twice ([`in_order`]), so it ends. The program's stack does not grow with the evolution.

use dyverse_enclose::TaylorModel;
use dyverse_expr::Pool;
use dyverse_formulas::{Condition, Evolution, Jump};
use dyverse_num::Tri;

use crate::frame::States;
use crate::impulses::Cover;
use crate::path::judge;
use crate::proof::{Branch, Stay, StayEnd, StayId, Way, in_order};
use crate::rejected::{Rejected, Why};
use crate::verify::Checker;

/// An event that was met, with the states there; no event where a node is left.
pub(crate) type Met = (Option<usize>, States);

/// A stay that was followed to its end.
struct Ended<'p, L> {
    place: L,
    /// How it ends: what was met, and what is claimed of it.
    ends: std::iter::Zip<std::vec::IntoIter<Met>, std::slice::Iter<'p, Branch>>,
    /// The end that is being followed.
    node: Option<Node<'p, L>>,
    /// How long the trail was before it.
    trail: usize,
}

/// An end of a stay, and its ways to go on.
struct Node<'p, L> {
    set: States,
    jumps: Vec<Jump<L>>,
    /// The first jump that was not looked at.
    next: usize,
    covers: Vec<Cover>,
    ways: &'p [Way],
    used: Vec<bool>,
    possible: usize,
}

impl<E: Evolution> Checker<'_, E> {
    /// Follows all evolutions from the first stay.
    pub(crate) fn follow_all(
        &mut self,
        place: E::Place,
        set: &States,
        stays: &[Stay],
    ) -> Result<(), Rejected> {
        if in_order(stays).is_none() {
            return Err(self.fail(Why::Form("the stays of a box are no tree")));
        }
        let mut path = vec![self.stay(place, set, &stays[0])?];
        while let Some(last) = path.last_mut() {
            match self.next(last, stays)? {
                Some((place, set, StayId(stay))) => path.push(self.stay(place, &set, &stays[stay])?),
                None => {
                    self.trail.truncate(last.trail);
                    path.pop();
                }
            }
        }
        Ok(())
    }

    fn stay<'p>(
        &mut self,
        place: E::Place,
        set: &States,
        claimed: &'p Stay,
    ) -> Result<Ended<'p, E::Place>, Rejected> {
        self.go_on()?;
        if claimed.place != place.to_string() {
            return Err(self.fail(Why::OtherPlace {
                claimed: claimed.place.clone(),
                found: place.to_string(),
            }));
        }
        self.found.stays += 1;
        let trail = self.trail.len();
        self.trail.push(format!("{place} at {:.6} s", set.time().lo()));
        let met = if self.evolution.is_instant(&place) {
            self.node(set, claimed)?
        } else {
            self.location(&place, set, claimed)?
        };
        Ok(Ended {
            place,
            ends: met.into_iter().zip(claimed.branches()),
            node: None,
            trail,
        })
    }

    fn node(&mut self, set: &States, claimed: &Stay) -> Result<Vec<Met>, Rejected> {
        let branch = match &claimed.end {
            StayEnd::Branches(all) => match all.as_slice() {
                [one] if one.event.is_empty() && claimed.hull.is_empty() => one,
                _ => return Err(self.fail(Why::Form("a node lasts no time and has one branch"))),
            },
            StayEnd::Horizon => return Err(self.fail(Why::Form("a node lasts no time"))),
        };
        let what = || "the time of a node".into();
        self.bound(what, branch.time, set.time(), set.time())?;
        Ok(vec![(None, set.clone())])
    }

    /// Where the next way from the end of a stay leads; none if all were followed.
    fn next(
        &mut self,
        ended: &mut Ended<'_, E::Place>,
        stays: &[Stay],
    ) -> Result<Option<(E::Place, States, StayId)>, Rejected> {
        loop {
            if let Some(node) = &mut ended.node {
                if let Some(found) = self.next_way(&ended.place, node, stays)? {
                    return Ok(Some(found));
                }
                if node.possible == 0 {
                    return Err(self.fail(Why::Form("no way to go on is possible")));
                }
                self.found.needless_ways += node.used.iter().filter(|used| !**used).count();
            }
            // Only the stay itself is left of its trail.
            self.trail.truncate(ended.trail + 1);
            let Some(((event, set), branch)) = ended.ends.next() else {
                return Ok(None);
            };
            if event.is_some() {
                self.trail.push(branch.event.clone());
            }
            let what = || "the time of the event".into();
            self.bound(what, branch.time, set.time(), set.time())?;
            ended.node = self.left(&ended.place, event, set, &branch.ways)?;
        }
    }

    /// The ways to go on from the end of a stay; none beyond the horizon.
    fn left<'p>(
        &mut self,
        place: &E::Place,
        event: Option<usize>,
        set: States,
        ways: &'p [Way],
    ) -> Result<Option<Node<'p, E::Place>>, Rejected> {
        if set.time().lo() > self.horizon {
            return Ok(None);
        }
        let (whole, unknowns) = (set.whole(), self.unknowns.clone());
        let judging =
            |pool: &Pool, condition: &Condition| judge(pool, &whole, &unknowns, &set.facts, condition);
        let found = self.evolution.jumps(place, event, &judging);
        let jumps = found.map_err(|o| self.obstacle(o))?;
        Ok(Some(Node {
            set,
            jumps,
            next: 0,
            covers: Vec::new(),
            ways,
            used: vec![false; ways.len()],
            possible: 0,
        }))
    }

    /// Every way to go on that is not impossible must be claimed: the next of them, and the states with which it goes on.
    fn next_way(
        &mut self,
        place: &E::Place,
        node: &mut Node<'_, E::Place>,
        stays: &[Stay],
    ) -> Result<Option<(E::Place, States, StayId)>, Rejected> {
        let (set, ways, used) = (&node.set, node.ways, &mut node.used);
        while let Some(jump) = node.jumps.get(node.next) {
            node.next += 1;
            if self.judge(set, &jump.when) == Tri::False {
                continue;
            }
            let Some(auxiliaries) = self.auxiliaries(set, (jump, &node.jumps), ways, &mut node.covers)?
            else {
                continue;
            };
            node.possible += 1;
            let target = jump.target.to_string();
            let fits = |(number, way): &(usize, &Way)| {
                !used[*number] && way.label == jump.label && stays[way.stay.0].place == target
            };
            let Some((number, way)) = ways.iter().enumerate().find(fits) else {
                return Err(self.fail(Why::NoWay(format!("{} to [{target}]", jump.label))));
            };
            used[number] = true;
            if way.impulses.len() != auxiliaries.len() {
                return Err(self.fail(Why::Form("a way has other auxiliaries than its jump")));
            }
            for (number, (claimed, found)) in way.impulses.iter().zip(&auxiliaries).enumerate() {
                let what = || format!("auxiliary {} of the {}", number + 1, jump.label);
                self.bound(what, *claimed, found.bound(), found.bound())?;
            }
            let with: Vec<TaylorModel> = self.unknowns.iter().chain(&auxiliaries).cloned().collect();
            let moments = self.evolution.moments(place, jump);
            for safe in moments.map_err(|o| self.obstacle(o))? {
                let truth = self
                    .evolution
                    .with_pool(|pool| judge(pool, &set.whole(), &with, &set.facts, &safe));
                if truth != Tri::True {
                    let time = set.time().lo();
                    return Err(self.fail(Why::Property { time }));
                }
            }
            let mut after = if auxiliaries.is_empty() {
                self.reset(set, &jump.reset)?
            } else {
                self.reset_with(set, &jump.reset, &with)?
            };
            let implied = jump.impulses.iter().flat_map(|impulses| &impulses.after);
            after.facts.extend(implied);
            return Ok(Some((jump.target.clone(), after, way.stay)));
        }
        Ok(None)
    }
}
