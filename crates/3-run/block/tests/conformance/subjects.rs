//! A model run in every way there is: as a run of its own, as a component that something else steps, as a block in pieces, inside an actor model, as an FMU.

use super::random::Random;
use crate::same::{Event, Events, Told, end_of, refused};
use dyverse_block::{AnyModel, Instance, Source, Value, components};
use dyverse_component::{Cause, Component, Driver, Fault, Happening, Note, Passed, Stand};
use dyverse_fmu::{Version, library_name, write_fmu};
use dyverse_fmu_import::{Fmu, Interface, Wiring, recorded};
use dyverse_lang::{ActorModel, Loaded, Loader, read_actors};
use dyverse_simulate::{Mechanism, RunOptions};
use dyverse_tick::{Session, TickError, TickOptions};
use dyverse_trace::Trace;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A model with its text.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) source: Source,
    pub(super) until: f64,
}

/// Files beside the examples.
struct Examples;

impl Loader for Examples {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/actors/");
        let bytes = std::fs::read(format!("{folder}{path}")).map_err(|error| error.to_string())?;
        Ok(Loaded::named(path, bytes))
    }
}

/// The text of one mechanism, for an actor model around it.
struct Part<'a>(&'a str);

impl Loader for Part<'_> {
    fn load(&mut self, _: &str, path: &str) -> Result<Loaded, String> {
        Ok(Loaded::named(path, self.0))
    }
}

impl Subject {
    /// Reads a model; none if it cannot run alone.
    pub(super) fn new(file: &str, text: &str) -> Option<Self> {
        let source = Source::read(Loaded::named(file, text), &mut Examples).ok()?;
        let until = source.description.horizon?;
        Some(Subject {
            name: file.to_owned(),
            text: text.to_owned(),
            source,
            until,
        })
    }

    /// The time between looks: of the run no round part, at which clocks tick.
    pub(super) fn every(&self) -> f64 {
        self.until / 8.1
    }

    /// Moments at which all look.
    fn moments(&self) -> Vec<f64> {
        let looks = (1..=8).map(|k| f64::from(k) * self.every());
        looks.chain([self.until]).collect()
    }

    /// Whether the model wants its events on a grid of steps, which only its own solver has.
    pub(super) fn has_grid(&self) -> bool {
        match &self.source.model {
            AnyModel::Bodies(_) => false,
            AnyModel::Actors(model) => model.graph.numerics().max_step.is_some(),
        }
    }

    /// A run of its own.
    pub(super) fn run(&self) -> Told {
        let sample_every = Some(self.every());
        let trace = match &self.source.model {
            AnyModel::Bodies(model) => {
                let options = RunOptions {
                    sample_every,
                    ..RunOptions::default()
                };
                dyverse_simulate::simulate(model, &options).map_err(|error| error.to_string())
            }
            AnyModel::Actors(model) => {
                let options = TickOptions {
                    sample_every,
                    ..TickOptions::default()
                };
                simulate_actors(model, &options).map_err(|error| error.to_string())
            }
        };
        match trace {
            Ok(trace) => Told::by("a run", &trace, &self.moments()),
            Err(error) => Told {
                end: refused(error),
                events: Events::Untold,
                ..Told::new("a run")
            },
        }
    }

    /// As a component that the driver steps; with a seed it is asked to let time pass itself, if it can, in pieces of random lengths.
    pub(super) fn component(&self, seed: Option<u64>) -> Told {
        let mut told = Told::new(seed.map_or("a component", |_| "a component in pieces"));
        let outcome = match &self.source.model {
            AnyModel::Bodies(model) => {
                let mut mechanism = Mechanism::new(model, &RunOptions::default()).unwrap();
                let names = mechanism.output_names().to_vec();
                self.drive(&mut mechanism, &names, &mut told, (seed, false))
            }
            AnyModel::Actors(model) => {
                let parts = components(model, &TickOptions::default()).unwrap();
                let mut session = Session::new(&model.graph, parts, &TickOptions::default()).unwrap();
                let names = session.output_names();
                self.drive(&mut session, &names, &mut told, (seed, seed.is_none()))
            }
        };
        told.end = outcome.unwrap_or_else(|fault| match fault {
            Fault::Stopped(reason) => end_of(&reason),
            Fault::Refused(text) => refused(text),
        });
        told
    }

