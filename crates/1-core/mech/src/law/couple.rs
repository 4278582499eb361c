//! Couples beside contacts: rolling and spinning friction with modes given.
//!
//! Two surfaces that are pressed together resist turning on each other: about their normal (spinning, M_s against ω_s = n·ω) and across it (rolling, M_r against ω_r), ω = ω2 − ω1,
//!
//! > |M_s| ≤ ρ_s λ_N,   |M_r| ≤ ρ_r λ_N,   against ω_s, ω_r where these are not zero.
//!
//! That is Coulomb's law once more, with lengths in place of friction numbers \[Le Saux, Leine, Glocker 2005\]. In the law a couple is a triple of *forces* M/L along turns times a length L ([`ContactDirections::of_couple`](super::ContactDirections::of_couple)), so that
//! rates are m/s, forces N, and bounds ρ/L numbers: what is said about tolerances of contacts holds for couples.
//!
//! | component | equation | force | unknown |
//! |---|---|---|---|
//! | [`Turn::Free`] | – | 0 | – |
//! | [`Turn::Held`] | its rate is 0 | any | itself |
//! | [`Turn::Along`] e | – | −e λ_N | – |
//!
//! A couple that acts along a direction is part of its contact's normal column, as friction is.
//!
//! Where contacts are redundant, of many forces those are taken that are short: a couple counts there as the normal force that would bear it. A box that lies on its corners is then held by normal forces, as far as couples are not needed.
//!
//! # Guarantee
//! That of the scalar. Bounds of what is held are not looked at here.

use dyverse_num::Scalar;

/// How one part of a couple acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn<E> {
    /// There is none.
    Free,
    /// What it is against does not turn.
    Held,
    /// −e λ_N, with e its bound over λ_N times a direction.
    Along(E),
}

/// The couple beside a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupleRow<S> {
    /// The place of its contact.
    pub of: usize,
    /// Its bounds for a unit of λ_N: about the normal, and across it.
    pub bounds: [f64; 2],
    /// Its rates (spin, roll x, roll y) without contact forces.
    pub bias: [S; 3],
    /// About the normal.
    pub spin: Turn<S>,
    /// Across it.
    pub roll: Turn<[S; 2]>,
}

/// The smallest bound by which couples are measured: beyond that they are no number beside other forces.
const LEAST_BOUND: f64 = 1e-3;

/// What a force of a couple with a bound counts, beside normal forces.
pub(crate) fn measure(bound: f64) -> f64 {
    1.0 / bound.max(LEAST_BOUND)
}

impl<S: Scalar> CoupleRow<S> {
    /// The components that are unknowns.
    pub fn held(&self) -> impl Iterator<Item = usize> + use<S> {
        let (spin, roll) = (matches!(self.spin, Turn::Held), matches!(self.roll, Turn::Held));
        [(0, spin), (1, roll), (2, roll)]
            .into_iter()
            .filter(|(_, is_held)| *is_held)
            .map(|(component, _)| component)
    }

    /// Whether a part of it grows with λ_N.
    #[must_use]
    pub fn is_pushed(&self) -> bool {
        matches!(self.spin, Turn::Along(_)) || matches!(self.roll, Turn::Along(_))
    }

    /// What it is for a unit of λ_N, but for what is held.
    #[must_use]
    pub fn edge(&self) -> [S; 3] {
        let spin = match &self.spin {
            Turn::Along(e) => -e.clone(),
            Turn::Free | Turn::Held => S::zero(),
        };
        let [x, y] = match &self.roll {
            Turn::Along([x, y]) => [-x.clone(), -y.clone()],
            Turn::Free | Turn::Held => [S::zero(), S::zero()],
        };
        [spin, x, y]
    }
}
