//! Runs of rigid bodies: shapes and where they are, gaps, contact forces as numbers and arrows, energies.
//!
//! Gaps come from the states of the samples, forces and works from [`Along`]. Impulses and forces of transitions are turned from the frames of their contacts into the world at the sample before them.

use super::SourceText;
use super::beginning::{Beginning, MOST_TRANSITIONS};
use super::drawn::Drawn;
use super::recorded::{add, named, one_machine, plain_place, recorded, vectors};
use super::scene::bodies;
use dyverse_export::impact_gain_text;
use dyverse_model::{ContactQuantity, EntityId, Model, Symbol};
use dyverse_simulate::{
    Along, ClosedContacts, Moment, Observer, RunError, RunOptions, Seen, simulate_with_contacts,
};
use dyverse_trace::{StopReason, SuperdenseTime, Trace};
use dyverse_view::{Blobs, ContactTrack, Document, Page, PageKind, Run, SignalKind};
use std::collections::BTreeMap;

/// Pairs whose gaps are shown at the most; of more, those that touch.
const MOST_GAPS: usize = 64;
/// Contacts whose forces are shown at the most.
const MOST_TRACKS: usize = 200;
/// Contacts of a model up to which labels are looked up.
const MOST_LABELS: usize = 200_000;
/// Samples of a page, unless the call says how many.
const SAMPLES: f64 = 1000.0;
/// The same where there are many bodies.
const FEWEST_SAMPLES: f64 = 200.0;
/// Numbers of all samples together, from which on there are fewer.
const MOST_NUMBERS: f64 = 5e6;
/// Transitions up to which steps inside of computation nodes are among them.
const MOST_NODE_STEPS: usize = MOST_TRANSITIONS;

/// Runs a model, and makes the page of it; with the trace that it shows.
///
/// # Errors
/// As [`dyverse_simulate::simulate`].
pub fn bodies_page(
    model: &Model,
    source: Option<SourceText>,
    options: &RunOptions,
) -> Result<(Page, Trace), RunError> {
    let (mut blobs, mut notes) = (Blobs::new(), Vec::new());
    let (run, trace) = bodies_run(model, options, "run", &mut blobs, &mut notes)?;
    Ok((page(model, source, vec![run], blobs, notes), trace))
}

/// A page of runs of a model. The automaton is generated here, once for all of them: it says what their places mean.
pub(super) fn page(
    model: &Model,
    source: Option<SourceText>,
    mut runs: Vec<Run>,
    blobs: Blobs,
    mut notes: Vec<String>,
) -> Page {
    let drawn = Drawn::new(model);
    for run in &mut runs {
        drawn.explain(&mut run.places);
    }
    let document = Document {
        system: model.name().to_owned(),
        kind: PageKind::Bodies,
        source,
        runs,
        graphs: drawn.graphs(&mut notes),
        notes,
        ..Document::default()
    };
    Page { document, blobs }
}

/// Runs a model, and makes the run of a page from it; with the trace that it shows.
///
/// # Errors
/// As [`dyverse_simulate::simulate`].
pub fn bodies_run(
    model: &Model,
    options: &RunOptions,
    title: &str,
    blobs: &mut Blobs,
    notes: &mut Vec<String>,
) -> Result<(Run, Trace), RunError> {
    let mut options = options.clone();
    options.keep_pieces = true;
    let horizon = options.until.or(model.horizon());
    let usual = horizon.map(|h| h / samples(model, notes, options.sample_every.is_some()));
    options.sample_every = options.sample_every.or(usual);
    let (trace, closed) = with_nodes(model, &options, notes)?;
    let beginning = Beginning::of(&trace, &closed, notes);
    let (shown, closed) = match &beginning {
        Some(beginning) => (&beginning.trace, beginning.closed.as_slice()),
        None => (&trace, closed.as_slice()),
    };
    let seen = Along::new(model, &options, shown, closed)?.samples();
    let mut run = bare_run(model, &options, shown, closed, title, blobs, notes)?;
    if let Some(beginning) = &beginning {
        beginning.end(&mut run);
    }
    add_forces(&mut run, model, &seen, blobs, notes);
    add_energies(&mut run, &seen, blobs);
    Ok((run, trace))
}

