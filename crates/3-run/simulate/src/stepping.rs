//! Contacts followed by steps: velocities and impulses over each step instead of forces and events [Moreau 1988; Stewart, Trinkle 1996; Jean 1999].
//!
//! # One step
//! From positions q and velocities u, over a step h, with the contacts that are within reach in it:
//!
//! > u* = u + h M⁻¹ f(q, u, t),   u⁺ = u* + M⁻¹ W P,   q⁺ = q ⊕ h u⁺ (⊕ h (u + u⁺)/2 where no impulse acts: a parabola)
//! > 0 ≤ P_N ⊥ γ_N⁺ − β ≥ 0,  |P_T| ≤ μ P_N against γ_T⁺,   γ⁺ = Wᵀu⁺
//! > β = −g_N/h where the gap g_N is open, 0 where it is closed; −e γ_N where the contact strikes within the step, faster than a fall of two steps.
//!
//! A strike is at its time in the step: a body that one contact throws back flies its parabolas before and after. What impulses tie to each other changes its velocities at one time, the first strike among it, in
//! the first half of the step ([`Course`]): else what lies on what is struck would lie in it.
//!
//! The gap is in the law: what comes to touch within the step touches at its end, what rests has u⁺ = 0 exactly, and nothing flickers. That is a contact problem as any other, which SORPROX solves, warm from
//! the step before or from the round before; where sweeps do not get there, Newton's method on velocities and sweeps take turns. Gaps are linear in it, and surfaces bend: where the step leads into others by more than [`DEPTH`], β is raised by what is lacking, with
//! contacts that came into reach, and the step is solved again. A strike is answered in the same way. What is left after some rounds is moved apart by the least change in the metric of M, without any change of velocity. Where strikes would leave more energy after the step than before it, they get a smaller restitution, none at the last.
//!
//! Couples (rolling and spinning friction, couples.rs) are part of the same problem: |P_r| ≤ ρ_r P_N against what rolls after the step, and the same of what spins.
//!
//! Where a body turns in the step its angular momentum stays and its kinetic energy does not grow.
//!
//! # Guarantee
//! Loads that change are those of the middle of a step, in the mean of the states at both ends; by how much they change in it is part of the estimate. Switches of loads are decided at the beginning of a step, and steps end
//! where those of time turn.
//!
//! Of the first order in h. The estimate ½ h |Δu| bounds by how much positions of explicit and implicit steps differ. Without strikes E(q⁺, u⁺) − E(q, u) = u⁺ᵀWP − ½ |u⁺ − u|²_M under constant loads, and contact
//! impulses do no work but what pushes surfaces apart where they bend: that is taken out of the velocities again; strikes add none.

use crate::courses::{Course, Way, courses_of, ways_of, work_over};
use crate::friction::checked;
use crate::impact::Cluster;
use crate::index::ContactIx;
use crate::island::{Island, pack_all};
use crate::loads::{STATE, pack_rate, unpack};
use crate::projection::{add_twist, displace, kinetic};
use crate::reach::{Candidate, fastest_point, twist_of};
use crate::run::{Halt, Run};
use dyverse_mech::{
    ContactDirections, ContactLaw, ContactProblem, CoupleLaw, Delassus, EntityState, GeneralizedVelocity,
    InverseMass, MassId, SolverOptions, Triple, Twist, approach_contacts, solve_contacts,
};
use dyverse_num::{Quaternion, Vec3};
use dyverse_trace::StopReason;

/// Sweeps of one step.
const SWEEPS: usize = 60;
/// The residual with which a step is solved: the next one begins with its impulses, so that what lasts is solved better and better.
const ENOUGH: f64 = 1e-5;
/// Contacts up to which the fall-backs of the sweeps are tried.
const MOST_DIRECT: usize = 48;
/// The residual of a step's impulses that is asked for.
const RESIDUAL: f64 = 1e-11;
/// What two surfaces may lie in each other, as a part of the size of the smallest body.
pub(crate) const DEPTH: f64 = 1e-7;
/// Rounds that move surfaces apart.
const MOST_ROUNDS: usize = 5;
/// Energy that is rounding, as a part of what there is.
const ROUNDING: f64 = 1e-12;

