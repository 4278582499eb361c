//! From the whole box of unknowns to boxes that are decided: bisection, in parallel, the same whatever the number of threads.
//!
//! # Method
//! Boxes wait in generations. All boxes of a generation are explored, each by itself; undecided ones are halved along their longest side (relative to the whole) and make
//! the next generation. So what is explored does not depend on who is first.
//!
//! # Guarantee
//! Every point of the whole box is in a box that is safe, unsafe or undecided. What was not reached before a limit is undecided.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dyverse_formulas::{Evolution, Obstacle};

use crate::boxes::UnknownBox;
use crate::explorer::Explorer;
use crate::outcome::{Figures, Limits, Outcome, Reason};

/// How far to refine.
#[derive(Clone, Debug, PartialEq)]
pub struct RefineOptions {
    /// Boxes whose longest side is below this share of the whole are not halved any more.
    pub smallest: f64,
    /// Boxes explored at the most.
    pub boxes: usize,
    /// Threads.
    pub threads: usize,
    /// Whether to stop as soon as a generation has an unsafe box.
    pub stop_at_unsafe: bool,
    /// Limits for each box.
    pub limits: Limits,
}

impl Default for RefineOptions {
    fn default() -> Self {
        RefineOptions {
            smallest: 1e-4,
            boxes: 20_000,
            threads: 1,
            stop_at_unsafe: false,
            limits: Limits::default(),
        }
    }
}

/// A box with what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// The box.
    pub unknowns: UnknownBox,
    /// What is known of it.
    pub outcome: Outcome,
}

/// The boxes that cover the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Refined {
    /// The whole box.
    pub whole: UnknownBox,
    /// Boxes that cover it, in ascending order of their lower ends.
    pub boxes: Vec<Decided>,
    /// Boxes explored.
    pub explored: usize,
    /// Sums over all explorations.
    pub figures: Figures,
    /// Whether it was stopped from outside.
    pub is_cancelled: bool,
    /// Points of which it is proved that the property is violated, found by following suspicions.
    pub unsafe_points: Vec<Vec<f64>>,
}

impl Refined {
    /// The share of the whole box with this outcome.
    pub fn share(&self, of: impl Fn(&Outcome) -> bool) -> f64 {
        self.boxes
            .iter()
            .filter(|b| of(&b.outcome))
            .map(|b| b.unknowns.share(&self.whole))
            .sum()
    }
    /// Is everything safe?
    pub fn is_safe(&self) -> bool {
        self.boxes.iter().all(|b| matches!(b.outcome, Outcome::Safe(_)))
    }
}

/// How far a refinement is: share decided, boxes explored.
type Watch<'a> = &'a (dyn Fn(f64, usize) -> bool + Sync);

