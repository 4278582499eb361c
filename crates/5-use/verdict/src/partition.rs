//! The ranges of one or two parameters, split into what is proved safe, what is proved unsafe and what is undecided.
//!
//! Other unknowns stay unknowns. A part is *safe* if every box over it is: for all values of the others. It is *unsafe* if a box that covers it is: for some of
//! them, whatever the named ones are in the part.
//!
//! # Method
//! Of two parameters: bisection down to a quarter of the width asked. Of one: down to a 32nd of the range; then each interval that is undecided likewise, by itself, until their
//! widths add up to less than the width asked, or nothing is gained. So other unknowns are not cut as finely as the one that is asked about. Every box that was decided is simulated at its middle: where that disagrees, the box counts as undecided.

use crate::case::Case;
use crate::decide::unfinished_note;
use crate::subject::Checkable;
use crate::{AssumedInputs, CheckError, CheckOptions, CheckProgress, CheckWatch, Statistics};
use dyverse_check::{Decided, Outcome, RefineOptions};
use dyverse_formulas::Requirement;
use std::ops::ControlFlow;

/// Refinements of what is left.
const ROUNDS: usize = 40;
/// Parts of an interval in one of them.
const PARTS: f64 = 32.0;

/// What to partition, and how finely.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionOptions {
    /// One or two unknowns.
    pub names: Vec<String>,
    /// Undecided parts are to be narrower than this; of one parameter, all of them together.
    pub width: f64,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellOutcome {
    /// The property holds.
    Safe,
    /// It is broken.
    Unsafe,
    /// Neither is proved.
    Undecided,
}

impl CellOutcome {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            CellOutcome::Safe => "safe",
            CellOutcome::Unsafe => "unsafe",
            CellOutcome::Undecided => "undecided",
        }
    }
}

/// A part of the ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// One side for each name.
    pub sides: Vec<(f64, f64)>,
    /// What it is.
    pub outcome: CellOutcome,
    /// Why it is undecided.
    pub reason: Option<String>,
}

/// Ranges split into parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Partition {
    /// The property.
    pub property: String,
    /// What was partitioned: name, least, largest.
    pub names: Vec<(String, f64, f64)>,
    /// Other unknowns: name, least, largest.
    pub others: Vec<(String, f64, f64)>,
    /// What is assumed of the inputs that the property may depend on.
    pub inputs: AssumedInputs,
    /// The windows in which it must hold, s.
    pub windows: Vec<(f64, f64)>,
    /// The parts, in ascending order. They cover the ranges; neighbours of one parameter differ.
    pub cells: Vec<Cell>,
    /// The width (of one parameter) or area (of two) that is undecided.
    pub undecided: f64,
    /// Whether somebody ended it.
    pub is_stopped: bool,
    /// What it took.
    pub statistics: Statistics,
}

/// Partitions the range of one or two unknowns; `watch` is told how far it is and may end it: what was decided is kept.
///
/// # Errors
/// [`CheckError`] if there is nothing to partition, or nothing can be proved.
pub fn partition(
    subject: Checkable<'_>,
    property: &str,
    what: &PartitionOptions,
    options: &CheckOptions,
    watch: CheckWatch<'_>,
) -> Result<Partition, CheckError> {
    let (mut case, asked) = begun(subject, property, what, options, watch)?;
    let Asked {
        requirement,
        unknowns,
        places,
        names,
        others,
    } = asked;
    let not_provable = |obstacle: dyverse_formulas::Obstacle| CheckError::NotProvable(obstacle.what);
    let mut rounds = Rounds {
        requirement: &requirement,
        places: &places,
        names: &names,
        unknown_names: unknowns.iter().map(|u| u.name.clone()).collect(),
        width: what.width,
    };
    let mut cells = rounds.all(&mut case).map_err(not_provable)?;
    if let Some(obstacle) = case.inputs.obstacle() {
        // A default is one of the signals: where it breaks the property, some signal does. Where it does not, others may.
        for cell in cells.iter_mut().filter(|c| c.outcome == CellOutcome::Safe) {
            cell.outcome = CellOutcome::Undecided;
            cell.reason = Some(obstacle.clone());
        }
        if cells.iter().all(|cell| cell.sides.len() == 1) {
            cells = merged(cells);
        }
    }
    Ok(Partition {
        property: property.to_owned(),
        inputs: case.inputs.clone(),
        windows: requirement.windows(),
        undecided: undecided(&cells),
        is_stopped: case.is_stopped(),
        statistics: case.statistics,
        names,
        others,
        cells,
    })
}

