//! Everything that decides what a session does next, as bytes: to go back, to go on elsewhere, to try several ways.
//!
//! # Format
//! | bytes | what |
//! |---|---|
//! | 8 | `dyv-tick` |
//! | 4 | version of the format |
//! | 8 | length of the content |
//! | … | the content: phase, inputs, counters, history of events, cells, modes, queues, the last tick, the flow, components |
//! | 8 | checksum of all before (FNV-1a) |
//!
//! All numbers are little endian. The content begins with a fingerprint of the model and its parameters, so it is refused by any other.
//!
//! # Guarantee
//! A session that goes on, and one that is restored and then called in the same way, give the same bits. Bytes that were damaged are refused with a message.

use crate::bytes::{Fingerprint, Reader, Writer};
use crate::engine::Engine;
use crate::exchange::Threshold;
use crate::frame::Status;
use crate::met::Met;
use crate::session::{Phase, Session};
use crate::sliding::Streak;
use crate::solver::Beginning;
use crate::state::{Cell, ComponentState, Moment, State};
use crate::zeno::{Accumulation, Instant};
use dyverse_actors::Graph;
use dyverse_trace::SuperdenseTime;
use std::collections::VecDeque;

const MAGIC: &[u8; 8] = b"dyv-tick";
const VERSION: u32 = 3;
/// Bytes around the content.
const FRAME: usize = 8 + 4 + 8 + 8;

/// Content as bytes with a version and a checksum.
fn sealed(content: &[u8]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.bytes.extend_from_slice(MAGIC);
    writer.word(VERSION);
    writer.count(content.len());
    writer.bytes.extend_from_slice(content);
    let sum = Fingerprint::of(&writer.bytes);
    writer.long(sum);
    writer.bytes
}

/// The content of bytes; or text for people: these are no bytes of a snapshot, they are of another version, cut off or damaged.
fn unsealed(bytes: &[u8]) -> Result<&[u8], String> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err("this is no state of an actor model: its first bytes are others".into());
    };
    let mut reader = Reader::new(rest);
    let version = reader.word().map_err(|why| bad(&why))?;
    if version != VERSION {
        return Err(format!(
            "this state has version {version}, and version {VERSION} can be read"
        ));
    }
    let length = reader.count().map_err(|why| bad(&why))?;
    if bytes.len().checked_sub(FRAME) != Some(length) {
        return Err(bad(&format!(
            "{length} bytes are announced, and {} are there",
            bytes.len().saturating_sub(FRAME)
        )));
    }
    let (summed, sum) = bytes.split_at(bytes.len() - 8);
    if Reader::new(sum).long() != Ok(Fingerprint::of(summed)) {
        return Err(bad("its checksum does not fit"));
    }
    Ok(&summed[FRAME - 8..])
}

fn bad(why: &str) -> String {
    format!("the state is damaged: {why}")
}

/// What tells models apart: names, expressions, parameters.
pub(crate) fn fingerprint_of(graph: &Graph, parameters: &[f64]) -> u64 {
    let mut print = Fingerprint::new();
    print.add_text(graph.name());
    for signal in graph.signals() {
        print.add_text(&signal.name);
        print.add_text(&format!("{:?} {}", signal.definition, signal.region.0));
    }
    for modal in graph.modals() {
        print.add_text(&modal.name);
        modal.modes.iter().for_each(|mode| print.add_text(&mode.name));
        for rule in &modal.transitions {
            print.add_text(&format!("{:?} {:?} {:?}", rule.from, rule.to, rule.guard));
        }
    }
    graph
        .components()
        .iter()
        .for_each(|used| print.add_text(&used.name));
    for (_, node) in graph.pool().nodes_from(0) {
        print.add_text(&format!("{node:?}"));
    }
    parameters
        .iter()
        .for_each(|p| print.add(&p.to_bits().to_le_bytes()));
    print.0
}

/// What a snapshot holds of a session, apart from its components' own bytes.
struct Saved {
    phase: Phase,
    inputs: Vec<f64>,
    left: Vec<f64>,
    thresholds: Vec<Threshold>,
    counters: [u64; 4],
    crossings: Vec<(u32, bool)>,
    indicators: Vec<(u32, usize)>,
    accumulation: Accumulation,
    streak: Streak,
    instant: Instant,
    state: State,
    time: SuperdenseTime,
    status: Vec<Status>,
    value: Vec<f64>,
    order: Vec<u32>,
    before: f64,
    carry: f64,
    met: Vec<Met>,
    proposed: Option<f64>,
    /// The flow of the last final microstep, if the next tick has not been yet.
    beginning: Option<Beginning>,
    components: Vec<Vec<u8>>,
}

