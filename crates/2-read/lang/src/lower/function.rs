//! Calls: the functions of expressions.

use super::expression::Lowering;
use super::typed::Typed;
use crate::actors::OPERATORS;
use crate::syntax::ast::Name;
use dyverse_diag::{Diagnostic, Origin, codes, finding, report};
use dyverse_expr::{BinaryFunction, NodeId, Relation, UnaryFunction};
use dyverse_model::{ContactQuantity, Symbol};

/// An argument: its name if it has one, its value, where it stands.
pub(crate) type Given = (Option<Name>, Typed, Origin);

/// Functions besides those of one number and the contact quantities.
const OTHERS: &[&str] = &[
    "min",
    "max",
    "atan2",
    "norm",
    "dot",
    "cross",
    "unit",
    "clamp",
    "quaternion",
    "rotation",
];

/// Whether the language has a function of this name.
pub(crate) fn is_built_in(name: &str) -> bool {
    UnaryFunction::NAMED.iter().any(|f| f.name() == name)
        || ContactQuantity::ALL.iter().any(|q| q.name() == name)
        || OTHERS.contains(&name)
        || OPERATORS.contains(&name)
}

impl Lowering<'_, '_> {
    pub(crate) fn call(&mut self, function: &Name, given: &[Given], origin: Origin) -> Typed {
        if given.iter().any(|(_, value, _)| value.is_broken()) {
            return Typed::Broken;
        }
        let name = function.text.as_str();
        if let Some(value) = self.user_call(function, given, origin) {
            return value;
        }
        if let Some(value) = self.operator_call(function, given, origin) {
            return value;
        }
        if let Some(unary) = UnaryFunction::NAMED.iter().find(|f| f.name() == name) {
            return match self.arguments(function, given, &["x"]).as_deref() {
                Some([Typed::Number(a)]) => Typed::Number(self.context.pool.unary(*unary, *a)),
                Some([Typed::Vector(_)]) if *unary == UnaryFunction::Abs => {
                    self.wrong_argument(function, origin, "`abs` is of a number")
                }
                Some(_) => self.wrong_argument(function, origin, &format!("`{name}` is of one number")),
                None => Typed::Broken,
            };
        }
        if let Some(quantity) = ContactQuantity::ALL.into_iter().find(|q| q.name() == name) {
            return self.contact_quantity(quantity, function, given, origin);
        }
        match name {
            "min" | "max" => self.extremum(function, given, origin),
            "atan2" => match self.arguments(function, given, &["y", "x"]).as_deref() {
                Some([Typed::Number(y), Typed::Number(x)]) => {
                    Typed::Number(self.context.pool.binary(BinaryFunction::Atan2, *y, *x))
                }
                Some(_) => self.wrong_argument(function, origin, "`atan2(y, x)` is of two numbers"),
                None => Typed::Broken,
            },
            "clamp" => match self.arguments(function, given, &["x", "low", "high"]).as_deref() {
                Some([Typed::Number(x), Typed::Number(low), Typed::Number(high)]) => {
                    let above = self.context.pool.binary(BinaryFunction::Max, *x, *low);
                    Typed::Number(self.context.pool.binary(BinaryFunction::Min, above, *high))
                }
                Some(_) => self.wrong_argument(function, origin, "`clamp(x, low, high)` is of three numbers"),
                None => Typed::Broken,
            },
            "norm" | "unit" => match self.arguments(function, given, &["v"]).as_deref() {
                Some([Typed::Vector(v)]) => {
                    let length = self.norm(*v);
                    if name == "norm" {
                        return Typed::Number(length);
                    }
                    Typed::Vector(v.map(|a| self.context.pool.divide(a, length)))
                }
                Some(_) => self.wrong_argument(function, origin, &format!("`{name}(v)` is of a vector")),
                None => Typed::Broken,
            },
            "dot" | "cross" => match self.arguments(function, given, &["a", "b"]).as_deref() {
                Some([Typed::Vector(a), Typed::Vector(b)]) if name == "dot" => {
                    Typed::Number(self.dot(*a, *b))
                }
                Some([Typed::Vector(a), Typed::Vector(b)]) => Typed::Vector(self.cross(*a, *b)),
                Some(_) => {
                    self.wrong_argument(function, origin, &format!("`{name}(a, b)` is of two vectors"))
                }
                None => Typed::Broken,
            },
            "quaternion" => match self.arguments(function, given, &["w", "x", "y", "z"]).as_deref() {
                Some(
                    [
                        Typed::Number(w),
                        Typed::Number(x),
                        Typed::Number(y),
                        Typed::Number(z),
                    ],
                ) => {
                    let q = [*w, *x, *y, *z];
                    self.unit_quaternion(q)
                }
                Some(_) => {
                    self.wrong_argument(function, origin, "`quaternion(w, x, y, z)` is of four numbers")
                }
                None => Typed::Broken,
            },
            "rotation" => match self.arguments(function, given, &["axis", "angle"]).as_deref() {
                Some([Typed::Vector(axis), Typed::Number(angle)]) => self.rotation(*axis, *angle),
                Some(_) => self.wrong_argument(
                    function,
                    origin,
                    "`rotation(axis = v, angle = a)` is of a vector and an angle in radians",
                ),
                None => Typed::Broken,
            },
            _ => self.unknown_function(function),
        }
    }

