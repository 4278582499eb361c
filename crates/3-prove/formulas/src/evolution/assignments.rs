//! Assignments of one alternative to each of several places, without those that hold a conflict.
//!
//! # Method
//! Assignments are gone through in lexicographic order, the first place outermost. A *conflict* names places with alternatives that cannot be together, whatever the others
//! are. An assignment that holds a known one is passed over with all that agree with it up to the conflict's last place; one that holds none is asked about, and is possible, or
//! has a conflict that is learnt. So questions are as many as the assignments that are possible, and the conflicts: not all combinations.
//!
//! The same could be asked of a SAT solver, with a variable for each alternative. It would put the same questions; and what leaves ways out would rest on it, in the checker of
//! proofs too.
//!
//! # Parts
//! Contacts act on each other through moving bodies only. So what the law says of closed contacts that hang together depends on their modes, and on that those beside them are open; and
//! of an open contact on the closed ones beside it. These are the [`Part`]s of an assignment: one that is impossible by itself is a conflict.
//!
//! # Guarantee
//! Every assignment that holds no conflict that `ask` gave is returned. Ends: each turn goes on to a later assignment, and turns are limited.

use crate::Obstacle;

/// Alternatives (by number) at places that cannot be together.
pub(crate) type Conflict = Vec<(usize, usize)>;

/// Assignments looked at, at the most.
const MOST_TURNS: usize = 200_000;

/// What is possible of all assignments of so many alternatives to each place; `ask` says why one is not.
///
/// # Errors
/// Beyond `most` questions.
pub(crate) fn assignments(
    alternatives: &[usize],
    most: usize,
    mut ask: impl FnMut(&[usize]) -> Option<Conflict>,
) -> Result<Vec<Vec<usize>>, Obstacle> {
    let too_many = || Obstacle {
        what: "too many assignments of modes are possible at contacts that act on each other".into(),
    };
    let mut found = Vec::new();
    if alternatives.contains(&0) {
        return Ok(found);
    }
    let mut current = vec![0; alternatives.len()];
    let mut conflicts: Vec<Conflict> = Vec::new();
    let mut asked = 0;
    for _ in 0..MOST_TURNS {
        let is_held = |c: &&Conflict| c.iter().all(|(place, number)| current[*place] == *number);
        let held = conflicts.iter().filter(is_held).map(after).min();
        // How many places agree with all assignments that are done with this one.
        let same = match held {
            Some(same) => same,
            None if asked == most => return Err(too_many()),
            None => {
                asked += 1;
                match ask(&current) {
                    None => {
                        found.push(current.clone());
                        current.len()
                    }
                    Some(conflict) => {
                        let same = after(&conflict);
                        conflicts.push(conflict);
                        same
                    }
                }
            }
        };
        current[same..].fill(0);
        let Some(place) = (0..same).rev().find(|p| current[*p] + 1 < alternatives[*p]) else {
            return Ok(found);
        };
        current[place] += 1;
        current[place + 1..].fill(0);
    }
    Err(too_many())
}

/// Places of an assignment that can be judged without all others.
#[derive(Debug, PartialEq)]
pub(crate) struct Part {
    /// Closed places that hang together; or an open place with all those beside it.
    pub(crate) members: Vec<usize>,
    /// Open places beside closed members: that they are open is all that matters of them.
    pub(crate) around: Vec<usize>,
}

