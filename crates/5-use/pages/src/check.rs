//! Checks to look at: verdicts, ranges in parts, counterexamples as runs, enclosures, the solver's figures.
//!
//! **In:** answers as [`dyverse_verdict`] gives them. **Out:** a [`Page`] whose runs are the counterexamples; of a property without one, a run from the middle of its boxes.
//!
//! # Guarantee
//! Verdicts, boxes and figures are those of the answers. What is added for the eye (runs, enclosures) is computed anew, and where that fails a note says so; it never changes a verdict.

mod evidence;
mod words;

use super::bodies::page as bodies_page;
use super::{SourceText, actors_run, bodies_run};
use dyverse_assemble::simulate_actors;
use dyverse_formulas::Requirement;
use dyverse_proof::Proof;
use dyverse_simulate::{RunOptions, Watch};
use dyverse_tick::{TickOptions, TickWatch};
use dyverse_verdict::{
    CellOutcome, Certainty, CheckOptions, Checkable, Counterexample, Finding, Left, Partition, Steps,
    TubeBox, TubeOptions, Verdict, tubes,
};
use dyverse_view::{
    Answer, Blobs, Cell, Check, Document, Mark, Page, PageKind, PartOutcome, Range, Run, Tube, TubeStep,
    Witness, WitnessValue,
};
use evidence::figures;
use words::{formula, sentence};

/// Runs of one answer at the most, besides a counterexample's.
const MOST_RUNS: usize = 2;

/// What was found about one property.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckAnswer {
    /// A verdict.
    Finding(Finding),
    /// Ranges in parts.
    Partition(Partition),
}

/// The page of a check; `replay` gives the call of `dyverse simulate` that shows a counterexample.
pub fn check_page(
    subject: Checkable<'_>,
    source: Option<SourceText>,
    options: &CheckOptions,
    answers: &[CheckAnswer],
    replay: &dyn Fn(&Counterexample) -> String,
) -> Page {
    let mut making = Making {
        subject,
        options,
        blobs: Blobs::new(),
        runs: Vec::new(),
        notes: Vec::new(),
    };
    let check = Check {
        seed: options.seed,
        answers: answers
            .iter()
            .map(|answer| making.answer(answer, replay))
            .collect(),
    };
    let mut page = match subject {
        Checkable::Bodies(model) => bodies_page(model, source, making.runs, making.blobs, making.notes),
        Checkable::Actors(model) => Page {
            document: Document {
                system: model.graph.name().to_owned(),
                kind: PageKind::Actors,
                source,
                runs: making.runs,
                graphs: super::actors::graphs(&model.graph),
                notes: making.notes,
                ..Document::default()
            },
            blobs: making.blobs,
        },
    };
    page.document.check = Some(check);
    page
}

struct Making<'m, 'o> {
    subject: Checkable<'m>,
    options: &'o CheckOptions,
    blobs: Blobs,
    runs: Vec<Run>,
    notes: Vec<String>,
}

type Sides = Vec<(String, f64, f64)>;

impl Making<'_, '_> {
    fn answer(&mut self, answer: &CheckAnswer, replay: &dyn Fn(&Counterexample) -> String) -> Answer {
        let (property, statistics) = match answer {
            CheckAnswer::Finding(finding) => (&finding.property, &finding.statistics),
            CheckAnswer::Partition(partition) => (&partition.property, &partition.statistics),
        };
        let found = match answer {
            CheckAnswer::Finding(Finding {
                verdict: Verdict::Unsafe(found),
                ..
            }) => Some(found.as_ref()),
            _ => None,
        };
        let horizon = self.horizon(property).or(found.map(|f| f.time)).unwrap_or(0.0);
        let witness = found.map(|found| {
            let values: Vec<_> = found.values.iter().map(|v| (v.name.clone(), v.value)).collect();
            let run = self.run(
                &format!("counterexample to {property}"),
                (&values, &found.inputs),
                horizon.max(found.time),
            );
            if let Some(run) = run.and_then(|place| self.runs.get_mut(place)) {
                run.mark = Some(Mark {
                    t: found.time,
                    text: format!("{property} is broken"),
                });
            }
            witness(found, run, replay(found))
        });
        let (tubes, tubes_left_out) = self.tubes(
            property,
            &tube_boxes(answer),
            horizon,
            witness.as_ref().and_then(|w| w.run),
        );
        Answer {
            property: property.clone(),
            formula: formula(self.subject, property),
            verdict: match answer {
                CheckAnswer::Finding(finding) => finding.verdict.word(),
                CheckAnswer::Partition(_) => "PARTITION",
            },
            text: sentence(answer),
            horizon,
            unknowns: match answer {
                CheckAnswer::Finding(finding) => ranges(&finding.unknowns),
                CheckAnswer::Partition(p) => ranges(p.names.iter().chain(&p.others)),
            },
            partition: partition(answer),
            witness,
            left: match answer {
                CheckAnswer::Finding(Finding {
                    verdict: Verdict::Unknown(left),
                    ..
                }) => Some(evidence::left(left)),
                _ => None,
            },
            tubes,
            tubes_left_out,
            figures: figures(statistics),
        }
    }

