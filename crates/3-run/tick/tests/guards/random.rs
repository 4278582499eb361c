//! Random modal models: preemptive, immediate, default, history transitions; operators in guards, actions and refinements; nested and parallel modal models.
//!
//! What would be a causality loop is left out: preemptive guards do not read the refinement of their own mode, and refinements do not read outputs.

use std::fmt::Write;

/// An operator with a memory: its place in [`Model::memories`].
pub(super) type Memory = usize;

#[derive(Clone, Debug)]
pub(super) enum Expr {
    Number(f64),
    /// An event of the root.
    Event(usize),
    /// The state `n` of the mode.
    Own,
    /// An output of the modal model itself; in a guard, before its transitions.
    Out(usize),
    /// An output of the first modal model, from outside.
    Other(usize),
    /// The output of the modal model in the mode.
    Inner,
    Present(Box<Expr>),
    Absent(Box<Expr>),
    Instead(Box<Expr>, Box<Expr>),
    On(Box<Expr>, Box<Expr>),
    Unless(Box<Expr>, Box<Expr>),
    Greater(Box<Expr>, f64),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Add(Box<Expr>, f64),
    Hold(Memory, Box<Expr>, f64),
    Post(Memory, Box<Expr>, f64),
    /// Of time, rising.
    Cross(Memory, f64),
    Clock(Memory, f64, f64),
}

/// Where an operator stands: in the root, in the refinement of a mode of a modal model, or among its guards and actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    Root,
    Body(usize, usize),
    Leaving(usize, usize),
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// None: `otherwise`.
    pub(super) guard: Option<Expr>,
    pub(super) to: usize,
    pub(super) is_preemptive: bool,
    pub(super) is_immediate: bool,
    pub(super) is_history: bool,
    pub(super) is_default: bool,
    pub(super) outs: Vec<(usize, Expr)>,
    pub(super) set: Option<Expr>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Mode {
    pub(super) first: f64,
    pub(super) outs: Vec<(usize, Expr)>,
    pub(super) inner: Option<usize>,
    pub(super) transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
pub(super) struct Modal {
    pub(super) outs: usize,
    /// The mode of another modal model that it lies in.
    pub(super) around: Option<(usize, usize)>,
    pub(super) modes: Vec<Mode>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Times and values of each event of the root.
    pub(super) events: Vec<Vec<(f64, f64)>>,
    /// The first, the one beside it, then those inside the first.
    pub(super) modals: Vec<Modal>,
    /// Signals of the root.
    pub(super) root: Vec<Expr>,
    /// Operators that remember, and where they stand.
    pub(super) memories: Vec<(Expr, Home)>,
}

pub(super) const OUTS: [&str; 2] = ["s", "u"];
pub(super) const MODES: [&str; 4] = ["a", "b", "c", "d"];
pub(super) const HORIZON: f64 = 5.0;

pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    fn number(&mut self) -> f64 {
        1.0 + self.below(4) as f64
    }
}

/// What an expression may read besides events.
#[derive(Clone, Copy, Default)]
struct Sees {
    own: bool,
    inner: bool,
    outs: usize,
    other: bool,
}

struct Maker {
    model: Model,
    random: Random,
    home: Home,
    sees: Sees,
    is_wild: bool,
}

/// A random model.
pub(super) fn random_model(seed: u64) -> Model {
    make(seed, false)
}

/// A random model in which everything reads everything: causality loops are not left out, and what it means the evaluator does not know.
pub(super) fn wild_model(seed: u64) -> Model {
    make(seed, true)
}