/// What a partition is about.
struct Asked {
    requirement: Requirement,
    unknowns: Vec<dyverse_formulas::Unknown>,
    /// Of the names among the unknowns.
    places: Vec<usize>,
    names: Vec<(String, f64, f64)>,
    others: Vec<(String, f64, f64)>,
}

/// Makes sure that there is something to partition.
fn begun<'m, 'o>(
    subject: Checkable<'m>,
    property: &str,
    what: &PartitionOptions,
    options: &'o CheckOptions,
    watch: CheckWatch<'o>,
) -> Result<(Case<'m, 'o>, Asked), CheckError> {
    if !(1..=2).contains(&what.names.len()) {
        return Err(CheckError::Names(what.names.len()));
    }
    if !(what.width > 0.0 && what.width.is_finite()) {
        return Err(CheckError::BadWidth(what.width));
    }
    let mut case = Case::new(subject, property, options, watch)?;
    case.with_default_inputs()?;
    let not_provable = |obstacle: dyverse_formulas::Obstacle| CheckError::NotProvable(obstacle.what);
    let requirement = case.requirement.clone().map_err(not_provable)?;
    let unknowns = subject
        .unknowns(&options.choices, &requirement)
        .map_err(not_provable)?;
    let mut places = Vec::new();
    for name in &what.names {
        let place = unknowns.iter().position(|u| u.name == *name && u.lower < u.upper);
        match place {
            Some(place) if !places.contains(&place) => places.push(place),
            Some(_) => return Err(CheckError::Names(1)),
            None if is_known(subject, name) => return Err(CheckError::NotOpen(name.clone())),
            None => return Err(CheckError::NoUnknown(name.clone())),
        }
    }
    let range = |u: &dyverse_formulas::Unknown| (u.name.clone(), u.lower, u.upper);
    let names: Vec<_> = places.iter().map(|p| range(&unknowns[*p])).collect();
    let others = (0..unknowns.len()).filter(|p| !places.contains(p));
    let others: Vec<_> = others.map(|p| range(&unknowns[p])).collect();
    let asked = Asked {
        requirement,
        unknowns,
        places,
        names,
        others,
    };
    Ok((case, asked))
}

/// The answer to give where a partition does not end in time though it was asked to: what it told last, and nothing more.
///
/// # Errors
/// As of [`partition`].
pub fn unfinished_partition(
    subject: Checkable<'_>,
    property: &str,
    what: &PartitionOptions,
    options: &CheckOptions,
    progress: &CheckProgress,
) -> Result<Partition, CheckError> {
    let (case, asked) = begun(subject, property, what, options, &|_| ControlFlow::Break(()))?;
    let cell = Cell {
        sides: asked.names.iter().map(|(_, low, high)| (*low, *high)).collect(),
        outcome: CellOutcome::Undecided,
        reason: Some(unfinished_note(progress)),
    };
    Ok(Partition {
        property: property.to_owned(),
        windows: asked.requirement.windows(),
        undecided: undecided(std::slice::from_ref(&cell)),
        is_stopped: true,
        statistics: Statistics {
            simulations: progress.simulations,
            boxes: progress.boxes,
            ..Statistics::default()
        },
        inputs: case.inputs,
        names: asked.names,
        others: asked.others,
        cells: vec![cell],
    })
}

fn is_known(subject: Checkable<'_>, name: &str) -> bool {
    subject.parameters().iter().any(|p| p.name == name) || subject.initial_values().iter().any(|n| n == name)
}

/// The measure of what is undecided.
fn undecided(cells: &[Cell]) -> f64 {
    let open = cells.iter().filter(|c| c.outcome == CellOutcome::Undecided);
    open.map(|c| c.sides.iter().map(|(low, high)| high - low).product::<f64>())
        // The sum of nothing is -0.
        .fold(0.0, |sum, measure| sum + measure)
}

struct Rounds<'a> {
    requirement: &'a Requirement,
    /// Of the names among the unknowns.
    places: &'a [usize],
    names: &'a [(String, f64, f64)],
    unknown_names: Vec<String>,
    width: f64,
}