/// Decides boxes of the unknowns of a system that `make` gives, once for each thread; `watch` is told how far it is, and ends it by `false`.
///
/// # Errors
/// When the system cannot be made.
pub fn refine<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    options: &RefineOptions,
    watch: Watch<'_>,
) -> Result<Refined, Obstacle> {
    let whole = UnknownBox::whole(&make()?.variables().unknowns)?;
    let mut waiting = vec![whole.clone()];
    // Why the box of which each is a half was not decided.
    let mut reasons: Vec<Option<Reason>> = vec![None];
    let mut refined = Refined {
        whole: whole.clone(),
        boxes: Vec::new(),
        explored: 0,
        figures: Figures::default(),
        is_cancelled: false,
        unsafe_points: Vec::new(),
    };
    let stopped = AtomicBool::new(false);
    while !waiting.is_empty() && !stopped.load(Ordering::Relaxed) {
        let room = options.boxes.saturating_sub(refined.explored);
        let over: Vec<UnknownBox> = waiting.split_off(waiting.len().min(room));
        let without = reasons.split_off(waiting.len());
        for (unknowns, reason) in over.into_iter().zip(without) {
            let limit = || Reason::Limit(format!("{} boxes were explored before this one", options.boxes));
            refined.boxes.push(open(unknowns, reason, limit));
        }
        let outcomes = generation(make, horizon, options, &waiting, &stopped, watch, &refined);
        let mut next = Vec::new();
        let mut next_reasons = Vec::new();
        let mut suspects = Vec::new();
        for ((unknowns, parent), found) in waiting.drain(..).zip(reasons.drain(..)).zip(outcomes) {
            let Some((outcome, figures, suspect)) = found else {
                refined.is_cancelled = true;
                let stopped = || Reason::Limit("the search was stopped before this box".into());
                refined.boxes.push(open(unknowns, parent, stopped));
                continue;
            };
            refined.explored += 1;
            refined.figures.add(&figures);
            let longest = unknowns
                .longest(&whole)
                .filter(|side| unknowns.sides[*side].width() > options.smallest * whole.sides[*side].width());
            match (&outcome, longest) {
                (Outcome::Undecided(reason), Some(side)) if !matches!(reason, Reason::Obstacle(_)) => {
                    suspects.extend(suspect);
                    next_reasons.extend([Some(reason.clone()), Some(reason.clone())]);
                    next.extend(unknowns.halves(side));
                }
                _ => refined.boxes.push(Decided { unknowns, outcome }),
            }
        }
        let has_unsafe = refined
            .boxes
            .iter()
            .any(|b| matches!(b.outcome, Outcome::Unsafe { .. }));
        waiting = next;
        reasons = next_reasons;
        if options.stop_at_unsafe && !has_unsafe {
            for suspect in suspects.into_iter().take(MOST_SUSPECTS) {
                if matches!(
                    explore_point(make, horizon, options.limits.clone(), &suspect)?,
                    Outcome::Unsafe { .. }
                ) {
                    refined.unsafe_points.push(suspect);
                    break;
                }
            }
        }
        if options.stop_at_unsafe && (has_unsafe || !refined.unsafe_points.is_empty()) {
            break;
        }
    }
    refined.is_cancelled |= stopped.load(Ordering::Relaxed) && !waiting.is_empty();
    for (unknowns, reason) in waiting.into_iter().zip(reasons) {
        let limit = || Reason::Limit("not refined any further".into());
        refined.boxes.push(open(unknowns, reason, limit));
    }
    let key = |b: &Decided| -> Vec<f64> { b.unknowns.sides.iter().map(dyverse_num::Interval::lo).collect() };
    refined.boxes.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.iter()
            .zip(&b)
            .map(|(x, y)| x.total_cmp(y))
            .find(|o| o.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(refined)
}

/// A box that is left: for the reason of the box of which it is a half, if there is one.
fn open(unknowns: UnknownBox, parent: Option<Reason>, otherwise: impl FnOnce() -> Reason) -> Decided {
    Decided {
        unknowns,
        outcome: Outcome::Undecided(parent.unwrap_or_else(otherwise)),
    }
}

/// Suspected points that are followed after each generation.
const MOST_SUSPECTS: usize = 4;

/// The trajectory of one point of the unknowns.
///
/// # Errors
/// When the system cannot be made.
pub fn explore_point<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    limits: Limits,
    values: &[f64],
) -> Result<Outcome, Obstacle> {
    Ok(Explorer::new(make()?, horizon, limits).explore(&UnknownBox::point(values)))
}

type Found = Option<(Outcome, Figures, Vec<Vec<f64>>)>;

/// Explores boxes, each by itself.
fn generation<E: Evolution>(
    make: &(dyn Fn() -> Result<E, Obstacle> + Sync),
    horizon: f64,
    options: &RefineOptions,
    waiting: &[UnknownBox],
    stopped: &AtomicBool,
    watch: Watch<'_>,
    so_far: &Refined,
) -> Vec<Found> {
    let results: Vec<Mutex<Found>> = waiting.iter().map(|_| Mutex::new(None)).collect();
    let place = AtomicUsize::new(0);
    let decided = |o: &Outcome| !matches!(o, Outcome::Undecided(_));
    let before = so_far.share(decided);
    let done = Mutex::new((before, so_far.explored));
    let work = || {
        let Ok(evolution) = make() else { return };
        let mut explorer = Explorer::new(evolution, horizon, options.limits.clone());
        loop {
            let own = place.fetch_add(1, Ordering::Relaxed);
            let Some(unknowns) = waiting.get(own) else { return };
            if stopped.load(Ordering::Relaxed) {
                return;
            }
            explorer.figures = Figures::default();
            let outcome = explorer.explore(unknowns);
            if let Ok(mut done) = done.lock() {
                done.1 += 1;
                if decided(&outcome) {
                    done.0 += unknowns.share(&so_far.whole);
                }
                if !watch(done.0, done.1) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
            if let Ok(mut result) = results[own].lock() {
                *result = Some((outcome, explorer.figures().clone(), explorer.suspects()));
            }
        }
    };
    let threads = options.threads.clamp(1, waiting.len().max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // One that cannot be had leaves its boxes to the others.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    results
        .into_iter()
        .map(|r| match r.into_inner() {
            Ok(found) => found,
            Err(_) => unreachable!("bug: an exploration ended without its thread"),
        })
        .collect()
}
