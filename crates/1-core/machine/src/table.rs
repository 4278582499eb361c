//! What one contact may do: the table that is executed, proved about, printed and exported \[SPEC §3, §4; 000 §3\].
//!
//! A dynamical location is a product of how its contacts stand, and every guard quantifies over single contacts. So all of the automaton's decisions are in one table about one contact:
//!
//! | phase | stands | move | when |
//! |---|---|---|---|
//! | in a location | open | closes | g_N ≤ 0 ∧ ġ_N ≤ 0 |
//! | | closed | opens | λ_N < 0 |
//! | | stick | breaks away | ∣λ_T∣ > μ λ_N |
//! | | slip | stops | ġ_T = 0 |
//! | | trans | begins to slip | ∣ġ_T∣ > 0 |
//! | I,en | held | strikes | ġ_N < 0 |
//! | I,ex | held | leaves | ġ_N > 0 |
//! | | | stays | ġ_N = 0 |
//! | C,ex | held | slips | ∣ġ_T∣ > 0 |
//! | | | starts | g̈_T ≠ 0 ∧ ġ_T = 0 |
//! | | | sticks | g̈_T = 0 ∧ ġ_T = 0 |
//! | normal estimate | held | takes it | Φ_N ≥ 0 |
//! | | | takes zero | Φ_N < 0 |
//! | tangential estimate | held | takes it | ∣Φ_T∣ ≤ μ λ_N |
//! | | | projects it | ∣Φ_T∣ > μ λ_N |
//! | normal test | held | converged | ∣Δλ_N∣ < ε |
//! | | | moved | ∣Δλ_N∣ ≥ ε |
//! | tangential test | held | converged | ∣Δλ_T∣ < ε |
//! | | | moved | ∣Δλ_T∣ ≥ ε |
//!
//! Cases are tried in order. Where the cases of a row are all that there are (every phase but the first two), the last is what is left when those before it do not hold: after an impact
//! ġ_N ≥ 0, so that a contact that does not leave has ġ_N = 0. In a location a contact that makes no move stays as it stands.
//!
//! Guards and domains quantify this table (`guards.rs`, `domains.rs`), the inside of a node is its last eight rows (`node.rs`). What counts as zero is said where a condition meets a number
//! (`margin.rs`); which edge the moves of some contacts make together, in `successor.rs`.
//!
//! # Guarantee
//! Exact. Under a three-valued judge [`moves`] gives every move that is possible, and one alone only where it is certain.

use crate::condition::{Atom, Bound, Predicate, Quantity};
use crate::location::FrictionMode;
use dyverse_num::{Relation, Tri};

/// How a contact stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// In no set of closed contacts.
    Open,
    /// Closed, in a node that is to give it a mode.
    Held,
    /// Closed, with a friction mode.
    In(FrictionMode),
}

/// Where a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// In a dynamical location.
    Flow,
    /// Where an impact node is entered: which contacts strike?
    ImpactEntrance,
    /// I_k,ex.
    ImpactExit,
    /// C_k,ex.
    ContactExit,
    /// Locations i of a node.
    NormalEstimate,
    /// Locations N + i.
    TangentialEstimate,
    /// Locations 2N + i.
    NormalTest,
    /// Locations 3N + i.
    TangentialTest,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Move {
    /// Nothing.
    Stays,
    /// Stick ends: friction cannot hold it.
    BreaksAway,
    /// Slip ends.
    Stops,
    /// Trans ends.
    BeginsToSlip,
    /// A closed contact is pulled.
    Opens,
    /// An open contact closes.
    Closes,
    /// It closes fast enough for an impulse.
    Strikes,
    /// It moves apart after an impact.
    Leaves,
    /// It gets the mode stick.
    Sticks,
    /// It gets the mode trans.
    Starts,
    /// It gets the mode slip.
    Slips,
    /// An estimate of SORPROX is taken as it is.
    Takes,
    /// A negative normal estimate: zero is taken.
    TakesZero,
    /// A tangential estimate outside the disc is projected onto it.
    Projects,
    /// A force moved less than the tolerance.
    Converged,
    /// A force moved: another sweep.
    Moved,
}

impl Move {
    /// All moves, ascending.
    pub const ALL: [Self; 16] = [
        Self::Stays,
        Self::BreaksAway,
        Self::Stops,
        Self::BeginsToSlip,
        Self::Opens,
        Self::Closes,
        Self::Strikes,
        Self::Leaves,
        Self::Sticks,
        Self::Starts,
        Self::Slips,
        Self::Takes,
        Self::TakesZero,
        Self::Projects,
        Self::Converged,
        Self::Moved,
    ];

