//! Actor graphs in a few words: a builder with expressions as text.
#![allow(dead_code, missing_docs, unreachable_pub)]
#![allow(clippy::panic, clippy::unwrap_used)]

use dyverse_actors::{
    Definition, Direction, Graph, GraphBuilder, ModalId, ModeId, ModeTransition, RegionId, SignalId,
    SignalKind,
};
use dyverse_expr::{BinaryFunction, NodeId, Relation, Sort, UnaryFunction};
use dyverse_tick::{TickError, TickOptions, simulate};
use dyverse_trace::{Sample, Trace};

/// A builder with expressions as text. Signals are declared when first named.
pub struct Model {
    pub g: GraphBuilder,
    pub region: RegionId,
}

impl Model {
    pub fn new(name: &str) -> Self {
        Model {
            g: GraphBuilder::new(name),
            region: RegionId::ROOT,
        }
    }

    pub fn id(&mut self, name: &str) -> SignalId {
        match self.g.find(name) {
            Some(id) => id,
            None => self.g.declare_in(self.region, name, SignalKind::Any, None),
        }
    }

    /// Defines a signal in the current region; one that was named before must have been named there.
    pub fn def(&mut self, name: &str, definition: Definition) -> SignalId {
        let id = self.id(name);
        assert!(!self.g.is_defined(id), "{name} is defined twice");
        assert_eq!(self.g.signal(id).map(|s| s.region), Some(self.region), "{name}");
        self.g.define(id, definition);
        id
    }

    pub fn e(&mut self, text: &str) -> NodeId {
        let mut parser = Parser {
            tokens: tokens(text),
            at: 0,
            model: self,
        };
        let node = parser.or();
        assert_eq!(parser.at, parser.tokens.len(), "rest of {text}");
        node
    }

    pub fn expr(&mut self, name: &str, text: &str) -> SignalId {
        let node = self.e(text);
        self.def(name, Definition::Expression(node))
    }
    /// A signal for an expression: itself if it is a name.
    pub fn operand(&mut self, text: &str) -> SignalId {
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text != "time";
        if is_name {
            return self.id(text);
        }
        let mut name = format!("#{text}");
        while self.g.find(&name).is_some() {
            name.push('\'');
        }
        self.expr(&name, text)
    }
    pub fn integrator(&mut self, name: &str, derivative: &str, init: &str) -> SignalId {
        let (derivative, init) = (self.operand(derivative), self.e(init));
        self.def(
            name,
            Definition::Integrator {
                derivative,
                init,
                impulse: None,
                reset: None,
            },
        )
    }
    pub fn pushed(&mut self, name: &str, derivative: &str, init: &str, impulse: &str) -> SignalId {
        let (derivative, init, impulse) = (self.operand(derivative), self.e(init), self.operand(impulse));
        self.def(
            name,
            Definition::Integrator {
                derivative,
                init,
                impulse: Some(impulse),
                reset: None,
            },
        )
    }
    pub fn post(&mut self, name: &str, value: &str, init: Option<&str>) -> SignalId {
        let value = self.operand(value);
        let init = init.map(|i| self.e(i));
        self.def(name, Definition::Post { value, init })
    }
    pub fn cross(
        &mut self,
        name: &str,
        value: &str,
        direction: Direction,
        tolerance: Option<&str>,
    ) -> SignalId {
        let (value, level) = (self.operand(value), self.e("0"));
        let tolerance = tolerance.map(|t| self.e(t));
        self.def(
            name,
            Definition::Cross {
                value,
                level,
                direction,
                tolerance,
            },
        )
    }
    pub fn at(&mut self, name: &str, events: &[(&str, &str)]) -> SignalId {
        let events = events.iter().map(|(t, v)| (self.e(t), self.e(v))).collect();
        self.def(name, Definition::At { events })
    }
    pub fn clock(&mut self, name: &str, period: &str, offset: &str) -> SignalId {
        let (period, offset) = (self.e(period), self.e(offset));
        self.def(
            name,
            Definition::Clock {
                period,
                offset,
                value: None,
            },
        )
    }
    pub fn merge(&mut self, name: &str, of: &[&str]) -> SignalId {
        let of = of.iter().map(|s| self.id(s)).collect();
        self.def(name, Definition::Merge(of))
    }
    pub fn enabled(&mut self, name: &str, enable: &str) -> RegionId {
        let enable = self.operand(enable);
        self.g.enabled(self.region, name, enable, None)
    }
    /// Does something in another region.
    pub fn within(&mut self, region: RegionId, build: impl FnOnce(&mut Model)) {
        let outer = std::mem::replace(&mut self.region, region);
        build(self);
        self.region = outer;
    }
    pub fn transition(
        &mut self,
        from: ModeId,
        to: ModeId,
        guard: &str,
        sets: &[(&str, &str)],
    ) -> ModeTransition {
        let guard_node = self.e(guard);
        let sets = sets.iter().map(|(s, e)| (self.id(s), self.e(e))).collect();
        ModeTransition {
            text: guard.to_owned(),
            sets,
            ..ModeTransition::new(Some(from), to, guard_node)
        }
    }
    pub fn go(&mut self, modal: ModalId, from: ModeId, to: ModeId, guard: &str, sets: &[(&str, &str)]) {
        let transition = self.transition(from, to, guard, sets);
        self.g.transition(modal, transition);
    }

