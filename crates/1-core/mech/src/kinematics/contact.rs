//! The kinematics of one contact: everything about it that does not need forces.
//!
//! | printed     | here                    | unit      |
//! |-------------|-------------------------|-----------|
//! | g_N         | `gap`                   | m         |
//! | n, tx, ty   | `normal`, `tangents`    | 1         |
//! | r1, r2      | `arms`                  | m         |
//! | dg_N, dg_T  | `normal_velocity`, `tangential_velocity` | m/s |
//! | w_aN, w_aT  | `normal_bias`, `tangential_bias` | m/s² |
//! | W_N, W_T    | [`ContactColumn`]       | 1, m      |
//!
//! With the closest points p1, p2, r_i = p_i − c_i and γ = v2 + w2 × r2 − v1 − w1 × r1 [SPEC §2]:
//! dg_N = n·γ, dg_T = Tᵀγ, and the column of a direction t is (−t, −(r1 × t), t, r2 × t) on (v1, w1, v2, w2).
//!
//! # Method
//! dg is linear in u = (v1, w1, v2, w2), so ddg = Wᵀdu + w_a with w_a the derivative of dg along the motion
//! with u held constant. That derivative is taken by evaluating dg once on dual numbers, on the states
//! c + ε v, q + ε ½ w q. It therefore holds the wandering of the closest points over both surfaces and the
//! turning of n and T; for T the reference axis is held.
//! For two spheres this is w_aN = |d_perp′|²/D, and while sticking w_aT = −Tᵀ((R1 w1 + R2 w2) × dn).
//!
//! # Guarantee
//! That of the closest points (`closest_points.rs`) and of the scalar. No heap allocation on doubles.

use dyverse_num::{Dual, Scalar, Vec3};

use super::NoClosestPointsReason;
use super::sharp::Meeting;
use super::{
    ClosestPoints, ContactError, ContactScalar, EntityState, Feature, GeneralizedForce, GeneralizedVelocity,
    ReferenceAxis, Side, closest_points,
    closest_points::{Placed, closing_gap, vertex_overshoot},
    derive_closest_points,
};
use crate::{Placement, ShapeKind, Surface};

/// The two surfaces of a contact, features made into surfaces of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair<S> {
    first: Surface<S>,
    second: Surface<S>,
    side: Side,
    /// Whether the first is a whole capsule or box and the second a vertex of another: where vertices meet, the contact of the first's vertex counts.
    yields: bool,
    /// How two sharp solids meet there.
    meeting: Option<Meeting<S>>,
}

/// One column of W: the generalized forces of a unit contact force on both entities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactColumn<S> {
    /// On (v1, w1).
    pub first: GeneralizedForce<S>,
    /// On (v2, w2).
    pub second: GeneralizedForce<S>,
}

/// Gap, directions, arms, velocities and biases of a contact at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactKinematics<S> {
    /// g_N: distance of the surfaces, negative when they overlap.
    pub gap: S,
    /// n: unit normal from entity 1 to entity 2.
    pub normal: Vec3<S>,
    /// tx and ty; (n, tx, ty) is right-handed.
    pub tangents: [Vec3<S>; 2],
    /// How n, tx and ty change along the motion, 1/s.
    pub frame_rates: [Vec3<S>; 3],
    /// r1 and r2: from each centre of mass to the closest point of its surface.
    pub arms: [Vec3<S>; 2],
    /// dg_N.
    pub normal_velocity: S,
    /// dg_T.
    pub tangential_velocity: [S; 2],
    /// w_aN.
    pub normal_bias: S,
    /// w_aT.
    pub tangential_bias: [S; 2],
    /// The axis that tx was made from.
    pub reference: ReferenceAxis,
    /// How far the place is from being this contact's own ([`ClosestPoints::overshoot`]).
    pub overshoot: Option<S>,
}

