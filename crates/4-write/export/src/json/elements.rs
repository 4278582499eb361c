//! The elements of the JSON document: entities, contacts, vertices, locations, nodes and edges.

use super::conditions::{reset, stated};
use super::object::{Object, array, quoted};
use crate::subject::{Subject, mode_word};
use dyverse_machine::{
    ComputationNode, ContactSet, DynamicalLocation, Edge, ForceTerm, InnerEdge, NodeKind, Notation,
};
use dyverse_model::{Entity, EntityId, ImpactLaw, Mass};
use serde_json::{Map, Value};

/// Makes the elements of one subject, each a JSON text.
pub(super) struct Elements<'a> {
    subject: Subject<'a>,
    notation: Notation<'a>,
}

impl<'a> Elements<'a> {
    pub(super) fn new(subject: Subject<'a>) -> Self {
        Self {
            subject,
            notation: subject.automaton().notation(),
        }
    }

    pub(super) fn entities(&self) -> impl Iterator<Item = String> {
        let entities = self.subject.model().entities().iter().enumerate();
        entities.map(|(id, entity)| self.entity(EntityId(id), entity))
    }

    fn entity(&self, id: EntityId, entity: &Entity) -> String {
        let model = self.subject.model();
        let (mass, density) = match entity.mass {
            Mass::Given(mass) => (Some(model.text(mass)), None),
            Mass::Density(density) => (None, Some(model.text(density))),
            Mass::Immovable => (None, None),
        };
        let (force, moment) = self.subject.loads(id);
        Object::new()
            .text("name", &entity.name)
            .raw("fixed", if entity.is_fixed { "true" } else { "false" })
            .optional("mass", mass.as_deref())
            .optional("density", density.as_deref())
            .texts("force", &force)
            .texts("moment", &moment)
            .end()
    }

    pub(super) fn contacts(&self) -> impl Iterator<Item = String> {
        let model = self.subject.model();
        let contacts = self
            .subject
            .automaton()
            .contacts()
            .iter()
            .zip(self.subject.laws());
        contacts.map(move |((_, contact), law)| {
            let (first, second) = contact.entities();
            let mut object = Object::new();
            // Readers of models from before there were others know Newton's only.
            if law.impact != ImpactLaw::Newton {
                object = object.text("law", law.impact.text());
            }
            let object = object
                .text("label", contact.label())
                .texts("entities", &[first, second])
                .text("restitution", &model.text(law.restitution))
                .text("tangential_restitution", &model.text(law.tangential_restitution))
                .text("friction", &model.text(law.friction));
            // Said where there are any.
            law.couples()
                .into_iter()
                .map(|(name, node)| (name, model.text(node)))
                .filter(|(_, text)| text != "0")
                .fold(object, |object, (name, text)| object.text(name, &text))
                .end()
        })
    }

    pub(super) fn vertex(&self, closed: &ContactSet) -> String {
        Object::new()
            .text("k", &self.number(closed))
            .texts("contacts", &self.subject.labels(closed))
            .end()
    }

    fn number(&self, closed: &ContactSet) -> String {
        self.subject
            .automaton()
            .graph()
            .index(closed)
            .unwrap_or_default()
            .to_string()
    }

    pub(super) fn location(&self, location: &DynamicalLocation) -> String {
        let automaton = self.subject.automaton();
        let contacts = automaton.contacts();
        let modes: Map<String, Value> = location
            .modes()
            .map(|(contact, mode)| (contacts.label(contact).to_owned(), Value::from(mode_word(mode))))
            .collect();
        let domain = automaton.domain(location);
        Object::new()
            .text("name", &self.notation.dynamical_location(location))
            .text("k", &self.number(location.closed()))
            .text("i", &location.index().to_string())
            .texts("contacts", &self.subject.labels(location.closed()))
            .raw("modes", &Value::Object(modes).to_string())
            .raw("vector_field", &self.vector_field(location))
            .raw("domain", &stated(self.subject, &self.notation, &domain))
            .end()
    }

    fn vector_field(&self, location: &DynamicalLocation) -> String {
        let field = self.subject.automaton().vector_field(location);
        let labels = |term| self.subject.labels(field.contacts(term));
        Object::new()
            .text("text", &self.notation.vector_field(&field))
            .optional("force_system", self.notation.force_system(&field).as_deref())
            .texts("normal", &labels(ForceTerm::Normal))
            .texts("stick", &labels(ForceTerm::Stick))
            .texts("trans", &labels(ForceTerm::Trans))
            .texts("slip", &labels(ForceTerm::Slip))
            .raw("unknowns", &field.unknowns().to_string())
            .end()
    }

    pub(super) fn node(&self, node: &ComputationNode) -> String {
        let kind = match node.kind() {
            NodeKind::Impact => "impact",
            NodeKind::Contact => "contact",
        };
        let name = |location| quoted(&self.notation.inner_location(node, location));
        Object::new()
            .text("name", &self.notation.node(node))
            .text("kind", kind)
            .text("k", &self.number(node.closed()))
            .texts("contacts", &self.subject.labels(node.closed()))
            .raw("locations", &array(node.inner_locations().map(name)))
            .raw(
                "edges",
                &array(node.inner_edges().map(|edge| self.inner_edge(node, &edge))),
            )
            .end()
    }

    fn inner_edge(&self, node: &ComputationNode, edge: &InnerEdge) -> String {
        let notation = self.notation.inside(node.kind());
        Object::new()
            .text("from", &notation.inner_location(node, edge.from()))
            .text("to", &notation.inner_location(node, edge.to()))
            .raw("guard", &stated(self.subject, &notation, edge.guard()))
            .raw("reset", &reset(self.subject, &notation, edge.reset()))
            .end()
    }

    pub(super) fn edge(&self, edge: &Edge) -> String {
        let automaton = self.subject.automaton();
        Object::new()
            .text("from", &self.notation.location(edge.from()))
            .text("to", &self.notation.location(edge.to()))
            .text("rule", edge.rule().number())
            .raw(
                "guard",
                &stated(self.subject, &self.notation, &automaton.guard(edge)),
            )
            .raw(
                "reset",
                &reset(self.subject, &self.notation, &automaton.reset(edge)),
            )
            .end()
    }
}
