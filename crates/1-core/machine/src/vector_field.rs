//! The vector field of a dynamical location, as structure \[SPEC §2 "Forces in a location", §9.1\].
//!
//! ```text
//! M u̇ = h + (W_N + W_sl + W_tr) λ_N + W_st λ_T
//! [W_Nᵀ; W_stᵀ] M⁻¹ (h + (W_N + W_sl + W_tr) λ_N + W_st λ_T) + [w_aN; w_aT] = 0
//! ```
//!
//! The second line gives λ_N and λ_T. W_sl has the columns −μ_n W_T,n ġ_T,n/|ġ_T,n|, W_tr the same with g̈_T.
//! Terms over no contact are absent.
//!
//! # Guarantee
//! Exact, as structure: which terms occur and over which contacts. The matrices belong to mechanics.

use crate::contact_set::ContactSet;
use crate::location::DynamicalLocation;

/// One matrix of force directions in M u̇ = h + …
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ForceTerm {
    /// W_N λ_N, over the closed contacts.
    Normal,
    /// W_sl λ_N, over the slip set.
    Slip,
    /// W_tr λ_N, over the trans set.
    Trans,
    /// W_st λ_T, over the stick set.
    Stick,
}

impl ForceTerm {
    /// Whether the term is driven by the normal forces λ_N; otherwise by λ_T.
    #[must_use]
    pub const fn is_driven_by_normal_forces(self) -> bool {
        !matches!(self, Self::Stick)
    }
}

/// The structure of the motion in one dynamical location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VectorField {
    closed: ContactSet,
    stick: ContactSet,
    trans: ContactSet,
    slip: ContactSet,
}

impl VectorField {
    /// The vector field of `location`.
    #[must_use]
    pub fn of(location: &DynamicalLocation) -> Self {
        Self {
            closed: location.closed().clone(),
            stick: location.stick(),
            trans: location.trans().clone(),
            slip: location.slip().clone(),
        }
    }

    /// The contacts over which a term runs; the term is absent where there are none.
    #[must_use]
    pub fn contacts(&self, term: ForceTerm) -> &ContactSet {
        match term {
            ForceTerm::Normal => &self.closed,
            ForceTerm::Slip => &self.slip,
            ForceTerm::Trans => &self.trans,
            ForceTerm::Stick => &self.stick,
        }
    }

    /// The terms that occur, in the order normal, slip, trans, stick.
    pub fn terms(&self) -> impl Iterator<Item = ForceTerm> {
        let all = [
            ForceTerm::Normal,
            ForceTerm::Slip,
            ForceTerm::Trans,
            ForceTerm::Stick,
        ];
        all.into_iter().filter(|term| !self.contacts(*term).is_empty())
    }

    /// The number of scalar unknowns, and of scalar equations, of the linear system for the forces:
    /// one λ_N for each closed contact and two components of λ_T for each that sticks.
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.closed.len() + 2 * self.stick.len()
    }
}
