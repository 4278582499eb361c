//! Contact laws, the impact policy, tolerances; and one contact of the contact list.

use crate::EntityId;
use dyverse_diag::Origin;
use dyverse_expr::NodeId;
pub use dyverse_mech::{EnergyRule, Feature, ImpactLaw};
use dyverse_num::Scalar;

/// How two entities act on each other where they touch [SPEC §2].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// e_N in [0, 1].
    pub restitution: NodeId,
    /// e_T in [-1, 1].
    pub tangential_restitution: NodeId,
    /// μ ≥ 0: a constant, or an expression over the slip speed, or over states, time and inputs ([`FrictionOver`]).
    pub friction: NodeId,
    /// ρ_r ≥ 0, m: rolling friction, a couple of at most ρ_r λ_N against what turns across the normal.
    pub rolling_friction: NodeId,
    /// ρ_s ≥ 0, m: spinning friction, a couple of at most ρ_s λ_N against what turns about the normal.
    pub spinning_friction: NodeId,
    /// What restitution means.
    pub impact: ImpactLaw,
    /// Where it is written; `None` for the built-in law.
    pub origin: Option<Origin>,
}

/// Of what a friction μ is a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionOver {
    /// A constant.
    Nothing,
    /// The slip speed of the contact.
    SlipSpeed,
    /// States, time and inputs, as loads are.
    States,
}

impl ContactLaw {
    /// The bounds of its couples by name, for those to whom a couple is unknown: they look which are not zero.
    #[must_use]
    pub fn couples(&self) -> [(&'static str, NodeId); 2] {
        [
            ("rolling_friction", self.rolling_friction),
            ("spinning_friction", self.spinning_friction),
        ]
    }
}

/// The order in which `sequential` impacts are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactOrder {
    /// By the order of the contact list.
    First,
    /// At random, from this seed.
    Random(u64),
    /// Any: a simulation picks, a check explores all.
    Any,
}

/// What happens when several contacts close at once [SPEC §5].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactPolicy {
    /// SORPROX over all closed contacts.
    Simultaneous,
    /// One collision a microstep, until none is closing.
    Sequential(ImpactOrder),
    /// All closed contacts together, by Poisson's law where a contact has no other: compression, then restitution.
    Poisson,
    /// By the energetic law where a contact has no other. Contacts that act on each other then collide one after another.
    Energetic,
}

impl ImpactPolicy {
    /// The law of contacts that have none of their own.
    pub fn law(self) -> ImpactLaw {
        match self {
            ImpactPolicy::Simultaneous | ImpactPolicy::Sequential(_) => ImpactLaw::Newton,
            ImpactPolicy::Poisson => ImpactLaw::Poisson,
            ImpactPolicy::Energetic => ImpactLaw::Energetic,
        }
    }

    /// Whether all contacts collide one after another, in this order.
    pub fn order(self) -> Option<ImpactOrder> {
        match self {
            ImpactPolicy::Sequential(order) => Some(order),
            ImpactPolicy::Simultaneous | ImpactPolicy::Poisson | ImpactPolicy::Energetic => None,
        }
    }

    /// As written in model files.
    pub fn text(self) -> String {
        match self {
            ImpactPolicy::Simultaneous => "simultaneous".into(),
            ImpactPolicy::Sequential(ImpactOrder::First) => "sequential first".into(),
            ImpactPolicy::Sequential(ImpactOrder::Any) => "sequential any".into(),
            ImpactPolicy::Sequential(ImpactOrder::Random(seed)) => format!("sequential random({seed})"),
            ImpactPolicy::Poisson => "poisson".into(),
            ImpactPolicy::Energetic => "energetic".into(),
        }
    }
}

/// What counts as zero: part of the model's meaning [SPEC §5].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Of a gap, m.
    pub gap: f64,
    /// Of a relative velocity, m/s.
    pub velocity: f64,
    /// Of a contact force, N, or impulse, N s; absolute and relative.
    pub force: f64,
    /// Gaps that close within this of each other, in s, close together.
    pub simultaneity: f64,
}

/// The tolerances that a model file gives; others follow from the scales of the model ([`crate::Scales`]).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct GivenTolerances {
    pub gap: Option<f64>,
    pub velocity: Option<f64>,
    pub force: Option<f64>,
    pub simultaneity: Option<f64>,
}

impl Default for Tolerances {
    fn default() -> Self {
        Tolerances {
            gap: 1e-9,
            velocity: 1e-9,
            force: 1e-9,
            simultaneity: 1e-9,
        }
    }
}

impl Tolerances {
    /// How far a gap is inside what counts as 0: a contact touches where this is not below 0. The one definition of `touching` for runs, searches, proofs and
    /// their check; besides, a contact that stays closed touches, and one that an impact strikes does so just before and just after it.
    pub fn touching_margin<S: Scalar>(&self, gap: &S) -> S {
        S::from_f64(self.gap) - gap.clone()
    }
}

/// One contact of the contact list: a pair of surfaces of two entities, or of features of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The entities, the first declared first.
    pub entities: (EntityId, EntityId),
    /// The surface of each.
    pub surfaces: (u32, u32),
    /// The feature of each.
    pub features: (Feature, Feature),
}