    /// How long a property looks.
    fn horizon(&self, property: &str) -> Option<f64> {
        let own = self.subject.properties().iter().find(|p| p.name == property)?;
        let requirement = Requirement::new(own, self.subject.horizon());
        requirement.ok().map(|r| r.horizon()).or(self.subject.horizon())
    }

    /// Runs the model with these values and signals of inputs; its place among the runs.
    fn run(
        &mut self,
        title: &str,
        (values, driven): (&[(String, f64)], &[Steps]),
        horizon: f64,
    ) -> Option<usize> {
        let inputs: Vec<_> = driven.iter().map(|d| (d.name.clone(), d.signal())).collect();
        let mut all: Vec<(String, f64)> = values.to_vec();
        for (name, lower, upper) in &self.options.choices {
            if !all.iter().any(|(known, _)| known == name) {
                all.push((name.clone(), 0.5 * (lower + upper)));
            }
        }
        let subject = self.subject;
        let is_parameter = |(name, _): &(String, f64)| subject.parameters().iter().any(|p| p.name == *name);
        let (parameters, initial): (Vec<_>, Vec<_>) = all.into_iter().partition(is_parameter);
        let until = Some(subject.horizon().unwrap_or(0.0).max(horizon)).filter(|until| *until > 0.0);
        let made = match subject {
            Checkable::Bodies(model) => {
                let interrupt = self.options.interrupt.clone();
                let options = RunOptions {
                    watch: interrupt.map(|interrupt| Watch::new(move |_| interrupt.flow())),
                    until,
                    parameters,
                    initial,
                    inputs,
                    ..RunOptions::default()
                };
                let made = bodies_run(model, &options, title, &mut self.blobs, &mut self.notes);
                made.map(|(run, _)| run).map_err(|error| error.to_string())
            }
            Checkable::Actors(model) => {
                let interrupt = self.options.interrupt.clone();
                let options = TickOptions {
                    watch: interrupt.map(|interrupt| TickWatch::new(move |_| interrupt.flow())),
                    until,
                    parameters,
                    inputs,
                    ..TickOptions::default()
                };
                let made = simulate_actors(model, &options);
                made.map(|trace| actors_run(&model.graph, &trace, title, &mut self.blobs, &mut self.notes))
                    .map_err(|error| error.to_string())
            }
        };
        match made {
            Ok(run) => {
                self.runs.push(run);
                Some(self.runs.len() - 1)
            }
            Err(why) => {
                self.notes.push(format!("{title}: no run to show, {why}"));
                None
            }
        }
    }