fn make(seed: u64, is_wild: bool) -> Model {
    let mut maker = Maker {
        model: Model::default(),
        random: Random(seed),
        home: Home::Root,
        sees: Sees::default(),
        is_wild,
    };
    for _ in 0..3 {
        let count = 1 + maker.random.below(3);
        let mut times: Vec<f64> = (0..count).map(|_| 0.5 * maker.random.below(9) as f64).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let events = times.into_iter().map(|t| (t, maker.random.number())).collect();
        maker.model.events.push(events);
    }
    let modes = 2 + maker.random.below(3);
    maker.modal(None, modes, 2);
    maker.modal(None, 2, 1);
    let inside: Vec<usize> = (0..maker.model.modals[0].modes.len())
        .filter(|_| maker.random.chance(50))
        .collect();
    for mode in inside {
        let place = maker.model.modals.len();
        maker.model.modals[0].modes[mode].inner = Some(place);
        maker.modal(Some((0, mode)), 2, 1);
    }
    for modal in 0..maker.model.modals.len() {
        for mode in 0..maker.model.modals[modal].modes.len() {
            maker.fill(modal, mode);
        }
    }
    (maker.home, maker.sees) = (
        Home::Root,
        Sees {
            other: true,
            ..Sees::default()
        },
    );
    for _ in 0..2 {
        let expr = maker.value(2);
        maker.model.root.push(expr);
    }
    maker.model
}

impl Maker {
    fn modal(&mut self, around: Option<(usize, usize)>, modes: usize, outs: usize) {
        self.model.modals.push(Modal {
            outs,
            around,
            modes: vec![Mode::default(); modes],
        });
    }

    fn fill(&mut self, modal: usize, mode: usize) {
        let (outs, count) = (
            self.model.modals[modal].outs,
            self.model.modals[modal].modes.len(),
        );
        let inner = self.model.modals[modal].modes[mode].inner.is_some();
        let mut made = Mode {
            first: 10.0 * self.random.number(),
            inner: self.model.modals[modal].modes[mode].inner,
            ..Mode::default()
        };
        self.home = Home::Body(modal, mode);
        self.sees = Sees {
            own: true,
            inner,
            outs: if self.is_wild { outs } else { 0 },
            other: self.is_wild,
        };
        for out in 0..outs {
            if mode == 0 || self.random.chance(60) {
                let value = self.value(2);
                made.outs.push((out, value));
            }
        }
        self.home = Home::Leaving(modal, mode);
        for place in 0..1 + self.random.below(2) + usize::from(self.random.chance(20)) {
            let is_preemptive = self.random.chance(30);
            let is_immediate = self.random.chance(40);
            let runs = !is_preemptive || self.is_wild;
            let other = modal == 1 || self.is_wild;
            self.sees = Sees {
                own: runs,
                inner: runs && inner,
                outs: if runs { outs } else { 0 },
                other,
            };
            let is_first = made.transitions.iter().all(|t| t.guard.is_some());
            let is_otherwise = is_first && is_immediate && self.random.chance(12);
            let guard = (!is_otherwise).then(|| self.guard());
            self.sees = Sees {
                own: runs,
                inner: runs && inner,
                outs: if self.is_wild { outs } else { 0 },
                other: self.is_wild,
            };
            let mut given = Vec::new();
            for out in 0..outs {
                if self.random.chance(35) {
                    given.push((out, self.value(2)));
                }
            }
            let set = self.random.chance(40).then(|| {
                let value = self.value(1);
                Expr::Instead(Box::new(value), Box::new(Expr::Number(self.random.number())))
            });
            let mut to = self.random.below(count);
            if is_immediate && to == mode && self.random.chance(85) {
                to = (mode + 1) % count;
            }
            made.transitions.push(Transition {
                to,
                is_preemptive,
                is_immediate,
                is_history: self.random.chance(40),
                is_default: guard.is_none() || self.random.chance(15 + 40 * place.min(1)),
                guard,
                outs: given,
                set,
            });
        }
        self.model.modals[modal].modes[mode] = made;
    }

    fn remember(&mut self, make: impl FnOnce(Memory) -> Expr) -> Expr {
        let expr = make(self.model.memories.len());
        self.model.memories.push((expr.clone(), self.home));
        expr
    }

    fn event(&mut self) -> Expr {
        Expr::Event(self.random.below(self.model.events.len()))
    }