    /// Drives a component; `is_watched`: no indicator may be at its event right after one.
    fn drive(
        &self,
        part: &mut dyn Component,
        names: &[String],
        told: &mut Told,
        (seed, is_watched): (Option<u64>, bool),
    ) -> Result<String, Fault> {
        let u = vec![f64::NAN; part.shape().inputs];
        let mut random = Random::new(seed.unwrap_or_default());
        let mut driver = match seed {
            Some(_) => Driver::default(),
            None => Driver::stepping_itself(),
        };
        let mut stand = Stand::start(part, 0.0)?;
        stand.enter(part, &u)?;
        let mut taken = Vec::new();
        let mut note = |_: &Stand, happening: Happening| taken.extend(happening.transitions);
        let mut stop = stand.finish(part, Cause::Start, &u, &mut note)?;
        let mut outcome = Ok(());
        for moment in self.moments() {
            if stop.is_some() || outcome.is_err() {
                break;
            }
            while seed.is_some() && stop.is_none() && outcome.is_ok() && random.often(0.7) {
                let until = random.between(stand.t, moment);
                match driver.run(part, &mut stand, (until, &u), &mut note) {
                    Ok(passed) => stop = passed.stop,
                    Err(fault) => outcome = Err(fault),
                }
            }
            while stop.is_none() && outcome.is_ok() {
                let passed = if is_watched {
                    event_by_event(part, &mut driver, &mut stand, (moment, &u), &mut note)
                } else {
                    driver.run(part, &mut stand, (moment, &u), &mut note)
                };
                match passed {
                    Ok(passed) if passed.event.is_some() => continue,
                    Ok(passed) => stop = passed.stop,
                    Err(fault) => outcome = Err(fault),
                }
                break;
            }
            if stop.is_some() || outcome.is_err() {
                break;
            }
            let mut y = vec![0.0; part.shape().outputs];
            part.outputs(stand.at(&u), &mut y);
            told.looks.push((moment, names.iter().cloned().zip(y).collect()));
        }
        told.add(&taken);
        outcome?;
        Ok(stop.map_or(told.end.clone(), |reason| end_of(&reason)))
    }

    /// As a block: in pieces with its events inside, or stopping at each of them and executing its microsteps one by one.
    pub(super) fn block(&self, stops: bool) -> Told {
        let mut told = Told::new(if stops {
            "a block event by event"
        } else {
            "a block"
        });
        let mut block = Instance::new(&self.source);
        let mut places: Vec<(f64, String)> = Vec::new();
        let outcome = self.pass(&mut block, stops, &mut told, &mut places);
        told.end = outcome.unwrap_or_else(refused);
        let event = |(t, to): (f64, String)| Event {
            t,
            to: Some(to),
            ..Event::default()
        };
        told.events = match self.source.model {
            _ if !stops => Events::Untold,
            AnyModel::Bodies(_) => Events::All(places.into_iter().map(event).collect()),
            AnyModel::Actors(_) => Events::Moments(places.into_iter().map(|(t, _)| t).collect()),
        };
        told
    }