/// The residual from which impulses are no solution. Where bodies jam each other with friction there is none for some velocities that are asked for.
const ROUGH: f64 = 1e-3;

/// The twists that impulses give to entities.
type Given = Vec<(MassId, Twist)>;

/// Impulses over a step, the velocities after them, and how far they are from solving their laws.
#[derive(Clone)]
struct Solved {
    impulses: Vec<Triple>,
    after: Vec<Twist>,
    /// β by contact.
    targets: Vec<f64>,
    residual: f64,
}

/// What an island that is followed by steps remembers of its present one.
#[derive(Clone, Debug)]
pub(crate) struct Stepping {
    /// How long it is, s.
    pub(crate) h: f64,
    /// How the entities move in it: evenly, or with their velocities where they fly.
    ways: Vec<Way>,
    /// Their velocities at its beginning, after strikes, and what is added to them in its course, evenly.
    begins: Vec<Twist>,
    adds: Vec<Twist>,
    /// Impulses over the step by contact.
    pub(crate) impulses: Vec<(ContactIx, Triple)>,
}

/// A contact in a step.
pub(crate) struct Held {
    pub(crate) candidate: Candidate,
    /// γ before the step.
    now: Triple,
    /// γ without contacts.
    free: Triple,
    /// Whether it is struck, and throws back.
    pub(crate) strikes: bool,
    friction: f64,
    /// β of a contact that is not struck.
    target: f64,
    /// By what β is raised.
    raised: f64,
}

impl Held {
    /// When it strikes in a step h, s; at the end of it if it does not.
    pub(crate) fn strikes_at(&self, h: f64) -> f64 {
        if self.strikes {
            (self.candidate.gap.max(0.0) / -self.now[0]).min(h)
        } else {
            h
        }
    }
}

pub(crate) fn sum(a: &Twist, b: &Twist) -> Twist {
    std::array::from_fn(|i| a[i] + b[i])
}

fn difference(a: &Twist, b: &Twist) -> Twist {
    std::array::from_fn(|i| a[i] - b[i])
}

/// Where a body is that moved and turned evenly for h: sine and cosine of half the angle, to its sixth power.
fn moved_by(state: &EntityState<f64>, twist: &Twist, h: f64) -> EntityState<f64> {
    let half = [twist[3], twist[4], twist[5]].map(|w| 0.5 * h * w);
    let square: f64 = half.iter().map(|a| a * a).sum();
    let sine = 1.0 - square / 6.0 * (1.0 - square / 20.0);
    let turn = Quaternion {
        w: 1.0 - 0.5 * square * (1.0 - square / 12.0 * (1.0 - square / 30.0)),
        x: sine * half[0],
        y: sine * half[1],
        z: sine * half[2],
    };
    EntityState {
        position: state.position + Vec3::new(twist[0], twist[1], twist[2]).scale(&h),
        orientation: (turn * state.orientation).normalized(),
        ..*state
    }
}

/// A step that was solved.
pub(crate) struct Stepped {
    pub(crate) states: Vec<EntityState<f64>>,
    pub(crate) stepping: Stepping,
    /// The estimate of the module header, m.
    pub(crate) error: f64,
    /// What changes of loads in the step put a point off, m.
    pub(crate) varied: f64,
    /// How deep surfaces lie in each other after it, m.
    pub(crate) depth: f64,
    /// How deep their sharp edges may (rounded.rs).
    pub(crate) sharp: f64,
    pub(crate) strikes: bool,
    /// Of loads and of contacts, J.
    work: (f64, f64),
}

