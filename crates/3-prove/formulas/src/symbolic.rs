//! A scalar that writes down what is asked of it: mechanics evaluated on it becomes formulas.
//!
//! # Method
//! A [`Symbolic`] is a node of a [`Recorder`]'s pool, or a constant that has met none yet: `Scalar::from_f64` knows no pool, so constants
//! are kept apart until they meet a node. What is simplified is exact over the reals: x + 0, x · 1, x · 0, x − x, (x + y) − x, x y / y and 0/x
//! (for x, y ≠ 0), signs; x · x becomes x², which encloses better. Numbers are folded only where the operation on doubles makes no error
//! (error-free transformations, Ogita, Rump and Oishi 2005).
//!
//! # Questions
//! A formula cannot branch on numbers it does not know. Comparisons answer `Unknown`, unless both sides are the same node or both are
//! numbers. `select` on an unknown condition gives a value that is *not recordable*, and so is everything made from it: whoever asks for
//! its node gets none, never a wrong formula. `min`, `max`, `abs` and `sign` are nodes of their own.
//!
//! One answer comes from the sample, the value at a point that the recorder was given: whether a number differs from zero. It is asked
//! before a division (pivots), and the divisor stays in the formula: whoever evaluates that on intervals sees a divisor that
//! contains zero, and gives up. So a sample decides how well a formula can be evaluated, never whether it is right.
//!
//! # Guarantee
//! Where the recorded formula has a value, it is that of the code it was recorded from, over the reals.

mod arithmetic;
mod exact;

use dyverse_expr::{BinaryFunction, Literal, Node, NodeId, Pool, SymbolId, UnaryFunction, Valuation, Value};
use dyverse_num::{Scalar, Tri};
use std::cell::{Ref, RefCell};
use std::rc::Rc;

/// Where formulas are written down.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    record: Rc<RefCell<Record>>,
}

#[derive(Debug, Default)]
struct Record {
    pool: Pool,
    /// A value of each symbol.
    samples: Vec<f64>,
    values: Valuation<f64>,
}

/// A number of a formula.
#[derive(Clone, Debug)]
pub struct Symbolic {
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Literal(Literal),
    /// A constant that has met no node yet.
    Free(Rc<Free>),
    Recorded(Recorder, NodeId),
    NotRecordable,
}

/// Operations on constants; a few, as the code asks for them.
#[derive(Clone, Debug)]
enum Free {
    Pi,
    Unary(UnaryFunction, Form),
    Binary(BinaryFunction, Form, Form),
    Integer(Form, i32),
}

impl Recorder {
    /// With an empty pool.
    pub fn new() -> Self {
        Self::default()
    }
    /// What was written down.
    pub fn pool(&self) -> Ref<'_, Pool> {
        Ref::map(self.record.borrow(), |record| &record.pool)
    }
    /// Changes the pool.
    pub fn with_pool<T>(&self, change: impl FnOnce(&mut Pool) -> T) -> T {
        change(&mut self.record.borrow_mut().pool)
    }
    /// The value of each symbol at the sample point, by number; a symbol that is not among them has the value 1.
    pub fn set_samples(&self, samples: Vec<f64>) {
        let mut record = self.record.borrow_mut();
        record.samples = samples;
        record.values = Valuation::default();
    }
    /// A symbol as a number.
    pub fn symbol(&self, id: SymbolId) -> Symbolic {
        let node = self.with_pool(|pool| pool.symbol(id));
        self.number(node)
    }
    /// A node of this pool as a number.
    pub fn number(&self, node: NodeId) -> Symbolic {
        Symbolic {
            form: self.form(node),
        }
    }
    fn form(&self, node: NodeId) -> Form {
        Form::Recorded(self.clone(), node)
    }
    /// The node of a number; `None` if it is not recordable.
    pub fn node(&self, number: &Symbolic) -> Option<NodeId> {
        self.intern(&number.form)
    }
    fn intern(&self, form: &Form) -> Option<NodeId> {
        match form {
            Form::Literal(literal) => Some(self.with_pool(|pool| pool.literal(*literal))),
            Form::Recorded(recorder, node) if self.is(recorder) => Some(*node),
            Form::Recorded(..) | Form::NotRecordable => None,
            Form::Free(free) => match &**free {
                Free::Pi => Some(self.with_pool(Pool::pi)),
                Free::Unary(function, a) => {
                    let a = self.intern(a)?;
                    Some(self.with_pool(|pool| pool.unary(*function, a)))
                }
                Free::Binary(function, a, b) => {
                    let (a, b) = (self.intern(a)?, self.intern(b)?);
                    Some(self.with_pool(|pool| pool.binary(*function, a, b)))
                }
                Free::Integer(a, n) => {
                    let a = self.intern(a)?;
                    Some(self.with_pool(|pool| pool.integer_power(a, *n)))
                }
            },
        }
    }
    fn is(&self, other: &Recorder) -> bool {
        Rc::ptr_eq(&self.record, &other.record)
    }
    /// The value of a node at the sample point; NaN where it has none.
    pub fn sample(&self, node: NodeId) -> f64 {
        let mut record = self.record.borrow_mut();
        let Record {
            pool,
            samples,
            values,
        } = &mut *record;
        values.update_through(pool, node, |id| {
            samples.get(id.0 as usize).copied().unwrap_or(1.0)
        });
        match values.get(node) {
            Some(Value::Number(value)) => *value,
            _ => f64::NAN,
        }
    }
}