/// The parts of an assignment, by which places are closed, and which pairs are joined.
pub(crate) fn parts(is_closed: &[bool], are_joined: &dyn Fn(usize, usize) -> bool) -> Vec<Part> {
    let count = is_closed.len();
    let beside = |own: &[usize], wanted: bool| -> Vec<usize> {
        let is_beside = |p: &usize| own.iter().any(|o| are_joined(*o, *p)) && !own.contains(p);
        (0..count)
            .filter(|p| is_closed[*p] == wanted)
            .filter(is_beside)
            .collect()
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for first in (0..count).filter(|p| is_closed[*p]) {
        if groups.iter().any(|group| group.contains(&first)) {
            continue;
        }
        let mut group = vec![first];
        loop {
            let more = beside(&group, true);
            if more.is_empty() {
                break;
            }
            group.extend(more);
        }
        group.sort_unstable();
        groups.push(group);
    }
    let mut found: Vec<Part> = Vec::new();
    for group in &groups {
        found.push(Part {
            members: group.clone(),
            around: beside(group, false),
        });
    }
    for open in (0..count).filter(|p| !is_closed[*p]) {
        let own = groups
            .iter()
            .filter(|group| group.iter().any(|p| are_joined(*p, open)));
        let closed: Vec<usize> = own.flatten().copied().collect();
        let mut around = beside(&closed, false);
        around.retain(|p| *p != open);
        let mut members = closed;
        members.push(open);
        members.sort_unstable();
        found.push(Part { members, around });
    }
    found
}

/// One after the last place of a conflict.
fn after(conflict: &Conflict) -> usize {
    conflict.iter().map(|(place, _)| place + 1).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: all combinations, tried one by one. Each question is about an assignment that no conflict given before rules out, and the questions are those that are possible and the
    /// conflicts.
    #[test]
    fn what_is_left_is_what_no_conflict_rules_out() {
        let mut seed = 11;
        let mut below = |n: u64| (dyverse_num::split_mix(&mut seed) % n) as usize;
        for _ in 0..400 {
            let places = below(7);
            let alternatives: Vec<usize> = (0..places).map(|_| 1 + below(3)).collect();
            let impossible: Vec<Conflict> = (0..below(12))
                .map(|_| {
                    let of = |place: usize, n: usize| (place, n % alternatives[place]);
                    let mut own: Conflict = (0..places).map(|p| of(p, p + below(3))).collect();
                    (0..below(7)).for_each(|_| {
                        if own.len() > 1 {
                            own.remove(below(own.len() as u64));
                        }
                    });
                    own
                })
                .filter(|conflict| !conflict.is_empty())
                .collect();
            let conflict_in = |all: &[usize]| {
                let holds = |c: &&Conflict| c.iter().all(|(place, n)| all[*place] == *n);
                impossible.iter().find(holds).cloned()
            };
            let mut asked = 0;
            let mut learnt: Vec<Conflict> = Vec::new();
            let found = assignments(&alternatives, usize::MAX, |all| {
                asked += 1;
                let found = conflict_in(all);
                let holds = |c: &Conflict| c.iter().all(|(place, n)| all[*place] == *n);
                assert!(!learnt.iter().any(holds), "asked again");
                learnt.extend(found.clone());
                found
            });
            let mut expected: Vec<Vec<usize>> = vec![Vec::new()];
            for count in &alternatives {
                let longer = |head: Vec<usize>| (0..*count).map(move |n| [&head[..], &[n]].concat());
                expected = expected.into_iter().flat_map(longer).collect();
            }
            expected.retain(|all| conflict_in(all).is_none());
            let found = found.unwrap_or_else(|why| panic!("{}", why.what));
            assert_eq!(found, expected);
            assert_eq!(asked, found.len() + learnt.len());
        }
    }

    /// A chain of six, the third and the last open: two groups, and what is open between and beside them.
    #[test]
    fn parts_of_a_chain() {
        let closed = [true, true, false, true, true, false];
        let found = parts(&closed, &|a, b| a.abs_diff(b) == 1);
        let part = |members: &[usize], around: &[usize]| Part {
            members: members.to_vec(),
            around: around.to_vec(),
        };
        let expected = [
            part(&[0, 1], &[2]),
            part(&[3, 4], &[2, 5]),
            part(&[0, 1, 2, 3, 4], &[5]),
            part(&[3, 4, 5], &[2]),
        ];
        assert_eq!(found, expected);
        assert_eq!(parts(&[false], &|_, _| true), [part(&[0], &[])]);
    }

    #[test]
    fn too_many_questions_are_an_error() {
        let all = |most| assignments(&[2; 4], most, |_| None);
        assert!(all(15).is_err() && all(16).is_ok());
        // One conflict rules out half of 2²⁰.
        let few = assignments(&[2; 20], 2, |all| {
            (0..20).find(|p| all[*p] == 0).map(|p| vec![(p, 0)])
        });
        assert!(few.is_err());
        let mut asked = 0;
        let found = assignments(&[2; 20], 100, |all| {
            asked += 1;
            (0..20).find(|p| all[*p] == 0).map(|p| vec![(p, 0)])
        });
        assert!(found.is_ok_and(|all| all.len() == 1));
        assert_eq!(asked, 21);
    }
}
