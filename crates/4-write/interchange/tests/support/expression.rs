//! Expressions and formulas of both formats: tokens, trees, values.

use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Number(f64),
    /// With primes.
    Word(String),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "==>", "<=", ">=", "==", ":=", "d/dt", "<", ">", "=", "+", "-", "*", "/", "^", "(", ")", "[", "]", "{",
    "}", ",", ":", ";", "@", "&", "'",
];

/// Tokens of a text; comments (`//` to the end of the line) are left out.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap();
        let mut rest = line.trim_start();
        while !rest.is_empty() {
            let length = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
            let first = rest.chars().next().unwrap();
            let taken = if first.is_ascii_digit() {
                let n = length(|c| c.is_ascii_digit() || c == '.');
                found.push(Token::Number(
                    rest[..n].parse().unwrap_or_else(|_| panic!("no number: {rest}")),
                ));
                n
            } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
                found.push(Token::Sign(sign));
                sign.len()
            } else if first.is_ascii_alphabetic() {
                let n = length(|c| c.is_ascii_alphanumeric() || c == '_');
                found.push(Token::Word(rest[..n].to_owned()));
                n
            } else {
                panic!("no token: {rest}")
            };
            rest = rest[taken..].trim_start();
        }
    }
    found
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Number(f64),
    Variable(String),
    Negate(Box<Expression>),
    Operator(char, Box<Expression>, Box<Expression>),
    Call(String, Vec<Expression>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    Constant(bool),
    Compare(Expression, &'static str, Expression),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
}

pub(crate) type Values = BTreeMap<String, f64>;

const FUNCTIONS: &[(&str, usize)] = &[
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("atan2", 2),
    ("min", 2),
    ("max", 2),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("log", 1),
    ("exp", 1),
    ("sqrt", 1),
    ("abs", 1),
];

impl Expression {
    pub(crate) fn value(&self, at: &Values) -> f64 {
        match self {
            Expression::Number(n) => *n,
            Expression::Variable(name) => *at.get(name).unwrap_or_else(|| panic!("no variable {name}")),
            Expression::Negate(a) => -a.value(at),
            Expression::Operator(o, a, b) => {
                let (a, b) = (a.value(at), b.value(at));
                match o {
                    '+' => a + b,
                    '-' => a - b,
                    '*' => a * b,
                    '/' => a / b,
                    _ if b.fract() == 0.0 => a.powi(b as i32),
                    _ => a.powf(b),
                }
            }
            Expression::Call(name, of) => {
                let of: Vec<f64> = of.iter().map(|e| e.value(at)).collect();
                match (name.as_str(), of.as_slice()) {
                    ("sin", [a]) => a.sin(),
                    ("cos", [a]) => a.cos(),
                    ("sqrt", [a]) => a.sqrt(),
                    ("abs", [a]) => a.abs(),
                    ("exp", [a]) => a.exp(),
                    ("log", [a]) => a.ln(),
                    ("min", [a, b]) => a.min(*b),
                    ("max", [a, b]) => a.max(*b),
                    other => panic!("no value of {other:?}"),
                }
            }
        }
    }

    pub(crate) fn variables(&self, into: &mut Vec<String>) {
        match self {
            Expression::Number(_) => {}
            Expression::Variable(name) => into.push(name.clone()),
            Expression::Negate(a) => a.variables(into),
            Expression::Operator(_, a, b) => {
                a.variables(into);
                b.variables(into);
            }
            Expression::Call(_, of) => of.iter().for_each(|e| e.variables(into)),
        }
    }

    /// Whether it is a sum of numbers times variables.
    pub(crate) fn is_affine(&self) -> bool {
        let reads = |e: &Expression| {
            let mut all = Vec::new();
            e.variables(&mut all);
            !all.is_empty()
        };
        match self {
            Expression::Number(_) | Expression::Variable(_) => true,
            Expression::Negate(a) => a.is_affine(),
            Expression::Operator('+' | '-', a, b) => a.is_affine() && b.is_affine(),
            Expression::Operator('*', a, b) => !(reads(a) && reads(b)) && a.is_affine() && b.is_affine(),
            Expression::Operator('/', a, b) => a.is_affine() && !reads(b),
            _ => !reads(self),
        }
    }
}

impl Formula {
    pub(crate) fn holds(&self, at: &Values) -> bool {
        self.holds_nearly(at, 0.0)
    }
    /// With some room on the right side of every comparison.
    pub(crate) fn holds_nearly(&self, at: &Values, room: f64) -> bool {
        match self {
            Formula::Constant(value) => *value,
            Formula::Compare(a, sign, b) => {
                let difference = a.value(at) - b.value(at);
                match *sign {
                    "<" if room == 0.0 => difference < 0.0,
                    ">" if room == 0.0 => difference > 0.0,
                    "<" | "<=" => difference <= room,
                    ">" | ">=" => difference >= -room,
                    _ => difference.abs() <= room,
                }
            }
            Formula::And(parts) => parts.iter().all(|p| p.holds_nearly(at, room)),
            Formula::Or(parts) => parts.iter().any(|p| p.holds_nearly(at, room)),
            Formula::Not(inner) => !inner.holds(at),
        }
    }
    pub(crate) fn comparisons(&self) -> Vec<&Formula> {
        match self {
            Formula::Constant(_) => Vec::new(),
            Formula::Compare(..) => vec![self],
            Formula::And(parts) | Formula::Or(parts) => parts.iter().flat_map(Formula::comparisons).collect(),
            Formula::Not(inner) => inner.comparisons(),
        }
    }
    pub(crate) fn variables(&self, into: &mut Vec<String>) {
        for comparison in self.comparisons() {
            if let Formula::Compare(a, _, b) = comparison {
                a.variables(into);
                b.variables(into);
            }
        }
    }
}

/// Reads tokens one after the other.
pub(crate) struct Reader {
    tokens: Vec<Token>,
    place: usize,
}

type Read<T> = Result<T, String>;

impl Reader {
    pub(crate) fn new(text: &str) -> Self {
        Reader {
            tokens: tokens(text),
            place: 0,
        }
    }
    pub(crate) fn is_at_end(&self) -> bool {
        self.place == self.tokens.len()
    }
    fn error<T>(&self, wanted: &str) -> Read<T> {
        let around = &self.tokens[self.place.min(self.tokens.len())..(self.place + 8).min(self.tokens.len())];
        Err(format!("{wanted} wanted at {around:?}"))
    }
    pub(crate) fn next_is(&self, sign: &str) -> bool {
        match self.tokens.get(self.place) {
            Some(Token::Sign(s)) => *s == sign,
            Some(Token::Word(w)) => w == sign,
            _ => false,
        }
    }
    pub(crate) fn accept(&mut self, sign: &str) -> bool {
        let found = self.next_is(sign);
        self.place += usize::from(found);
        found
    }
    pub(crate) fn expect(&mut self, sign: &str) -> Read<()> {
        if self.accept(sign) {
            Ok(())
        } else {
            self.error(sign)
        }
    }
    pub(crate) fn word(&mut self) -> Read<String> {
        match self.tokens.get(self.place) {
            Some(Token::Word(w)) => {
                self.place += 1;
                Ok(w.clone())
            }
            _ => self.error("an identifier"),
        }
    }
    pub(crate) fn number(&mut self) -> Read<f64> {
        let is_minus = self.accept("-");
        match self.tokens.get(self.place) {
            Some(Token::Number(n)) => {
                self.place += 1;
                Ok(if is_minus { -n } else { *n })
            }
            _ => self.error("a number"),
        }
    }

    // Sums, products, signs, powers (to the right), as both grammars bind them.
    pub(crate) fn expression(&mut self) -> Read<Expression> {
        let mut left = self.product()?;
        loop {
            let o = if self.accept("+") {
                '+'
            } else if self.accept("-") {
                '-'
            } else {
                return Ok(left);
            };
            left = Expression::Operator(o, Box::new(left), Box::new(self.product()?));
        }
    }
    fn product(&mut self) -> Read<Expression> {
        let mut left = self.signed()?;
        loop {
            let o = if self.accept("*") {
                '*'
            } else if self.accept("/") {
                '/'
            } else {
                return Ok(left);
            };
            left = Expression::Operator(o, Box::new(left), Box::new(self.signed()?));
        }
    }
    fn signed(&mut self) -> Read<Expression> {
        if self.accept("-") {
            return Ok(Expression::Negate(Box::new(self.signed()?)));
        }
        let base = self.atom()?;
        if self.accept("^") {
            return Ok(Expression::Operator(
                '^',
                Box::new(base),
                Box::new(self.signed()?),
            ));
        }
        Ok(base)
    }
    fn atom(&mut self) -> Read<Expression> {
        if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Some(Token::Number(n)) = self.tokens.get(self.place) {
            self.place += 1;
            return Ok(Expression::Number(*n));
        }
        let mut name = self.word()?;
        if let Some((_, count)) = FUNCTIONS.iter().find(|(f, _)| *f == name) {
            self.expect("(")?;
            let mut of = vec![self.expression()?];
            while self.accept(",") {
                of.push(self.expression()?);
            }
            self.expect(")")?;
            if of.len() != *count {
                return self.error(&format!("{count} arguments of {name}"));
            }
            return Ok(Expression::Call(name, of));
        }
        if ["and", "or", "not", "true", "false"].contains(&name.as_str()) {
            return self.error("an expression");
        }
        if self.accept("'") {
            name.push('\'');
        }
        Ok(Expression::Variable(name))
    }
    pub(crate) fn comparison(&mut self, signs: &[&'static str]) -> Read<Formula> {
        let left = self.expression()?;
        let Some(sign) = signs.iter().find(|s| self.next_is(s)) else {
            return self.error("a comparison");
        };
        self.expect(sign)?;
        Ok(Formula::Compare(left, sign, self.expression()?))
    }
    /// A formula of .drh files: prefix connectives, infix comparisons.
    pub(crate) fn formula(&mut self) -> Read<Formula> {
        if self.accept("true") {
            return Ok(Formula::Constant(true));
        }
        if self.accept("false") {
            return Ok(Formula::Constant(false));
        }
        if self.accept("not") {
            return Ok(Formula::Not(Box::new(self.formula()?)));
        }
        if self.next_is("and") || self.next_is("or") {
            let is_and = self.accept("and");
            if !is_and {
                self.expect("or")?;
            }
            let mut parts = Vec::new();
            while self.next_is("(") || self.next_is("true") || self.next_is("false") {
                parts.push(self.formula()?);
            }
            return Ok(if is_and {
                Formula::And(parts)
            } else {
                Formula::Or(parts)
            });
        }
        // A bracket opens a formula or an expression: whichever can be read.
        let start = self.place;
        if let Ok(found) = self.comparison(&["<=", ">=", "=", "<", ">"]) {
            return Ok(found);
        }
        self.place = start;
        self.expect("(")?;
        let inner = self.formula()?;
        self.expect(")")?;
        Ok(inner)
    }
}