/// How many samples there are, if the call does not say.
fn samples(model: &Model, notes: &mut Vec<String>, is_chosen: bool) -> f64 {
    let free = model.entities().iter().filter(|e| !e.is_fixed).count();
    let room = MOST_NUMBERS / (13.0 * free.max(1) as f64);
    if room < SAMPLES && !is_chosen {
        notes.push(
            "There are many bodies, hence fewer samples than usual: --sample-every makes them denser.".into(),
        );
    }
    room.clamp(FEWEST_SAMPLES, SAMPLES)
}

/// A run with the steps inside of computation nodes, unless there are too many to look at.
fn with_nodes(
    model: &Model,
    options: &RunOptions,
    notes: &mut Vec<String>,
) -> Result<(Trace, Vec<ClosedContacts>), RunError> {
    let shown = RunOptions {
        show_nodes: true,
        event_limit: options.event_limit.min(MOST_NODE_STEPS),
        ..options.clone()
    };
    let (trace, closed) = simulate_with_contacts(model, &shown)?;
    let is_too_long = matches!(trace.stop.reason, StopReason::EventLimit { .. });
    if !is_too_long || options.event_limit <= MOST_NODE_STEPS {
        return Ok((trace, closed));
    }
    notes.push(format!(
        "Steps inside of computation nodes are left out: with them there are more than {MOST_NODE_STEPS} transitions."
    ));
    simulate_with_contacts(model, options)
}

/// The run without what only pieces tell.
pub(super) fn bare_run(
    model: &Model,
    options: &RunOptions,
    trace: &Trace,
    closed: &[ClosedContacts],
    title: &str,
    blobs: &mut Blobs,
    notes: &mut Vec<String>,
) -> Result<Run, RunError> {
    let mut run = recorded(trace, title, SignalKind::State, blobs);
    let mut observer = Observer::new(model, options)?;
    run.bodies = bodies(model, trace);
    add_inputs(&mut run, model, trace, &mut observer, blobs);
    add_gaps(&mut run, model, trace, &mut observer, blobs, notes);
    place_forces(&mut run, model, trace, closed, &mut observer);
    run.places = one_machine(&mut run).into_iter().map(plain_place).collect();
    let gains = trace.impact_gains.iter();
    notes.extend(gains.map(|gain| format!("The impact law {}.", impact_gain_text(gain))));
    let balance = &trace.balance;
    run.balance = Some(vec![
        named("kinetic at the start", balance.kinetic_at_start),
        named("kinetic at the end", balance.kinetic_at_end),
        named("work of loads", balance.work_of_loads),
        named("work of friction", balance.work_of_friction),
        named("work of impacts", balance.work_of_impacts),
        named("work of projections", balance.work_of_projection),
        named("not accounted for", balance.error()),
    ]);
    let statistics = &trace.statistics;
    run.statistics = vec![
        named("steps of the solver", statistics.steps as f64),
        named("rejected steps", statistics.rejected_steps as f64),
        named("evaluations", statistics.evaluations as f64),
        named("impacts", statistics.impacts as f64),
        named("sweeps of SORPROX", statistics.sweeps as f64),
        named("largest penetration, m", statistics.largest_penetration),
        named("largest residual", statistics.largest_residual),
    ];
    Ok(run)
}

fn add_inputs(run: &mut Run, model: &Model, trace: &Trace, observer: &mut Observer<'_>, blobs: &mut Blobs) {
    for (number, input) in model.inputs().iter().enumerate() {
        let symbol = Symbol::Input(dyverse_model::InputId(number as u32));
        let values = along(trace, |moment| observer.value(symbol, moment));
        add(run, blobs, (input.name.clone(), ""), SignalKind::Input, &values);
    }
}