impl<S: Scalar> ContactColumn<S> {
    /// Wᵀu of this column: the relative velocity, or with du for u its change.
    #[must_use]
    pub fn dot(&self, first: &GeneralizedVelocity<S>, second: &GeneralizedVelocity<S>) -> S {
        self.first.dot(first) + self.second.dot(second)
    }
}

impl ContactPair<f64> {
    /// For sharp solids: a distance that the two features have at the least; it falls no faster than their points move.
    #[must_use]
    pub fn sharp_distance(&self, first_at: &Placement<f64>, second_at: &Placement<f64>) -> Option<f64> {
        let meeting = self.meeting.as_ref()?;
        Some(meeting.distance(first_at, second_at))
    }
}

impl<S: Scalar> ContactPair<S> {
    /// The contact of a feature of `first` with a feature of `second`, each surface in its entity's frame,
    /// whose origin is the centre of mass. `side` says on which side of a plane the other entity started; it
    /// is of no account for other pairs.
    ///
    /// # Errors
    /// [`ContactError`] for a feature that its shape lacks, and for two unbounded shapes.
    pub fn new(
        (first, first_feature): (&Surface<S>, Feature),
        (second, second_feature): (&Surface<S>, Feature),
        side: Side,
    ) -> Result<Self, ContactError> {
        let pair = Self {
            first: first_feature.of(first)?,
            second: second_feature.of(second)?,
            side,
            yields: first_feature == Feature::Whole
                && matches!(second_feature, Feature::End(_) | Feature::Corner(_)),
            meeting: Meeting::of((first, first_feature), (second, second_feature))?,
        };
        match (pair.first.shape.kind(), pair.second.shape.kind()) {
            (a, b) if a.is_bounded() || b.is_bounded() => Ok(pair),
            (a, b) => Err(ContactError::unbounded(a, b)),
        }
    }

    /// The two surfaces, in the frames of their entities.
    #[must_use]
    pub fn surfaces(&self) -> (&Surface<S>, &Surface<S>) {
        (&self.first, &self.second)
    }