impl Rounds<'_> {
    fn all(&mut self, case: &mut Case<'_, '_>) -> Result<Vec<Cell>, dyverse_formulas::Obstacle> {
        let whole: Vec<(f64, f64)> = self.names.iter().map(|(_, low, high)| (*low, *high)).collect();
        if self.names.len() > 1 {
            return self.refined(case, &whole, 0.25 * self.width, (0.0, 1.0));
        }
        let all = whole[0].1 - whole[0].0;
        let mut cells = self.refined(case, &whole, (0.25 * self.width).max(all / PARTS), (0.0, 1.0))?;
        for _ in 0..ROUNDS {
            let before = undecided(&cells);
            if before < self.width || case.is_stopped() {
                break;
            }
            let open = cells
                .iter()
                .filter(|c| c.outcome == CellOutcome::Undecided)
                .count();
            let enough = 0.25 * self.width / open as f64;
            let mut next = Vec::new();
            for cell in cells {
                let (low, high) = cell.sides[0];
                if cell.outcome == CellOutcome::Undecided && !case.is_stopped() {
                    let progress = (1.0 - before / all, (high - low) / all);
                    let aim = enough.max((high - low) / PARTS).min(0.5 * (high - low));
                    next.extend(self.refined(case, &cell.sides, aim, progress)?);
                } else {
                    next.push(cell);
                }
            }
            cells = merged(next);
            if undecided(&cells) > 0.9 * before {
                break;
            }
        }
        Ok(cells)
    }

    /// The cells of a part of the ranges.
    fn refined(
        &self,
        case: &mut Case<'_, '_>,
        part: &[(f64, f64)],
        width: f64,
        progress: (f64, f64),
    ) -> Result<Vec<Cell>, dyverse_formulas::Obstacle> {
        let mut choices = case.options.choices.clone();
        for ((name, ..), (low, high)) in self.names.iter().zip(part) {
            choices.retain(|(other, ..)| other != name);
            choices.push((name.clone(), *low, *high));
        }
        let relative = part.iter().map(|(low, high)| width / (high - low));
        let options = RefineOptions {
            smallest: relative.fold(1.0, f64::min),
            boxes: case.options.boxes,
            threads: case.options.threads,
            stop_at_unsafe: false,
            limits: case.options.limits_of_boxes(),
        };
        let refined = case.refine(self.requirement, &choices, &options, progress)?;
        let boxes: Vec<Piece> = refined.boxes.iter().map(|b| self.piece(case, b)).collect();
        let all: Vec<&Piece> = boxes.iter().collect();
        let cells = split(part.to_vec(), &all);
        Ok(if part.len() == 1 { merged(cells) } else { cells })
    }

    /// A box seen from the named unknowns, after a look at its middle.
    fn piece(&self, case: &mut Case<'_, '_>, decided: &Decided) -> Piece {
        let side = |p: &usize| (decided.unknowns.sides[*p].lo(), decided.unknowns.sides[*p].hi());
        let sides = self.places.iter().map(side).collect();
        let (outcome, reason) = match &decided.outcome {
            Outcome::Undecided(reason) => (CellOutcome::Undecided, Some(reason.to_string())),
            Outcome::Safe(_) => (CellOutcome::Safe, None),
            Outcome::Unsafe { .. } => (CellOutcome::Unsafe, None),
        };
        if outcome != CellOutcome::Undecided {
            let names = self.unknown_names.iter().cloned();
            let values: Vec<(String, f64)> = names.zip(decided.unknowns.middle()).collect();
            if let Some(robustness) = case.simulate(&values) {
                let disagrees = match outcome {
                    CellOutcome::Safe => robustness.is_violated(),
                    _ => robustness.value > robustness.error,
                };
                if disagrees {
                    let reason = format!("proved {}, but a simulation says otherwise", outcome.word());
                    return Piece {
                        sides,
                        outcome: CellOutcome::Undecided,
                        reason: Some(reason),
                    };
                }
            }
        }
        Piece {
            sides,
            outcome,
            reason,
        }
    }
}

/// A box, projected.
struct Piece {
    sides: Vec<(f64, f64)>,
    outcome: CellOutcome,
    reason: Option<String>,
}

impl Piece {
    fn overlaps(&self, part: &[(f64, f64)]) -> bool {
        let both = self.sides.iter().zip(part);
        both.into_iter()
            .all(|(own, part)| own.0 < part.1 && part.0 < own.1)
    }
}

/// Cuts a part along the ends of boxes until every box covers each cell whole; joins halves that are the same.
fn split(part: Vec<(f64, f64)>, boxes: &[&Piece]) -> Vec<Cell> {
    let over: Vec<&Piece> = boxes.iter().copied().filter(|b| b.overlaps(&part)).collect();
    let Some((axis, at)) = cut(&part, &over) else {
        return vec![cell(part, &over)];
    };
    let (mut low, mut high) = (part.clone(), part.clone());
    low[axis].1 = at;
    high[axis].0 = at;
    let mut cells = split(low, &over);
    let mut rest = split(high, &over);
    let is_one = cells.len() == 1 && rest.len() == 1 && cells[0].outcome == rest[0].outcome;
    if is_one {
        cells[0].sides = part;
    } else {
        cells.append(&mut rest);
    }
    cells
}