    fn pass(
        &self,
        block: &mut Instance<'_>,
        stops: bool,
        told: &mut Told,
        places: &mut Vec<(f64, String)>,
    ) -> Result<String, String> {
        let location = self.source.description.find("location");
        let mut here = String::new();
        let mut microsteps = |block: &mut Instance<'_>| loop {
            let made = block.microstep()?;
            if location.is_none() {
                places.push((block.time(), String::new()));
            }
            if let Some(Value::Text(now)) = location.map(|place| block.get(place)).transpose()?
                && now != here
            {
                if !here.is_empty() {
                    places.push((block.time(), now.clone()));
                }
                here = now;
            }
            if !made.is_more {
                return Ok::<_, String>(made.stop);
            }
        };
        block.begin()?;
        let mut stop = microsteps(block)?;
        for moment in self.moments() {
            while stop.is_none() && block.time() < moment {
                let passed = block.step(moment, stops)?;
                stop = passed.stop;
                if stop.is_none() && passed.event.is_some() {
                    block.begin_instant()?;
                    stop = microsteps(block)?;
                }
            }
            if stop.is_some() {
                break;
            }
            told.looks.push((moment, self.values(block)?));
        }
        Ok(stop.map_or(told.end.clone(), |reason| end_of(&reason)))
    }

    /// The numbers that a block shows.
    fn values(&self, block: &mut Instance<'_>) -> Result<BTreeMap<String, f64>, String> {
        let mut values = BTreeMap::new();
        let absent: Vec<String> = self.absent(block)?;
        for (place, variable) in self.source.description.variables.iter().enumerate() {
            if let Value::Real(value) = block.get(place)?
                && !absent.contains(&variable.name)
            {
                values.insert(variable.name.clone(), value);
            }
        }
        Ok(values)
    }

    /// Signals that are absent: they have values that nobody is to read.
    fn absent(&self, block: &mut Instance<'_>) -> Result<Vec<String>, String> {
        let mut absent = Vec::new();
        for (place, variable) in self.source.description.variables.iter().enumerate() {
            let flag = variable
                .name
                .strip_prefix("present(")
                .and_then(|n| n.strip_suffix(')'));
            if let Some(name) = flag
                && block.get(place)? == Value::Boolean(false)
            {
                absent.push(name.to_owned());
            }
        }
        Ok(absent)
    }

    /// A rigid-body system inside an actor model.
    pub(super) fn inside(&self) -> Told {
        let outputs = self.source.description.states.iter();
        let names: Vec<String> = outputs
            .map(|state| format!("part.{}", self.source.description.variables[*state].name))
            .collect();
        let text = format!(
            "model whole  mechanism part = \"part.drbt\"  distance' = abs({})  horizon = {:?}  record distance, {}",
            names[0],
            self.until,
            names.join(", ")
        );
        let reading = read_actors(Loaded::named("whole.dam", text), &mut Part(&self.text));
        let model = reading.model.unwrap();
        let options = TickOptions {
            sample_every: Some(self.every()),
            ..TickOptions::default()
        };
        let trace = simulate_actors(&model, &options).unwrap();
        let mut told = Told::by("an actor model with it", &trace, &self.moments());
        let own = |name: &String| name.strip_prefix("part.").unwrap_or(name).to_owned();
        for (_, values) in &mut told.looks {
            *values = values.iter().map(|(name, value)| (own(name), *value)).collect();
        }
        if let Events::All(events) = &mut told.events {
            for event in events {
                event.to = event.to.as_ref().map(own);
                (event.n, event.what) = (None, None);
            }
        }
        told
    }

    /// As an FMU that is exported, imported and stepped by the driver.
    pub(super) fn fmu(&self, version: Version, interface: Interface) -> Told {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.fmu");
        let library = std::fs::read(library()).unwrap();
        let mut file = std::fs::File::create(&path).unwrap();
        write_fmu(&self.source, version, &library, &mut file).unwrap();
        drop(file);
        let fmu = Rc::new(Fmu::open(&path, Some(interface)).unwrap());
        let names: Vec<String> = recorded(fmu.description())
            .iter()
            .map(|variable| variable.name.clone())
            .collect();
        let wiring = Wiring {
            name: self.name.clone(),
            outputs: names.clone(),
            until: Some(self.until),
            step: Some(self.every() / 8.0),
            ..Wiring::default()
        };
        let (mut part, trouble) = fmu.component(&wiring).unwrap();
        let mut told = Told::new(format!("an FMU, {version:?} {interface:?}"));
        let end = self.drive(part.as_mut(), &names, &mut told, (None, false));
        told.end = end.unwrap_or_else(|fault| panic!("{}: {fault}", self.name));
        assert_eq!(trouble.get(), None, "{}", self.name);
        self.leave_absent_out(&mut told);
        match interface {
            Interface::ModelExchange => told.moments(),
            Interface::CoSimulation => Told {
                events: Events::Untold,
                ..told
            },
        }
    }

    /// Flags of FMUs are numbers.
    fn leave_absent_out(&self, told: &mut Told) {
        for (_, values) in &mut told.looks {
            let flags: Vec<String> = values
                .iter()
                .filter(|(name, value)| name.starts_with("present(") && **value == 0.0)
                .filter_map(|(name, _)| Some(name.strip_prefix("present(")?.strip_suffix(')')?.to_owned()))
                .collect();
            values.retain(|name, _| !flags.contains(name));
        }
    }
}

/// To the next event, whose microsteps are executed; the indicators right after it are positive.
fn event_by_event(
    part: &mut dyn Component,
    driver: &mut Driver,
    stand: &mut Stand,
    (until, u): (f64, &[f64]),
    note: &mut Note<'_>,
) -> Result<Passed, Fault> {
    let mut passed = driver.pass(part, stand, (until, u), note)?;
    let Some(cause) = passed.event.filter(|_| passed.stop.is_none()) else {
        return Ok(passed);
    };
    stand.enter(part, u)?;
    passed.stop = stand.finish(part, cause, u, note)?;
    if passed.stop.is_none() {
        let mut z = vec![0.0; part.shape().indicators];
        part.indicators(stand.at(u), &mut z);
        let is_clear = z.iter().all(|z| *z > 0.0);
        assert!(is_clear, "at its event right after one, t = {}: {z:?}", stand.t);
    } else {
        passed.event = None;
    }
    Ok(passed)
}

fn simulate_actors(model: &ActorModel, options: &TickOptions) -> Result<Trace, TickError> {
    let mut parts = components(model, options)?;
    dyverse_tick::simulate(&model.graph, &mut parts, options)
}

/// The library inside FMUs, which cargo leaves beside the tests.
fn library() -> std::path::PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().unwrap();
    let places = [
        folder.join(library_name()),
        folder.join("..").join(library_name()),
    ];
    let found = places.into_iter().find(|place| place.exists());
    found.expect("the library of FMUs is built with the tests")
}