    /// The side of the plane, if there is one.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    pub(super) fn yields(&self) -> bool {
        self.yields
    }

    /// Whether other contacts of the two surfaces may have the same place.
    pub(super) fn may_share(&self) -> bool {
        let is_segment = |surface: &Surface<S>| surface.shape.kind() == ShapeKind::Capsule;
        let is_polytope = self.first.shape.kind().has_polytope_core();
        self.is_sharp() || self.yields && is_polytope || is_segment(&self.first) && is_segment(&self.second)
    }

    /// Whether it is a contact of two solids with sharp edges: its normal is that of its features, and where its place
    /// is not its own it does not touch.
    #[must_use]
    pub fn is_sharp(&self) -> bool {
        self.meeting.is_some()
    }

    pub(super) fn meeting(&self) -> Option<&Meeting<S>> {
        self.meeting.as_ref()
    }

    /// The same pair with every number converted.
    pub fn map<T>(&self, mut f: impl FnMut(&S) -> T) -> ContactPair<T> {
        let meeting = self.meeting.as_ref().map(|meeting| meeting.map(&mut f));
        self.map_with(meeting, f)
    }

    /// As [`ContactPair::map`], for what pieces ask.
    pub(super) fn map_for_pieces<T>(&self, mut f: impl FnMut(&S) -> T) -> ContactPair<T> {
        let meeting = self.meeting.as_ref().map(|meeting| meeting.map_parts(&mut f));
        self.map_with(meeting, f)
    }

    fn map_with<T>(&self, meeting: Option<Meeting<T>>, mut f: impl FnMut(&S) -> T) -> ContactPair<T> {
        let mut convert = |surface: &Surface<S>| Surface {
            shape: surface.shape.map(&mut f),
            placement: surface.placement.map(&mut f),
        };
        ContactPair {
            first: convert(&self.first),
            second: convert(&self.second),
            side: self.side,
            yields: self.yields,
            meeting,
        }
    }

    /// Gap, normal and closest points with the entities at these places: all that finding a crossing needs.
    ///
    /// # Errors
    /// As [`closest_points()`].
    pub fn closest_points(
        &self,
        first_at: &Placement<S>,
        second_at: &Placement<S>,
    ) -> Result<ClosestPoints<S>, ContactError>
    where
        S: ContactScalar,
    {
        self.refuse_rigorous()?;
        self.found(first_at, second_at, closest_points)
    }

    /// Which sharp features touch is not decided rigorously.
    fn refuse_rigorous(&self) -> Result<(), ContactError>
    where
        S: ContactScalar,
    {
        if S::RIGOROUS && self.is_sharp() {
            return Err(self.no_points(NoClosestPointsReason::Undecided));
        }
        Ok(())
    }

    fn no_points(&self, reason: NoClosestPointsReason) -> ContactError {
        ContactError::NoClosestPoints {
            first: self.first.shape.kind(),
            second: self.second.shape.kind(),
            reason,
        }
    }

    /// The closest points by some method, with the overshoot.
    fn found(
        &self,
        first_at: &Placement<S>,
        second_at: &Placement<S>,
        find: impl Fn(Placed<'_, S>, Placed<'_, S>, Side) -> Result<ClosestPoints<S>, ContactError>,
    ) -> Result<ClosestPoints<S>, ContactError> {
        if let Some(meeting) = &self.meeting {
            let mut points = meeting.closest_points(first_at, second_at);
            points.overshoot = meeting.overshoot(first_at, second_at, &points.gap);
            return Ok(points);
        }
        let (first, second) = (&self.first, &self.second);
        let (a, b) = (
            first_at.compose(&first.placement),
            second_at.compose(&second.placement),
        );
        let mut points = find((&first.shape, &a), (&second.shape, &b), self.side)?;
        if self.yields {
            points.overshoot = vertex_overshoot((&first.shape, &a), &b.position);
        }
        Ok(points)
    }

    /// The kinematics with the entities in these states; the reference axis is chosen from the normal.
    ///
    /// # Errors
    /// As [`closest_points()`].
    pub fn kinematics(
        &self,
        first: &EntityState<S>,
        second: &EntityState<S>,
    ) -> Result<ContactKinematics<S>, ContactError>
    where
        S: ContactScalar,
    {
        self.refuse_rigorous()?;
        self.evaluate(first, second, None, closest_points)
    }

    /// As [`ContactPair::kinematics`], with the reference axis held: dg_T is then a smooth function of time
    /// as long as the normal stays away from the axis.
    ///
    /// # Errors
    /// As [`closest_points()`].
    pub fn kinematics_along(
        &self,
        first: &EntityState<S>,
        second: &EntityState<S>,
        reference: ReferenceAxis,
    ) -> Result<ContactKinematics<S>, ContactError>
    where
        S: ContactScalar,
    {
        self.refuse_rigorous()?;
        self.evaluate(first, second, Some(reference), closest_points)
    }

    /// As [`ContactPair::kinematics`] for any scalar, for pairs with a closed form only.
    ///
    /// # Errors
    /// As [`derive_closest_points`].
    pub fn derive_kinematics(
        &self,
        first: &EntityState<S>,
        second: &EntityState<S>,
        reference: Option<ReferenceAxis>,
    ) -> Result<ContactKinematics<S>, ContactError> {
        if self.is_sharp() {
            return Err(self.no_points(NoClosestPointsReason::NoClosedForm));
        }
        self.evaluate(first, second, reference, derive_closest_points)
    }

    /// dg on dual numbers; see the method above.
    pub(super) fn evaluate(
        &self,
        first: &EntityState<S>,
        second: &EntityState<S>,
        reference: Option<ReferenceAxis>,
        find: impl Fn(
            Placed<'_, Dual<S>>,
            Placed<'_, Dual<S>>,
            Side,
        ) -> Result<ClosestPoints<Dual<S>>, ContactError>,
    ) -> Result<ContactKinematics<S>, ContactError> {
        let dual = |c: &S| Dual::constant(c.clone());
        let (one, two) = (first.coasting(), second.coasting());
        let points = match &self.meeting {
            Some(meeting) => meeting
                .map_parts(dual)
                .closest_points(&one.placement(), &two.placement()),
            None => {
                let pair = self.map_with(None, dual);
                pair.found(&one.placement(), &two.placement(), find)?
            }
        };
        let mut found = from_points(&points, &one, &two, reference);
        if let Some(meeting) = &self.meeting {
            found.overshoot = meeting.overshoot(&first.placement(), &second.placement(), &found.gap);
        }
        Ok(found)
    }
}

