//! Enclosures to look at: between which bounds the states are, from the boxes that an answer is about.
//!
//! # Method
//! A box is explored once more, with a record. A part of a partition is made of boxes that were joined, and may be too wide to be explored as one: then it is halved about its middle until what is
//! found is what was claimed. So a tube may be of a smaller box than was asked for; it says which.
//!
//! # Guarantee
//! Bounds hold for every trajectory from the tube's own box, until it ends: an undecided one where the exploration did. They are rounded outwards to eight digits.

use crate::partition::CellOutcome;
use crate::subject::{Checkable, actors, bodies};
use crate::{CheckError, CheckOptions, Interrupt};
use dyverse_check::{Outcome, RecordedStep, RecordedTube, UnknownBox, record};
use dyverse_formulas::{Obstacle, Requirement, Unknown};
use dyverse_num::Interval;

/// How much there is to be of tubes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeOptions {
    /// Tubes at the most.
    pub tubes: usize,
    /// Steps of each at the most.
    pub steps: usize,
    /// Numbers of all together, at the most.
    pub numbers: usize,
}

impl Default for TubeOptions {
    fn default() -> Self {
        TubeOptions {
            tubes: 12,
            steps: 3000,
            numbers: 60_000,
        }
    }
}

/// A box with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct TubeBox {
    /// Unknowns with their ranges; those that are not named have the whole of theirs.
    pub sides: Vec<(String, f64, f64)>,
    /// What is known of it.
    pub outcome: CellOutcome,
}

/// All trajectories from a box.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckTube {
    /// The box: each unknown with its range.
    pub sides: Vec<(String, f64, f64)>,
    /// What was found of it.
    pub outcome: CellOutcome,
    /// The names of what is enclosed: states that have a name and are not the same number always.
    pub names: Vec<String>,
    /// Where they are.
    pub steps: Vec<RecordedStep>,
    /// Whether there were more steps.
    pub is_cut: bool,
}

/// Tubes, and how many there are not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tubes {
    /// The tubes, in the order of their boxes.
    pub tubes: Vec<CheckTube>,
    /// Boxes without a tube.
    pub left_out: usize,
}

/// Times that a box is halved at the most.
const MOST_HALVINGS: usize = 8;

/// The tubes of some boxes. Of too many boxes those are taken that lie evenly among them, of each outcome; an interrupt leaves the rest out.
///
/// # Errors
/// [`CheckError`] if nothing can be enclosed.
pub fn tubes(
    subject: Checkable<'_>,
    property: &str,
    options: &CheckOptions,
    boxes: &[TubeBox],
    most: TubeOptions,
) -> Result<Tubes, CheckError> {
    let not_provable = |obstacle: Obstacle| CheckError::NotProvable(obstacle.what);
    let found = subject.property(property)?;
    subject.check_choices(&options.choices)?;
    let requirement = Requirement::new(found, subject.horizon()).map_err(not_provable)?;
    let unknowns = subject
        .unknowns(&options.choices, &requirement)
        .map_err(not_provable)?;
    let mut numbers = 0;
    let mut all = Tubes::default();
    for place in chosen(boxes, most.tubes) {
        if options.interrupt.as_ref().is_some_and(Interrupt::is_set) {
            break;
        }
        let asked = &boxes[place];
        let explore = |sides: &UnknownBox| recorded(subject, options, &requirement, sides, most.steps);
        let Some((sides, tube)) = follow(asked, &unknowns, &explore).map_err(not_provable)? else {
            continue;
        };
        let tube = shown(sides, &unknowns, tube);
        numbers += tube.steps.len() * (2 * tube.names.len() + 2);
        if numbers > most.numbers && !all.tubes.is_empty() {
            break;
        }
        all.tubes.push(tube);
    }
    all.left_out = boxes.len() - all.tubes.len();
    Ok(all)
}

/// The places of boxes that have a tube: all, or of each outcome its share, evenly; unsafe and undecided ones are rarely many, and come first.
fn chosen(boxes: &[TubeBox], most: usize) -> Vec<usize> {
    use CellOutcome::{Safe, Undecided, Unsafe};
    let of = |outcome| -> Vec<usize> {
        (0..boxes.len())
            .filter(|p| boxes[*p].outcome == outcome)
            .collect()
    };
    let groups = [of(Unsafe), of(Undecided), of(Safe)];
    let mut open = groups.iter().filter(|group| !group.is_empty()).count();
    let mut room = most;
    let mut all = Vec::new();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let take = group.len().min(room.div_ceil(open.max(1)));
        let middle = |k: usize| ((2 * k + 1) * group.len() / (2 * take.max(1))).min(group.len() - 1);
        all.extend((0..take).map(|k| group[middle(k)]));
        room -= take;
        open -= 1;
    }
    all.sort_unstable();
    all
}