impl Session<'_> {
    /// Everything that decides what comes next. Equal snapshots go on equally.
    ///
    /// # Errors
    /// Text for people: a component cannot be kept, or the session has ended.
    pub(crate) fn keep(&self) -> Result<Vec<u8>, String> {
        let mut w = Writer::default();
        w.long(self.fingerprint);
        self.write_phase(&mut w)?;
        w.numbers(&self.inputs);
        w.numbers(&self.left);
        w.list(self.thresholds.iter(), |w, threshold| {
            w.number(threshold.start);
            w.number(threshold.noise);
        });
        let engine = &self.engine;
        let counters = [
            engine.events as u64,
            engine.ticks,
            engine.jumps as u64,
            engine.stuck as u64,
        ];
        counters.iter().for_each(|counter| w.long(*counter));
        w.list(engine.crossings.iter(), |w, (signal, is_located)| {
            w.word(*signal);
            w.flag(*is_located);
        });
        w.list(engine.indicators.iter(), |w, (component, indicator)| {
            w.word(*component);
            w.count(*indicator);
        });
        engine.accumulation.write(&mut w);
        engine.streak.write(&mut w);
        engine.instant.write(&mut w);
        write_state(&mut w, &engine.state);
        write_tick(&mut w, engine);
        let proposed = engine.solver.integrator.proposed_step();
        w.list(proposed.iter(), |w, step| w.number(*step));
        let beginning = engine.flow.is_some() && !self.has_tick();
        w.flag(beginning);
        if beginning {
            engine.solver.write(&mut w);
        }
        let kept = self.keep_components()?;
        w.list(kept.iter(), |w, bytes| {
            w.list(bytes.iter(), |w, byte| w.byte(*byte))
        });
        Ok(sealed(&w.bytes))
    }

    fn write_phase(&self, w: &mut Writer) -> Result<(), String> {
        match &self.phase {
            Phase::New => w.byte(0),
            Phase::Instant { next, has_ticked } => {
                w.byte(1);
                write_time(w, *next);
                w.flag(*has_ticked);
            }
            Phase::Flowing => w.byte(2),
            Phase::Ended(why) => return Err(format!("there is no state to keep, it has ended: {why}")),
        }
        Ok(())
    }

    fn keep_components(&self) -> Result<Vec<Vec<u8>>, String> {
        let uses = self.engine.plan.graph.components().iter();
        uses.map(|used| {
            let component = &self.engine.components[used.handle as usize];
            let kept = component.snapshot();
            kept.map_err(|why| format!("component `{}`: {why}", used.name))
        })
        .collect()
    }

    /// Goes back to a snapshot of the same model with the same parameters, also one that another session made.
    ///
    /// # Errors
    /// Text for people: it is of another model or has other parameters, it is damaged, or a component refuses it. The session is then as before the call.
    pub(crate) fn go_back(&mut self, snapshot: &[u8]) -> Result<(), String> {
        let saved = self.read(snapshot)?;
        self.seen = None;
        let before = self.keep_components()?;
        let outcome = self
            .set_components(&saved.components)
            .and_then(|()| self.check_lengths_of(&saved));
        if let Err(why) = outcome {
            // As they were.
            return match self.set_components(&before) {
                Ok(()) => Err(why),
                Err(other) => {
                    self.phase = Phase::Ended(other);
                    Err(why)
                }
            };
        }
        self.apply(saved)
    }

    fn set_components(&mut self, list: &[Vec<u8>]) -> Result<(), String> {
        for (used, bytes) in self.engine.plan.graph.components().iter().zip(list) {
            let component = &mut self.engine.components[used.handle as usize];
            let outcome = component.restore(bytes);
            outcome.map_err(|why| format!("component `{}`: {why}", used.name))?;
        }
        Ok(())
    }

    fn read(&self, snapshot: &[u8]) -> Result<Saved, String> {
        let mut r = Reader::new(unsealed(snapshot)?);
        let r = &mut r;
        let name = self.engine.plan.graph.name();
        if r.long().map_err(|why| bad(&why))? != self.fingerprint {
            return Err(format!(
                "the state is not one of `{name}` with these parameters: it is of another model, or of other values"
            ));
        }
        self.read_content(r).map_err(|why| bad(&why))
    }

    fn read_content(&self, r: &mut Reader<'_>) -> Result<Saved, String> {
        let (plan, engine) = (&self.engine.plan, &self.engine);
        let (signals, units) = (plan.signal_count(), plan.unit_count());
        let inputs = (self.inputs.len(), "inputs");
        let saved = Saved {
            phase: read_phase(r)?,
            inputs: r.list_of(inputs, Reader::number)?,
            left: r.list_of(inputs, Reader::number)?,
            thresholds: r.list(|r| {
                Ok(Threshold {
                    start: r.number()?,
                    noise: r.number()?,
                })
            })?,
            counters: [r.long()?, r.long()?, r.long()?, r.long()?],
            crossings: r.list(|r| Ok((below(r.word()?, signals, "signals")?, r.flag()?)))?,
            indicators: r.list(|r| {
                let component = below(r.word()?, plan.graph.components().len(), "components")?;
                Ok((component, r.count()?))
            })?,
            accumulation: Accumulation::read(r, plan, engine.accumulation.close())?,
            streak: Streak::read(r)?,
            instant: Instant::read(r, signals)?,
            state: read_state(r, engine)?,
            time: read_time(r)?,
            status: r.list_of((units, "units"), read_status)?,
            value: r.list_of((units, "units"), Reader::number)?,
            order: r.list(|r| below(r.word()?, units, "units"))?,
            before: r.number()?,
            carry: r.number()?,
            met: r.list(|r| {
                let place = r.word()?;
                let node = plan.graph.pool().nodes_from(place as usize).next();
                let (node, _) = node.ok_or_else(|| format!("expression {place} is not there"))?;
                Ok(Met {
                    node,
                    beyond: r.number()?,
                })
            })?,
            proposed: r.numbers()?.first().copied(),
            beginning: (r.flag()?).then(|| Beginning::read(r)).transpose()?,
            components: r.list_of((plan.graph.components().len(), "components"), |r| {
                r.list(Reader::byte)
            })?,
        };
        r.end()?;
        if saved.beginning.is_none() && saved.phase == Phase::Flowing {
            return Err("time passes in it, but no flow is there".into());
        }
        Ok(saved)
    }

    /// Lengths that depend on the state of components.
    fn check_lengths_of(&self, saved: &Saved) -> Result<(), String> {
        for (place, component) in saved.state.components.iter().enumerate() {
            let (found, wanted) = (component.x.len(), self.engine.component(place).shape().states);
            if found != wanted {
                return Err(bad(&format!(
                    "a component has {found} states in it, and {wanted}"
                )));
            }
        }
        let begun = saved.beginning.as_ref().map(|begun| begun.start.len());
        if begun.is_some_and(|count| count != saved.thresholds.len()) {
            return Err(bad("the lists of watched quantities have different lengths"));
        }
        Ok(())
    }

    fn apply(&mut self, saved: Saved) -> Result<(), String> {
        let engine = &mut self.engine;
        let [events, ticks, jumps, stuck] = saved.counters;
        (engine.events, engine.ticks) = (events as usize, ticks);
        (engine.jumps, engine.stuck) = (jumps as usize, stuck as usize);
        engine.crossings = saved.crossings;
        engine.indicators = saved.indicators;
        engine.accumulation = saved.accumulation;
        engine.streak = saved.streak;
        engine.instant = saved.instant;
        engine.state = saved.state;
        engine.frame.status = saved.status;
        engine.frame.value = saved.value;
        engine.frame.order = saved.order;
        engine.frame.time = saved.time;
        engine.frame.before = saved.before;
        engine.frame.carry = saved.carry;
        engine.frame.met = saved.met;
        self.inputs = saved.inputs;
        self.left = saved.left;
        self.thresholds = saved.thresholds;
        self.phase = saved.phase;
        let outcome = self.engine.resettle(saved.beginning, saved.proposed);
        if let Err(why) = &outcome {
            self.phase = Phase::Ended(why.clone());
        }
        outcome
    }
}

