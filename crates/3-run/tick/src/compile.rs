//! From the values of a final microstep to the program of the flow that starts there.
//!
//! Which signals are present, which regions are active and which modes are current cannot change while time passes without a switch or an event. So `a ?? b`
//! is one of its operands, a merge is the one that is present, and what is left are expressions, states and constants: a straight line, in the order in
//! which the tick found the signals. Instructions come in three parts: what derivatives need, what watched quantities need besides,
//! what is only looked at. Decisions in the last part are not watched and not frozen.
//!
//! Where a function ends (the root of a negative number, a divisor that is 0), a value may be no number only for a moment: such places are listed (`finite.rs`).

use crate::finite::is_idle;
use crate::flow::{Bound, Domain, Flow, FlowComponent, Forced, Owner, Watch, Watched, state_register};
use crate::frame::Frame;
use crate::narrow::may_be_narrow;
use crate::nonstrict;
use crate::numbers::Driven;
use crate::plan::{Formula, IntegratorOp, Op, Plan, Source};
use crate::program::{Instruction, Program, Register, TIME};
use crate::state::State;
use dyverse_actors::RegionKind;
use dyverse_expr::{BinaryFunction, Decision, Node, NodeId, Relation, Sort, UnaryFunction};
use std::collections::{BTreeMap, BTreeSet};

/// The reset of an integrator, if it is present: then the output is the reset, and there is no state to integrate.
fn present_reset(op: &IntegratorOp, frame: &Frame) -> Option<u32> {
    op.reset.filter(|reset| frame.is_present(*reset as usize))
}

/// Compiles the flow that starts from a final microstep.
pub(crate) fn compile(plan: &Plan<'_>, state: &State, frame: &Frame) -> Flow {
    let mut compiler = Compiler::new(plan, frame);
    let is_integrator = |s: &usize| match &plan.ops[*s] {
        Op::Integrator(op) => frame.is_present(*s) && present_reset(op, frame).is_none(),
        _ => false,
    };
    let integrators: Vec<usize> = (0..plan.signal_count()).filter(is_integrator).collect();
    for (i, signal) in integrators.iter().enumerate() {
        compiler.bind(*signal, state_register(i));
    }
    compiler.flow.program.registers.resize(integrators.len() + 1, 0.0);
    compiler.varying.resize(integrators.len() + 1, true);
    compiler.components();

    let derivative = |signal: &usize| match &plan.ops[*signal] {
        Op::Integrator(op) if frame.is_present(op.derivative as usize) => Some(op.derivative),
        _ => None,
    };
    let derivatives: Vec<Option<u32>> = integrators.iter().map(derivative).collect();
    let inputs = compiler.component_inputs();
    let roots = derivatives
        .iter()
        .flatten()
        .chain(inputs.iter().flatten().flatten());
    compiler.signals(roots.copied().collect());
    let registers = derivatives.iter().map(|d| d.map(|d| compiler.register(d)));
    compiler.flow.derivatives = registers.collect();
    for (place, inputs) in inputs.iter().enumerate() {
        let registers = inputs.iter().map(|i| i.map(|i| compiler.register(i))).collect();
        compiler.flow.components[place].inputs = registers;
    }
    compiler.flow.dynamic = compiler.flow.program.code.len();

    compiler.watch(state);
    compiler.flow.watching = compiler.flow.program.code.len();

    compiler.is_freezing = false;
    let record = plan.record.iter().copied();
    let present = record.clone().filter(|s| frame.is_present(*s as usize));
    compiler.signals(present.collect());
    let recorded = record.map(|s| frame.is_present(s as usize).then(|| compiler.register(s)));
    compiler.flow.recorded = recorded.collect();
    let is_there = |s: &u32| frame.is_present(*s as usize);
    let all = 0..plan.signal_count() as u32;
    compiler.signals(all.clone().filter(is_there).collect());
    let bound = all.filter_map(|s| Some((s, compiler.bound[s as usize]?)));
    let varying = bound.filter(|(s, r)| compiler.is_varying(*r) && !is_idle(plan, frame, *s));
    compiler.flow.signals = varying.collect();
    let flow = &mut compiler.flow;
    let crosses = flow
        .watches
        .iter()
        .filter(|w| w.target.is_none())
        .map(|w| w.register);
    let inputs = flow.components.iter().flat_map(|c| &c.inputs);
    let asked = flow.derivatives.iter().chain(inputs).flatten().copied();
    let read: Vec<Register> = crosses
        .chain(asked)
        .chain(flow.signals.iter().map(|s| s.1))
        .collect();
    flow.roots.extend(read);
    for place in 0..flow.watches.len() {
        flow.watches[place].is_narrow = may_be_narrow(flow, flow.watches[place].register);
    }
    compiler.flow.integrators = integrators.into_iter().map(|s| s as u32).collect();
    compiler.flow
}