    /// How a contact stands after it.
    #[must_use]
    pub fn leads_to(self, from: Standing) -> Standing {
        match self {
            Self::Closes | Self::Strikes => Standing::Held,
            Self::Opens | Self::Leaves => Standing::Open,
            Self::Sticks => Standing::In(FrictionMode::Stick),
            Self::Starts => Standing::In(FrictionMode::Trans),
            Self::Slips | Self::BeginsToSlip => Standing::In(FrictionMode::Slip),
            // Whether it sticks on, slides back or slips is found in the contact node.
            Self::BreaksAway | Self::Stops => from,
            Self::Stays | Self::Takes | Self::TakesZero | Self::Projects | Self::Converged | Self::Moved => {
                from
            }
        }
    }

    /// The mode that a contact node gives by it.
    #[must_use]
    pub fn mode(self) -> Option<FrictionMode> {
        match self {
            Self::Sticks => Some(FrictionMode::Stick),
            Self::Starts => Some(FrictionMode::Trans),
            Self::Slips => Some(FrictionMode::Slip),
            _ => None,
        }
    }
}

/// A set of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves(u16);

impl Moves {
    /// With one more.
    #[must_use]
    pub fn with(self, does: Move) -> Self {
        Self(self.0 | 1 << does as u8)
    }

    /// Is it among them?
    #[must_use]
    pub fn contains(self, does: Move) -> bool {
        self.0 >> does as u8 & 1 == 1
    }

    /// The only one, if there is no other.
    #[must_use]
    pub fn only(self) -> Option<Move> {
        let mut all = self.iter();
        all.next().filter(|_| self.0.is_power_of_two())
    }

    /// All of them, ascending.
    pub fn iter(self) -> impl Iterator<Item = Move> {
        Move::ALL.into_iter().filter(move |does| self.contains(*does))
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Where.
    pub phase: Phase,
    /// How the contact stands.
    pub stands: &'static [Standing],
    /// What it does.
    pub does: Move,
    /// When: all of these.
    pub when: &'static [Atom],
    /// Whether a gap that closes within the simultaneity tolerance counts as closed ([`Atom::SOON`]).
    pub or_soon: bool,
}

const CLOSED: &[Standing] = &[
    Standing::In(FrictionMode::Stick),
    Standing::In(FrictionMode::Trans),
    Standing::In(FrictionMode::Slip),
];
const HELD: &[Standing] = &[Standing::Held];

const fn case(phase: Phase, stands: &'static [Standing], does: Move, when: &'static [Atom]) -> Case {
    Case {
        phase,
        stands,
        does,
        when,
        or_soon: false,
    }
}

const fn zero(quantity: Quantity, relation: Relation) -> Atom {
    Atom {
        quantity,
        relation,
        bound: Bound::Zero,
    }
}

const fn limit(quantity: Quantity, relation: Relation) -> Atom {
    Atom {
        quantity,
        relation,
        bound: Bound::FrictionLimit,
    }
}

const fn small(quantity: Quantity, relation: Relation) -> Atom {
    Atom {
        quantity,
        relation,
        bound: Bound::ForceTolerance,
    }
}

use Quantity::{
    Gap, NormalChange, NormalEstimate, NormalForce, NormalVelocity, TangentialAcceleration, TangentialChange,
    TangentialEstimate, TangentialForce, TangentialSpeed,
};
use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};