    /// The tubes of an answer's boxes, a few of them with a run: of one box of each outcome that of its middle, unless there is a counterexample's.
    fn tubes(
        &mut self,
        property: &str,
        boxes: &[TubeBox],
        horizon: f64,
        witness: Option<usize>,
    ) -> (Vec<Tube>, usize) {
        let found = match tubes(
            self.subject,
            property,
            self.options,
            boxes,
            TubeOptions::default(),
        ) {
            Ok(found) => found,
            Err(error) => {
                self.notes
                    .push(format!("{property}: no enclosures to show, {error}"));
                return (Vec::new(), boxes.len());
            }
        };
        let mut shown = Vec::new();
        let middle = found.tubes.len() / 2;
        let mut with_run: Vec<CellOutcome> = Vec::new();
        // What is decided first, from the middle of the range outwards: what is shown first should be typical.
        let mut order: Vec<usize> = (0..found.tubes.len()).collect();
        order.sort_by_key(|place| {
            let is_open = found.tubes[*place].outcome == CellOutcome::Undecided;
            (is_open, place.abs_diff(middle))
        });
        let mut runs = vec![witness; found.tubes.len()];
        for place in order.into_iter().filter(|_| witness.is_none()) {
            let tube = &found.tubes[place];
            if with_run.len() < MOST_RUNS && !with_run.contains(&tube.outcome) {
                with_run.push(tube.outcome);
                let values = middle_of(&tube.sides);
                runs[place] = self.run(&title(property, &values), (&values, &[]), horizon);
            }
        }
        for (tube, run) in found.tubes.into_iter().zip(runs) {
            if tube.is_cut {
                self.notes.push(format!(
                    "{property}: an enclosure is shown in part, for it has too many steps"
                ));
            }
            shown.push(Tube {
                of: ranges(&tube.sides),
                outcome: part(tube.outcome),
                names: tube.names,
                steps: tube
                    .steps
                    .into_iter()
                    .map(|step| TubeStep {
                        from: step.from,
                        to: step.to,
                        place: step.place,
                        bounds: step.bounds,
                    })
                    .collect(),
                run,
            });
        }
        (shown, found.left_out)
    }
}

fn title(property: &str, values: &[(String, f64)]) -> String {
    let each: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if each.is_empty() {
        return format!("{property}: the model as it is");
    }
    format!("{property}: {}", each.join(", "))
}

fn middle_of(sides: &Sides) -> Vec<(String, f64)> {
    let middle = |(name, lower, upper): &(String, f64, f64)| {
        (name.clone(), (0.5 * lower + 0.5 * upper).clamp(*lower, *upper))
    };
    sides.iter().map(middle).collect()
}

fn ranges<'a>(all: impl IntoIterator<Item = &'a (String, f64, f64)>) -> Vec<Range> {
    let each = all.into_iter().map(|(name, lower, upper)| Range {
        name: name.clone(),
        lower: *lower,
        upper: *upper,
    });
    each.collect()
}

fn part(outcome: CellOutcome) -> PartOutcome {
    match outcome {
        CellOutcome::Safe => PartOutcome::Safe,
        CellOutcome::Unsafe => PartOutcome::Unsafe,
        CellOutcome::Undecided => PartOutcome::Undecided,
    }
}

fn witness(found: &Counterexample, run: Option<usize>, call: String) -> Witness {
    let values = found.values.iter().map(|v| WitnessValue {
        name: v.name.clone(),
        value: v.value,
        initial: v.is_initial,
    });
    let (evidence, why) = match &found.certainty {
        Certainty::Enclosed => ("enclosed", None),
        Certainty::Replayed(why) => ("replayed", Some(why.clone())),
    };
    Witness {
        values: values.collect(),
        time: found.time,
        worst_time: found.worst_time,
        robustness: found.robustness,
        evidence,
        not_enclosed_because: why,
        run,
        call,
    }
}