fn is_equality(node: Node) -> bool {
    matches!(node, Node::Compare(Relation::Equal | Relation::NotEqual, _, _))
}

struct Compiler<'a, 'g> {
    plan: &'a Plan<'g>,
    frame: &'a Frame,
    flow: Flow,
    /// Registers of signals.
    bound: Vec<Option<Register>>,
    /// Registers of expressions.
    compiled: BTreeMap<NodeId, Register>,
    /// Whether a register changes during a step.
    varying: Vec<bool>,
    /// The instruction that gives a register its value, by its place.
    defined: BTreeMap<Register, usize>,
    /// Bounds that are listed.
    bounds: BTreeSet<(Register, (u8, u64))>,
    is_freezing: bool,
    tolerance: f64,
    owner: Owner,
    /// The expression under way.
    node: Option<NodeId>,
}

impl<'a, 'g> Compiler<'a, 'g> {
    fn new(plan: &'a Plan<'g>, frame: &'a Frame) -> Self {
        Compiler {
            plan,
            frame,
            flow: Flow {
                program: Program {
                    registers: vec![0.0],
                    ..Program::default()
                },
                ..Flow::default()
            },
            bound: vec![None; plan.signal_count()],
            compiled: BTreeMap::new(),
            varying: vec![true],
            defined: BTreeMap::new(),
            bounds: BTreeSet::new(),
            is_freezing: true,
            tolerance: plan.crossing,
            owner: Owner::Signal(0),
            node: None,
        }
    }

    fn bind(&mut self, signal: usize, register: Register) {
        self.bound[signal] = Some(register);
    }
    fn fresh(&mut self, value: f64, is_varying: bool) -> Register {
        self.flow.program.registers.push(value);
        self.varying.push(is_varying);
        self.flow.program.registers.len() as Register - 1
    }
    fn emit(&mut self, instruction: Instruction, is_varying: bool) -> Register {
        let target = self.fresh(0.0, is_varying);
        self.defined.insert(target, self.flow.program.code.len());
        self.flow.program.code.push((target, instruction));
        if let Instruction::Switch(k, _) | Instruction::Abs(k, _) | Instruction::Choose(k, ..) = instruction {
            let is_own = |watch: &&mut Watch| matches!(watch.of, Watched::Switch(own) if own == k);
            if let Some(watch) = self.flow.watches.last_mut().filter(is_own) {
                watch.target = Some(target);
            }
        }
        if is_varying {
            self.bound_domain(instruction, target);
        }
        target
    }
    fn is_varying(&self, register: Register) -> bool {
        self.varying[register as usize]
    }
    /// The register of a signal that was compiled; a fresh NaN for one that is not there.
    fn register(&mut self, signal: u32) -> Register {
        match self.bound[signal as usize] {
            Some(register) => register,
            None => self.fresh(f64::NAN, false),
        }
    }

