//! One random model with one random property: boxes decided, then simulated; what contradicts them.
//!
//! Thresholds come from simulations at a few points, so that properties hold everywhere, nowhere, or for some of the box, often only just.

use std::collections::BTreeMap;

use dyverse_check::{Decided, Outcome, Reason, Refined};
use dyverse_equations::{Actors, Bodies, Evolution, Requirement};
use dyverse_falsify::{Experiment, Failure, GraphExperiment, Measured, ModelExperiment};
use dyverse_run::RunOptions;
use dyverse_tick::TickOptions;

use super::bodies::random_bodies;
use super::draft::Drafted;
use super::modes::random_modes;
use super::random::Random;
use super::read::{actors, decide_actors, decide_bodies, model, modest};

/// What a simulation may be wrong by.
const ERROR: f64 = 1e-7;

/// What a campaign has found.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) models: usize,
    pub(crate) not_simulated: usize,
    pub(crate) refused: usize,
    /// Models with a safe, an unsafe, an undecided part.
    pub(crate) safe: usize,
    pub(crate) broken: usize,
    pub(crate) undecided: usize,
    pub(crate) runs: usize,
    pub(crate) stopped: usize,
    /// Share of boxes decided, summed over models.
    pub(crate) decided: f64,
    pub(crate) reasons: BTreeMap<String, usize>,
    pub(crate) families: BTreeMap<&'static str, (usize, f64)>,
    pub(crate) contradictions: Vec<String>,
}

impl Tally {
    pub(crate) fn print(&self, name: &str) {
        println!(
            "{name}: {} models ({} not simulated, {} refused), safe parts {}, unsafe parts {}, undecided parts {}; share decided {:.3}; {} runs ({} stopped early)",
            self.models,
            self.not_simulated,
            self.refused,
            self.safe,
            self.broken,
            self.undecided,
            self.decided / self.models.max(1) as f64,
            self.runs,
            self.stopped
        );
        for (family, (models, decided)) in &self.families {
            println!(
                "  {family}: {models} models, share decided {:.3}",
                decided / *models as f64
            );
        }
        for (reason, count) in &self.reasons {
            println!("  {count} × {reason}");
        }
        for contradiction in &self.contradictions {
            println!("{contradiction}\n");
        }
    }
}

type Run<'a> = dyn Fn(&[(String, f64)]) -> Result<Measured, Failure> + 'a;

fn at(unknowns: &[dyverse_falsify::Unknown], values: &[(String, f64)]) -> Vec<f64> {
    let value = |u: &dyverse_falsify::Unknown| {
        let found = values.iter().find(|(name, _)| *name == u.name);
        found.map_or(0.5 * (u.lower + u.upper), |(_, v)| v.clamp(u.lower, u.upper))
    };
    unknowns.iter().map(value).collect()
}

/// Runs that chatter are given up soon.
fn run_options() -> RunOptions {
    RunOptions {
        event_limit: 400,
        ..RunOptions::default()
    }
}