/// A box that shows what was claimed: the asked one, or a smaller one about its middle. `None` if there is none.
#[allow(clippy::type_complexity)]
fn follow(
    asked: &TubeBox,
    unknowns: &[Unknown],
    explore: &dyn Fn(&UnknownBox) -> Result<RecordedTube, Obstacle>,
) -> Result<Option<(UnknownBox, RecordedTube)>, Obstacle> {
    let mut sides = UnknownBox {
        sides: unknowns.iter().map(|u| side(asked, u)).collect(),
    };
    for _ in 0..=MOST_HALVINGS {
        let tube = explore(&sides)?;
        if outcome(&tube.outcome) == asked.outcome {
            return Ok(Some((sides, tube)));
        }
        if sides.sides.iter().all(Interval::is_point) {
            break;
        }
        sides.sides.iter_mut().for_each(|side| *side = middle_half(*side));
    }
    Ok(None)
}

fn side(asked: &TubeBox, unknown: &Unknown) -> Interval {
    let own = asked.sides.iter().find(|(name, ..)| *name == unknown.name);
    let (lower, upper) = own.map_or((unknown.lower, unknown.upper), |(_, lower, upper)| {
        (*lower, *upper)
    });
    Interval::new(lower, upper).unwrap_or(Interval::EMPTY)
}

fn middle_half(side: Interval) -> Interval {
    let quarter = 0.25 * side.width();
    Interval::new(side.lo() + quarter, side.hi() - quarter).unwrap_or(side)
}

fn outcome(found: &Outcome) -> CellOutcome {
    match found {
        Outcome::Safe(_) => CellOutcome::Safe,
        Outcome::Unsafe { .. } => CellOutcome::Unsafe,
        Outcome::Undecided(_) => CellOutcome::Undecided,
    }
}

fn recorded(
    subject: Checkable<'_>,
    options: &CheckOptions,
    requirement: &Requirement,
    sides: &UnknownBox,
    most: usize,
) -> Result<RecordedTube, Obstacle> {
    let (choices, horizon, limits) = (&options.choices, requirement.horizon(), options.limits_of_boxes());
    match subject {
        Checkable::Bodies(model) => record(
            &|| bodies(model, choices, requirement),
            horizon,
            limits,
            sides,
            most,
        ),
        Checkable::Actors(model) => record(
            &|| actors(model, choices, requirement),
            horizon,
            limits,
            sides,
            most,
        ),
    }
}

/// What is worth showing: no states without a name, none that are one number always.
fn shown(sides: UnknownBox, unknowns: &[Unknown], tube: RecordedTube) -> CheckTube {
    let first = tube
        .steps
        .first()
        .map(|step| step.bounds.clone())
        .unwrap_or_default();
    let moves = |place: usize| {
        let own = first.get(place);
        own.is_some_and(|(lower, upper)| lower < upper)
            || tube.steps.iter().any(|step| step.bounds.get(place) != own)
    };
    let kept: Vec<usize> = (0..tube.names.len())
        .filter(|place| !tube.names[*place].is_empty() && moves(*place))
        .collect();
    let steps = tube.steps.into_iter().map(|step| RecordedStep {
        from: down(step.from),
        to: up(step.to),
        bounds: kept
            .iter()
            .filter_map(|place| step.bounds.get(*place))
            .map(|(lower, upper)| (down(*lower), up(*upper)))
            .collect(),
        ..step
    });
    let named = unknowns.iter().zip(&sides.sides);
    CheckTube {
        sides: named
            .map(|(u, side)| (u.name.clone(), side.lo(), side.hi()))
            .collect(),
        outcome: outcome(&tube.outcome),
        steps: steps.collect(),
        names: kept.iter().map(|place| tube.names[*place].clone()).collect(),
        is_cut: tube.is_cut,
    }
}

/// Eight digits, not above.
fn down(x: f64) -> f64 {
    let short = |x: f64| format!("{x:.7e}").parse::<f64>();
    match (short(x), short(x - 2e-7 * x.abs())) {
        (Ok(near), _) if near <= x => near,
        (_, Ok(below)) if below <= x => below,
        _ => x,
    }
}

/// Eight digits, not below.
fn up(x: f64) -> f64 {
    -down(-x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_digits_outwards() {
        for x in [
            0.0,
            1.0,
            0.1 + 0.2,
            -1.0 / 3.0,
            1e-300 / 3.0,
            12_345.678_912_345,
            -9.999_999_99,
            5e-324,
        ] {
            assert!(down(x) <= x && x <= up(x), "{x}");
            assert!(up(x) - down(x) <= 4e-7 * x.abs(), "{x}");
            assert!(format!("{:e}", down(x)).len() <= 16, "{}", down(x));
        }
    }

    #[test]
    fn boxes_are_chosen_evenly_and_of_each_outcome() {
        let of = |outcome| TubeBox {
            sides: Vec::new(),
            outcome,
        };
        let mut boxes = vec![of(CellOutcome::Safe); 100];
        boxes[40] = of(CellOutcome::Unsafe);
        boxes[41] = of(CellOutcome::Undecided);
        let places = chosen(&boxes, 6);
        assert_eq!(places.len(), 6);
        assert!(places.contains(&40) && places.contains(&41));
        assert!(places.is_sorted() && places[0] < 30 && places[5] > 70);
        assert_eq!(chosen(&boxes[..3], 6), [0, 1, 2]);
        assert!(chosen(&[], 6).is_empty() && chosen(&boxes, 0).is_empty());
    }
}