    /// `message` says of what the function is.
    pub(crate) fn wrong_argument(&mut self, function: &Name, origin: Origin, message: &str) -> Typed {
        let help = match function.text.as_str() {
            "abs" => "the length of a vector is `norm(v)`",
            "min" | "max" => "write for example min(a, b)",
            "lookup" => "declare the table, `table wind = \"wind.csv\"`, and write lookup(wind, time)",
            "impact" => "name two entities, as in impact(arm.a, arm.b)",
            "gate" => "compare, as in gate(x > 0)",
            name if ContactQuantity::ALL.iter().any(|q| q.name() == name) => "name two different entities",
            _ => "name the components of a vector, as in `v.x`; write a vector as (x, y, z)",
        };
        report!(self.context, L022 at origin, message;
            label "wrong arguments of `{}`", function.text;
            help help);
        Typed::Broken
    }

    fn unknown_function(&mut self, function: &Name) -> Typed {
        if self.context.is_full() {
            return Typed::Broken;
        }
        let named = UnaryFunction::NAMED.iter().map(|f| f.name());
        let contact = ContactQuantity::ALL.iter().map(|q| q.name());
        let declared = self.context.functions.keys().map(String::as_str);
        let known = named.chain(contact).chain(OTHERS.iter().copied()).chain(declared);
        let operators: &[&str] = if self.scope.locals.is_some() {
            OPERATORS
        } else {
            &[]
        };
        let finding = finding!(L009 at function.origin, "no function is called `{}`", function.text;
            label "not known";
            near &function.text, known.chain(operators.iter().copied()),
                "a product needs `*`; docs/LANGUAGE.md lists the functions; one declared with `fun` is known below it");
        self.context.report(finding);
        Typed::Broken
    }

    /// Arguments put in the order of `parameters`; reports and gives `None` if they do not fit.
    pub(crate) fn arguments(
        &mut self,
        function: &Name,
        given: &[Given],
        parameters: &[&str],
    ) -> Option<Vec<Typed>> {
        let mut placed: Vec<Option<Typed>> = vec![None; parameters.len()];
        for (position, (name, value, origin)) in given.iter().enumerate() {
            let place = match name {
                Some(name) => parameters.iter().position(|p| *p == name.text),
                None => Some(position),
            };
            match place.and_then(|p| placed.get_mut(p)) {
                Some(slot) if slot.is_none() => *slot = Some(value.clone()),
                _ => {
                    match name {
                        Some(name) => self.misnamed(function, name, parameters),
                        None => self.miscounted(function, *origin, given.len(), parameters),
                    }
                    return None;
                }
            }
        }
        let all: Option<Vec<Typed>> = placed.into_iter().collect();
        if all.is_none() {
            self.miscounted(function, function.origin, given.len(), parameters);
        }
        all
    }