/// Where to cut: the end of a box that is nearest to the middle.
fn cut(part: &[(f64, f64)], over: &[&Piece]) -> Option<(usize, f64)> {
    let mut best: Option<(f64, usize, f64)> = None;
    for (axis, (low, high)) in part.iter().enumerate() {
        for end in over.iter().flat_map(|b| [b.sides[axis].0, b.sides[axis].1]) {
            let off = ((end - 0.5 * (low + high)) / (high - low)).abs();
            if *low < end && end < *high && best.is_none_or(|(least, ..)| off < least) {
                best = Some((off, axis, end));
            }
        }
    }
    best.map(|(_, axis, at)| (axis, at))
}

fn cell(sides: Vec<(f64, f64)>, over: &[&Piece]) -> Cell {
    let has = |outcome| over.iter().find(|b| b.outcome == outcome);
    let (outcome, reason) = if has(CellOutcome::Unsafe).is_some() {
        (CellOutcome::Unsafe, None)
    } else if let Some(open) = has(CellOutcome::Undecided) {
        (CellOutcome::Undecided, open.reason.clone())
    } else if over.is_empty() {
        (CellOutcome::Undecided, Some("no box is over it".into()))
    } else {
        (CellOutcome::Safe, None)
    };
    Cell {
        sides,
        outcome,
        reason,
    }
}

/// Neighbouring intervals of the same kind as one.
fn merged(cells: Vec<Cell>) -> Vec<Cell> {
    let mut all: Vec<Cell> = Vec::new();
    for cell in cells {
        match all.last_mut() {
            Some(last) if last.outcome == cell.outcome => last.sides[0].1 = cell.sides[0].1,
            _ => all.push(cell),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(sides: &[(f64, f64)], outcome: CellOutcome) -> Piece {
        Piece {
            sides: sides.to_vec(),
            outcome,
            reason: None,
        }
    }

    /// Oracle: by hand. Over [0, 1] all boxes are safe; over [1, 2] one is unsafe; over [2, 3] one is open.
    #[test]
    fn an_interval_is_safe_for_all_and_unsafe_for_some_of_the_others() {
        use CellOutcome::{Safe, Undecided, Unsafe};
        let boxes = [
            piece(&[(0.0, 2.0)], Safe),
            piece(&[(0.0, 1.0)], Safe),
            piece(&[(1.0, 2.0)], Unsafe),
            piece(&[(2.0, 3.0)], Undecided),
            piece(&[(2.0, 4.0)], Safe),
            piece(&[(3.0, 4.0)], Safe),
        ];
        let cells = merged(split(vec![(0.0, 4.0)], &boxes.iter().collect::<Vec<_>>()));
        let found: Vec<_> = cells.iter().map(|c| (c.sides[0], c.outcome)).collect();
        let expected = [
            ((0.0, 1.0), Safe),
            ((1.0, 2.0), Unsafe),
            ((2.0, 3.0), Undecided),
            ((3.0, 4.0), Safe),
        ];
        assert_eq!(found, expected);
    }

    /// Oracle: the map's quarters by hand; two safe quarters become one half, and areas add up.
    #[test]
    fn a_map_joins_what_is_the_same() {
        use CellOutcome::{Safe, Unsafe};
        let boxes = [
            piece(&[(0.0, 1.0), (0.0, 1.0)], Safe),
            piece(&[(0.0, 1.0), (1.0, 2.0)], Safe),
            piece(&[(1.0, 2.0), (0.0, 1.0)], Safe),
            piece(&[(1.0, 2.0), (1.0, 2.0)], Unsafe),
        ];
        let cells = split(vec![(0.0, 2.0), (0.0, 2.0)], &boxes.iter().collect::<Vec<_>>());
        assert_eq!(cells.len(), 3);
        assert_eq!(cells[0].sides, [(0.0, 1.0), (0.0, 2.0)]);
        let area = |c: &Cell| c.sides.iter().map(|(l, h)| h - l).product::<f64>();
        assert_eq!(cells.iter().map(area).sum::<f64>(), 4.0);
        assert_eq!(undecided(&cells).to_bits(), 0);
    }
}