/// The boxes that an answer is about.
fn tube_boxes(answer: &CheckAnswer) -> Vec<TubeBox> {
    let named = |names: &[String], sides: &[(f64, f64)]| -> Sides {
        let each = names.iter().zip(sides);
        each.map(|(name, (lower, upper))| (name.clone(), *lower, *upper))
            .collect()
    };
    let of = |sides: Sides, outcome| TubeBox { sides, outcome };
    match answer {
        CheckAnswer::Partition(p) => {
            let names: Vec<String> = p.names.iter().map(|(name, ..)| name.clone()).collect();
            let cells = p.cells.iter();
            cells
                .map(|cell| of(named(&names, &cell.sides), cell.outcome))
                .collect()
        }
        CheckAnswer::Finding(finding) => match &finding.verdict {
            Verdict::Safe(proof) => {
                let names: Vec<String> = proof.unknowns.iter().map(|(name, ..)| name.clone()).collect();
                let boxes = proof.boxes.iter();
                boxes
                    .map(|b| of(named(&names, &b.sides), CellOutcome::Safe))
                    .collect()
            }
            Verdict::Unsafe(found) => {
                let sides = found.values.iter().map(|v| (v.name.clone(), v.value, v.value));
                let outcome = match found.certainty {
                    Certainty::Enclosed => CellOutcome::Unsafe,
                    Certainty::Replayed(_) => CellOutcome::Undecided,
                };
                vec![of(sides.collect(), outcome)]
            }
            Verdict::Unknown(left) => {
                let open = left.boxes.iter().map(|b| (&b.sides, CellOutcome::Undecided));
                let proved = left.proved.iter().map(|sides| (sides, CellOutcome::Safe));
                open.chain(proved)
                    .map(|(sides, outcome)| of(named(&left.names, sides), outcome))
                    .collect()
            }
        },
    }
}

/// The ranges in parts, if anything was split or proved.
fn partition(answer: &CheckAnswer) -> Option<dyverse_view::Partition> {
    match answer {
        CheckAnswer::Partition(p) => Some(dyverse_view::Partition {
            axes: ranges(&p.names),
            cells: p
                .cells
                .iter()
                .map(|cell| Cell {
                    sides: cell.sides.clone(),
                    outcome: part(cell.outcome),
                    reason: cell.reason.clone().unwrap_or_default(),
                })
                .collect(),
            undecided_width: Some(p.undecided),
            stopped: p.is_stopped,
        }),
        CheckAnswer::Finding(finding) => match &finding.verdict {
            Verdict::Safe(proof) => of_proof(proof),
            Verdict::Unsafe(_) => None,
            Verdict::Unknown(left) => of_left(finding, left),
        },
    }
}

/// The first two unknowns that vary: what boxes are drawn over.
fn axes(unknowns: &[(String, f64, f64)]) -> Vec<usize> {
    let open = (0..unknowns.len()).filter(|place| unknowns[*place].1 < unknowns[*place].2);
    open.take(2).collect()
}

fn of_proof(proof: &Proof) -> Option<dyverse_view::Partition> {
    let axes = axes(&proof.unknowns);
    if axes.is_empty() {
        return None;
    }
    let cells = proof
        .boxes
        .iter()
        .map(|b| cell(&axes, &b.sides, PartOutcome::Safe, ""));
    Some(dyverse_view::Partition {
        cells: cells.collect(),
        axes: ranges(axes.iter().map(|place| &proof.unknowns[*place])),
        undecided_width: None,
        stopped: false,
    })
}

fn of_left(finding: &Finding, left: &Left) -> Option<dyverse_view::Partition> {
    let range = |name: &String| finding.unknowns.iter().find(|(known, ..)| known == name).cloned();
    let unknowns: Vec<_> = left.names.iter().map(range).collect::<Option<_>>()?;
    let axes = axes(&unknowns);
    if axes.is_empty() {
        return None;
    }
    let open = left.boxes.iter();
    let open = open.map(|b| cell(&axes, &b.sides, PartOutcome::Undecided, &b.reason));
    let proved = left
        .proved
        .iter()
        .map(|sides| cell(&axes, sides, PartOutcome::Safe, ""));
    Some(dyverse_view::Partition {
        cells: proved.chain(open).collect(),
        undecided_width: (axes.len() == unknowns.len()).then_some(left.undecided_width),
        axes: ranges(axes.iter().map(|place| &unknowns[*place])),
        stopped: left.is_stopped,
    })
}

fn cell(axes: &[usize], sides: &[(f64, f64)], outcome: PartOutcome, reason: &str) -> Cell {
    Cell {
        sides: axes
            .iter()
            .filter_map(|place| sides.get(*place).copied())
            .collect(),
        outcome,
        reason: reason.to_owned(),
    }
}
