//! Formulas in a normal form: polynomials over symbols and over functions of normal forms.
//!
//! # Method
//! A formula is evaluated on polynomials with exact coefficients. What no polynomial is becomes a variable of its own, an *atom*: √p, |p|, sin p, 1/p, a choice. Equal atoms are one
//! variable. Known of atoms:
//!
//! | atom | rule |
//! |---|---|
//! | √(s²) | \|s\| |
//! | √p, \|p\| | squares are p, p²; a multiple of that over the atom loses it |
//! | 1/p | a multiple of p times it loses it |
//! | \|p\| | ±p where the ranges of the unknowns decide the sign |
//!
//! So the distance √((b.x − a.x)² + 0² + 0²) of two balls on a line is \|b.x − a.x\|, and its rate (b.x − a.x)(b.vx − a.vx)/\|b.x − a.x\|.
//!
//! # Guarantee
//! Exact over the reals wherever the formula has a value; a literal stands for the shortest decimal that reads as its double. Two formulas with the same form are
//! equal; equal formulas may have different forms (no common divisors are looked for).

use crate::polynomial::{Monomial, Polynomial};
use crate::rational::Rational;
use crate::signs::Signs;
use dyverse_expr::{BinaryFunction, Node, NodeId, Pool, Relation, SymbolId, UnaryFunction};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Products with more terms than this are left as they are.
const MOST_PRODUCTS: usize = 400;

/// A variable of the polynomials.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    Symbol(SymbolId),
    Pi,
    Function(UnaryFunction, Polynomial),
    Pair(BinaryFunction, Polynomial, Polynomial),
    Inverse(Polynomial),
    Choice(Truth, Polynomial, Polynomial),
    /// An infinity, or no number at all.
    Endless,
}

/// A truth value in normal form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    Known(bool),
    /// How a polynomial compares with zero.
    Compare(Relation, Polynomial),
    Not(Box<Truth>),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
}

/// What is put in place of symbols.
pub(crate) type Environment = BTreeMap<SymbolId, Polynomial>;

#[derive(Clone, Debug)]
enum Form {
    Number(Polynomial),
    Truth(Truth),
}

/// The atoms that there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Algebra {
    atoms: Vec<Atom>,
    index: BTreeMap<Atom, u32>,
    ranges: BTreeMap<SymbolId, (Rational, Rational)>,
    /// Terms that were touched so far.
    work: Cell<u64>,
}