/// Calls `then` with the unknowns of a model, and something that runs it and measures its property `p`.
fn with_runs<T>(text: &str, is_modal: bool, then: impl FnOnce(&[(String, f64, f64)], &Run<'_>) -> T) -> T {
    let named = |unknowns: &[dyverse_falsify::Unknown]| -> Vec<(String, f64, f64)> {
        unknowns
            .iter()
            .map(|u| (u.name.clone(), u.lower, u.upper))
            .collect()
    };
    if is_modal {
        let model = actors(text);
        let graph = &model.graph;
        let simulate = |options: &TickOptions| dyverse_tick::simulate(graph, &mut [], options);
        let experiment = GraphExperiment::new(graph, "p", TickOptions::default(), simulate).unwrap();
        let unknowns = experiment.unknowns().to_vec();
        then(&named(&unknowns), &|values| {
            experiment.run(&at(&unknowns, values))
        })
    } else {
        let model = model(text);
        let experiment = ModelExperiment::new(&model, "p", run_options()).unwrap();
        let unknowns = experiment.unknowns().to_vec();
        then(&named(&unknowns), &|values| {
            experiment.run(&at(&unknowns, values))
        })
    }
}

/// The largest values of a quantity in a window, in simulations at a few points.
fn largest(drafted: &Drafted, is_modal: bool, quantity: &str, window: &str, seed: u64) -> Option<Vec<f64>> {
    let text = format!("{}property p: always {window} {quantity} <= 0\n", drafted.text);
    with_runs(&text, is_modal, |unknowns, run| {
        let mut random = Random::new(seed);
        let count = if unknowns.is_empty() { 1 } else { 5 };
        (0..count)
            .map(|_| {
                let values: Vec<(String, f64)> = unknowns
                    .iter()
                    .map(|(name, low, high)| (name.clone(), random.between(*low, *high)))
                    .collect();
                match run(&values) {
                    Ok(measured) if measured.robustness.value.is_finite() => Some(-measured.robustness.value),
                    _ => None,
                }
            })
            .collect()
    })
}

/// A comparison of a quantity with a number.
fn comparison(drafted: &Drafted, is_modal: bool, window: &str, random: &mut Random) -> Option<String> {
    let quantity = random.pick(&drafted.quantities).clone();
    let is_upper = random.often(0.6);
    let sign = if is_upper { 1.0 } else { -1.0 };
    let wanted = if is_upper {
        quantity.clone()
    } else {
        format!("-({quantity})")
    };
    let found = largest(drafted, is_modal, &wanted, window, random.next())?;
    let low = found.iter().copied().fold(f64::INFINITY, f64::min);
    let high = found.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.3 * high.abs().max(0.1) * 10_f64.powf(-random.between(0.0, 4.0));
    let threshold = match random.below(4) {
        0 => low + (high - low) * random.even(),
        1 | 2 => high + margin + 0.1 * (high - low),
        _ => low - margin - 0.1 * (high - low),
    };
    let relation = match (is_upper, random.often(0.3)) {
        (true, true) => "<",
        (true, false) => "<=",
        (false, true) => ">",
        (false, false) => ">=",
    };
    Some(format!("{quantity} {relation} {:.9}", sign * threshold))
}

/// A random property, and its text.
fn property(drafted: &Drafted, is_modal: bool, random: &mut Random) -> Option<String> {
    let end = drafted.horizon;
    let part = |x: f64| (end * x * 1000.0).floor() / 1000.0;
    let window = match random.below(4) {
        0 | 1 => format!("[0, {end}]"),
        2 => format!("[{}, {end}]", part(random.between(0.1, 0.7))),
        _ => format!(
            "[{}, {}]",
            part(random.between(0.0, 0.4)),
            part(random.between(0.5, 1.0))
        ),
    };
    let mut atom = || comparison(drafted, is_modal, &window, random);
    let (a, b) = (atom()?, atom()?);
    Some(match random.below(8) {
        0..=3 => format!("always {window} {a}"),
        4 => format!("always {window} ({a} and {b})"),
        5 => format!("always {window} ({a} or {b})"),
        6 => format!("never {window} (not ({a}))"),
        _ => format!("always {window} (not ({b}) implies {a})"),
    })
}

/// Texts whose runs are runs of the model too.
fn variants(text: &str) -> Vec<String> {
    if text.contains("impacts sequential any") {
        let with = |order: &str| text.replace("sequential any", order);
        [
            "sequential first",
            "sequential random(1)",
            "sequential random(2)",
            "sequential random(7)",
        ]
        .map(with)
        .to_vec()
    } else {
        vec![text.to_owned()]
    }
}

fn names(text: &str, is_modal: bool) -> Vec<String> {
    let of = |unknowns: &[dyverse_equations::Unknown]| unknowns.iter().map(|u| u.name.clone()).collect();
    if is_modal {
        let model = actors(text);
        let property = &model.graph.properties()[0];
        let requirement = Requirement::new(property, model.graph.horizon()).unwrap();
        of(&Actors::new(&model.graph, &[], requirement)
            .unwrap()
            .variables()
            .unknowns)
    } else {
        let model = model(text);
        let requirement = Requirement::new(&model.properties()[0], model.horizon()).unwrap();
        of(&Bodies::new(&model, &[], requirement)
            .unwrap()
            .variables()
            .unknowns)
    }
}

/// A point of a box: inside, or on its edges and corners.
fn point(decided: &Decided, random: &mut Random) -> Vec<f64> {
    let is_edge = random.often(0.4);
    let sides = decided.unknowns.sides.iter();
    sides
        .map(|side| match random.below(3) {
            0 if is_edge => side.lo(),
            1 if is_edge => side.hi(),
            _ => random.between(side.lo(), side.hi()),
        })
        .collect()
}

/// What is wrong with an outcome, if a run has this measurement.
fn wrong(outcome: &Outcome, measured: &Measured) -> Option<String> {
    let rho = measured.robustness.value;
    match outcome {
        Outcome::Safe(_) if rho < -ERROR => Some(format!(
            "SAFE, but robustness {rho:e} at {:?}",
            measured.robustness.worst
        )),
        Outcome::Unsafe { time, place } => {
            let first = measured.robustness.first;
            if rho > ERROR {
                Some(format!("UNSAFE at {time:?} in {place}, but robustness {rho:e}"))
            } else if first.is_some_and(|first| rho < -1e-5 && first.t() > time.1 + 1e-6) {
                Some(format!("UNSAFE at {time:?} in {place}, but first at {first:?}"))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Digits left out, so that reasons are counted by their kind.
fn kind(reason: &Reason) -> String {
    let text = reason.to_string();
    let text: String = text
        .chars()
        .filter(|c| !c.is_ascii_digit() && *c != '.')
        .collect();
    text.chars().take(90).collect()
}

/// The text of a model with its property.
pub(crate) fn drafted_text(seed: u64, is_modal: bool) -> String {
    let drafted = if is_modal {
        random_modes(seed)
    } else {
        random_bodies(seed)
    };
    let property = property(&drafted, is_modal, &mut Random::new(seed ^ 0x7357));
    format!("{}property p: {}", drafted.text, property.unwrap_or_default())
}

/// One model: `runs` simulations of what is decided.
pub(crate) fn try_model(seed: u64, is_modal: bool, boxes: usize, runs: usize, tally: &mut Tally) {
    tally.models += 1;
    let drafted = if is_modal {
        random_modes(seed)
    } else {
        random_bodies(seed)
    };
    let mut random = Random::new(seed ^ 0x7357);
    let Some(property) = property(&drafted, is_modal, &mut random) else {
        tally.not_simulated += 1;
        return;
    };
    let text = format!("{}property p: {property}\n", drafted.text);
    let options = modest(boxes);
    let refined = if is_modal {
        decide_actors(&actors(&text), "p", &options)
    } else {
        decide_bodies(&model(&text), "p", &options)
    };
    let refined = match refined {
        Ok(refined) => refined,
        Err(obstacle) => {
            tally.refused += 1;
            *tally
                .reasons
                .entry(format!("refused: {}", obstacle.what))
                .or_default() += 1;
            return;
        }
    };
    count(&refined, drafted.family, tally);
    let decided: Vec<&Decided> = refined
        .boxes
        .iter()
        .filter(|b| !matches!(b.outcome, Outcome::Undecided(_)))
        .collect();
    if decided.is_empty() {
        return;
    }
    let names = names(&text, is_modal);
    let variants = variants(&text);
    let runs = if names.is_empty() {
        1
    } else {
        runs.div_ceil(variants.len())
    };
    for variant in variants {
        with_runs(&variant, is_modal, |_, run| {
            for _ in 0..runs {
                let decided = *random.pick(&decided);
                let point = point(decided, &mut random);
                let values: Vec<(String, f64)> = names.iter().cloned().zip(point).collect();
                tally.runs += 1;
                match run(&values) {
                    Ok(measured) => {
                        if let Some(wrong) = wrong(&decided.outcome, &measured) {
                            let found = format!(
                                "seed {seed}: {wrong}\n{variant}box {:?}\npoint {values:?}",
                                decided.unknowns.sides
                            );
                            println!("CONTRADICTION {found}");
                            tally.contradictions.push(found);
                            return;
                        }
                    }
                    Err(_) => tally.stopped += 1,
                }
            }
        });
    }
}

fn count(refined: &Refined, family: &'static str, tally: &mut Tally) {
    let is_undecided = |o: &Outcome| matches!(o, Outcome::Undecided(_));
    let has = |of: &dyn Fn(&Outcome) -> bool| usize::from(refined.boxes.iter().any(|b| of(&b.outcome)));
    tally.safe += has(&|o| matches!(o, Outcome::Safe(_)));
    tally.broken += has(&|o| matches!(o, Outcome::Unsafe { .. }));
    tally.undecided += has(&is_undecided);
    let share = refined.share(|o| !is_undecided(o));
    tally.decided += share;
    let own = tally.families.entry(family).or_default();
    own.0 += 1;
    own.1 += share;
    let open = refined.boxes.iter().find_map(|b| match &b.outcome {
        Outcome::Undecided(reason) => Some(kind(reason)),
        _ => None,
    });
    if let Some(reason) = open {
        *tally.reasons.entry(reason).or_default() += 1;
    }
}
