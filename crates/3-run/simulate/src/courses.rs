//! When bodies change their velocities in a step (stepping.rs), and how they move over it.
//!
//! What no impulse acts on flies: its mean velocity over the step is that of a parabola. What impulses act on has its velocity after the step for all of it, or, where something that impulses tie it to is
//! struck, from the strike on: u before it and v after it. A body that one contact alone throws back flies a parabola before and after; others are held as well, and loads do not bend their ways.
//!
//! # Guarantee
//! Bodies that press each other have their velocities at the same times, so that gaps between them are those of the contact problem. Of the first order in h: a strike is up to h/2 early for what is held as well.

use crate::loads::{join, root};
use crate::stepping::{Held, sum};
use dyverse_mech::{Triple, Twist};

/// How an entity moves over a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// In the mean.
    pub(crate) twist: Twist,
    /// Whether no impulse acts on it.
    pub(crate) flies: bool,
}

/// What becomes of an entity in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Course {
    /// No impulse acts on it.
    Flies,
    /// Impulses act on it, and nothing that they tie it to is struck.
    Pushed,
    /// What impulses tie it to is struck, first at this time of the step, s; by one contact alone, or others hold it as well.
    Struck { at: f64, alone: bool },
}

impl Course {
    /// How long it has the velocity after the step.
    pub(crate) fn rest_of(self, h: f64) -> f64 {
        match self {
            Self::Struck { at, .. } => h - at,
            Self::Flies | Self::Pushed => h,
        }
    }
}

/// Entities that impulses tie to each other change their velocities at one time: one of two that push each other cannot have what it gets while the other still has what it gives, and what lies on each other
/// stays so. Where several contacts act that is the first strike, in the first half of the step.
pub(crate) fn courses_of(held: &[Held], impulses: &[Triple], entities: usize, h: f64) -> Vec<Course> {
    let mut parent: Vec<usize> = (0..entities).collect();
    let acting = || {
        held.iter()
            .zip(impulses)
            .filter(|(_, p)| **p != [0.0; 3])
            .map(|(held, _)| held)
    };
    let places = |held: &Held| {
        held.candidate
            .directions
            .sides()
            .map(|side| side.entity.0)
            .collect::<Vec<_>>()
    };
    for held in acting() {
        if let [a, b] = places(held)[..] {
            join(&mut parent, a, b);
        }
    }
    let mut contacts = vec![0_usize; entities];
    let mut strikes = vec![f64::INFINITY; entities];
    for held in acting() {
        let Some(first) = places(held).first().copied() else {
            continue;
        };
        let own = root(&mut parent, first);
        contacts[own] += 1;
        if held.strikes {
            strikes[own] = strikes[own].min(held.strikes_at(h));
        }
    }
    (0..entities)
        .map(|place| {
            let own = root(&mut parent, place);
            let alone = contacts[own] == 1;
            match contacts[own] {
                0 => Course::Flies,
                _ if strikes[own].is_infinite() => Course::Pushed,
                _ => Course::Struck {
                    at: strikes[own].min(if alone { h } else { 0.5 * h }),
                    alone,
                },
            }
        })
        .collect()
}

/// How entities move over a step h.
pub(crate) fn ways_of(
    courses: &[Course],
    (before, free, after): (&[Twist], &[Twist], &[Twist]),
    h: f64,
) -> Vec<Way> {
    let way = |(place, course): (usize, &Course)| {
        let (u, v) = (&before[place], &after[place]);
        let twist = match *course {
            Course::Flies => sum(u, v).map(|w| 0.5 * w),
            Course::Pushed => *v,
            Course::Struck { at, alone } => std::array::from_fn(|i| {
                let (part, left) = (at / h, 1.0 - at / h);
                // Loads bend the way of what nothing else holds.
                let add = if alone { free[place][i] - u[i] } else { 0.0 };
                part * (u[i] + 0.5 * part * add) + left * (v[i] - 0.5 * left * add)
            }),
        };
        Way {
            twist,
            flies: *course == Course::Flies,
        }
    };
    courses.iter().enumerate().map(way).collect()
}

/// The work of a load over a step h, J.
pub(crate) fn work_over(force: &Twist, way: &Way, h: f64) -> f64 {
    let power = force.iter().zip(&way.twist).map(|(f, u)| f * u);
    h * power.sum::<f64>()
}
