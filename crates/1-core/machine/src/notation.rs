//! Names, sets, conditions, resets and vector fields in the papers' notation, in Unicode.
//!
//! Names: `S_0`, `s_6,2`, `I_6,en`, `C_6,ex`; inside a node `I_6,3`. Conditions:
//! `∀n∈{ab}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0`, in brackets where several are joined.
//!
//! # Guarantee
//! The same value always gives the same text, and different conditions over different labels give
//! different texts.

use crate::combination::vertex_index;
use crate::condition::{Atom, Bound, Condition, Predicate, Quantity};
use crate::contact_list::{ContactId, ContactList};
use crate::contact_set::ContactSet;
use crate::edges::Edge;
use crate::location::{ComputationNode, DynamicalLocation, Location, NodeKind};
use crate::named::NamedPlace;
use crate::node::InnerLocation;
use crate::resets::Reset;
use crate::vector_field::{ForceTerm, VectorField};
use dyverse_num::Relation;

/// Prints the parts of an automaton with the labels of its contact list.
#[derive(Clone, Copy, Debug)]
pub struct Notation<'a> {
    contacts: &'a ContactList,
    /// λ, or Λ inside an impact node.
    force: &'static str,
}

impl<'a> Notation<'a> {
    /// The notation with these labels.
    #[must_use]
    pub fn new(contacts: &'a ContactList) -> Self {
        Self {
            contacts, force: "λ"
        }
    }

    /// The notation inside a node of this kind: impulses Λ in an impact node, forces λ in a contact node.
    #[must_use]
    pub fn inside(self, kind: NodeKind) -> Self {
        Self {
            force: if kind == NodeKind::Impact { "Λ" } else { "λ" },
            ..self
        }
    }

    /// `{ab, bc}`, or `∅`.
    #[must_use]
    pub fn set(&self, set: &ContactSet) -> String {
        if set.is_empty() {
            return "∅".to_owned();
        }
        let labels: Vec<&str> = set.iter().map(|contact| self.contacts.label(contact)).collect();
        format!("{{{}}}", labels.join(", "))
    }

    /// The name of a location, such as `s_6,2` or `I_6,en`.
    #[must_use]
    pub fn location(&self, location: &Location) -> String {
        match location {
            Location::Dynamical(location) => self.dynamical_location(location),
            Location::Entrance(node) => self.inner_location(node, InnerLocation::Entrance),
            Location::Exit(node) => self.inner_location(node, InnerLocation::Exit),
        }
    }

    /// The name of a place of a run.
    #[must_use]
    pub fn place(&self, place: &NamedPlace) -> String {
        place.name(self.count())
    }

    /// The name of a dynamical location, such as `S_0` or `s_6,2`.
    #[must_use]
    pub fn dynamical_location(&self, location: &DynamicalLocation) -> String {
        self.place(&NamedPlace::Dynamical(location.clone()))
    }

    /// The name of a computation node, such as `I_6`.
    #[must_use]
    pub fn node(&self, node: &ComputationNode) -> String {
        let letter = match node.kind() {
            NodeKind::Impact => 'I',
            NodeKind::Contact => 'C',
        };
        format!("{letter}_{}", self.number(node.closed()))
    }

    /// The name of a location inside a node, such as `I_6,en` or `C_6,3`.
    #[must_use]
    pub fn inner_location(&self, node: &ComputationNode, location: InnerLocation) -> String {
        self.place(&NamedPlace::Inner(node.clone(), location))
    }

    /// The two ends of an edge: `S_0 → I_1,en`.
    #[must_use]
    pub fn edge(&self, edge: &Edge) -> String {
        format!("{} → {}", self.location(edge.from()), self.location(edge.to()))
    }

    fn count(&self) -> u32 {
        // The graph refuses longer contact lists, so nothing is cut off.
        u32::try_from(self.contacts.len()).unwrap_or(u32::MAX)
    }

    fn number(&self, closed: &ContactSet) -> String {
        vertex_index(closed, self.count()).to_string()
    }

