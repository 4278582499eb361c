//! The functions of a model's expressions: inputs, loads, friction laws over the slip speed, and everything that its parameters decide.

use super::Bodies;
use crate::expression::{Helpers, write_assignments};
use crate::text::CText;
use dyverse_expr::{NodeId, SymbolId};
use dyverse_mech::Shape;
use dyverse_model::{EntityId, Inertia, Initial, Mass, StateComponent, Symbol};
use std::collections::BTreeMap;

impl Bodies<'_> {
    /// Functions that the dynamics calls.
    pub(super) fn functions(&self, model: &str, helpers: &mut Helpers) -> String {
        let mut out = CText::new();
        out.raw(
            "/* ------------------------------------------------------------------------------------------------------------------\n   \
             What the model says.\n   \
             ------------------------------------------------------------------------------------------------------------------ */\n\n",
        );
        self.input_value(model, &mut out, helpers);
        self.loads(model, &mut out, helpers);
        self.friction(model, &mut out, helpers);
        out.finish()
    }

    /// A symbol of an expression over parameters and time.
    fn constant_symbol(&self, id: SymbolId) -> String {
        match self.model.symbol(id) {
            Symbol::Parameter(p) => format!("m->parameter[{}]", p.0),
            Symbol::Time => "t".into(),
            Symbol::SlipSpeed => "speed".into(),
            _ => "NAN".into(),
        }
    }

    /// An input: as it was set, or what the model says.
    fn input_value(&self, model: &str, out: &mut CText, helpers: &mut Helpers) {
        out.line("/* The value of an input. */");
        out.line(format!(
            "static double input_value(const {model} *m, int input, double t)"
        ));
        out.open("{");
        out.line("(void)t;");
        out.open("if (m->is_driven[input]) {");
        out.line("return m->input[input];");
        out.close("}");
        for (number, input) in self.model.inputs().iter().enumerate() {
            out.open(format!("if (input == {number}) {{"));
            let value = write_assignments(
                self.model.pool(),
                &[input.default],
                |id| self.constant_symbol(id),
                helpers,
                out,
            );
            out.line(format!("return {};", value.concat()));
            out.close("}");
        }
        out.line("return 0.0;");
        out.close("}");
        out.line("");
    }

    fn load_symbol(&self, id: SymbolId) -> String {
        match self.model.symbol(id) {
            Symbol::Parameter(p) => format!("m->parameter[{}]", p.0),
            Symbol::Mass(e) => format!("m->mass[{}]", e.0),
            Symbol::Time => "t".into(),
            Symbol::Input(i) => format!("input_value(m, {}, t)", i.0),
            Symbol::State(e, component) => self.state_symbol(e, component),
            // Not in loads: the language does not let them in.
            Symbol::SlipSpeed | Symbol::Contact(..) => "NAN".into(),
        }
    }

    fn state_symbol(&self, entity: EntityId, component: StateComponent) -> String {
        match self.places[entity.0] {
            Some(free) => format!("x[{}]", 13 * free + component.place()),
            None => format!("m->start[{}]", 13 * entity.0 + component.place()),
        }
    }

    /// All loads in one pass: what several of them share is evaluated once.
    fn loads(&self, model: &str, out: &mut CText, helpers: &mut Helpers) {
        let free = |e: EntityId| self.places[e.0];
        let loads: Vec<_> = self
            .model
            .loads()
            .iter()
            .filter_map(|load| free(load.on).map(|place| (load, place)))
            .collect();
        let roots: Vec<NodeId> = loads
            .iter()
            .flat_map(|(load, _)| load.force.into_iter().chain(load.moment))
            .collect();
        out.line("/* Adds the applied forces and moments on all moving entities to h. */");
        out.line(format!(
            "static void loads(const {model} *m, double t, const double *x, double *h)"
        ));
        out.open("{");
        let names = write_assignments(self.model.pool(), &roots, |id| self.load_symbol(id), helpers, out);
        out.line("(void)m;");
        out.line("(void)t;");
        out.line("(void)x;");
        out.line("(void)h;");
        for ((load, place), six) in loads.iter().zip(names.chunks(6)) {
            out.line(format!(
                "/* {} on {} */",
                load.kind.word(),
                crate::text::comment(&self.model.entity(load.on).name)
            ));
            for (k, name) in six.iter().enumerate().filter(|(_, name)| *name != "0.0") {
                out.line(format!("h[{}] += {name};", 6 * place + k));
            }
        }
        out.close("}");
        out.line("");
    }

    /// Whether a law's friction reads the slip speed.
    fn reads_speed(&self, node: NodeId) -> bool {
        let symbols = self.model.pool().symbols(&[node]);
        symbols
            .iter()
            .any(|id| self.model.symbol(*id) == Symbol::SlipSpeed)
    }

    /// Friction laws over the slip speed, each once, and which contact has which.
    fn friction(&self, model: &str, out: &mut CText, helpers: &mut Helpers) {
        let mut laws: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for (number, contact) in self.contacts.iter().enumerate() {
            let node = self.model.law(contact.entities.0, contact.entities.1).friction;
            if self.reads_speed(node) {
                laws.entry(node).or_default().push(number);
            }
        }
        if laws.is_empty() {
            out.line("#define IS_FRICTION_OF_SPEED(contact) 0");
            out.line("#define friction_at(m, contact, speed) ((void)(speed), NAN)");
            out.line("");
            return;
        }
        let mut of_contact = vec![-1_i64; self.contacts.len()];
        for (law, (_, contacts)) in laws.iter().enumerate() {
            for contact in contacts {
                of_contact[*contact] = law as i64;
            }
        }
        out.line("/* The law of a contact whose friction depends on the slip speed; -1 if it does not. */");
        out.table(
            "static const int SPEED_LAW[]",
            of_contact.iter().map(ToString::to_string),
        );
        out.line("#define IS_FRICTION_OF_SPEED(contact) (SPEED_LAW[contact] >= 0)");
        out.line("");
        out.line("/* The friction of a contact at a slip speed. */");
        out.line(format!(
            "static double friction_at(const {model} *m, int contact, double speed)"
        ));
        out.open("{");
        out.line("(void)m;");
        for (law, node) in laws.keys().enumerate() {
            out.open(format!("if (SPEED_LAW[contact] == {law}) {{"));
            let value = write_assignments(
                self.model.pool(),
                &[*node],
                |id| self.constant_symbol(id),
                helpers,
                out,
            );
            out.line(format!("return {};", value.concat()));
            out.close("}");
        }
        out.line("return NAN;");
        out.close("}");
        out.line("");
    }

    /// Everything that parameters decide: sizes, masses, laws, initial states.
    pub(super) fn constants(&self, model: &str, helpers: &mut Helpers) -> String {
        let mut out = CText::new();
        out.line("/* The numbers of the model for the present parameters; what was set stays as it is. */");
        out.line(format!("static void constants({model} *m)"));
        out.open("{");
        for (number, parameter) in self.model.parameters().iter().enumerate() {
            out.open(format!("if (!m->is_parameter_set[{number}]) {{"));
            let value = write_assignments(
                self.model.pool(),
                &[parameter.kind.nominal()],
                |id| self.constant_symbol(id),
                helpers,
                &mut out,
            );
            out.line(format!("m->parameter[{number}] = {};", value.concat()));
            out.close("}");
        }
        let (targets, roots): (Vec<String>, Vec<NodeId>) = self.assigned().into_iter().unzip();
        let values = write_assignments(
            self.model.pool(),
            &roots,
            |id| self.constant_symbol(id),
            helpers,
            &mut out,
        );
        for (target, value) in targets.iter().zip(values) {
            out.line(format!("{target} = {value};"));
        }
        self.start_values(model, &mut out, helpers);
        out.line("finish_constants(m);");
        out.close("}");
        out.finish()
    }

    /// Fields of the model with the expressions that they are set to.
    fn assigned(&self) -> Vec<(String, NodeId)> {
        let mut all = Vec::new();
        for (e, entity) in self.model.entities().iter().enumerate() {
            for (k, surface) in entity.surfaces.iter().enumerate() {
                let field = format!("m->surface[{}]", self.first_surface[e] + k);
                all.extend(
                    surface_sizes(&surface.shape)
                        .into_iter()
                        .map(|(name, node)| (format!("{field}.{name}"), node)),
                );
                let (p, q) = (&surface.placement.position, &surface.placement.orientation);
                let position = [p.x, p.y, p.z];
                all.extend(
                    position
                        .into_iter()
                        .enumerate()
                        .map(|(i, node)| (format!("{field}.position[{i}]"), node)),
                );
                let orientation = [q.w, q.x, q.y, q.z];
                all.extend(
                    orientation
                        .into_iter()
                        .enumerate()
                        .map(|(i, node)| (format!("{field}.orientation[{i}]"), node)),
                );
            }
            if let Mass::Given(node) | Mass::Density(node) = entity.mass {
                all.push((format!("m->mass[{e}]"), node));
            }
            if let Inertia::Given {
                moments: [xx, yy, zz],
                products: [xy, xz, yz],
            } = entity.inertia
            {
                let elements = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
                all.extend(
                    elements
                        .into_iter()
                        .enumerate()
                        .map(|(i, node)| (format!("m->inertia[{}]", 9 * e + i), node)),
                );
            }
        }
        for (number, contact) in self.contacts.iter().enumerate() {
            let law = self.model.law(contact.entities.0, contact.entities.1);
            all.push((format!("m->restitution[{number}]"), law.restitution));
            all.push((
                format!("m->tangential_restitution[{number}]"),
                law.tangential_restitution,
            ));
            if !self.reads_speed(law.friction) {
                all.push((format!("m->friction[{number}]"), law.friction));
            }
        }
        all
    }

    /// Initial states; of a range the middle, orientations of length one.
    fn start_values(&self, model: &str, out: &mut CText, helpers: &mut Helpers) {
        out.open("{");
        out.line(format!("double start[{model}_ENTITIES * 13] = {{0.0}};"));
        out.line("int i;");
        let mut roots = Vec::new();
        let mut targets: Vec<(usize, bool)> = Vec::new();
        for (e, entity) in self.model.entities().iter().enumerate() {
            let initial = &entity.initial;
            let vectors = [
                (StateComponent::POSITION, &initial.position),
                (StateComponent::VELOCITY, &initial.velocity),
                (StateComponent::ANGULAR_VELOCITY, &initial.angular_velocity),
            ];
            for (components, vector) in vectors {
                for (component, value) in components.into_iter().zip([vector.x, vector.y, vector.z]) {
                    let (first, second) = match value {
                        Initial::Value(node) => (node, None),
                        Initial::Range(lower, upper) => (lower, Some(upper)),
                    };
                    targets.push((13 * e + component.place(), second.is_some()));
                    roots.push(first);
                    roots.extend(second);
                }
            }
            let q = &initial.orientation;
            for (component, node) in StateComponent::ORIENTATION.into_iter().zip([q.w, q.x, q.y, q.z]) {
                targets.push((13 * e + component.place(), false));
                roots.push(node);
            }
        }
        let values = write_assignments(
            self.model.pool(),
            &roots,
            |id| self.constant_symbol(id),
            helpers,
            out,
        );
        let mut values = values.iter();
        for (target, is_range) in targets {
            let first = values.next().map_or("NAN", String::as_str);
            if is_range {
                let second = values.next().map_or("NAN", String::as_str);
                out.line(format!("start[{target}] = 0.5 * ({first} + {second});"));
            } else if first != "0.0" {
                out.line(format!("start[{target}] = {first};"));
            }
        }
        out.open("for (i = 0; i < 13 * ENTITIES; i++) {");
        out.open("if (i % 13 == 0) {");
        out.line("unit_state(start + i, start + i);");
        out.close("}");
        out.line("m->start[i] = m->is_start_set[i] ? m->start[i] : start[i];");
        out.close("}");
        out.close("}");
    }
}

/// Fields of a surface with their expressions.
fn surface_sizes(shape: &Shape<NodeId>) -> Vec<(&'static str, NodeId)> {
    match shape {
        Shape::Sphere { radius } => vec![("radius", *radius)],
        Shape::Ellipsoid { semi_axes: v } => vec![("size[0]", v.x), ("size[1]", v.y), ("size[2]", v.z)],
        Shape::Capsule { radius, half_length } => vec![("radius", *radius), ("size[2]", *half_length)],
        Shape::RoundedBox {
            half_extents: v,
            radius,
        } => vec![
            ("size[0]", v.x),
            ("size[1]", v.y),
            ("size[2]", v.z),
            ("radius", *radius),
        ],
        Shape::Box { half_extents: v } => vec![("size[0]", v.x), ("size[1]", v.y), ("size[2]", v.z)],
        // Refused (`Bodies::check_pairs`).
        Shape::Convex { .. } | Shape::RoundedConvex { .. } => Vec::new(),
        Shape::Plane { normal: v, offset } | Shape::HalfSpace { normal: v, offset } => vec![
            ("size[0]", v.x),
            ("size[1]", v.y),
            ("size[2]", v.z),
            ("offset", *offset),
        ],
    }
}