/// Values and derivatives apart.
fn from_points<S: Scalar>(
    points: &ClosestPoints<Dual<S>>,
    first: &EntityState<Dual<S>>,
    second: &EntityState<Dual<S>>,
    reference: Option<ReferenceAxis>,
) -> ContactKinematics<S> {
    let n = &points.normal;
    let reference = reference.unwrap_or_else(|| ReferenceAxis::for_normal(n));
    let tangents = reference.tangents(n);
    let r1 = points.on_first.clone() - first.position.clone();
    let r2 = points.on_second.clone() - second.position.clone();
    let relative = second.velocity_at(&r2) - first.velocity_at(&r1);
    let [x, y] = [relative.dot(&tangents[0]), relative.dot(&tangents[1])];
    let normal = relative.dot(n);
    let value = |v: &Vec3<Dual<S>>| v.map(|c| c.value.clone());
    let rate = |v: &Vec3<Dual<S>>| v.map(|c| c.derivative.clone());
    ContactKinematics {
        gap: points.gap.value.clone(),
        normal: value(n),
        tangents: [value(&tangents[0]), value(&tangents[1])],
        frame_rates: [rate(n), rate(&tangents[0]), rate(&tangents[1])],
        arms: [value(&r1), value(&r2)],
        normal_velocity: normal.value,
        tangential_velocity: [x.value, y.value],
        normal_bias: normal.derivative,
        tangential_bias: [x.derivative, y.derivative],
        reference,
        overshoot: points.overshoot.as_ref().map(|c| c.value.clone()),
    }
}

impl<S: Scalar> ContactKinematics<S> {
    /// g_N as far as touching goes: more than the gap where the place is another contact's. What is closed has the true gap.
    #[must_use]
    pub fn closing_gap(&self) -> S {
        closing_gap(&self.gap, self.overshoot.as_ref())
    }

    /// The column of W for a unit force along `direction` on entity 2, and against it on entity 1.
    #[must_use]
    pub fn column(&self, direction: &Vec3<S>) -> ContactColumn<S> {
        ContactColumn {
            first: GeneralizedForce::at(&self.arms[0], -direction.clone()),
            second: GeneralizedForce::at(&self.arms[1], direction.clone()),
        }
    }

    /// W_N.
    #[must_use]
    pub fn normal_column(&self) -> ContactColumn<S> {
        self.column(&self.normal)
    }

    /// The two columns of W_T.
    #[must_use]
    pub fn tangential_columns(&self) -> [ContactColumn<S>; 2] {
        [self.column(&self.tangents[0]), self.column(&self.tangents[1])]
    }

    /// (ddg_N, ddg_T) = Wᵀdu + w_a for these accelerations of the two entities; zero for a fixed one.
    #[must_use]
    pub fn acceleration(
        &self,
        first: &GeneralizedVelocity<S>,
        second: &GeneralizedVelocity<S>,
    ) -> (S, [S; 2]) {
        let [x, y] = self.tangential_columns();
        let [bias_x, bias_y] = &self.tangential_bias;
        (
            self.normal_column().dot(first, second) + self.normal_bias.clone(),
            [
                x.dot(first, second) + bias_x.clone(),
                y.dot(first, second) + bias_y.clone(),
            ],
        )
    }
}