    /// A condition, such as `∀n∈{ab}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0`.
    #[must_use]
    pub fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::True => "true".to_owned(),
            Condition::False => "false".to_owned(),
            Condition::All(parts) => self.joined(parts, " ∧ "),
            Condition::Any(parts) => self.joined(parts, " ∨ "),
            Condition::ForAll { over, holds } => format!("∀n∈{}: {}", self.set(over), self.predicate(holds)),
            Condition::Exists { over, holds } => format!("∃n∈{}: {}", self.set(over), self.predicate(holds)),
        }
    }

    fn joined(&self, parts: &[Condition], sign: &str) -> String {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| format!("({})", self.condition(part)))
            .collect();
        parts.join(sign)
    }

    /// A predicate about the contact called n.
    #[must_use]
    pub fn predicate(&self, predicate: &Predicate) -> String {
        match predicate {
            Predicate::Atom(atom) => self.atom(*atom),
            Predicate::And(parts) => self.predicates(parts, " ∧ "),
            Predicate::Or(parts) => self.predicates(parts, " ∨ "),
        }
    }

    fn predicates(&self, parts: &[Predicate], sign: &str) -> String {
        let part = |part: &Predicate| match part {
            Predicate::Atom(atom) => self.atom(*atom),
            Predicate::And(_) | Predicate::Or(_) => format!("({})", self.predicate(part)),
        };
        parts.iter().map(part).collect::<Vec<String>>().join(sign)
    }

    fn atom(&self, atom: Atom) -> String {
        // A vector is zero when its length is: the papers write ġ_T = 0, without bars.
        let tests_zero =
            atom.bound == Bound::Zero && matches!(atom.relation, Relation::Equal | Relation::NotEqual);
        let vector = |symbol: &str| {
            if tests_zero {
                format!("{symbol},n")
            } else {
                format!("|{symbol},n|")
            }
        };
        let force = self.force;
        let left = match atom.quantity {
            Quantity::Gap => "g_N,n".to_owned(),
            Quantity::GapSoon => "g_N,n + ġ_N,n Δt".to_owned(),
            Quantity::NormalVelocity => "ġ_N,n".to_owned(),
            Quantity::NormalAcceleration => "g̈_N,n".to_owned(),
            Quantity::TangentialSpeed => vector("ġ_T"),
            Quantity::TangentialAcceleration => vector("g̈_T"),
            Quantity::NormalForce => format!("{force}_N,n"),
            Quantity::TangentialForce => vector(&format!("{force}_T")),
            Quantity::NormalEstimate => "Φ_N,n".to_owned(),
            Quantity::TangentialEstimate => vector("Φ_T"),
            Quantity::NormalChange => format!("|Δ{force}_N,n|"),
            Quantity::TangentialChange => format!("|Δ{force}_T,n|"),
        };
        let right = match atom.bound {
            Bound::Zero => "0".to_owned(),
            Bound::FrictionLimit => format!("μ_n {force}_N,n"),
            Bound::ForceTolerance => "ε".to_owned(),
        };
        format!("{left} {} {right}", atom.relation.symbol())
    }

    /// A reset, such as `u := u + M⁻¹ (W_N Λ_N + W_T Λ_T)`.
    #[must_use]
    pub fn reset(&self, reset: &Reset) -> String {
        let label = |contact: &ContactId| self.contacts.label(*contact);
        let f = self.force;
        match reset {
            Reset::Identity => "x := x".to_owned(),
            Reset::ClearForces(over) => format!("∀n∈{}: {f}_N,n := 0, {f}_T,n := 0", self.set(over)),
            Reset::TakeNormalEstimate(n) => format!("{f}_N,{n} := Φ_N,{n}", n = label(n)),
            Reset::ZeroNormalForce(n) => format!("{f}_N,{} := 0", label(n)),
            Reset::TakeTangentialEstimate(n) => format!("{f}_T,{n} := Φ_T,{n}", n = label(n)),
            Reset::ProjectTangentialEstimate(n) => {
                format!("{f}_T,{n} := μ_{n} {f}_N,{n} Φ_T,{n}/|Φ_T,{n}|", n = label(n))
            }
            Reset::ApplyImpulses(over) => format!("u := u + M⁻¹ (W_N Λ_N + W_T Λ_T) over {}", self.set(over)),
            Reset::ApplyForces(over) => format!("u̇ := M⁻¹ (h + W_N λ_N + W_T λ_T) over {}", self.set(over)),
        }
    }

    /// The motion in a location, such as `M u̇ = h + (W_N + W_sl) λ_N`.
    #[must_use]
    pub fn vector_field(&self, field: &VectorField) -> String {
        format!("M u̇ = {}", forces(field))
    }

    /// The linear system for the forces in a location; none where no contact is closed.
    #[must_use]
    pub fn force_system(&self, field: &VectorField) -> Option<String> {
        let forces = forces(field);
        let has = |term| !field.contacts(term).is_empty();
        match (has(ForceTerm::Normal), has(ForceTerm::Stick)) {
            (false, _) => None,
            (true, false) => Some(format!("W_Nᵀ M⁻¹ ({forces}) + w_aN = 0")),
            (true, true) => Some(format!("[W_Nᵀ; W_stᵀ] M⁻¹ ({forces}) + [w_aN; w_aT] = 0")),
        }
    }
}

/// h + (W_N + W_sl + W_tr) λ_N + W_st λ_T, without the terms that are absent.
fn forces(field: &VectorField) -> String {
    let symbol = |term: ForceTerm| match term {
        ForceTerm::Normal => "W_N",
        ForceTerm::Slip => "W_sl",
        ForceTerm::Trans => "W_tr",
        ForceTerm::Stick => "W_st",
    };
    let normal: Vec<&str> = field
        .terms()
        .filter(|term| term.is_driven_by_normal_forces())
        .map(symbol)
        .collect();
    let normal = match normal.as_slice() {
        [] => String::new(),
        [only] => format!(" + {only} λ_N"),
        several => format!(" + ({}) λ_N", several.join(" + ")),
    };
    let stick = if field.contacts(ForceTerm::Stick).is_empty() {
        ""
    } else {
        " + W_st λ_T"
    };
    format!("h{normal}{stick}")
}