    /// A number that may be absent.
    fn value(&mut self, depth: usize) -> Expr {
        let sees = self.sees;
        if depth == 0 {
            return match self.random.below(6) {
                0 if sees.own => Expr::Own,
                1 if sees.inner => Expr::Inner,
                2 if sees.outs > 0 => Expr::Out(self.random.below(sees.outs)),
                2 | 3 if sees.other => Expr::Other(self.random.below(2)),
                4 => Expr::Number(self.random.number()),
                _ => self.event(),
            };
        }
        let operand = |this: &mut Self| Box::new(this.value(depth - 1));
        match self.random.below(10) {
            0 | 1 => Expr::Instead(operand(self), operand(self)),
            2 => Expr::On(operand(self), operand(self)),
            3 => Expr::Unless(operand(self), operand(self)),
            4 => {
                let (of, first) = (operand(self), self.random.number());
                self.remember(|id| Expr::Hold(id, of, first))
            }
            5 => {
                // What is delayed must not change while time passes, and a loop of delays would not end.
                let (of, first) = (Box::new(self.event()), self.random.number());
                self.remember(|id| Expr::Post(id, of, first))
            }
            6 => Expr::Add(operand(self), self.random.number()),
            _ => self.value(0),
        }
    }

    /// A condition that mostly holds at single moments: else there is no end of transitions.
    fn guard(&mut self) -> Expr {
        let truth = self.truth(2);
        if self.random.chance(15) || matches!(truth, Expr::Cross(..) | Expr::Clock(..) | Expr::Event(_)) {
            return truth;
        }
        let event = if self.random.chance(50) {
            self.event()
        } else {
            Expr::Present(Box::new(self.event()))
        };
        Expr::And(Box::new(event), Box::new(truth))
    }

    /// A condition.
    fn truth(&mut self, depth: usize) -> Expr {
        let level = 0.0625 + 0.125 * self.random.below(36) as f64;
        match self.random.below(12) {
            0 | 1 => Expr::Present(Box::new(self.value(depth - 1))),
            2 => Expr::Absent(Box::new(self.value(depth - 1))),
            3 if depth > 1 => Expr::And(Box::new(self.truth(depth - 1)), Box::new(self.truth(depth - 1))),
            4 if depth > 1 => {
                // What `or` does with absent operands is another test's matter.
                let (a, b) = (
                    Expr::Present(Box::new(self.event())),
                    Expr::Present(Box::new(self.event())),
                );
                Expr::Or(Box::new(a), Box::new(b))
            }
            5 | 6 => self.remember(|id| Expr::Cross(id, level)),
            7 => {
                let (period, offset) = (0.5 + 0.5 * self.random.below(3) as f64, 0.25);
                self.remember(|id| Expr::Clock(id, period, offset))
            }
            8 => self.event(),
            _ => Expr::Greater(Box::new(self.value(depth)), self.random.number()),
        }
    }
}

/// `own` is the name of the mode's state.
fn text(expr: &Expr, own: &str) -> String {
    let text = |e: &Expr| text(e, own);
    match expr {
        Expr::Number(v) => format!("{v}"),
        Expr::Event(e) => format!("e{e}"),
        Expr::Own => own.into(),
        Expr::Out(o) => OUTS[*o].into(),
        Expr::Other(o) => format!("m.{}", OUTS[*o]),
        Expr::Inner => "k.s".into(),
        Expr::Present(a) => format!("(present {})", text(a)),
        Expr::Absent(a) => format!("(absent {})", text(a)),
        Expr::Instead(a, b) => format!("({} ?? {})", text(a), text(b)),
        Expr::On(a, b) => format!("({} on {})", text(a), text(b)),
        Expr::Unless(a, b) => format!("({} unless {})", text(a), text(b)),
        Expr::Greater(a, v) => format!("({} > {v})", text(a)),
        Expr::And(a, b) => format!("({} and {})", text(a), text(b)),
        Expr::Or(a, b) => format!("({} or {})", text(a), text(b)),
        Expr::Add(a, v) => format!("({} + {v})", text(a)),
        Expr::Hold(_, a, v) => format!("hold({}, init = {v})", text(a)),
        Expr::Post(_, a, v) => format!("post({}, init = {v})", text(a)),
        Expr::Cross(_, level) => format!("cross(time, {level}, rising)"),
        Expr::Clock(_, period, offset) => format!("clock({period}, {offset})"),
    }
}

