//! What a page shows, in data: the Rust side of `web/src/data.ts`, which says the same and describes each part.
//!
//! Numbers that are not finite become `null`.

use serde::Serialize;

/// The name of the format.
pub const FORMAT: &str = "dyverse-page-1";

macro_rules! parts {
    ($($(#[$meta:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Debug, Serialize)]
            #[serde(rename_all = "camelCase")]
            pub struct $name {
                $($(#[$note])* #[allow(missing_docs)] pub $field: $type,)*
            }
        )*
    };
}

/// A column of numbers: which blob, how many, of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Column {
    pub blob: usize,
    pub count: usize,
    pub kind: ColumnKind,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ColumnKind {
    F64,
    U32,
}

/// What a page is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum PageKind {
    Bodies,
    Actors,
    #[default]
    Trace,
}

/// What a signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum SignalKind {
    State,
    Gap,
    Force,
    Energy,
    Input,
    Signal,
}

/// What is known of a part of the unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum PartOutcome {
    Safe,
    Unsafe,
    Undecided,
}

/// The whole of a page.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Document {
    pub format: &'static str,
    pub system: String,
    pub kind: PageKind,
    pub version: String,
    pub source: Option<Source>,
    pub runs: Vec<Run>,
    pub graphs: Vec<Graph>,
    pub check: Option<Check>,
    pub notes: Vec<String>,
}

impl Default for Document {
    fn default() -> Self {
        Document {
            format: FORMAT,
            system: String::new(),
            kind: PageKind::default(),
            version: env!("CARGO_PKG_VERSION").into(),
            source: None,
            runs: Vec::new(),
            graphs: Vec::new(),
            check: None,
            notes: Vec::new(),
        }
    }
}

parts! {
    /// The model's text.
    Source { name: String, text: String, }
    /// A name with a value.
    Named { name: String, value: f64, }
    /// A run.
    Run {
        title: String,
        parameters: Vec<Named>,
        seed: u64,
        from: f64,
        to: f64,
        stop: RunStop,
        t: Column,
        n: Column,
        signals: Vec<Signal>,
        transitions: Vec<Transition>,
        machines: Vec<Machine>,
        places: Vec<Place>,
        bodies: Vec<Body>,
        contacts: Vec<ContactTrack>,
        balance: Option<Vec<Named>>,
        statistics: Vec<Named>,
        mark: Option<Mark>,
    }
    /// Why and when a run ended.
    RunStop { reason: String, text: String, t: f64, n: u32, }
    /// A moment to show first.
    Mark { t: f64, text: String, }
    /// A signal.
    Signal { name: String, unit: String, kind: SignalKind, column: Column, shown: bool, }
    /// A discrete transition.
    Transition {
        t: f64,
        n: u32,
        kind: &'static str,
        machine: Option<usize>,
        from: String,
        to: String,
        rule: String,
        contacts: Vec<String>,
        guard: String,
        reset: String,
        forces: Vec<Force>,
        changes: Vec<Change>,
    }
    /// A force or impulse of a transition.
    Force {
        contact: String,
        normal: f64,
        tangential: [f64; 2],
        point: Option<[f64; 3]>,
        vector: Option<[f64; 3]>,
    }
    /// What jumped.
    Change { signal: String, before: f64, after: f64, }
    /// An automaton that moves by itself.
    Machine { name: String, initial: Option<String>, moves: Vec<Move>, }
    /// Where an automaton goes.
    Move { t: f64, n: u32, place: Option<String>, }
    /// A place of an automaton.
    Place { name: String, text: String, lights: Vec<String>, }
    /// A body.
    Body {
        name: String,
        fixed: bool,
        signals: Vec<Option<String>>,
        placement: Vec<f64>,
        surfaces: Vec<Surface>,
    }
    /// A surface of a body.
    Surface { shape: Shape, placement: Vec<f64>, }
    /// A contact with its forces along a run.
    ContactTrack {
        label: String,
        first: usize,
        second: usize,
        point: [Column; 3],
        force: [Column; 3],
    }
    /// A drawing that can be lit.
    Graph { title: String, svg: String, }
    /// A check.
    Check { seed: u64, answers: Vec<Answer>, }
    /// A range of an unknown.
    Range { name: String, lower: f64, upper: f64, }
    /// What was found about a property.
    Answer {
        property: String,
        formula: String,
        verdict: &'static str,
        text: String,
        horizon: f64,
        unknowns: Vec<Range>,
        partition: Option<Partition>,
        witness: Option<Witness>,
        left: Option<Left>,
        tubes: Vec<Tube>,
        tubes_left_out: usize,
        figures: Figures,
    }
    /// The unknowns in parts.
    Partition {
        axes: Vec<Range>,
        cells: Vec<Cell>,
        undecided_width: Option<f64>,
        stopped: bool,
    }
    /// A part of the unknowns.
    Cell { sides: Vec<(f64, f64)>, outcome: PartOutcome, reason: String, }
    /// A counterexample.
    Witness {
        values: Vec<WitnessValue>,
        time: f64,
        worst_time: f64,
        robustness: f64,
        evidence: &'static str,
        not_enclosed_because: Option<String>,
        run: Option<usize>,
        call: String,
    }
    /// A value of a counterexample.
    WitnessValue { name: String, value: f64, initial: bool, }
    /// What is left of a check.
    Left { reasons: Vec<LeftReason>, notes: Vec<String>, stopped: bool, }
    /// Why something is left.
    LeftReason { boxes: usize, kind: String, reason: String, }
    /// All trajectories from a box of unknowns.
    Tube {
        #[serde(rename = "box")]
        of: Vec<Range>,
        outcome: PartOutcome,
        names: Vec<String>,
        steps: Vec<TubeStep>,
        run: Option<usize>,
    }
    /// An enclosure over a span of time.
    TubeStep { from: f64, to: f64, place: String, bounds: Vec<(f64, f64)>, }
    /// What a check took.
    Figures {
        simulations: usize,
        failed_simulations: usize,
        least_robustness: Option<f64>,
        boxes: usize,
        steps: usize,
        crossings: usize,
        jumps: usize,
        evolutions: usize,
        solver: SolverFigures,
    }
    /// What the solver was asked.
    SolverFigures {
        calls: u64,
        sat_calls: u64,
        theory_calls: u64,
        iterations: u64,
        conflicts_by_length: Vec<LengthCount>,
        by_time: Vec<TimeFigures>,
    }
    /// Clauses of a length.
    LengthCount { length: usize, count: u64, }
    /// The solver's figures over a span of time.
    TimeFigures {
        calls: u64,
        iterations: u64,
        learnt: u64,
        clauses_by_length: Vec<LengthCount>,
    }
}

/// The shape of a surface.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs)]
pub enum Shape {
    Sphere {
        radius: f64,
    },
    Ellipsoid {
        semi_axes: [f64; 3],
    },
    Capsule {
        radius: f64,
        half_length: f64,
    },
    RoundedBox {
        half_extents: [f64; 3],
        radius: f64,
    },
    Convex {
        corners: Vec<[f64; 3]>,
        faces: Vec<Vec<u8>>,
    },
    Plane {
        normal: [f64; 3],
        offset: f64,
    },
    HalfSpace {
        normal: [f64; 3],
        offset: f64,
    },
}