/// The table of the module header, row by row.
pub static TABLE: &[Case] = &[
    Case {
        or_soon: true,
        ..case(
            Phase::Flow,
            &[Standing::Open],
            Move::Closes,
            &[zero(Gap, LessEqual), zero(NormalVelocity, LessEqual)],
        )
    },
    case(Phase::Flow, CLOSED, Move::Opens, &[zero(NormalForce, Less)]),
    case(
        Phase::Flow,
        &[Standing::In(FrictionMode::Stick)],
        Move::BreaksAway,
        &[limit(TangentialForce, Greater)],
    ),
    case(
        Phase::Flow,
        &[Standing::In(FrictionMode::Slip)],
        Move::Stops,
        &[zero(TangentialSpeed, Equal)],
    ),
    case(
        Phase::Flow,
        &[Standing::In(FrictionMode::Trans)],
        Move::BeginsToSlip,
        &[zero(TangentialSpeed, Greater)],
    ),
    case(
        Phase::ImpactEntrance,
        HELD,
        Move::Strikes,
        &[zero(NormalVelocity, Less)],
    ),
    case(
        Phase::ImpactExit,
        HELD,
        Move::Leaves,
        &[zero(NormalVelocity, Greater)],
    ),
    case(
        Phase::ImpactExit,
        HELD,
        Move::Stays,
        &[zero(NormalVelocity, Equal)],
    ),
    case(
        Phase::ContactExit,
        HELD,
        Move::Slips,
        &[zero(TangentialSpeed, Greater)],
    ),
    case(
        Phase::ContactExit,
        HELD,
        Move::Starts,
        &[
            zero(TangentialAcceleration, NotEqual),
            zero(TangentialSpeed, Equal),
        ],
    ),
    case(
        Phase::ContactExit,
        HELD,
        Move::Sticks,
        &[zero(TangentialAcceleration, Equal), zero(TangentialSpeed, Equal)],
    ),
    case(
        Phase::NormalEstimate,
        HELD,
        Move::Takes,
        &[zero(NormalEstimate, GreaterEqual)],
    ),
    case(
        Phase::NormalEstimate,
        HELD,
        Move::TakesZero,
        &[zero(NormalEstimate, Less)],
    ),
    case(
        Phase::TangentialEstimate,
        HELD,
        Move::Takes,
        &[limit(TangentialEstimate, LessEqual)],
    ),
    case(
        Phase::TangentialEstimate,
        HELD,
        Move::Projects,
        &[limit(TangentialEstimate, Greater)],
    ),
    case(
        Phase::NormalTest,
        HELD,
        Move::Converged,
        &[small(NormalChange, Less)],
    ),
    case(
        Phase::NormalTest,
        HELD,
        Move::Moved,
        &[small(NormalChange, GreaterEqual)],
    ),
    case(
        Phase::TangentialTest,
        HELD,
        Move::Converged,
        &[small(TangentialChange, Less)],
    ),
    case(
        Phase::TangentialTest,
        HELD,
        Move::Moved,
        &[small(TangentialChange, GreaterEqual)],
    ),
];

impl Phase {
    /// Whether a contact must make one of the phase's moves; else it may stay as it stands.
    const fn is_exhaustive(self) -> bool {
        !matches!(self, Self::Flow | Self::ImpactEntrance)
    }

    /// Its rows for a contact that stands so, in order.
    pub fn cases(self, stands: Standing) -> impl Iterator<Item = &'static Case> {
        TABLE
            .iter()
            .filter(move |case| case.phase == self && case.stands.contains(&stands))
    }
}

impl Case {
    /// The row of a phase with a move; every move is in its phase once.
    ///
    /// # Panics
    /// If the table has no such row: whoever asks names one of the module header.
    #[must_use]
    pub fn of(phase: Phase, does: Move) -> &'static Self {
        let found = TABLE.iter().find(|case| case.phase == phase && case.does == does);
        found.unwrap_or_else(|| unreachable!("bug: no row {does:?} in {phase:?}"))
    }

    /// Its condition, for guards and domains.
    #[must_use]
    pub fn predicate(&self) -> Predicate {
        Predicate::all(self.when.iter().copied().map(Predicate::Atom).collect())
    }

    /// That it does not hold.
    #[must_use]
    pub fn negated(&self) -> Predicate {
        Predicate::any(
            self.when
                .iter()
                .map(|atom| Predicate::Atom(atom.negated()))
                .collect(),
        )
    }

    /// Its comparisons, each with one that counts as well: what is about to hold, where the row says so.
    pub fn comparisons(&self) -> impl Iterator<Item = (Atom, Option<Atom>)> + '_ {
        let soon = |atom: &Atom| (self.or_soon && atom.quantity == Quantity::Gap).then_some(Atom::SOON);
        self.when.iter().map(move |atom| (*atom, soon(atom)))
    }

    /// Whether it holds, by a judge of comparisons.
    pub fn holds(&self, judge: &mut impl FnMut(Atom) -> Tri) -> Tri {
        self.comparisons()
            .fold(Tri::True, |found, (atom, or)| match (found, or) {
                (Tri::False, _) => Tri::False,
                (_, Some(or)) => found.and(judge(atom).or(judge(or))),
                (_, None) => found.and(judge(atom)),
            })
    }
}

/// Every move that a contact may make, under a judge of its comparisons.
pub fn moves(phase: Phase, stands: Standing, judge: &mut impl FnMut(Atom) -> Tri) -> Moves {
    let mut found = Moves::default();
    let mut rows = phase.cases(stands).peekable();
    while let Some(case) = rows.next() {
        if phase.is_exhaustive() && rows.peek().is_none() {
            return found.with(case.does);
        }
        match case.holds(judge) {
            Tri::True => return found.with(case.does),
            Tri::Unknown => found = found.with(case.does),
            Tri::False => {}
        }
    }
    found.with(Move::Stays)
}