    pub fn graph(self) -> Graph {
        self.g.finish().unwrap_or_else(|errors| panic!("{errors:?}"))
    }
    pub fn try_run(self, until: f64) -> Result<Trace, TickError> {
        self.try_run_with(TickOptions {
            until: Some(until),
            ..TickOptions::default()
        })
    }
    pub fn try_run_with(self, options: TickOptions) -> Result<Trace, TickError> {
        simulate(&self.graph(), &mut [], &options)
    }
    pub fn run(self, until: f64) -> Trace {
        self.try_run(until).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The last value of a signal.
pub fn last(trace: &Trace, name: &str) -> f64 {
    trace.last(name).unwrap_or_else(|| panic!("no signal {name}"))
}

/// Values of a signal at all microsteps of the instant nearest to `t`, as recorded.
pub fn at(trace: &Trace, name: &str, t: f64) -> Vec<f64> {
    let id = trace.signal(name).unwrap_or_else(|| panic!("no signal {name}")).0 as usize;
    let near = |s: &&Sample| (s.time.t() - t).abs() < 1e-6 && s.time.t() != t;
    let exact: Vec<f64> = trace
        .samples
        .iter()
        .filter(|s| s.time.t() == t)
        .map(|s| s.values[id])
        .collect();
    if exact.len() > 1 {
        return exact;
    }
    trace.samples.iter().filter(near).map(|s| s.values[id]).collect()
}

/// Asserts that two numbers agree.
#[track_caller]
pub fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_digit() {
            let mut end = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || c == '.'))
                .unwrap_or(rest.len());
            if rest[..end].ends_with('e') && rest[end..].starts_with('-') {
                let tail = &rest[end + 1..];
                end += 1 + tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
            }
            end
        } else if c.is_alphabetic() || c == '#' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '#'))
                .unwrap_or(rest.len())
        } else if ["<=", ">=", "==", "!="].iter().any(|s| rest.starts_with(s)) {
            2
        } else {
            1
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    model: &'a mut Model,
}

impl Parser<'_> {
    fn take(&mut self, wanted: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t == wanted);
        self.at += usize::from(found);
        found
    }
    fn truth(&mut self, node: NodeId) -> NodeId {
        if self.model.g.pool.sort(node) == Sort::Boolean {
            return node;
        }
        let zero = self.model.g.pool.number(0.0);
        self.model.g.pool.compare(Relation::NotEqual, node, zero)
    }
    fn or(&mut self) -> NodeId {
        let mut a = self.and();
        while self.take("or") {
            let b = self.and();
            let (x, y) = (self.truth(a), self.truth(b));
            a = self.model.g.pool.or(x, y);
        }
        a
    }
    fn and(&mut self) -> NodeId {
        let mut a = self.not();
        while self.take("and") {
            let b = self.not();
            let (x, y) = (self.truth(a), self.truth(b));
            a = self.model.g.pool.and(x, y);
        }
        a
    }
    fn not(&mut self) -> NodeId {
        if self.take("not") {
            let a = self.not();
            let a = self.truth(a);
            return self.model.g.pool.not(a);
        }
        let a = self.sum();
        for (sign, relation) in [
            ("<=", Relation::LessEqual),
            (">=", Relation::GreaterEqual),
            ("<", Relation::Less),
            (">", Relation::Greater),
            ("==", Relation::Equal),
            ("!=", Relation::NotEqual),
        ] {
            if self.take(sign) {
                let b = self.sum();
                return self.model.g.pool.compare(relation, a, b);
            }
        }
        a
    }
    fn sum(&mut self) -> NodeId {
        let mut a = self.product();
        loop {
            if self.take("+") {
                let b = self.product();
                a = self.model.g.pool.add(a, b);
            } else if self.take("-") {
                let b = self.product();
                a = self.model.g.pool.subtract(a, b);
            } else {
                return a;
            }
        }
    }
    fn product(&mut self) -> NodeId {
        let mut a = self.factor();
        loop {
            if self.take("*") {
                let b = self.factor();
                a = self.model.g.pool.multiply(a, b);
            } else if self.take("/") {
                let b = self.factor();
                a = self.model.g.pool.divide(a, b);
            } else {
                return a;
            }
        }
    }
    fn factor(&mut self) -> NodeId {
        if self.take("-") {
            let a = self.factor();
            return self.model.g.pool.negate(a);
        }
        if self.take("(") {
            let a = self.or();
            assert!(self.take(")"));
            return a;
        }
        let token = self.tokens[self.at].clone();
        self.at += 1;
        if let Ok(value) = token.parse::<f64>() {
            return self.model.g.pool.number(value);
        }
        if self.take("(") {
            let mut arguments = vec![self.or()];
            while self.take(",") {
                arguments.push(self.or());
            }
            assert!(self.take(")"));
            return self.call(&token, &arguments);
        }
        match token.as_str() {
            "time" => self.model.g.time(),
            "pi" => self.model.g.pool.pi(),
            "true" => self.model.g.pool.boolean(true),
            name => {
                let id = self.model.id(name);
                self.model.g.read(id)
            }
        }
    }
    fn call(&mut self, name: &str, arguments: &[NodeId]) -> NodeId {
        let condition = (name == "if").then(|| self.truth(arguments[0]));
        let pool = &mut self.model.g.pool;
        match (name, arguments) {
            ("if", [_, a, b]) => pool.select(condition.unwrap(), *a, *b),
            ("min", [a, b]) => pool.binary(BinaryFunction::Min, *a, *b),
            ("max", [a, b]) => pool.binary(BinaryFunction::Max, *a, *b),
            (_, [a]) => {
                let function = UnaryFunction::NAMED.iter().find(|f| f.name() == name);
                pool.unary(*function.unwrap_or_else(|| panic!("no function {name}")), *a)
            }
            _ => panic!("{name} with {} arguments", arguments.len()),
        }
    }
}
