//! The trace of a run: signals, samples, every discrete transition, the balance of energy and momentum.

use crate::{Stop, SuperdenseTime, Tally};

/// A signal of a trace, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignalId(pub u32);

/// A recorded signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name, such as `ball1.y`.
    pub name: String,
    /// Its unit, such as `m`; empty for none.
    pub unit: String,
}

/// The values of all signals at one moment; [`ABSENT`](crate::ABSENT), which is a NaN, where a signal is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// When.
    pub time: SuperdenseTime,
    /// One value for each signal.
    pub values: Vec<f64>,
}

/// Some signals over a span of time, as polynomials: exact to the solver's tolerance everywhere in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// From, s.
    pub from: f64,
    /// To, s.
    pub to: f64,
    /// The signals, and for each the coefficients of shifted Legendre polynomials on [from, to].
    pub signals: Vec<(SignalId, Vec<f64>)>,
}

impl Piece {
    /// Its signals at a time in it.
    pub fn values(&self, t: f64) -> impl Iterator<Item = (SignalId, f64)> + '_ {
        let x = 2.0 * (t - self.from) / (self.to - self.from) - 1.0;
        self.signals
            .iter()
            .map(move |(signal, c)| (*signal, legendre_sum(c, x)))
    }
}

/// Σ c_k P_k(x).
fn legendre_sum(c: &[f64], x: f64) -> f64 {
    let (mut before, mut p, mut sum) = (0.0, 1.0, 0.0);
    for (k, c) in c.iter().enumerate() {
        sum += c * p;
        let k = k as f64;
        (before, p) = (p, ((2.0 * k + 1.0) * x * p - k * before) / (k + 1.0));
    }
    sum
}

/// What a discrete transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TransitionKind {
    /// Contacts close: into an impact node.
    Impact,
    /// A step inside a computation node.
    Compute,
    /// Out of an impact node.
    AfterImpact,
    /// Into a contact node: forces and modes are found anew.
    Contact,
    /// Out of a contact node into a dynamical location.
    Settle,
    /// A contact opens.
    Open,
    /// Trans becomes slip.
    Slip,
    /// An accumulation of impacts was taken to its limit.
    Zeno,
    /// Contacts are followed by steps from here on: no edge of the automaton.
    Capture,
    /// They are followed by events again: no edge of the automaton.
    Release,
    /// A modal model goes from one mode to another.
    Mode,
    /// Events of an actor model: states jump without a change of mode, or a clock ticks.
    Event,
}

impl TransitionKind {
    /// All kinds.
    pub const ALL: [TransitionKind; 12] = [
        TransitionKind::Impact,
        TransitionKind::Compute,
        TransitionKind::AfterImpact,
        TransitionKind::Contact,
        TransitionKind::Settle,
        TransitionKind::Open,
        TransitionKind::Slip,
        TransitionKind::Zeno,
        TransitionKind::Capture,
        TransitionKind::Release,
        TransitionKind::Mode,
        TransitionKind::Event,
    ];
    /// A stable word for programs.
    pub fn word(self) -> &'static str {
        match self {
            TransitionKind::Impact => "impact",
            TransitionKind::Compute => "compute",
            TransitionKind::AfterImpact => "after_impact",
            TransitionKind::Contact => "contact",
            TransitionKind::Settle => "settle",
            TransitionKind::Open => "open",
            TransitionKind::Slip => "slip",
            TransitionKind::Zeno => "zeno",
            TransitionKind::Capture => "capture",
            TransitionKind::Release => "release",
            TransitionKind::Mode => "mode",
            TransitionKind::Event => "event",
        }
    }
}

/// A force or impulse at a contact, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactForce {
    /// The contact's label.
    pub contact: String,
    /// Normal, N or N s.
    pub normal: f64,
    /// Tangential, N or N s.
    pub tangential: [f64; 2],
}

/// A signal that jumped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Which.
    pub signal: SignalId,
    /// Its value before.
    pub before: f64,
    /// Its value after.
    pub after: f64,
}

/// One discrete transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// When.
    pub time: SuperdenseTime,
    /// What it is.
    pub kind: TransitionKind,
    /// The location left.
    pub from: String,
    /// The location entered.
    pub to: String,
    /// The rule that made the edge, `node` for edges inside computation nodes; empty for what is no edge of an automaton of contacts.
    pub rule: &'static str,
    /// The contacts it is about.
    pub contacts: Vec<String>,
    /// The guard that held.
    pub guard: String,
    /// What the edge does to the state.
    pub reset: String,
    /// Forces or impulses found.
    pub forces: Vec<ContactForce>,
    /// What jumped.
    pub changes: Vec<Change>,
}

impl Transition {
    /// What stands for the rule where contacts begin to be followed by steps, or cease to.
    pub const BY_STEPS: &str = "stepping";
}