impl Algebra {
    pub(crate) fn atom(&self, variable: u32) -> &Atom {
        &self.atoms[variable as usize]
    }
    /// How much was done: the same on every machine.
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }
    pub(crate) fn note_work(&self, terms: usize) {
        self.work.set(self.work.get() + terms as u64);
    }
    fn intern(&mut self, atom: Atom) -> u32 {
        if let Some(known) = self.index.get(&atom) {
            return *known;
        }
        let next = self.atoms.len() as u32;
        self.atoms.push(atom.clone());
        self.index.insert(atom, next);
        next
    }
    fn of_atom(&mut self, atom: Atom) -> Polynomial {
        Polynomial::variable(self.intern(atom))
    }
    pub(crate) fn symbol(&mut self, symbol: SymbolId) -> Polynomial {
        self.of_atom(Atom::Symbol(symbol))
    }
    /// Says in which range a symbol lies, always.
    pub(crate) fn set_range(&mut self, symbol: SymbolId, lower: f64, upper: f64) {
        if let (Some(lower), Some(upper)) = (Rational::decimal(lower), Rational::decimal(upper)) {
            self.ranges.insert(symbol, (lower, upper));
        }
    }
    pub(crate) fn range(&self, symbol: SymbolId) -> Option<&(Rational, Rational)> {
        self.ranges.get(&symbol)
    }
    /// Whether some formula has the root of this.
    pub(crate) fn has_root(&self, p: &Polynomial) -> bool {
        self.index
            .contains_key(&Atom::Function(UnaryFunction::Sqrt, p.clone()))
    }
    /// The symbols that a polynomial reads, also inside its atoms.
    pub(crate) fn symbols(&self, of: &Polynomial) -> BTreeSet<SymbolId> {
        let mut found = BTreeSet::new();
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        let mut open: Vec<u32> = of.variables().collect();
        while let Some(variable) = open.pop() {
            if !seen.insert(variable) {
                continue;
            }
            match self.atom(variable) {
                Atom::Symbol(symbol) => {
                    found.insert(*symbol);
                }
                Atom::Pi | Atom::Endless => {}
                Atom::Function(_, a) | Atom::Inverse(a) => open.extend(a.variables()),
                Atom::Pair(_, a, b) => open.extend(a.variables().chain(b.variables())),
                Atom::Choice(truth, a, b) => {
                    open.extend(a.variables().chain(b.variables()));
                    truth.collect_variables(&mut open);
                }
            }
        }
        found
    }

    /// a · b.
    pub(crate) fn multiply(&mut self, a: &Polynomial, b: &Polynomial) -> Polynomial {
        if a.len() * b.len() > MOST_PRODUCTS {
            return self.of_atom(Atom::Pair(BinaryFunction::Multiply, a.clone(), b.clone()));
        }
        self.note_work(a.len() * b.len());
        self.reduce(a.times(b))
    }

    /// a / b.
    pub(crate) fn divide(&mut self, a: &Polynomial, b: &Polynomial) -> Polynomial {
        let one = Rational::from(1);
        let Some((lead, coefficient)) = b.leading().map(|(m, c)| (m.clone(), c.clone())) else {
            let inverse = self.of_atom(Atom::Inverse(Polynomial::zero()));
            return a.times(&inverse);
        };
        if b.len() == 1 {
            let inverse = Monomial::default().over(&lead);
            return self.reduce(a.shifted(&inverse, &(&one / &coefficient)));
        }
        if let Some(quotient) = a.divided(b) {
            return quotient;
        }
        // The content goes apart, so that 1/(x y + x z) is 1/x · 1/(y + z).
        let content = b.content();
        let rest = b.shifted(&Monomial::default().over(&content), &(&one / &coefficient));
        let inverse = self.of_atom(Atom::Inverse(rest));
        let scaled = a.shifted(&Monomial::default().over(&content), &(&one / &coefficient));
        self.multiply(&scaled, &inverse)
    }

    fn power(&mut self, a: &Polynomial, n: i32) -> Polynomial {
        if n < 0 {
            let positive = self.power(a, n.saturating_neg());
            return self.divide(&Polynomial::integer(1), &positive);
        }
        if a.len() == 1
            && let Some((m, c)) = a.leading()
        {
            let coefficient = (0..n).fold(Rational::from(1), |product, _| &product * c);
            return self.reduce(Polynomial::term(m.raised(n), coefficient));
        }
        if n > 8 {
            let exponent = Polynomial::integer(i64::from(n));
            return self.of_atom(Atom::Pair(BinaryFunction::Power, a.clone(), exponent));
        }
        (0..n).fold(Polynomial::integer(1), |product, _| self.multiply(&product, a))
    }

    /// A polynomial in which a variable is another polynomial.
    pub(crate) fn replaced(&mut self, p: &Polynomial, variable: u32, by: &Polynomial) -> Polynomial {
        let mut sum = Polynomial::zero();
        for (exponent, class) in p.by_exponent(variable) {
            let power = self.power(by, exponent.abs());
            let part = if exponent < 0 {
                self.divide(&class, &power)
            } else {
                self.multiply(&class, &power)
            };
            sum = sum.plus(&part);
        }
        self.reduce(sum)
    }

    /// What is known of an atom as a factor: (A^2, whether it goes by multiples of that) or the p of 1/p.
    fn rule(&self, variable: u32) -> Option<(i32, Polynomial)> {
        match self.atom(variable) {
            Atom::Function(UnaryFunction::Sqrt, p) => Some((2, p.clone())),
            Atom::Function(UnaryFunction::Abs, p) => Some((2, p.times(p))),
            Atom::Inverse(p) => Some((-1, p.clone())),
            _ => None,
        }
    }

    /// Uses the rules of atoms until none applies.
    pub(crate) fn reduce(&self, p: Polynomial) -> Polynomial {
        let mut p = p;
        // Each pass removes an atom or lowers a degree; the limit is for safety only.
        for _ in 0..64 {
            self.note_work(p.len());
            let variables: BTreeSet<u32> = p.variables().collect();
            let better = variables.iter().find_map(|v| self.reduced_by(&p, *v));
            match better {
                Some(better) => p = better,
                None => return p,
            }
        }
        p
    }

    fn reduced_by(&self, p: &Polynomial, variable: u32) -> Option<Polynomial> {
        let (step, value) = self.rule(variable)?;
        if value.is_zero() {
            return None;
        }
        let one = Rational::from(1);
        for (exponent, class) in p.by_exponent(variable) {
            self.note_work(class.len() * value.len());
            let (replaced, left) = if step == 2 && exponent >= 2 {
                (class.times(&value), exponent - 2)
            } else if step == 2 && exponent < 0 {
                match class.divided(&value) {
                    Some(quotient) => (quotient, exponent + 2),
                    None => continue,
                }
            } else if step == -1 && exponent > 0 {
                match class.divided(&value) {
                    Some(quotient) => (quotient, exponent - 1),
                    None => continue,
                }
            } else if step == -1 && exponent < 0 {
                (class.times(&value), exponent + 1)
            } else {
                continue;
            };
            let old = class.shifted(&Monomial::power(variable, exponent), &one);
            let new = replaced.shifted(&Monomial::power(variable, left), &one);
            return Some(p.minus(&old).plus(&new));
        }
        None
    }

    fn unary(&mut self, function: UnaryFunction, a: Polynomial) -> Polynomial {
        let minus_one = Rational::from(-1);
        match function {
            UnaryFunction::Negate => a.scaled(&minus_one),
            UnaryFunction::Sqrt => match a.root() {
                Some(root) => self.magnitude(root),
                None => self.of_atom(Atom::Function(function, a)),
            },
            UnaryFunction::Abs => self.magnitude(a),
            UnaryFunction::Sign => match a.value() {
                Some(value) => Polynomial::integer(i64::from(value.sign())),
                None => self.of_atom(Atom::Function(function, a)),
            },
            // sin 0, tan 0, … = 0; cos 0 = exp 0 = cosh 0 = 1.
            _ if a.is_zero() => match function {
                UnaryFunction::Cos | UnaryFunction::Cosh | UnaryFunction::Exp => Polynomial::integer(1),
                UnaryFunction::Acos | UnaryFunction::Ln => self.of_atom(Atom::Function(function, a)),
                _ => Polynomial::zero(),
            },
            _ => self.of_atom(Atom::Function(function, a)),
        }
    }

    fn magnitude(&mut self, a: Polynomial) -> Polynomial {
        let signs = self.signs(&a, &BTreeMap::new());
        if !signs.may_be_negative() {
            return a;
        }
        if signs == Signs::NEGATIVE {
            return a.scaled(&Rational::from(-1));
        }
        let Some((_, coefficient)) = a.leading() else {
            return a;
        };
        let size = coefficient.magnitude();
        let monic = a.scaled(&(&Rational::from(1) / coefficient));
        self.of_atom(Atom::Function(UnaryFunction::Abs, monic))
            .scaled(&size)
    }

    fn binary(&mut self, function: BinaryFunction, a: Polynomial, b: Polynomial) -> Polynomial {
        match function {
            // Sums of quotients may lose divisors that none of them loses.
            BinaryFunction::Add => self.reduce(a.plus(&b)),
            BinaryFunction::Subtract => self.reduce(a.minus(&b)),
            BinaryFunction::Multiply => self.multiply(&a, &b),
            BinaryFunction::Divide => self.divide(&a, &b),
            BinaryFunction::Min | BinaryFunction::Max => {
                let signs = self.signs(&a.minus(&b), &BTreeMap::new());
                let takes_larger = function == BinaryFunction::Max;
                if !signs.may_be_negative() {
                    return if takes_larger { a } else { b };
                }
                if !signs.may_be_positive() {
                    return if takes_larger { b } else { a };
                }
                self.of_atom(Atom::Pair(function, a, b))
            }
            BinaryFunction::Power | BinaryFunction::Atan2 => self.of_atom(Atom::Pair(function, a, b)),
        }
    }

    /// A formula with symbols replaced.
    pub(crate) fn number(&mut self, pool: &Pool, root: NodeId, of: &Environment) -> Polynomial {
        let mut known: BTreeMap<NodeId, Form> = BTreeMap::new();
        for id in pool.reachable(&[root]) {
            let form = self.form(pool.node(id), &known, of);
            known.insert(id, form);
        }
        match known.remove(&root) {
            Some(Form::Number(p)) => p,
            _ => self.of_atom(Atom::Endless),
        }
    }

    fn form(&mut self, node: Node, known: &BTreeMap<NodeId, Form>, of: &Environment) -> Form {
        let number = |id: NodeId| match known.get(&id) {
            Some(Form::Number(p)) => p.clone(),
            _ => Polynomial::zero(),
        };
        let truth = |id: NodeId| match known.get(&id) {
            Some(Form::Truth(t)) => t.clone(),
            _ => Truth::Known(false),
        };
        Form::Number(match node {
            Node::Number(literal) => match Rational::decimal(literal.value()) {
                Some(value) => Polynomial::constant(value),
                None => self.of_atom(Atom::Endless),
            },
            Node::Pi => self.of_atom(Atom::Pi),
            Node::Symbol(symbol) => match of.get(&symbol) {
                Some(value) => value.clone(),
                None => self.symbol(symbol),
            },
            Node::Unary(function, a) => self.unary(function, number(a)),
            Node::Binary(function, a, b) => self.binary(function, number(a), number(b)),
            Node::Integer(a, n) => self.power(&number(a), n),
            Node::Select(c, a, b) => match truth(c) {
                Truth::Known(true) => number(a),
                Truth::Known(false) => number(b),
                open => self.of_atom(Atom::Choice(open, number(a), number(b))),
            },
            Node::Boolean(value) => return Form::Truth(Truth::Known(value)),
            Node::Compare(relation, a, b) => {
                return Form::Truth(self.compare(relation, number(a).minus(&number(b))));
            }
            Node::Not(a) => return Form::Truth(truth(a).negated()),
            Node::And(a, b) => return Form::Truth(truth(a).and(truth(b))),
            Node::Or(a, b) => {
                let neither = truth(a).negated().and(truth(b).negated());
                return Form::Truth(match neither {
                    Truth::Known(value) => Truth::Known(!value),
                    _ => Truth::Or(Box::new(truth(a)), Box::new(truth(b))),
                });
            }
        })
    }

    fn compare(&self, relation: Relation, difference: Polynomial) -> Truth {
        let signs = self.signs(&difference, &BTreeMap::new());
        match signs.compare(relation) {
            Some(value) => Truth::Known(value),
            None => Truth::Compare(relation, difference),
        }
    }
}

impl Truth {
    fn negated(self) -> Self {
        match self {
            Truth::Known(value) => Truth::Known(!value),
            Truth::Not(inner) => *inner,
            other => Truth::Not(Box::new(other)),
        }
    }
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Truth::Known(true), t) | (t, Truth::Known(true)) => t,
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (a, b) => Truth::And(Box::new(a), Box::new(b)),
        }
    }
    fn collect_variables(&self, into: &mut Vec<u32>) {
        match self {
            Truth::Known(_) => {}
            Truth::Compare(_, p) => into.extend(p.variables()),
            Truth::Not(a) => a.collect_variables(into),
            Truth::And(a, b) | Truth::Or(a, b) => {
                a.collect_variables(into);
                b.collect_variables(into);
            }
        }
    }
}