impl Stepped {
    /// The states at its end, from those before it.
    fn ends<'a>(&'a self, states: &'a [EntityState<f64>]) -> impl Iterator<Item = EntityState<f64>> + 'a {
        let stepping = &self.stepping;
        states.iter().enumerate().map(move |(place, state)| {
            let mut end = moved_by(state, &stepping.ways[place].twist, stepping.h);
            let after = sum(&stepping.begins[place], &stepping.adds[place]);
            add_twist(&mut end, &difference(&after, &twist_of(state)));
            end
        })
    }
}

fn rates(directions: &ContactDirections<f64>, twists: &[Twist]) -> Triple {
    let mut sum = [0.0; 3];
    for side in [&directions.first, &directions.second].into_iter().flatten() {
        for (sum, column) in sum.iter_mut().zip(&side.columns) {
            let twist = &twists[side.entity.0];
            *sum += column.iter().zip(twist).map(|(c, u)| c * u).sum::<f64>();
        }
    }
    sum
}

impl Run<'_> {
    /// Moves the states of a cluster apart where surfaces lie in each other; the deepest before that. Contacts are those found at these states, and gaps those after it.
    pub(crate) fn move_apart(
        &mut self,
        t: f64,
        cluster: &mut Cluster,
        candidates: &mut Vec<Candidate>,
        h: f64,
    ) -> Result<f64, Halt> {
        let allowed = 0.5 * DEPTH * self.capture.size;
        let deepest = |all: &[Candidate]| all.iter().map(|c| -c.gap).fold(0.0, f64::max);
        let first = deepest(candidates);
        for _ in 0..MOST_ROUNDS {
            if deepest(candidates) <= allowed {
                break;
            }
            let masses = self.masses(cluster);
            let directions: Vec<_> = candidates.iter().map(|c| c.directions.clone()).collect();
            let laws = candidates
                .iter()
                .map(|c| ContactLaw::coulomb([c.gap, 0.0, 0.0], 0.0))
                .collect();
            let cold = vec![[0.0; 3]; candidates.len()];
            let (_, pushes, _) = self.impulses_of(&masses, &directions, laws, cold)?;
            for (entity, twist) in pushes {
                displace(&mut cluster.states[entity.0], &twist);
            }
            *candidates = self.candidates(t, cluster, h)?;
        }
        Ok(first)
    }

    fn masses(&self, cluster: &Cluster) -> Vec<InverseMass<f64>> {
        let all = cluster.entities.iter().zip(&cluster.states);
        all.map(|(entity, state)| self.system.inverse_mass(*entity, state))
            .collect()
    }

    /// Impulses by sweeps, and by their fall-backs; with the twists that they give to entities, and the residual.
    fn impulses_of(
        &mut self,
        masses: &[InverseMass<f64>],
        directions: &[ContactDirections<f64>],
        laws: Vec<ContactLaw>,
        warm: Vec<Triple>,
    ) -> Result<(Vec<Triple>, Given, f64), Halt> {
        let count = laws.len();
        let delassus = Delassus::from_contacts(masses, directions).map_err(not_finite)?;
        let problem = ContactProblem::new(&delassus, laws).map_err(|error| StopReason::NotFinite {
            what: error.to_string(),
        })?;
        let options = SolverOptions {
            sweep_limit: SWEEPS,
            residual_tolerance: RESIDUAL,
            ..SolverOptions::default()
        };
        let swept = approach_contacts(&problem, &options, warm, ENOUGH);
        let statistics = &mut self.recorder.statistics;
        statistics.sweeps += swept.sweeps;
        let mut found = (swept.forces, swept.residual);
        if !swept.is_converged && found.1 > ENOUGH && count <= MOST_DIRECT {
            let forces = match solve_contacts(&problem, &options, Some(&found.0)) {
                Ok(solution) => solution.forces,
                Err(left) => left.forces,
            };
            let residual = problem.usable_residual(&forces);
            if residual < found.1 {
                found = (forces, residual);
            }
        }
        if found.0.as_flattened().iter().any(|p| !p.is_finite()) {
            return Err(StopReason::NotFinite {
                what: "an impulse over a step".into(),
            });
        }
        let statistics = &mut self.recorder.statistics;
        statistics.largest_residual = statistics.largest_residual.max(found.1);
        statistics.rough_forces += usize::from(found.1 > ENOUGH);
        let touched = delassus.touched_entities().iter().copied();
        let twists = touched.zip(delassus.twists(&found.0)).collect();
        Ok((found.0, twists, found.1))
    }

    /// What loads do to the entities of a cluster in some states, at a time of the step that begins at the anchor.
    fn loads_in(
        &mut self,
        t: f64,
        cluster: &Cluster,
        states: &[EntityState<f64>],
    ) -> Result<Vec<Twist>, Halt> {
        let x = pack_all(states);
        self.evaluation
            .kinematics_of(&self.system, &cluster.entities, std::iter::empty(), t, &x)
            .map_err(|fault| self.fault(fault, t))?;
        let loads = self.evaluation.loads.iter();
        Ok(loads
            .map(|load| {
                let (f, m) = (&load.force, &load.moment);
                [f.x, f.y, f.z, m.x, m.y, m.z]
            })
            .collect())
    }

    /// Velocities over a step h, and what made them. Loads that change are those of its middle, in the mean of the states at both ends.
    pub(crate) fn solve_step(
        &mut self,
        t: f64,
        cluster: &Cluster,
        candidates: Vec<Candidate>,
        h: f64,
    ) -> Result<Stepped, Halt> {
        self.evaluation.anchor = t;
        let mut groups = cluster
            .entities
            .iter()
            .filter_map(|e| self.system.bodies[*e].group);
        let is_constant = groups.all(|group| self.system.loads[group].is_constant());
        if is_constant {
            let forces = self.loads_in(t, cluster, &cluster.states)?;
            return self.solve_step_with(t, cluster, candidates, h, &forces);
        }
        let at = |run: &mut Self, part: f64, states: &[EntityState<f64>]| {
            run.loads_in(t + part * h, cluster, states)
        };
        let first = at(self, 0.0, &cluster.states)?;
        let last = at(self, 1.0, &cluster.states)?;
        let mut forces = at(self, 0.5, &cluster.states)?;
        let tried = self.solve_step_with(t, cluster, candidates.clone(), h, &forces)?;
        let ends: Vec<_> = tried.ends(&cluster.states).collect();
        let there = at(self, 0.5, &ends)?;
        let masses = self.masses(cluster);
        let mut most: f64 = 0.0;
        for (place, mass) in masses.iter().enumerate() {
            let reach = self.system.bodies[cluster.entities[place]].reach;
            for other in [&first[place], &last[place], &there[place]] {
                let off = fastest_point(reach, &mass.apply(&difference(other, &forces[place])));
                most = if off.is_nan() {
                    f64::INFINITY
                } else {
                    most.max(off)
                };
            }
            forces[place] = sum(&forces[place], &there[place]).map(|f| 0.5 * f);
        }
        let mut stepped = self.solve_step_with(t, cluster, candidates, h, &forces)?;
        stepped.varied = 0.5 * h * h * most;
        stepped.error = stepped.error.max(stepped.varied);
        Ok(stepped)
    }

    fn solve_step_with(
        &mut self,
        t: f64,
        cluster: &Cluster,
        candidates: Vec<Candidate>,
        h: f64,
        forces: &[Twist],
    ) -> Result<Stepped, Halt> {
        let masses = self.masses(cluster);
        let before: Vec<Twist> = cluster.states.iter().map(twist_of).collect();
        let loads = forces.iter().zip(&masses);
        let loads: Vec<Twist> = loads
            .map(|(force, mass)| mass.apply(force).map(|a| h * a))
            .collect();
        let free: Vec<Twist> = before.iter().zip(&loads).map(|(u, a)| sum(u, a)).collect();
        let mut held: Vec<Held> = candidates
            .into_iter()
            .map(|candidate| self.held((t, cluster), candidate, (&before, &free), h))
            .collect::<Result<_, _>>()?;
        let (mut solved, mut courses, mut ways, mut depth);
        let mut before_raising: Option<Solved> = None;
        let mut rounds = 0;
        loop {
            let known = before_raising.as_ref().map(|last| &last.impulses[..]);
            solved =
                self.impulses_without_gain(cluster, (&masses, forces), &held, (&before, &free), h, known)?;
            // What cannot be pushed apart against friction is moved apart without it after the step.
            let jams = solved.residual > ROUGH;
            if let Some(last) = before_raising
                .take()
                .filter(|last| jams && last.residual <= ROUGH)
            {
                rounds = MOST_ROUNDS - 1;
                solved = last;
                solved.impulses.resize(held.len(), [0.0; 3]);
            }
            courses = courses_of(&held, &solved.impulses, before.len(), h);
            ways = ways_of(&courses, (&before, &free, &solved.after), h);
            let states = cluster.states.iter().zip(&ways);
            let moved = states
                .map(|(state, way)| moved_by(state, &way.twist, h))
                .collect();
            let there = Cluster::at(cluster.entities.clone(), moved);
            let found = self.candidates(t, &there, 0.0)?;
            depth = found.iter().map(|c| -c.gap).fold(0.0, f64::max);
            rounds += 1;
            if depth <= 0.5 * DEPTH * self.capture.size || rounds == MOST_ROUNDS || solved.residual > ROUGH {
                break;
            }
            before_raising = Some(solved.clone());
            // Surfaces bend, and others come into reach: the gaps where the step leads to count.
            for candidate in found {
                // How long what raises β acts.
                let sides = candidate
                    .directions
                    .sides()
                    .map(|side| courses[side.entity.0].rest_of(h));
                let acts = sides.fold(h, f64::min).max(0.5 * h);
                let rate = |of: &Candidate| rates(&of.directions, &solved.after)[0];
                match held.iter().position(|h| h.candidate.contact == candidate.contact) {
                    // What the solver left is not to be pushed out with a velocity.
                    Some(place) => {
                        let left = acts * (rate(&held[place].candidate) - solved.targets[place]).min(0.0);
                        held[place].raised += (left - candidate.gap).max(0.0) / acts;
                    }
                    None => {
                        let target = rate(&candidate) - candidate.gap / acts;
                        let mut new = self.held((t, cluster), candidate, (&before, &free), h)?;
                        (new.strikes, new.target) = (false, target);
                        held.push(new);
                    }
                }
            }
        }
        let Solved {
            impulses, mut after, ..
        } = solved;
        let (of_loads, mut gained) = self.energy_of(cluster, forces, (&before, &after), &ways, h);
        // Where surfaces bend, pushing them apart does work that the true motion does not have: it is taken out of what moves, where something fixed takes the momentum.
        let is_borne = |h: &Held| h.candidate.directions.sides().count() == 1;
        if gained > 0.0 && held.iter().any(is_borne) {
            let pushed = |place: usize| if ways[place].flies { 0.0 } else { 1.0 };
            let kinetic_of = |place: usize, u: &Twist| {
                let mut state = cluster.states[place];
                add_twist(&mut state, &difference(u, &before[place]));
                let body = &self.system.bodies[cluster.entities[place]];
                pushed(place) * body.inertia.kinetic_energy(&state)
            };
            let moving: f64 = after.iter().enumerate().map(|(n, u)| kinetic_of(n, u)).sum();
            let kept = (1.0 - gained / moving).max(0.0).sqrt();
            if moving > 0.0 {
                for (u, _) in after.iter_mut().zip(&ways).filter(|(_, way)| !way.flies) {
                    *u = u.map(|w| kept * w);
                }
                gained -= gained.min(moving);
            }
        }
        let strikes = held.iter().any(|h| h.strikes);
        let sharp = held.iter().map(|h| h.candidate.sharp).fold(0.0, f64::max);
        let begins: Vec<Twist> = (0..before.len())
            .map(|place| match courses[place] {
                Course::Struck { .. } => {
                    // Loads work along the way: who sees it in the middle of the step finds no more energy than at its ends.
                    let u = &after[place];
                    let mut struck = cluster.states[place];
                    add_twist(&mut struck, &difference(u, &before[place]));
                    let body = &self.system.bodies[cluster.entities[place]];
                    let kinetic = body.inertia.kinetic_energy(&struck);
                    let worked = work_over(&forces[place], &ways[place], h);
                    let part = if kinetic > 0.0 {
                        (1.0 - worked / kinetic).max(0.0).sqrt()
                    } else {
                        1.0
                    };
                    u.map(|w| part * w)
                }
                Course::Flies | Course::Pushed => before[place],
            })
            .collect();
        let adds: Vec<Twist> = after.iter().zip(&begins).map(|(u, v)| difference(u, v)).collect();
        let mut states = cluster.states.clone();
        let mut error: f64 = 0.0;
        for (place, state) in states.iter_mut().enumerate() {
            let reach = self.system.bodies[cluster.entities[place]].reach;
            let moved = fastest_point(reach, &difference(&after[place], &before[place]));
            error = error.max(0.5 * h * moved);
            add_twist(state, &difference(&begins[place], &before[place]));
        }
        let contacts = held.iter().map(|h| h.candidate.contact);
        Ok(Stepped {
            states,
            stepping: Stepping {
                h,
                ways,
                begins,
                adds,
                impulses: contacts.zip(impulses).collect(),
            },
            error,
            varied: 0.0,
            depth,
            sharp,
            strikes,
            work: (of_loads, gained),
        })
    }

    /// The work of loads over a step, and what is gained of kinetic energy beside it, J.
    fn energy_of(
        &self,
        cluster: &Cluster,
        forces: &[Twist],
        (before, after): (&[Twist], &[Twist]),
        ways: &[Way],
        h: f64,
    ) -> (f64, f64) {
        let (mut of_loads, mut gained) = (0.0, 0.0);
        for (place, state) in cluster.states.iter().enumerate() {
            let inertia = &self.system.bodies[cluster.entities[place]].inertia;
            let mut moved = *state;
            add_twist(&mut moved, &difference(&after[place], &before[place]));
            gained += inertia.kinetic_energy(&moved) - inertia.kinetic_energy(state);
            of_loads += work_over(&forces[place], &ways[place], h);
        }
        (of_loads, gained - of_loads)
    }

    /// Accounts for the work of a step that is made.
    pub(crate) fn book(&mut self, stepped: &Stepped) {
        self.recorder.balance.work_of_loads += stepped.work.0;
        self.recorder.balance.work_of_impacts += stepped.work.1;
    }

    /// The law of a contact over a step h, with velocities before it and without contacts.
    fn held(
        &mut self,
        (t, cluster): (f64, &Cluster),
        candidate: Candidate,
        (before, free): (&[Twist], &[Twist]),
        h: f64,
    ) -> Result<Held, Halt> {
        let own = self.system.contact(candidate.contact).friction_of_states();
        let over_states = own.map(|own| {
            let x = pack_all(&cluster.states);
            let label = || format!("the friction of {}", self.system.contact(candidate.contact).label);
            self.evaluation
                .friction_of(&self.system, own, &cluster.entities, t, &x)
                .and_then(|found| checked(found, label))
                .map_err(|fault| self.fault(fault, t))
        });
        let over_states = over_states.transpose()?;
        let data = self.system.contact(candidate.contact);
        let now = rates(&candidate.directions, before);
        let slow = 2.0 * h * self.capture.acceleration;
        Ok(Held {
            now,
            free: rates(&candidate.directions, free),
            strikes: now[0] < -slow && candidate.gap + h * now[0] <= 0.0 && data.restitution > 0.0,
            friction: over_states.unwrap_or_else(|| {
                self.system
                    .friction_in_state(candidate.contact, now[1].hypot(now[2]), None)
            }),
            target: -candidate.gap.max(0.0) / h,
            raised: 0.0,
            candidate,
        })
    }

    /// Impulses over a step and the velocities after them, with as much restitution as adds no energy: what a step gains is a convex function of the share of restitution, and at its worst nothing without any. Where bodies jam, strikes may have no solution: then there is no restitution either.
    fn impulses_without_gain(
        &mut self,
        cluster: &Cluster,
        (masses, forces): (&[InverseMass<f64>], &[Twist]),
        held: &[Held],
        (before, free): (&[Twist], &[Twist]),
        h: f64,
        known: Option<&[Triple]>,
    ) -> Result<Solved, Halt> {
        let mut found = self.impulses_with(masses, held, free, (h, 1.0), known)?;
        if !held.iter().any(|h| h.strikes) {
            return Ok(found);
        }
        let gain = |run: &Self, found: &Solved| {
            let courses = courses_of(held, &found.impulses, before.len(), h);
            let ways = ways_of(&courses, (before, free, &found.after), h);
            run.energy_of(cluster, forces, (before, &found.after), &ways, h).1
        };
        let size = kinetic(&self.system, &cluster.entities, &cluster.states);
        let whole = gain(self, &found);
        if found.residual > ROUGH {
            let none = self.impulses_with(masses, held, free, (h, 0.0), None)?;
            if none.residual < found.residual {
                found = none;
            }
        } else if whole > ROUNDING * size {
            found = self.impulses_with(masses, held, free, (h, 0.0), Some(&found.impulses))?;
            let none = gain(self, &found);
            if none < 0.0 {
                let share = none / (none - whole);
                let part = self.impulses_with(masses, held, free, (h, share), Some(&found.impulses))?;
                if gain(self, &part) <= ROUNDING * size {
                    found = part;
                }
            }
        }
        Ok(found)
    }

    /// The same with a share of the restitution, from impulses of much the same problem, of its first contacts, or from those of the step before.
    fn impulses_with(
        &mut self,
        masses: &[InverseMass<f64>],
        held: &[Held],
        free: &[Twist],
        (h, share): (f64, f64),
        known: Option<&[Triple]>,
    ) -> Result<Solved, Halt> {
        let mut directions: Vec<_> = held.iter().map(|h| h.candidate.directions.clone()).collect();
        let mut warm: Vec<Triple> = match known {
            Some(known) => known.to_vec(),
            None => {
                let contacts = held.iter().map(|held| held.candidate.contact);
                contacts.map(|contact| self.capture.warm(contact, h)).collect()
            }
        };
        warm.resize(held.len(), [0.0; 3]);
        let mut targets = Vec::with_capacity(held.len());
        let laws = held.iter().map(|held| {
            let data = self.system.contact(held.candidate.contact);
            let (target, across) = if held.strikes {
                // Loads act on for the rest of the step.
                let left = 1.0 - held.strikes_at(h) / h;
                let thrown = -share * data.restitution * held.now[0];
                let added = left * (held.free[0] - held.now[0]);
                ((thrown + added).max(0.0), share * data.tangential_restitution)
            } else {
                (held.target, 0.0)
            };
            let target = target + held.raised;
            targets.push(target);
            let [n, x, y] = held.free;
            let bias = [n - target, x + across * held.now[1], y + across * held.now[2]];
            ContactLaw::coulomb(bias, held.friction)
        });
        let mut laws: Vec<ContactLaw> = laws.collect();
        // Couples against what turns after the step, bounded by all of its impulse.
        for (of, held) in held.iter().enumerate() {
            let data = self.system.contact(held.candidate.contact).couple;
            let (Some(turns), Some(couple)) = (&held.candidate.turns, data) else {
                continue;
            };
            let law = CoupleLaw {
                of,
                spin: couple.spin,
                roll: couple.roll,
                spin_sign: None,
                roll_direction: None,
            };
            laws.push(ContactLaw::of_couple(rates(turns, free), law));
            directions.push(turns.clone());
            warm.push([0.0; 3]);
        }
        let (mut impulses, twists, residual) = self.impulses_of(masses, &directions, laws, warm)?;
        impulses.truncate(held.len());
        let mut after = free.to_vec();
        for (entity, twist) in twists {
            after[entity.0] = sum(&after[entity.0], &twist);
        }
        Ok(Solved {
            impulses,
            after,
            targets,
            residual,
        })
    }

    /// Makes the motion of a step: straight, and turning evenly.
    pub(crate) fn step_straight(&mut self, island: &mut Island) -> Result<(), Halt> {
        let Some(stepping) = &island.stepping else {
            return Ok(());
        };
        let end = (island.integrator.t() + stepping.h).min(self.horizon);
        let (h, ways, adds) = (stepping.h, stepping.ways.clone(), stepping.adds.clone());
        self.step_given(island, end, &mut |_, x, dx| {
            let parts = x.chunks_exact(STATE).zip(dx.chunks_exact_mut(STATE));
            for ((x, dx), (way, add)) in parts.zip(ways.iter().zip(&adds)) {
                let mut state = unpack(x);
                if !way.flies {
                    let [x, y, z, a, b, c] = way.twist;
                    state.velocity = Vec3::new(x, y, z);
                    state.angular_velocity = Vec3::new(a, b, c);
                }
                let [v, w] = [0, 3].map(|n| Vec3::new(add[n], add[n + 1], add[n + 2]).scale(&(1.0 / h)));
                pack_rate(
                    &state.derivative(&GeneralizedVelocity {
                        linear: v,
                        angular: w,
                    }),
                    dx,
                );
            }
            Ok(())
        })
    }

    /// What turning makes of the states of an island that is followed by steps, at some time of its step.
    pub(crate) fn turn_in_step(&mut self, island: &Island, states: &mut [EntityState<f64>]) {
        let Some(stepping) = &island.stepping else { return };
        let begin = island.step().t0();
        for (place, state) in states.iter_mut().enumerate() {
            let body = &self.system.bodies[island.entities[place]];
            let orientation = island.state(place, begin).orientation;
            let begun = EntityState {
                orientation,
                ..*state
            };
            let before = body.inertia.kinetic_energy(&begun);
            // What the step was said to end with.
            let mut told = begun;
            let end = sum(&stepping.begins[place], &stepping.adds[place]);
            add_twist(&mut told, &difference(&end, &twist_of(&begun)));
            let booked = body.inertia.kinetic_energy(&told);
            if !body.is_isotropic {
                let momentum = body.inertia.angular_momentum(&begun);
                let inverse = body.inertia.inverse_inertia_in_world(&state.orientation);
                state.angular_velocity = inverse.apply(&momentum);
                let after = body.inertia.kinetic_energy(state);
                let turning = after - 0.5 * body.inertia.mass() * state.velocity.norm_squared();
                if after > before && turning > 0.0 {
                    let kept = ((turning - (after - before)) / turning).max(0.0).sqrt();
                    state.angular_velocity = state.angular_velocity.scale(&kept);
                }
            }
            self.recorder.balance.work_of_projection += body.inertia.kinetic_energy(state) - booked;
        }
    }
}

fn not_finite(error: dyverse_mech::DelassusError) -> Halt {
    StopReason::NotFinite {
        what: error.to_string(),
    }
}
