//! DepthFirstSearch: all discrete evolutions from a root formula, one after the other [002, Algorithm 1].
//!
//! | Algorithm 1 | here |
//! |---|---|
//! | s, root | [`RootFormula`]: where it is and what holds there |
//! | ExploreDynamicalLocation, if s is one | `explore_dynamical_location.rs` |
//! | ExploreCompNode, else | `explore_comp_node.rs` |
//! | for all φ in roots: DepthFirstSearch(s′, φ) | a [`Visit`] on the stack gives its roots one by one |
//! | safe = false: return | some evolutions safe and some not: nothing is said of the box |
//!
//! # Done differently
//! - The paper falsifies: it ends with the first evolution that has an unsafe trajectory. Here the question is about *all* trajectories of the root, so every evolution is followed to its
//!   end, and what was found of them is put together on the way back (SPEC §7).
//! - The tree that is found lies flat: a stay gets its number when it is entered, so that numbers are in the order in which a proof is gone through.
//! - The stack is explicit. A visit is suspended while what follows one of its roots is explored; its next root is made only then, because states of roots that wait are large, and because
//!   the first reason why something is undecided is the one that is given.
//!
//! # Guarantee
//! Rigorous: `Safe` if no trajectory of the root is unsafe, `Unsafe` if every one is. Ends: every stay and jump is counted, and a path of more than [`Limits::depth`] transitions is a
//! [`Reason`]. The program's stack does not grow with the path.
//!
//! [`Limits::depth`]: crate::Limits::depth

use dyverse_formulas::Evolution;
use dyverse_num::Interval;
use dyverse_proof::{Branch, Stay, StayEnd, StayId, claim};

use crate::create_roots::{RootFormula, Roots};
use crate::explore_comp_node::Ways;
use crate::explorer::Explorer;
use crate::outcome::Reason;

/// Where every trajectory is unsafe, and when.
pub(crate) struct Violation {
    pub(crate) time: (f64, f64),
    pub(crate) place: String,
}

/// What is proved of all trajectories of a root: with its stay, the number of that, or all stays from it on.
pub(crate) enum End<S = StayId> {
    Safe(S),
    Unsafe(Violation),
}

pub(crate) type Explored<S = StayId> = Result<End<S>, Reason>;

/// What is found of several ways, one after the other.
pub(crate) struct Together<T> {
    pub(crate) safe: Vec<T>,
    pub(crate) violation: Option<Violation>,
}

impl<T> Together<T> {
    pub(crate) fn none() -> Self {
        Together {
            safe: Vec::new(),
            violation: None,
        }
    }

    /// All safe, or all unsafe. Of several ways, some safe and some not, nothing is proved.
    pub(crate) fn verdict(self, time: f64) -> Result<Result<Vec<T>, Violation>, Reason> {
        match (self.safe.is_empty(), self.violation) {
            (true, Some(violation)) => Ok(Err(violation)),
            (false, Some(_)) => Err(Reason::Property { time }),
            (false, None) => Ok(Ok(self.safe)),
            (true, None) => Err(Reason::Event {
                label: "no way to go on was found: an event".into(),
                time,
            }),
        }
    }
}

/// A location whose stay has an end: how, and what was found of its ends so far.
pub(crate) struct Left<L> {
    pub(crate) place: String,
    pub(crate) hull: Vec<Interval>,
    /// Why the property may be violated in the stay: then only a violation of all trajectories later on decides.
    pub(crate) open: Option<Reason>,
    pub(crate) roots: Roots<L>,
    pub(crate) found: Together<Branch>,
}

/// What an exploration of a location comes to.
pub(crate) enum Passed<L> {
    /// Its end, without leaving it.
    Ended(End<Stay>),
    Left(Box<Left<L>>),
}

/// A location on the path, and which of its roots is being explored.
struct Visit<L> {
    number: StayId,
    left: Box<Left<L>>,
    node: Option<Ways<L>>,
}

/// The stays in the order in which they were entered. Where all is safe, each of them has an end.
struct Stays(Vec<Option<Stay>>);

impl Stays {
    fn entered(&mut self) -> StayId {
        self.0.push(None);
        StayId(self.0.len() - 1)
    }

    fn ended(&mut self, number: StayId, end: End<Stay>) -> End {
        match end {
            End::Safe(stay) => {
                self.0[number.0] = Some(stay);
                End::Safe(number)
            }
            End::Unsafe(violation) => End::Unsafe(violation),
        }
    }

    fn all(self) -> Vec<Stay> {
        match self.0.into_iter().collect() {
            Some(stays) => stays,
            None => unreachable!("bug: all is safe, and a stay has no end"),
        }
    }
}

/// What to do next.
enum Step<L> {
    Down(RootFormula<L>),
    Up(Explored),
}