fn below(value: u32, count: usize, what: &str) -> Result<u32, String> {
    if (value as usize) < count {
        Ok(value)
    } else {
        Err(format!("number {value} of {count} {what}"))
    }
}

fn write_time(w: &mut Writer, time: SuperdenseTime) {
    w.number(time.t());
    w.word(time.n());
}

fn write_moment(w: &mut Writer, moment: Moment) {
    w.number(moment.t);
    w.number(moment.carry);
}

fn read_moment(r: &mut Reader<'_>) -> Result<Moment, String> {
    Ok(Moment {
        t: r.number()?,
        carry: r.number()?,
    })
}

fn read_time(r: &mut Reader<'_>) -> Result<SuperdenseTime, String> {
    let (t, n) = (r.number()?, r.word()?);
    SuperdenseTime::new(t, n).ok_or_else(|| format!("{t} is no time"))
}

fn read_phase(r: &mut Reader<'_>) -> Result<Phase, String> {
    match r.byte()? {
        0 => Ok(Phase::New),
        1 => Ok(Phase::Instant {
            next: read_time(r)?,
            has_ticked: r.flag()?,
        }),
        2 => Ok(Phase::Flowing),
        other => Err(format!("{other} is no phase")),
    }
}

fn write_tick(w: &mut Writer, engine: &Engine<'_, '_>) {
    let frame = &engine.frame;
    write_time(w, frame.time);
    w.list(frame.status.iter(), |w, status| w.byte(*status as u8));
    w.numbers(&frame.value);
    w.list(frame.order.iter(), |w, unit| w.word(*unit));
    w.number(frame.before);
    w.number(frame.carry);
    w.list(frame.met.iter(), |w, met| {
        w.word(met.node.index() as u32);
        w.number(met.beyond);
    });
}

