//! Conditions and resets as JSON trees: docs/AUTOMATON_FORMAT.md, "Conditions" and "Resets".

use super::object::{Object, array};
use crate::subject::Subject;
use dyverse_machine::{Atom, Bound, Condition, ContactId, ContactSet, Notation, Predicate, Quantity, Reset};

/// A condition as text and as a tree.
pub(super) fn stated(subject: Subject<'_>, notation: &Notation<'_>, tree: &Condition) -> String {
    let text = notation.condition(tree);
    Object::new()
        .text("text", &text)
        .raw("condition", &condition(subject, tree))
        .end()
}

/// A condition on the state: every object has `op`.
fn condition(subject: Subject<'_>, tree: &Condition) -> String {
    let several = |op: &str, parts: &[Condition]| {
        let parts = array(parts.iter().map(|part| condition(subject, part)));
        Object::new().text("op", op).raw("of", &parts).end()
    };
    let quantified = |op: &str, over: &ContactSet, holds: &Predicate| {
        let object = Object::new().text("op", op).texts("over", &subject.labels(over));
        object.raw("holds", &predicate(holds)).end()
    };
    match tree {
        Condition::True => Object::new().text("op", "true").end(),
        Condition::False => Object::new().text("op", "false").end(),
        Condition::All(parts) => several("all", parts),
        Condition::Any(parts) => several("any", parts),
        Condition::ForAll { over, holds } => quantified("for_all", over, holds),
        Condition::Exists { over, holds } => quantified("exists", over, holds),
    }
}

/// A condition on one contact.
fn predicate(tree: &Predicate) -> String {
    let several = |op: &str, parts: &[Predicate]| {
        Object::new()
            .text("op", op)
            .raw("of", &array(parts.iter().map(predicate)))
            .end()
    };
    match tree {
        Predicate::Atom(atom) => comparison(*atom),
        Predicate::And(parts) => several("and", parts),
        Predicate::Or(parts) => several("or", parts),
    }
}

fn comparison(atom: Atom) -> String {
    let quantity = match atom.quantity {
        Quantity::Gap => "gap",
        Quantity::GapSoon => "gap_soon",
        Quantity::NormalVelocity => "normal_velocity",
        Quantity::NormalAcceleration => "normal_acceleration",
        Quantity::TangentialSpeed => "tangential_speed",
        Quantity::TangentialAcceleration => "tangential_acceleration",
        Quantity::NormalForce => "normal_force",
        Quantity::TangentialForce => "tangential_force",
        Quantity::NormalEstimate => "normal_estimate",
        Quantity::TangentialEstimate => "tangential_estimate",
        Quantity::NormalChange => "normal_change",
        Quantity::TangentialChange => "tangential_change",
    };
    let relation = atom.relation.sign();
    let bound = match atom.bound {
        Bound::Zero => "zero",
        Bound::FrictionLimit => "friction_limit",
        Bound::ForceTolerance => "force_tolerance",
    };
    let object = Object::new().text("op", "compare").text("quantity", quantity);
    object.text("relation", relation).text("bound", bound).end()
}

/// What an edge does to the state: `kind`, and the contacts it is about.
pub(super) fn reset(subject: Subject<'_>, notation: &Notation<'_>, reset: &Reset) -> String {
    let one = |contact: &ContactId| vec![subject.automaton().contacts().label(*contact)];
    let (kind, contacts) = match reset {
        Reset::Identity => ("identity", Vec::new()),
        Reset::ClearForces(over) => ("clear_forces", subject.labels(over)),
        Reset::TakeNormalEstimate(n) => ("take_normal_estimate", one(n)),
        Reset::ZeroNormalForce(n) => ("zero_normal_force", one(n)),
        Reset::TakeTangentialEstimate(n) => ("take_tangential_estimate", one(n)),
        Reset::ProjectTangentialEstimate(n) => ("project_tangential_estimate", one(n)),
        Reset::ApplyImpulses(over) => ("apply_impulses", subject.labels(over)),
        Reset::ApplyForces(over) => ("apply_forces", subject.labels(over)),
    };
    Object::new()
        .text("text", &notation.reset(reset))
        .text("kind", kind)
        .texts("contacts", &contacts)
        .end()
}
