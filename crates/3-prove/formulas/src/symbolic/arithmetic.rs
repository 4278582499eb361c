//! The operations of [`Symbolic`], with the simplifications of the header of its module.

use super::{Form, Free, Recorder, Symbolic, exact};
use dyverse_expr::{BinaryFunction, Literal, Node, UnaryFunction};
use dyverse_num::Scalar;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;

use BinaryFunction as F;

impl Form {
    fn recorder(&self) -> Option<&Recorder> {
        match self {
            Form::Recorded(recorder, _) => Some(recorder),
            _ => None,
        }
    }
    /// A number, of a recorder if there is one: what meets a model's numbers stays where equal ones are one.
    fn known(literal: Literal, recorder: Option<&Recorder>) -> Form {
        match recorder {
            Some(recorder) => recorder.form(recorder.with_pool(|pool| pool.literal(literal))),
            None => Form::Literal(literal),
        }
    }
    /// x, if this is −x.
    fn negated(&self) -> Option<Form> {
        if let Some(literal) = self.literal() {
            let is_negative = literal.value() < 0.0;
            return is_negative.then(|| Form::known(opposite(literal), self.recorder()));
        }
        let Form::Recorded(recorder, id) = self else {
            return None;
        };
        let node = recorder.pool().node(*id);
        match node {
            Node::Unary(UnaryFunction::Negate, a) => Some(recorder.form(a)),
            _ => None,
        }
    }
    /// x, if this is −x and no number.
    fn negated_term(&self) -> Option<Form> {
        self.negated().filter(|_| self.literal().is_none())
    }
    /// The operands, if this is such an operation.
    fn operands(&self, wanted: BinaryFunction) -> Option<[Form; 2]> {
        let Form::Recorded(recorder, id) = self else {
            return None;
        };
        let node = recorder.pool().node(*id);
        match node {
            Node::Binary(function, a, b) if function == wanted => Some([recorder.form(a), recorder.form(b)]),
            _ => None,
        }
    }
}

/// The decimal −d has the nearest double −x if d has x.
fn opposite(literal: Literal) -> Literal {
    if literal.is_exact() {
        Literal::exact(0.0 - literal.value())
    } else {
        Literal::nearest(-literal.value())
    }
}

impl Symbolic {
    /// A function of one number.
    pub fn unary(&self, function: UnaryFunction) -> Self {
        Symbolic {
            form: unary(function, &self.form),
        }
    }
    /// A function of two numbers.
    pub fn binary(&self, function: BinaryFunction, other: &Self) -> Self {
        Symbolic {
            form: binary(function, &self.form, &other.form),
        }
    }
    /// aⁿ.
    pub fn integer_power(&self, n: i32) -> Self {
        Symbolic {
            form: integer_power(&self.form, n),
        }
    }
}

fn unary(function: UnaryFunction, a: &Form) -> Form {
    if function == UnaryFunction::Negate {
        if let Some(literal) = a.literal() {
            return Form::known(opposite(literal), a.recorder());
        }
        if let Some(inner) = a.negated() {
            return inner;
        }
        if let Some([x, y]) = a.operands(F::Subtract) {
            return plain(F::Subtract, &y, &x);
        }
    }
    if let Some(value) = a.exactly().and_then(|a| exact::unary(function, a)) {
        return Form::known(Literal::exact(value), a.recorder());
    }
    match a {
        Form::NotRecordable => Form::NotRecordable,
        Form::Recorded(recorder, id) => recorder.form(recorder.with_pool(|pool| pool.unary(function, *id))),
        _ => Form::Free(Rc::new(Free::Unary(function, a.clone()))),
    }
}

fn negate(a: &Form) -> Form {
    unary(UnaryFunction::Negate, a)
}

fn integer_power(a: &Form, n: i32) -> Form {
    if let Some(value) = a.exactly().and_then(|a| exact::integer_power(a, n)) {
        return Form::known(Literal::exact(value), a.recorder());
    }
    match a {
        Form::NotRecordable => Form::NotRecordable,
        Form::Recorded(recorder, id) => {
            let base = match (n % 2, a.negated_term()) {
                (0, Some(Form::Recorded(_, inner))) => inner,
                _ => *id,
            };
            recorder.form(recorder.with_pool(|pool| pool.integer_power(base, n)))
        }
        _ => Form::Free(Rc::new(Free::Integer(a.clone(), n))),
    }
}

fn binary(function: BinaryFunction, a: &Form, b: &Form) -> Form {
    if matches!(a, Form::NotRecordable) || matches!(b, Form::NotRecordable) {
        return Form::NotRecordable;
    }
    if let (Some(x), Some(y)) = (a.exactly(), b.exactly())
        && let Some(value) = exact::binary(function, x, y)
    {
        let recorder = a.recorder().or_else(|| b.recorder());
        return Form::known(Literal::exact(value), recorder);
    }
    let simple = match function {
        F::Add => simple_sum(a, b),
        F::Subtract => simple_difference(a, b),
        F::Multiply => simple_product(a, b),
        F::Divide => simple_quotient(a, b),
        F::Min | F::Max => (a == b).then(|| a.clone()),
        F::Power | F::Atan2 => None,
    };
    simple.unwrap_or_else(|| plain(function, a, b))
}