impl<E: Evolution> Explorer<E> {
    /// Algorithm 1.
    pub(crate) fn depth_first_search(&mut self, root: RootFormula<E::Place>) -> Explored<Vec<Stay>> {
        let mut path: Vec<Visit<E::Place>> = Vec::new();
        let mut stays = Stays(Vec::new());
        let mut step = Step::Down(root);
        loop {
            step = match step {
                Step::Down(root) => {
                    let number = stays.entered();
                    match self.enter(root) {
                        Ok(Passed::Ended(end)) => Step::Up(Ok(stays.ended(number, end))),
                        Ok(Passed::Left(left)) => {
                            let node = None;
                            let visit = Visit { number, left, node };
                            self.resume(visit, Ok(None), &mut path, &mut stays)
                        }
                        Err(reason) => Step::Up(Err(reason)),
                    }
                }
                Step::Up(explored) => match path.pop() {
                    Some(visit) => self.resume(visit, explored.map(Some), &mut path, &mut stays),
                    None => {
                        return explored.map(|end| match end {
                            End::Safe(_) => End::Safe(stays.all()),
                            End::Unsafe(violation) => End::Unsafe(violation),
                        });
                    }
                },
            }
        }
    }

    fn enter(&mut self, root: RootFormula<E::Place>) -> Result<Passed<E::Place>, Reason> {
        if root.transitions > self.limits.depth {
            return Err(Reason::Limit(format!(
                "more than {} transitions",
                self.limits.depth
            )));
        }
        if !self.evolution.is_instant(&root.location) {
            return self.explore_dynamical_location(root);
        }
        if let Some(record) = &mut self.record {
            record.instant(&root.location, &root.set);
        }
        Ok(Passed::Left(Box::new(Left {
            place: root.location.to_string(),
            hull: Vec::new(),
            open: None,
            roots: Roots::one(String::new(), root),
            found: Together::none(),
        })))
    }

    /// Goes on with a visit after one of its roots was explored: down to the next one, or up with what all of them are together.
    fn resume(
        &mut self,
        mut visit: Visit<E::Place>,
        explored: Result<Option<End>, Reason>,
        path: &mut Vec<Visit<E::Place>>,
        stays: &mut Stays,
    ) -> Step<E::Place> {
        let next = explored.and_then(|end| {
            if let (Some(node), Some(end)) = (&mut visit.node, end) {
                node.take(end);
            }
            self.next(&mut visit)
        });
        match next {
            Ok(Some(root)) => {
                path.push(visit);
                Step::Down(root)
            }
            next => {
                let end = visit.left.end(next.map(|_| ()));
                Step::Up(end.map(|end| stays.ended(visit.number, end)))
            }
        }
    }

    /// The next root below a visit; none if all were explored.
    fn next(&mut self, visit: &mut Visit<E::Place>) -> Result<Option<RootFormula<E::Place>>, Reason> {
        loop {
            if let Some(mut node) = visit.node.take() {
                if let Some(root) = self.next_way(&mut node)? {
                    visit.node = Some(node);
                    return Ok(Some(root));
                }
                visit.left.add(node)?;
            }
            match self.next_root(&mut visit.left)? {
                Some((label, root)) => visit.node = Some(self.explore_comp_node(label, root)?),
                None => return Ok(None),
            }
        }
    }
}

impl<L> Left<L> {
    /// Adds what was found of one root.
    fn add(&mut self, node: Ways<L>) -> Result<(), Reason> {
        let (event, time) = (node.label.clone(), node.time);
        match node.verdict()? {
            Ok(ways) => self.found.safe.push(Branch {
                event,
                time: claim(time),
                ways,
            }),
            Err(violation) => self.found.violation = Some(violation),
        }
        Ok(())
    }

    /// What all its roots are together.
    fn end(self, ended: Result<(), Reason>) -> Explored<Stay> {
        let (time, place, hull) = (self.roots.time(), self.place, self.hull);
        let end = ended
            .and_then(|()| self.found.verdict(time))
            .map(|found| match found {
                Ok(branches) => End::Safe(stay(place, &hull, StayEnd::Branches(branches))),
                Err(violation) => End::Unsafe(violation),
            });
        with_open(self.open, end)
    }
}

/// Where the property may be violated, exploration goes on: perhaps it is, for every state, a little later.
pub(crate) fn with_open(open: Option<Reason>, end: Explored<Stay>) -> Explored<Stay> {
    match (open, end) {
        (None, end) => end,
        (Some(_), Ok(End::Unsafe(violation))) => Ok(End::Unsafe(violation)),
        (Some(reason), _) => Err(reason),
    }
}

/// A stay, as a proof has it.
pub(crate) fn stay(place: String, hull: &[Interval], end: StayEnd) -> Stay {
    Stay {
        place,
        hull: hull.iter().map(|x| claim(*x)).collect(),
        end,
    }
}