impl Model {
    /// What is recorded: a path, and what it is.
    pub(super) fn recorded(&self) -> Vec<(String, Recorded)> {
        let mut all = Vec::new();
        for (place, modal) in self.modals.iter().enumerate() {
            let path = self.path(place);
            for (out, name) in OUTS.iter().enumerate().take(modal.outs) {
                all.push((format!("{path}.{name}"), Recorded::Out(place, out)));
            }
            for (mode, name) in MODES.iter().enumerate().take(modal.modes.len()) {
                all.push((
                    format!("{path}.{name}.{}", self.state_name(place)),
                    Recorded::Own(place, mode),
                ));
            }
        }
        let root = (0..self.root.len()).map(|r| (format!("r{r}"), Recorded::Root(r)));
        all.into_iter().chain(root).collect()
    }

    fn state_name(&self, modal: usize) -> &'static str {
        if self.modals[modal].around.is_some() {
            "i"
        } else {
            "n"
        }
    }

    fn path(&self, modal: usize) -> String {
        match self.modals[modal].around {
            Some((outer, mode)) => format!("{}.{}.k", self.path(outer), MODES[mode]),
            None => ["m", "w"][modal].into(),
        }
    }

    /// The model in the language.
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for (place, events) in self.events.iter().enumerate() {
            let all: Vec<String> = events.iter().map(|(t, v)| format!("at({t}, {v})")).collect();
            writeln!(out, "e{place} = {}", all.join(" ?? ")).unwrap();
        }
        for (place, expr) in self.root.iter().enumerate() {
            writeln!(out, "r{place} = {}", text(expr, "")).unwrap();
        }
        self.write_modal(&mut out, 0, "m");
        self.write_modal(&mut out, 1, "w");
        let recorded: Vec<String> = self.recorded().into_iter().map(|(path, _)| path).collect();
        write!(out, "horizon = {HORIZON}\nrecord {}\n", recorded.join(", ")).unwrap();
        out
    }

    fn write_modal(&self, out: &mut String, place: usize, name: &str) {
        let modal = &self.modals[place];
        let state = self.state_name(place);
        let text = |e: &Expr| text(e, state);
        writeln!(out, "modal {name} {{ out any {}", OUTS[..modal.outs].join(", ")).unwrap();
        for (mode, own) in modal.modes.iter().enumerate() {
            writeln!(out, " mode {} {{ {state}' = 0 init {}", MODES[mode], own.first).unwrap();
            for (o, expr) in &own.outs {
                writeln!(out, "  {} = {}", OUTS[*o], text(expr)).unwrap();
            }
            if let Some(inner) = own.inner {
                self.write_modal(out, inner, "k");
            }
            for t in &own.transitions {
                let guard = t
                    .guard
                    .as_ref()
                    .map_or("otherwise".to_owned(), |g| format!("when {}", text(g)));
                write!(out, "  {guard}").unwrap();
                for (is, word) in [
                    (t.is_preemptive, "preempt"),
                    (t.is_immediate, "immediate"),
                    (t.is_history, "history"),
                    (t.is_default && t.guard.is_some(), "default"),
                ] {
                    if is {
                        write!(out, " {word}").unwrap();
                    }
                }
                let mut actions: Vec<String> = t
                    .outs
                    .iter()
                    .map(|(o, expr)| format!("out {} = {}", OUTS[*o], text(expr)))
                    .collect();
                actions.extend(t.set.iter().map(|expr| format!("{state} := {}", text(expr))));
                writeln!(out, " goto {} {{ {} }}", MODES[t.to], actions.join(", ")).unwrap();
            }
            writeln!(out, " }}").unwrap();
        }
        writeln!(out, "}}").unwrap();
    }
}

/// What a recorded signal is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Recorded {
    Out(usize, usize),
    Own(usize, usize),
    Root(usize),
}