/// As it stands; the pool simplifies what it can.
fn plain(function: BinaryFunction, a: &Form, b: &Form) -> Form {
    let Some(recorder) = a.recorder().or_else(|| b.recorder()) else {
        return Form::Free(Rc::new(Free::Binary(function, a.clone(), b.clone())));
    };
    match (recorder.intern(a), recorder.intern(b)) {
        (Some(a), Some(b)) => recorder.form(recorder.with_pool(|pool| pool.binary(function, a, b))),
        _ => Form::NotRecordable,
    }
}

fn simple_sum(a: &Form, b: &Form) -> Option<Form> {
    if a.exactly() == Some(0.0) {
        return Some(b.clone());
    }
    if b.exactly() == Some(0.0) {
        return Some(a.clone());
    }
    if let Some(inner) = b.negated() {
        return Some(binary(F::Subtract, a, &inner));
    }
    if let Some(inner) = a.negated() {
        return Some(binary(F::Subtract, b, &inner));
    }
    if let Some([x, y]) = a.operands(F::Subtract)
        && y == *b
    {
        return Some(x); // (x − y) + y
    }
    if let Some([x, y]) = b.operands(F::Subtract)
        && y == *a
    {
        return Some(x); // y + (x − y)
    }
    None
}

fn simple_difference(a: &Form, b: &Form) -> Option<Form> {
    if a == b {
        return Some(Form::known(
            Literal::exact(0.0),
            a.recorder().or_else(|| b.recorder()),
        ));
    }
    if b.exactly() == Some(0.0) {
        return Some(a.clone());
    }
    if a.exactly() == Some(0.0) {
        return Some(negate(b));
    }
    if let Some(inner) = b.negated() {
        return Some(binary(F::Add, a, &inner));
    }
    if let Some([x, y]) = a.operands(F::Add) {
        if x == *b {
            return Some(y); // (x + y) − x
        }
        if y == *b {
            return Some(x);
        }
    }
    if let Some([x, y]) = a.operands(F::Subtract)
        && x == *b
    {
        return Some(negate(&y)); // (x − y) − x
    }
    None
}

fn simple_product(a: &Form, b: &Form) -> Option<Form> {
    for (one, other) in [(a, b), (b, a)] {
        match one.exactly() {
            Some(0.0) => {
                return Some(Form::known(
                    Literal::exact(0.0),
                    a.recorder().or_else(|| b.recorder()),
                ));
            }
            Some(1.0) => return Some(other.clone()),
            Some(-1.0) => return Some(negate(other)),
            _ => {}
        }
    }
    if a == b {
        return Some(integer_power(a, 2));
    }
    if let Some(inner) = a.negated_term() {
        return Some(negate(&binary(F::Multiply, &inner, b)));
    }
    let inner = b.negated_term()?;
    Some(negate(&binary(F::Multiply, a, &inner)))
}

fn simple_quotient(a: &Form, b: &Form) -> Option<Form> {
    if b.exactly() == Some(0.0) {
        return None;
    }
    if a.exactly() == Some(0.0) {
        return Some(Form::known(
            Literal::exact(0.0),
            a.recorder().or_else(|| b.recorder()),
        ));
    }
    match b.exactly() {
        Some(1.0) => return Some(a.clone()),
        Some(-1.0) => return Some(negate(a)),
        _ => {}
    }
    if a == b {
        return Some(Form::known(
            Literal::exact(1.0),
            a.recorder().or_else(|| b.recorder()),
        ));
    }
    if let Some(inner) = a.negated_term() {
        return Some(negate(&binary(F::Divide, &inner, b)));
    }
    let [x, y] = a.operands(F::Multiply)?;
    if y == *b {
        Some(x) // x y / y
    } else if x == *b {
        Some(y)
    } else {
        None
    }
}

macro_rules! operators {
    ($($trait:ident $name:ident $function:ident)+) => {$(
        impl $trait for Symbolic {
            type Output = Self;

            fn $name(self, other: Self) -> Self {
                self.binary(BinaryFunction::$function, &other)
            }
        }
    )+};
}

operators!(Add add Add Sub sub Subtract Mul mul Multiply Div div Divide);

impl Neg for Symbolic {
    type Output = Self;

    fn neg(self) -> Self {
        self.unary(UnaryFunction::Negate)
    }
}

/// A function on doubles.
pub(super) fn unary_sample(function: UnaryFunction, a: f64) -> f64 {
    use UnaryFunction as U;
    match function {
        U::Negate => -a,
        U::Sqrt => Scalar::sqrt(&a),
        U::Sin => Scalar::sin(&a),
        U::Cos => Scalar::cos(&a),
        U::Tan => Scalar::tan(&a),
        U::Asin => Scalar::asin(&a),
        U::Acos => Scalar::acos(&a),
        U::Atan => Scalar::atan(&a),
        U::Sinh => Scalar::sinh(&a),
        U::Cosh => Scalar::cosh(&a),
        U::Tanh => Scalar::tanh(&a),
        U::Exp => Scalar::exp(&a),
        U::Ln => Scalar::ln(&a),
        U::Abs => Scalar::abs(&a),
        U::Sign => Scalar::sign(&a),
        U::Floor => Scalar::floor(&a),
    }
}

/// A function on doubles.
pub(super) fn binary_sample(function: BinaryFunction, a: f64, b: f64) -> f64 {
    match function {
        F::Add => a + b,
        F::Subtract => a - b,
        F::Multiply => a * b,
        F::Divide => a / b,
        F::Power => Scalar::powf(&a, &b),
        F::Min => Scalar::min(&a, &b),
        F::Max => Scalar::max(&a, &b),
        F::Atan2 => Scalar::atan2(&a, &b),
    }
}