/// A value at every sample. Inputs that jump have their value from the left at the first sample of an instant.
fn along(trace: &Trace, mut value: impl FnMut(&Moment<'_>) -> f64) -> Vec<f64> {
    let mut before = f64::NEG_INFINITY;
    let mut values = Vec::with_capacity(trace.samples.len());
    for sample in &trace.samples {
        let t = sample.time.t();
        let anchor = if before.is_finite() { before } else { t };
        values.push(value(&Moment {
            t,
            anchor,
            states: &sample.values,
            closed: &[],
            struck: &[],
        }));
        before = t;
    }
    values
}

fn add_gaps(
    run: &mut Run,
    model: &Model,
    trace: &Trace,
    observer: &mut Observer<'_>,
    blobs: &mut Blobs,
    notes: &mut Vec<String>,
) {
    let mut pairs: Vec<(EntityId, EntityId)> = Vec::new();
    for contact in model.contacts() {
        if pairs.last() != Some(&contact.entities) && !pairs.contains(&contact.entities) {
            pairs.push(contact.entities);
        }
        if pairs.len() > MOST_GAPS {
            break;
        }
    }
    if pairs.len() > MOST_GAPS {
        pairs = touching_pairs(model, trace);
        let told = pairs.len().min(MOST_GAPS);
        notes.push(format!(
            "Gaps are shown for {told} pairs of bodies: those that touch first. There are more pairs than that."
        ));
        pairs.truncate(MOST_GAPS);
    }
    for (a, b) in pairs {
        let symbol = Symbol::Contact(ContactQuantity::Gap, a, b);
        let values = along(trace, |moment| observer.value(symbol, moment));
        let name = format!("gap({}, {})", model.entity(a).name, model.entity(b).name);
        add(run, blobs, (name, "m"), SignalKind::Gap, &values);
    }
}

/// Pairs that touch in the run, in order of time.
fn touching_pairs(model: &Model, trace: &Trace) -> Vec<(EntityId, EntityId)> {
    let labels = labelled(model);
    let mut pairs = Vec::new();
    for label in trace.transitions.iter().flat_map(|t| &t.contacts) {
        if let Some(pair) = labels.get(label)
            && !pairs.contains(pair)
        {
            pairs.push(*pair);
        }
        if pairs.len() > MOST_GAPS {
            break;
        }
    }
    pairs
}

fn labelled(model: &Model) -> BTreeMap<String, (EntityId, EntityId)> {
    let contacts = model.contacts().take(MOST_LABELS);
    contacts.map(|c| (model.contact_label(&c), c.entities)).collect()
}

/// Where the forces of transitions act, in the world.
fn place_forces(
    run: &mut Run,
    model: &Model,
    trace: &Trace,
    closed: &[ClosedContacts],
    observer: &mut Observer<'_>,
) {
    if trace.transitions.iter().all(|t| t.forces.is_empty()) {
        return;
    }
    let labels = labelled(model);
    let mut order: Vec<usize> = (0..trace.pieces.len().min(closed.len())).collect();
    order.sort_by(|a, b| trace.pieces[*a].from.total_cmp(&trace.pieces[*b].from));
    let (mut next, mut alive) = (0, Vec::new());
    for (transition, shown) in trace.transitions.iter().zip(&mut run.transitions) {
        let t = transition.time.t();
        while let Some(piece) = order.get(next).filter(|p| trace.pieces[**p].from <= t) {
            alive.push(*piece);
            next += 1;
        }
        alive.retain(|p| t < trace.pieces[*p].to);
        if transition.forces.is_empty() {
            continue;
        }
        let Some(states) = states_at(trace, transition.time) else {
            continue;
        };
        let is_contact_node = transition.to.starts_with('C') || transition.from.starts_with('C');
        // In a contact node the frames are those that the location after it has.
        let held: Vec<&ClosedContacts> = if is_contact_node {
            alive.iter().map(|p| &closed[*p]).collect()
        } else {
            Vec::new()
        };
        let moment = Moment {
            t,
            anchor: t,
            states,
            closed: &held,
            struck: &[],
        };
        for force in &mut shown.forces {
            let in_frame = [force.normal, force.tangential[0], force.tangential[1]];
            let Some(pair) = labels.get(&force.contact) else {
                continue;
            };
            if let Some((point, vector)) = observer.placed(&force.contact, *pair, in_frame, &moment) {
                force.point = Some([point.x, point.y, point.z]);
                force.vector = Some([vector.x, vector.y, vector.z]);
            }
        }
    }
}

/// The states of the last sample that is not after a moment.
fn states_at(trace: &Trace, time: SuperdenseTime) -> Option<&[f64]> {
    let after = trace.samples.partition_point(|s| s.time <= time);
    let sample = trace.samples.get(after.checked_sub(1)?)?;
    Some(&sample.values)
}

fn add_forces(run: &mut Run, model: &Model, seen: &[Seen], blobs: &mut Blobs, notes: &mut Vec<String>) {
    let mut tracks: BTreeMap<String, Track> = BTreeMap::new();
    let mut left_out = 0;
    for (place, at) in seen.iter().enumerate() {
        for force in at.forces.iter().flatten() {
            if !tracks.contains_key(&force.label) {
                if tracks.len() == MOST_TRACKS {
                    left_out += 1;
                    continue;
                }
                tracks.insert(
                    force.label.clone(),
                    Track::new(seen.len(), force.contact.entities),
                );
            }
            if let Some(track) = tracks.get_mut(&force.label) {
                track.points[place] = [force.point.x, force.point.y, force.point.z];
                track.forces[place] = [force.vector.x, force.vector.y, force.vector.z];
                track.normal[place] = force.normal;
                track.friction[place] = force.friction;
            }
        }
    }
    if left_out > 0 {
        notes.push(format!(
            "Forces along the run are shown for the first {MOST_TRACKS} contacts that close; there are more."
        ));
    }
    for (label, track) in tracks {
        let (first, second) = track.entities;
        debug_assert!(first.0 < model.entities().len() && second.0 < model.entities().len());
        run.contacts.push(ContactTrack {
            label: label.clone(),
            first: first.0,
            second: second.0,
            point: vectors(blobs, &track.points),
            force: vectors(blobs, &track.forces),
        });
        add(
            run,
            blobs,
            (format!("normal force({label})"), "N"),
            SignalKind::Force,
            &track.normal,
        );
        add(
            run,
            blobs,
            (format!("friction({label})"), "N"),
            SignalKind::Force,
            &track.friction,
        );
    }
}

/// A contact along a run; NaN while it is open.
struct Track {
    entities: (EntityId, EntityId),
    points: Vec<[f64; 3]>,
    forces: Vec<[f64; 3]>,
    normal: Vec<f64>,
    friction: Vec<f64>,
}

impl Track {
    fn new(samples: usize, entities: (EntityId, EntityId)) -> Self {
        let none = [f64::NAN; 3];
        Track {
            entities,
            points: vec![none; samples],
            forces: vec![none; samples],
            normal: vec![f64::NAN; samples],
            friction: vec![f64::NAN; samples],
        }
    }
}

type Curve = fn(&Seen) -> f64;

fn add_energies(run: &mut Run, seen: &[Seen], blobs: &mut Blobs) {
    let Some(start) = seen.first().map(|s| s.kinetic) else {
        return;
    };
    let curves: [(&str, Curve); 4] = [
        ("kinetic energy", |s| s.kinetic),
        ("work of loads", |s| s.loads),
        ("work of friction", |s| s.friction),
        ("work of impacts", |s| s.impacts),
    ];
    for (name, curve) in curves {
        let values: Vec<f64> = seen.iter().map(curve).collect();
        add(run, blobs, (name.into(), "J"), SignalKind::Energy, &values);
    }
    let error = |s: &Seen| s.kinetic - start - s.loads - s.friction - s.impacts;
    let values: Vec<f64> = seen.iter().map(error).collect();
    let name = "energy not accounted for".into();
    add(run, blobs, (name, "J"), SignalKind::Energy, &values);
    // Rounding, unless something is wrong: it is there to be asked for.
    if let Some(signal) = run.signals.last_mut() {
        signal.shown = false;
    }
}