/// Where the energy went, J. kinetic(end) − kinetic(start) = loads + friction + impacts + constraint, up to rounding and the solver's error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Balance {
    pub kinetic_at_start: f64,
    pub kinetic_at_end: f64,
    pub work_of_loads: f64,
    pub work_of_friction: f64,
    pub work_of_impacts: f64,
    /// Of the corrections that keep closed contacts closed.
    pub work_of_projection: f64,
}

impl Balance {
    /// What is not accounted for.
    pub fn error(&self) -> f64 {
        let gained = self.kinetic_at_end - self.kinetic_at_start;
        gained - self.work_of_loads - self.work_of_friction - self.work_of_impacts - self.work_of_projection
    }
}

/// Impacts of a pair of entities at which the impact law as it stands adds kinetic energy.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactGain {
    /// The pair: that one of each impact at which most energy came in.
    pub pair: [String; 2],
    /// When first.
    pub first: SuperdenseTime,
    /// How many.
    pub impacts: usize,
    /// What the law as it stands adds in all of them, J.
    pub added: f64,
    /// The smallest part of its restitution that was left so that no energy was added; 1 if it was added.
    pub least_share: f64,
}

impl ImpactGain {
    /// Whether the energy was kept out.
    pub fn is_capped(&self) -> bool {
        self.least_share < 1.0
    }
}

/// A span of time in which contacts of some entities were followed by steps: velocities and impulses over each step instead of forces and events [Moreau 1988; Stewart, Trinkle 1996].
#[derive(Clone, Debug, PartialEq)]
pub struct SteppingPhase {
    /// Its beginning, s.
    pub from: f64,
    /// Its end, s.
    pub to: f64,
    /// The entities that took part in it.
    pub entities: Vec<String>,
    /// Its steps.
    pub steps: usize,
    /// The shortest of them, s.
    pub shortest: f64,
    /// The longest, s.
    pub longest: f64,
    /// The largest estimate of what a step may have put a point off, m: half a step at the change of velocity in it.
    pub error: f64,
    /// The deepest that contacts lay in each other after a step, m.
    pub penetration: f64,
    /// Why it began.
    pub reason: String,
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Statistics {
    pub steps: usize,
    pub rejected_steps: usize,
    pub evaluations: usize,
    pub impacts: usize,
    /// Moments at which a load switched: they are events, but no transitions of the automaton.
    pub switches: usize,
    pub sweeps: usize,
    pub largest_penetration: f64,
    pub largest_residual: f64,
    /// The part of the run, from 0 to 1, in which contacts were followed by steps.
    pub stepped: f64,
    /// Contact forces and impulses whose residual is above the one asked for, because no method found better ones.
    pub rough_forces: usize,
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The model's name.
    pub system: String,
    /// Parameters with the values of this run.
    pub parameters: Vec<(String, f64)>,
    /// The seed of whatever was random.
    pub seed: u64,
    /// What is recorded.
    pub signals: Vec<Signal>,
    /// In order of time; before and after every jump. The last is the state at the stop.
    pub samples: Vec<Sample>,
    /// Continuous motion between transitions, if it was asked for.
    pub pieces: Vec<Piece>,
    /// In order of time.
    pub transitions: Vec<Transition>,
    /// Transitions before those that were not kept.
    pub dropped: Tally,
    /// Why and when the run ended.
    pub stop: Stop,
    /// Where the energy went.
    pub balance: Balance,
    /// Where the impact law as it stands adds energy, in order of time.
    pub impact_gains: Vec<ImpactGain>,
    /// Where contacts were followed by steps, in order of time.
    pub stepping: Vec<SteppingPhase>,
    /// What it cost.
    pub statistics: Statistics,
}

impl Trace {
    /// A signal by its name.
    pub fn signal(&self, name: &str) -> Option<SignalId> {
        let place = self.signals.iter().position(|s| s.name == name)?;
        Some(SignalId(place as u32))
    }
    /// The last value of a signal.
    pub fn last(&self, name: &str) -> Option<f64> {
        let id = self.signal(name)?;
        self.samples.last()?.values.get(id.0 as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_a_sum_of_legendre_polynomials() {
        let piece = Piece {
            from: 2.0,
            to: 4.0,
            signals: vec![(SignalId(3), vec![2.0, 3.0, 1.0, -1.0])],
        };
        for tau in [0.0, 0.3, 1.0] {
            let x: f64 = 2.0 * tau - 1.0;
            let expected = 2.0 + 3.0 * x + 0.5 * (3.0 * x * x - 1.0) - 0.5 * (5.0 * x * x * x - 3.0 * x);
            let found: Vec<_> = piece.values(2.0 + 2.0 * tau).collect();
            assert!(found.len() == 1 && found[0].0 == SignalId(3));
            assert!((found[0].1 - expected).abs() < 1e-14, "{found:?} {expected}");
        }
    }
}