impl Symbolic {
    /// What no formula can say.
    pub fn not_recordable() -> Self {
        Symbolic {
            form: Form::NotRecordable,
        }
    }
    /// Whether it has a node.
    pub fn is_recordable(&self) -> bool {
        !matches!(self.form, Form::NotRecordable)
    }
    /// The number, if it is one and its double is exact.
    pub fn exactly(&self) -> Option<f64> {
        self.form.exactly()
    }
    /// Whether it is literally zero.
    pub fn is_zero(&self) -> bool {
        self.exactly() == Some(0.0)
    }
    /// Its value at the sample point; NaN where it has none.
    pub fn sample(&self) -> f64 {
        self.form.sample()
    }
    fn literal(literal: Literal) -> Self {
        Symbolic {
            form: Form::Literal(literal),
        }
    }
}

impl Form {
    fn literal(&self) -> Option<Literal> {
        match self {
            Form::Literal(literal) => Some(*literal),
            Form::Recorded(recorder, id) => match recorder.pool().node(*id) {
                Node::Number(literal) => Some(literal),
                _ => None,
            },
            Form::Free(_) | Form::NotRecordable => None,
        }
    }
    fn exactly(&self) -> Option<f64> {
        self.literal()
            .filter(|literal| literal.is_exact())
            .map(Literal::value)
    }
    fn sample(&self) -> f64 {
        match self {
            Form::Literal(literal) => literal.value(),
            Form::NotRecordable => f64::NAN,
            Form::Recorded(recorder, node) => recorder.sample(*node),
            Form::Free(free) => match &**free {
                Free::Pi => std::f64::consts::PI,
                Free::Unary(function, a) => arithmetic::unary_sample(*function, a.sample()),
                Free::Binary(function, a, b) => arithmetic::binary_sample(*function, a.sample(), b.sample()),
                Free::Integer(a, n) => Scalar::powi(&a.sample(), *n),
            },
        }
    }
}

impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        if let (Some(a), Some(b)) = (self.literal(), other.literal()) {
            // The signs of zeros are forgotten.
            return a == b || (a.is_exact() && b.is_exact() && a.value() == b.value());
        }
        match (self, other) {
            (Form::Free(a), Form::Free(b)) => Rc::ptr_eq(a, b),
            (Form::Recorded(p, a), Form::Recorded(q, b)) => p.is(q) && a == b,
            _ => false,
        }
    }
}

/// Whether both are certainly the same number; what is not recordable is nothing's equal.
impl PartialEq for Symbolic {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

/// How two literals compare: different doubles compare as what they stand for do.
fn order(a: &Symbolic, b: &Symbolic) -> Option<std::cmp::Ordering> {
    let (x, y) = (a.form.literal()?, b.form.literal()?);
    let found = x.value().partial_cmp(&y.value())?;
    (found.is_ne() || (x.is_exact() && y.is_exact())).then_some(found)
}

macro_rules! record_unary {
    ($($name:ident $function:ident)+) => {$(
        fn $name(&self) -> Self {
            self.unary(UnaryFunction::$function)
        }
    )+};
}

impl Scalar for Symbolic {
    record_unary!(
        sqrt Sqrt sin Sin cos Cos tan Tan asin Asin acos Acos atan Atan sinh Sinh cosh Cosh tanh Tanh
        exp Exp ln Ln abs Abs sign Sign floor Floor
    );

    fn from_f64(value: f64) -> Self {
        if value.is_nan() {
            return Self::not_recordable();
        }
        Self::literal(Literal::exact(value + 0.0))
    }
    fn from_literal(value: f64, exact: bool) -> Self {
        if exact || value.is_nan() {
            Self::from_f64(value)
        } else {
            Self::literal(Literal::nearest(value))
        }
    }
    fn pi() -> Self {
        Symbolic {
            form: Form::Free(Rc::new(Free::Pi)),
        }
    }
    fn atan2(&self, x: &Self) -> Self {
        self.binary(BinaryFunction::Atan2, x)
    }
    fn min(&self, other: &Self) -> Self {
        self.binary(BinaryFunction::Min, other)
    }
    fn max(&self, other: &Self) -> Self {
        self.binary(BinaryFunction::Max, other)
    }
    fn powi(&self, exponent: i32) -> Self {
        self.integer_power(exponent)
    }
    fn powf(&self, exponent: &Self) -> Self {
        self.binary(BinaryFunction::Power, exponent)
    }
    fn lt(&self, other: &Self) -> Tri {
        if self == other {
            return Tri::False;
        }
        order(self, other).map_or(Tri::Unknown, |found| Tri::from(found.is_lt()))
    }
    fn le(&self, other: &Self) -> Tri {
        if self == other {
            return Tri::True;
        }
        order(self, other).map_or(Tri::Unknown, |found| Tri::from(found.is_le()))
    }
    fn eq_tri(&self, other: &Self) -> Tri {
        if self == other {
            return Tri::True;
        }
        if let Some(found) = order(self, other) {
            return Tri::from(found.is_eq());
        }
        // See the header: asked before a division, which stays in the formula.
        let sample = self.sample();
        if other.is_zero() && sample.is_finite() && sample != 0.0 {
            return Tri::False;
        }
        Tri::Unknown
    }
    fn select(condition: Tri, if_true: Self, if_false: Self) -> Self {
        match condition {
            Tri::True => if_true,
            Tri::False => if_false,
            Tri::Unknown if if_true == if_false => if_true,
            Tri::Unknown => Self::not_recordable(),
        }
    }
}
