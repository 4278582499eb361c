//! Where conditions meet numbers: what counts as zero, and by how much a comparison holds \[SPEC §5 "Tolerances"\].
//!
//! A comparison of the table has a *margin*: a function of the contact's quantities that is above zero where the comparison holds, below zero where it does not, and at zero says what the
//! relation says of equality. The same code gives it on doubles (the function whose crossing a run searches for), on intervals, and as a formula (the condition of a proof, the text in C).
//!
//! | comparison | margin |
//! |---|---|
//! | q ≤ 0, q > 0 | ±(ε − q) |
//! | q ≥ 0, q < 0 | ±(q + ε) |
//! | v = 0, ∣v∣ > 0, v ≠ 0 | ±(ε² − ∣v∣²) |
//! | ġ_T = 0 of a contact that slides along d | −ġ_T·d |
//! | ∣f∣ ≤ μ λ_N, ∣f∣ > μ λ_N | ±(L∣L∣ − ∣f∣²), L = μ λ_N + ε + the contact's slack |
//!
//! ε is the threshold of the quantity. A comparison and its negation have opposite margins: what is judged twice is judged the same way.
//!
//! # Guarantee
//! This is the only place where tolerances enter conditions on contacts.

use crate::condition::{Atom, Bound, Quantity};
use dyverse_num::{Relation, Scalar, Tri};

/// What counts as zero. In C these are numbers that the conditions are given, like the contact's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds<S = f64> {
    /// Gaps, m.
    pub gap: S,
    /// Times between gaps that close together, s.
    pub simultaneity: S,
    /// Velocities, m/s.
    pub velocity: S,
    /// Forces, N.
    pub force: S,
    /// Accelerations in the choice of modes, m/s².
    pub acceleration: S,
}

/// The quantities of one contact, on any scalar.
pub trait ContactQuantities {
    /// The numbers.
    type S: Scalar;

    /// A quantity that is a number: one of the normal direction.
    fn normal(&self, quantity: Quantity) -> Self::S;

    /// The vector whose length a quantity is: one of the tangent plane.
    fn tangential(&self, quantity: Quantity) -> [Self::S; 2];

    /// μ.
    fn friction(&self) -> Self::S;

    /// What a friction force may be beyond its limit before anything moves that can be seen, N.
    fn slack(&self) -> Self::S {
        Self::S::zero()
    }

    /// The direction in which the contact slides, where that is known apart from its velocity.
    fn direction(&self) -> Option<[Self::S; 2]> {
        None
    }

    /// L∣L∣ of a friction limit L. Where L is known not to be negative its square is the better formula.
    fn limit_squared(&self, limit: Self::S) -> Self::S {
        limit.clone() * limit.abs()
    }
}

impl Thresholds {
    /// The same for a crossing: gaps close at zero. Forces keep theirs, so that what presses with nothing stays.
    #[must_use]
    pub fn of_crossings(self) -> Self {
        Self {
            gap: 0.0,
            velocity: 0.0,
            ..self
        }
    }

    /// The same numbers on another scalar.
    #[must_use]
    pub fn on<S: Scalar>(&self) -> Thresholds<S> {
        let on = S::from_f64;
        Thresholds {
            gap: on(self.gap),
            simultaneity: on(self.simultaneity),
            velocity: on(self.velocity),
            force: on(self.force),
            acceleration: on(self.acceleration),
        }
    }
}

impl<S: Scalar> Thresholds<S> {
    fn of(&self, quantity: Quantity) -> S {
        match quantity {
            Quantity::Gap => self.gap.clone(),
            Quantity::NormalVelocity | Quantity::TangentialSpeed => self.velocity.clone(),
            Quantity::NormalForce | Quantity::TangentialForce => self.force.clone(),
            Quantity::NormalAcceleration | Quantity::TangentialAcceleration => self.acceleration.clone(),
            Quantity::GapSoon
            | Quantity::NormalEstimate
            | Quantity::TangentialEstimate
            | Quantity::NormalChange
            | Quantity::TangentialChange => S::zero(),
        }
    }
}

impl Atom {
    /// By how much the comparison holds: see the module header.
    pub fn margin<Q: ContactQuantities>(self, of: &Q, limits: &Thresholds<Q::S>) -> Q::S {
        let small = limits.of(self.quantity);
        match self.bound {
            Bound::FrictionLimit => {
                let limit = of.friction() * of.normal(Quantity::NormalForce) + small + of.slack();
                let below = of.limit_squared(limit) - squared_length(&of.tangential(self.quantity));
                side(self.relation, below)
            }
            Bound::Zero | Bound::ForceTolerance if self.quantity.is_magnitude() => {
                let vector = of.tangential(self.quantity);
                let below = match of.direction() {
                    Some([x, y]) if self.quantity == Quantity::TangentialSpeed => {
                        let [u, v] = vector;
                        -(u * x + v * y)
                    }
                    _ => small.squared() - squared_length(&vector),
                };
                side(self.relation, below)
            }
            Bound::Zero | Bound::ForceTolerance => {
                let value = match self.quantity {
                    Quantity::GapSoon => {
                        let span = limits.simultaneity.clone();
                        of.normal(Quantity::Gap) + of.normal(Quantity::NormalVelocity) * span
                    }
                    quantity => of.normal(quantity),
                };
                match self.relation {
                    Relation::LessEqual => small - value,
                    Relation::Greater => value - small,
                    Relation::GreaterEqual => value + small,
                    Relation::Less => -(value + small),
                    Relation::Equal => small.squared() - value.squared(),
                    Relation::NotEqual => value.squared() - small.squared(),
                }
            }
        }
    }

    /// Whether the comparison holds.
    pub fn holds<Q: ContactQuantities>(self, of: &Q, limits: &Thresholds<Q::S>) -> Tri {
        let margin = self.margin(of, limits);
        if self.relation.is_closed() {
            margin.ge(&Q::S::zero())
        } else {
            margin.gt(&Q::S::zero())
        }
    }
}

/// The margin, from how far the quantity is below its bound.
fn side<S: Scalar>(relation: Relation, below: S) -> S {
    match relation {
        Relation::Equal | Relation::LessEqual | Relation::Less => below,
        Relation::NotEqual | Relation::Greater | Relation::GreaterEqual => -below,
    }
}

fn squared_length<S: Scalar>([x, y]: &[S; 2]) -> S {
    x.squared() + y.squared()
}