    fn components(&mut self) {
        for (place, used) in self.plan.graph.components().iter().enumerate() {
            if !self.frame.is_present(self.plan.region_unit(used.region.0)) {
                continue;
            }
            let mut outputs = Vec::new();
            for signal in 0..self.plan.signal_count() {
                if let Op::Output { component, output } = self.plan.ops[signal]
                    && component as usize == place
                    && self.frame.is_present(signal)
                {
                    let register = self.fresh(0.0, true);
                    self.bind(signal, register);
                    outputs.push((register, output));
                }
            }
            self.flow.components.push(FlowComponent {
                component: place as u32,
                inputs: Vec::new(),
                outputs,
            });
        }
    }

    /// Input signals of active components, where present.
    fn component_inputs(&self) -> Vec<Vec<Option<u32>>> {
        let uses = self.flow.components.iter();
        uses.map(|c| {
            let used = &self.plan.graph.components()[c.component as usize];
            let present = |s: u32| self.frame.is_present(s as usize).then_some(s);
            used.inputs.iter().map(|(_, s)| present(s.0)).collect()
        })
        .collect()
    }

    /// The signals that a present signal's value comes from while time passes.
    fn sources(&self, signal: usize) -> Vec<u32> {
        let is_present = |s: &u32| self.frame.is_present(*s as usize);
        match &self.plan.ops[signal] {
            Op::Expression(formula) => formula.signals.clone(),
            Op::Default(a, b) => vec![if is_present(a) { *a } else { *b }],
            Op::Inhibit { value, .. } | Op::Sample { value, .. } => vec![*value],
            Op::Hold { value, .. } => Some(*value).filter(is_present).into_iter().collect(),
            Op::Merge(of) | Op::Before(of) => of.iter().copied().filter(is_present).collect(),
            Op::Integrator(op) => present_reset(op, self.frame).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Compiles signals and what they need, in the order in which the tick found them.
    fn signals(&mut self, mut roots: Vec<u32>) {
        let mut is_needed = vec![false; self.plan.signal_count()];
        while let Some(signal) = roots.pop() {
            if !is_needed[signal as usize] && self.bound[signal as usize].is_none() {
                is_needed[signal as usize] = true;
                roots.extend(self.sources(signal as usize));
            }
        }
        let frame = self.frame;
        for unit in &frame.order {
            let signal = *unit as usize;
            if signal < is_needed.len() && is_needed[signal] {
                let register = self.signal(signal);
                self.bind(signal, register);
            }
        }
    }

    fn signal(&mut self, signal: usize) -> Register {
        let plan = self.plan;
        let value = self.frame.value[signal];
        self.owner = Owner::Signal(signal as u32);
        match &plan.ops[signal] {
            Op::Expression(formula) if plan.loop_operands[signal].is_empty() => self.expression(formula.node),
            Op::Expression(formula) => self.in_loop(formula),
            Op::IsPresent(_) | Op::IsAbsent(_) => self.fresh(value, false),
            Op::Default(..)
            | Op::Inhibit { .. }
            | Op::Sample { .. }
            | Op::Hold { .. }
            | Op::Merge(_)
            | Op::Before(_)
            | Op::Integrator(_) => match self.sources(signal).first() {
                Some(source) => self.register(*source),
                None => self.load(signal),
            },
            _ => self.load(signal),
        }
    }

    fn load(&mut self, signal: usize) -> Register {
        let register = self.fresh(self.frame.value[signal], false);
        self.flow.loads.push((register, signal as u32));
        register
    }

    /// Compiles an expression bottom-up, without recursion.
    fn expression(&mut self, root: NodeId) -> Register {
        let pool = self.plan.graph.pool();
        let mut stack = vec![root];
        while let Some(node) = stack.last().copied() {
            if self.compiled.contains_key(&node) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(
                pool.node(node)
                    .operands()
                    .filter(|o| !self.compiled.contains_key(o)),
            );
            if stack.len() == before {
                stack.pop();
                self.node = Some(node);
                let register = self.node(pool.node(node));
                self.compiled.insert(node, register);
            }
        }
        self.compiled.get(&root).copied().unwrap_or(TIME)
    }

    /// Compiles what an expression in a loop rests on at this tick.
    fn in_loop(&mut self, formula: &Formula) -> Register {
        let outside = std::mem::take(&mut self.compiled);
        let mut register = TIME;
        for (id, stands_for) in nonstrict::needed(self.plan, self.frame, formula) {
            self.node = Some(id);
            register = match stands_for.and_then(|operand| self.compiled.get(&operand).copied()) {
                Some(operand) => operand,
                None => self.node(self.plan.graph.pool().node(id)),
            };
            self.compiled.insert(id, register);
        }
        self.compiled = outside;
        register
    }

    fn node(&mut self, node: Node) -> Register {
        let of = |c: &Self, id: NodeId| c.compiled.get(&id).copied().unwrap_or(TIME);
        let any = |c: &Self, list: &[Register]| list.iter().any(|r| c.is_varying(*r));
        match node {
            Node::Number(literal) => self.fresh(literal.value(), false),
            Node::Pi => self.fresh(std::f64::consts::PI, false),
            Node::Boolean(value) => self.fresh(f64::from(u8::from(value)), false),
            Node::Symbol(id) => match self.plan.symbols[id.0 as usize] {
                Source::Constant(value) => self.fresh(value, false),
                Source::Time => TIME,
                Source::Signal(signal) => self.register(signal),
                Source::Input(input) => {
                    let own = match &self.plan.numbers.inputs[input as usize] {
                        Driven::Constant(value) => self.fresh(*value, false),
                        Driven::Table { .. } => self.emit(Instruction::Table(input), true),
                        Driven::Own(node) => self.expression(*node),
                    };
                    if self.plan.numbers.is_live {
                        self.emit(Instruction::Live(input, own), true)
                    } else {
                        own
                    }
                }
            },
            Node::Unary(function, a) => {
                let a = of(self, a);
                let varying = self.is_varying(a);
                match function {
                    _ if !(varying && self.is_freezing) => {
                        self.emit(Instruction::Unary(function, a), varying)
                    }
                    UnaryFunction::Abs => {
                        let k = self.switch(Decision::Side, a, 0.0);
                        self.emit(Instruction::Abs(k, a), true)
                    }
                    UnaryFunction::Sign | UnaryFunction::Floor => {
                        let is_sign = function == UnaryFunction::Sign;
                        let decision = if is_sign { Decision::Sign } else { Decision::Floor };
                        let k = self.switch(decision, a, 0.0);
                        self.emit(Instruction::Switch(k, a), false)
                    }
                    _ => self.emit(Instruction::Unary(function, a), true),
                }
            }
            Node::Binary(function, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let varying = any(self, &[a, b]);
                let is_choice = matches!(function, BinaryFunction::Min | BinaryFunction::Max);
                if is_choice && varying && self.is_freezing {
                    let d = self.emit(Instruction::Binary(BinaryFunction::Subtract, a, b), true);
                    let k = self.switch(Decision::Side, d, 0.0);
                    self.emit(
                        Instruction::Choose(k, a, b, function == BinaryFunction::Max),
                        true,
                    )
                } else {
                    self.emit(Instruction::Binary(function, a, b), varying)
                }
            }
            Node::Integer(a, n) => {
                let a = of(self, a);
                let varying = self.is_varying(a);
                self.emit(Instruction::Integer(a, n), varying)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                if any(self, &[a, b]) && self.is_freezing {
                    let d = self.emit(Instruction::Binary(BinaryFunction::Subtract, a, b), true);
                    let k = self.switch(Decision::Compare(relation), d, self.tolerance);
                    self.emit(Instruction::Switch(k, d), false)
                } else {
                    let varying = any(self, &[a, b]);
                    self.emit(Instruction::Compare(relation, a, b), varying)
                }
            }
            Node::Not(a) => {
                let a = of(self, a);
                let varying = self.is_varying(a);
                self.emit(Instruction::Not(a), varying)
            }
            Node::And(a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let varying = any(self, &[a, b]);
                self.emit(Instruction::And(a, b), varying)
            }
            Node::Or(a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                let varying = any(self, &[a, b]);
                self.emit(Instruction::Or(a, b), varying)
            }
            Node::Select(c, a, b) => {
                let (c, a, b) = (of(self, c), of(self, a), of(self, b));
                let varying = any(self, &[c, a, b]);
                self.emit(Instruction::Select(c, a, b), varying)
            }
        }
    }

    /// Lists where the function of an instruction ends.
    fn bound_domain(&mut self, instruction: Instruction, result: Register) {
        let zeros = match instruction {
            Instruction::Unary(UnaryFunction::Sqrt | UnaryFunction::Ln, a) => {
                return self.bound(a, Bound::AtLeast(0.0));
            }
            Instruction::Unary(UnaryFunction::Asin | UnaryFunction::Acos, a) => {
                self.bound(a, Bound::AtLeast(-1.0));
                return self.bound(a, Bound::AtMost(1.0));
            }
            Instruction::Unary(UnaryFunction::Tan, a) => {
                let cosine = self.emit(Instruction::Unary(UnaryFunction::Cos, a), true);
                return self.bound(cosine, Bound::NotZero(self.forced(result, f64::NAN)));
            }
            Instruction::Binary(BinaryFunction::Power, a, _) => {
                self.bound(a, Bound::AtLeast(0.0));
                a
            }
            Instruction::Binary(BinaryFunction::Divide, _, b) => b,
            Instruction::Integer(a, n) if n < 0 => a,
            _ => return,
        };
        // A product is 0 where a factor is.
        let mut open = vec![zeros];
        while let Some(register) = open.pop() {
            let made = self.defined.get(&register);
            match made.map(|place| self.flow.program.code[*place].1) {
                Some(Instruction::Binary(BinaryFunction::Multiply, a, b)) => open.extend([a, b]),
                Some(
                    Instruction::Integer(a, 1..)
                    | Instruction::Unary(UnaryFunction::Negate | UnaryFunction::Sqrt | UnaryFunction::Abs, a)
                    | Instruction::Binary(BinaryFunction::Divide, a, _)
                    | Instruction::Abs(_, a),
                ) => open.push(a),
                _ => self.bound(register, Bound::NotZero(self.forced(register, 0.0))),
            }
        }
    }

    fn forced(&self, register: Register, value: f64) -> Forced {
        Forced {
            register,
            value,
            after: self.defined.get(&register).copied(),
        }
    }

    /// Lists a bound of an argument that changes, once.
    fn bound(&mut self, register: Register, bound: Bound) {
        let kind = match bound {
            Bound::AtLeast(level) => (0, level.to_bits()),
            Bound::AtMost(level) => (1, level.to_bits()),
            Bound::NotZero(forced) => (2, u64::from(forced.register)),
        };
        if self.is_varying(register) && self.bounds.insert((register, kind)) {
            self.flow.domains.push(Domain { register, bound });
        }
    }

    fn switch(&mut self, decision: Decision, d: Register, tolerance: f64) -> u32 {
        let k = self.flow.program.switches.len() as u32;
        self.flow.program.switches.push(decision);
        self.flow.watches.push(Watch {
            of: Watched::Switch(k),
            register: d,
            target: None,
            is_narrow: false,
            tolerance,
            owner: self.owner,
            node: self.node,
            equality: self
                .node
                .filter(|node| is_equality(self.plan.graph.pool().node(*node))),
        });
        k
    }

    /// A quantity that is true where it is not 0: if it varies, passing 0 is a switch.
    fn truth(&mut self, register: Register, tolerance: f64) {
        if self.is_varying(register) {
            let k = self.switch(Decision::Compare(Relation::NotEqual), register, tolerance);
            let truth = self.emit(Instruction::Switch(k, register), false);
            self.flow.roots.push(truth);
        }
    }

    /// Guards of current modes, signals that enable regions, `cross`: what may make something happen.
    fn watch(&mut self, state: &State) {
        let (plan, frame) = (self.plan, self.frame);
        for region in plan.graph.regions() {
            let RegionKind::Enabled(enable) = region.kind else {
                continue;
            };
            let is_reached = region
                .parent
                .is_none_or(|p| frame.is_present(plan.region_unit(p.0)));
            if is_reached && frame.is_present(enable.0 as usize) {
                self.signals(vec![enable.0]);
                let register = self.register(enable.0);
                (self.owner, self.node) = (Owner::Signal(enable.0), None);
                self.truth(register, plan.crossing);
            }
        }
        for (place, modal) in plan.graph.modals().iter().enumerate() {
            if !frame.is_present(plan.region_unit(modal.region.0)) {
                continue;
            }
            let mode = state.mode(place as u32);
            for (rule, transition) in plan.rules[place].iter().zip(&modal.transitions) {
                if transition.leaves(mode) {
                    self.guard(&rule.guard, rule.tolerance, place as u32);
                }
            }
        }
        self.find_continuous_post();
        self.impulses();
        // What decides the order of evaluation in a loop must not turn inside a step, whoever reads it.
        let in_loops = (0..plan.signal_count() as u32)
            .filter(|s| !plan.loop_operands[*s as usize].is_empty() && frame.is_present(*s as usize));
        self.signals(in_loops.collect());
        for signal in 0..plan.signal_count() {
            let Op::Cross(op) = &plan.ops[signal] else {
                continue;
            };
            let is_active = frame.is_present(plan.region_unit(plan.region_of(signal as u32)));
            if is_active && frame.is_present(op.value as usize) {
                self.signals(vec![op.value]);
                let register = self.register(op.value);
                if self.is_varying(register) {
                    self.flow.watches.push(Watch {
                        of: Watched::Cross(signal as u32),
                        register,
                        target: None,
                        is_narrow: false,
                        tolerance: op.tolerance,
                        owner: Owner::Signal(signal as u32),
                        node: None,
                        equality: None,
                    });
                }
            }
        }
    }

    /// Impulses that are present while time passes: what decides them is watched, so that one that is not 0 is seen.
    fn impulses(&mut self) {
        for signal in 0..self.plan.signal_count() {
            if let Op::Integrator(op) = &self.plan.ops[signal]
                && self.frame.is_present(signal)
            {
                let pushes = op.impulse.into_iter().chain(op.reset);
                let present = pushes.filter(|s| self.frame.is_present(*s as usize));
                self.signals(present.collect());
            }
        }
    }

    /// A microstep delay of something that changes while time passes would depend on the solver's steps.
    fn find_continuous_post(&mut self) {
        for signal in 0..self.plan.signal_count() {
            let Op::Post { value, .. } = self.plan.ops[signal] else {
                continue;
            };
            let region = self.plan.region_unit(self.plan.region_of(signal as u32));
            if self.frame.is_present(region) && self.frame.is_present(value as usize) {
                self.signals(vec![value]);
                let register = self.register(value);
                if self.is_varying(register) {
                    self.flow.continuous_post = Some((signal as u32, value));
                }
            }
        }
    }

    fn guard(&mut self, guard: &Formula, tolerance: f64, modal: u32) {
        if guard.signals.iter().any(|s| !self.frame.is_present(*s as usize)) {
            return;
        }
        self.signals(guard.signals.clone());
        (self.tolerance, self.owner) = (tolerance, Owner::Modal(modal));
        let register = self.expression(guard.node);
        self.flow.roots.push(register);
        self.node = Some(guard.node);
        if self.plan.graph.pool().sort(guard.node) == Sort::Number {
            self.truth(register, tolerance);
        }
        self.tolerance = self.plan.crossing;
    }
}