fn read_status(r: &mut Reader<'_>) -> Result<Status, String> {
    let byte = r.byte()?;
    let all = [Status::Unknown, Status::Absent, Status::Present];
    let found = all.into_iter().find(|status| *status as u8 == byte);
    found.ok_or_else(|| format!("{byte} is not known, unknown or absent"))
}

fn write_state(w: &mut Writer, state: &State) {
    w.list(state.cells.iter(), |w, cell| {
        w.number(cell.value);
        w.flag(cell.is_there);
    });
    w.list(state.modes.iter(), |w, mode| w.word(*mode));
    w.list(state.begins.iter(), |w, begin| write_moment(w, *begin));
    w.list(state.queues.iter(), |w, queue| {
        w.list(queue.iter(), |w, (due, value)| {
            write_moment(w, *due);
            w.number(*value);
        });
    });
    w.list(state.components.iter(), |w, component| {
        w.numbers(&component.x);
        w.numbers(&component.inputs);
        w.list(component.events.iter(), |w, (event, value)| {
            w.word(*event);
            w.number(*value);
        });
        w.flag(component.is_unfinished);
        w.flag(component.is_started);
    });
    w.flag(state.is_changed);
}

fn read_state(r: &mut Reader<'_>, engine: &Engine<'_, '_>) -> Result<State, String> {
    let graph = engine.plan.graph;
    let signals = (engine.plan.signal_count(), "signals");
    let cells = r.list_of(signals, |r| {
        Ok(Cell {
            value: r.number()?,
            is_there: r.flag()?,
        })
    })?;
    let mut modals = graph.modals().iter();
    let modes = r.list_of((graph.modals().len(), "modal models"), |r| {
        let count = modals.next().map_or(0, |modal| modal.modes.len());
        below(r.word()?, count, "modes")
    })?;
    let begins = r.list_of((graph.regions().len(), "regions"), read_moment)?;
    let queues = r.list_of(signals, |r| {
        let queue = r.list(|r| Ok((read_moment(r)?, r.number()?)))?;
        Ok(VecDeque::from(queue))
    })?;
    let components = r.list_of((graph.components().len(), "components"), |r| {
        Ok(ComponentState {
            x: r.numbers()?,
            inputs: r.numbers()?,
            events: r.list(|r| Ok((r.word()?, r.number()?)))?,
            is_unfinished: r.flag()?,
            is_started: r.flag()?,
        })
    })?;
    Ok(State {
        cells,
        modes,
        begins,
        queues,
        components,
        is_changed: r.flag()?,
    })
}
