//! Couples beside contacts: rolling and spinning friction with modes given.
//!
//! Two surfaces that are pressed together resist turning on each other: about their normal (spinning, M_s against ω_s = n·ω) and across it (rolling, M_r against ω_r), ω = ω2 − ω1,
//!
//! > |M_s| ≤ ρ_s λ_N,   |M_r| ≤ ρ_r λ_N,   against ω_s, ω_r where these are not zero.
//!
//! That is Coulomb's law once more, with lengths in place of friction numbers \[Leine, Glocker 2003\]. In the law a couple is a triple of *forces* M/L along turns times a length L ([`ContactDirections::of_couple`](super::ContactDirections::of_couple)), so that
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
    /// Its rates (spin, roll x, roll y) without contact forces.
    pub bias: [S; 3],
    /// About the normal.
    pub spin: Turn<S>,
    /// Across it.
    pub roll: Turn<[S; 2]>,
}

impl<S: Scalar> CoupleRow<S> {
    /// The components that are unknowns.
    #[must_use]
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
