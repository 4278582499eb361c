//! Newton's impact law on frozen rows: velocities after, and energy.
//!
//! b = (1 + e) dg⁻, γ = dg⁺ + e dg⁻ \[SPEC §2\]; ΔT = ½ Λᵀ(dg⁻ + dg⁺). Where ΔT ≤ 0 whatever the state is proved in `contact_solver/energy.rs`.

use dyverse_num::Scalar;

use super::operator::Blocks;
use super::row::{Row, Terms};
use crate::ImpactContact;

impl<S: Scalar> ImpactContact<S> {
    /// e by component.
    #[must_use]
    pub fn restitution(&self) -> [S; 3] {
        let tangential = &self.restitution_tangential;
        [
            self.restitution_normal.clone(),
            tangential.clone(),
            tangential.clone(),
        ]
    }

    /// b = (1 + e) dg⁻, and μ.
    #[must_use]
    pub fn terms(&self) -> Terms<S> {
        let e = self.restitution();
        Terms {
            bias: std::array::from_fn(|i| (S::one() + e[i].clone()) * self.velocity[i].clone()),
            friction: self.friction.clone(),
        }
    }
}

/// dg⁺: −e dg⁻ where the row sets γ to zero, dg⁻ + (GΛ)_j elsewhere.
pub fn velocity_after<S: Scalar, D>(contact: &ImpactContact<S>, row: &Row<D>, pushed: &[S; 3]) -> [S; 3] {
    let (e, before) = (contact.restitution(), &contact.velocity);
    std::array::from_fn(|i| match i < row.held() {
        true => -(e[i].clone() * before[i].clone()),
        false => before[i].clone() + pushed[i].clone(),
    })
}

/// The work that the impulse of one contact does: ½ Λ·(dg⁻ + dg⁺).
pub fn work<S: Scalar>(contact: &ImpactContact<S>, impulse: &[S; 3], after: &[S; 3]) -> S {
    let part =
        |k: usize| S::from_f64(0.5) * impulse[k].clone() * (contact.velocity[k].clone() + after[k].clone());
    part(0) + part(1) + part(2)
}

/// Whether the law as it stands may add energy to a group of closed contacts, as far as their form tells.
pub fn may_gain_energy<S: Scalar, D>(
    group: &[usize],
    contacts: &[ImpactContact<S>],
    rows: &[Row<D>],
    blocks: &Blocks<S>,
) -> bool {
    let is_smooth = |contact: &usize| matches!(rows[*contact], Row::Smooth);
    let is_round = |contact: &usize| blocks.is_isotropic(*contact);
    if group.iter().all(is_smooth) || group.len() == 1 && group.iter().all(is_round) {
        return false;
    }
    let of = |contact: &usize| {
        let own = &contacts[*contact];
        let tangential = (!is_smooth(contact)).then_some(&own.restitution_tangential);
        [Some(&own.restitution_normal), tangential]
    };
    let mut all = group.iter().flat_map(of).flatten();
    let first = all.next();
    all.any(|e| Some(e) != first)
}