    /// An argument with a name that is unknown, or given before.
    pub(crate) fn misnamed(&mut self, function: &Name, name: &Name, parameters: &[&str]) {
        let (what, label) = if parameters.contains(&name.text.as_str()) {
            (format!("`{}` is given twice", name.text), "given again")
        } else {
            (
                format!("`{}` has no argument `{}`", function.text, name.text),
                "not known",
            )
        };
        report!(self.context, L023 at name.origin, what;
            label label;
            help "write {}({})", function.text, parameters.join(", "));
    }

    pub(crate) fn miscounted(&mut self, function: &Name, origin: Origin, found: usize, parameters: &[&str]) {
        self.context.report(
            Diagnostic::error(
                codes::L023,
                origin,
                format!(
                    "`{}` takes {} {}, this call has {found}",
                    function.text,
                    parameters.len(),
                    if parameters.len() == 1 {
                        "argument"
                    } else {
                        "arguments"
                    }
                ),
            )
            .label("does not fit")
            .help(format!("write {}({})", function.text, parameters.join(", "))),
        );
    }

    fn extremum(&mut self, function: &Name, given: &[Given], origin: Origin) -> Typed {
        let numbers: Option<Vec<NodeId>> = given
            .iter()
            .map(|(_, v, _)| if let Typed::Number(n) = v { Some(*n) } else { None })
            .collect();
        let Some(numbers) = numbers.filter(|n| n.len() >= 2) else {
            let message = format!("`{}` is of two numbers or more", function.text);
            return self.wrong_argument(function, origin, &message);
        };
        let which = if function.text == "min" {
            BinaryFunction::Min
        } else {
            BinaryFunction::Max
        };
        let folded = numbers
            .into_iter()
            .reduce(|a, b| self.context.pool.binary(which, a, b));
        folded.map_or(Typed::Broken, Typed::Number)
    }

    fn contact_quantity(
        &mut self,
        quantity: ContactQuantity,
        function: &Name,
        given: &[Given],
        origin: Origin,
    ) -> Typed {
        let Some(arguments) = self.arguments(function, given, &["a", "b"]) else {
            return Typed::Broken;
        };
        let [Typed::Entity(a), Typed::Entity(b)] = arguments.as_slice() else {
            return self.wrong_argument(
                function,
                origin,
                &format!("`{}(a, b)` is of two entities", function.text),
            );
        };
        if a == b {
            return self.wrong_argument(function, origin, "an entity has no contact with itself");
        }
        let node = self
            .context
            .symbol(Symbol::Contact(quantity, *a.min(b), *a.max(b)));
        if quantity == ContactQuantity::Touching {
            let one = self.context.pool.number(1.0);
            return Typed::Boolean(self.context.pool.compare(Relation::Equal, node, one));
        }
        Typed::Number(node)
    }

    /// q / |q|.
    fn unit_quaternion(&mut self, q: [NodeId; 4]) -> Typed {
        let pool = &mut self.context.pool;
        let squares = q.map(|a| pool.integer_power(a, 2));
        let sum = squares.into_iter().reduce(|a, b| pool.add(a, b));
        let Some(sum) = sum else { return Typed::Broken };
        let length = pool.sqrt(sum);
        Typed::Orientation(q.map(|a| pool.divide(a, length)))
    }

    /// (cos α/2, sin α/2 · axis/|axis|).
    fn rotation(&mut self, axis: [NodeId; 3], angle: NodeId) -> Typed {
        let length = self.norm(axis);
        let pool = &mut self.context.pool;
        let two = pool.number(2.0);
        let half = pool.divide(angle, two);
        let (cosine, sine) = (
            pool.unary(UnaryFunction::Cos, half),
            pool.unary(UnaryFunction::Sin, half),
        );
        let [x, y, z] = axis.map(|a| {
            let unit = pool.divide(a, length);
            pool.multiply(sine, unit)
        });
        Typed::Orientation([cosine, x, y, z])
    }
}
