//! Finds the first moment at which a function goes from positive to zero or below.
//!
//! # The rule
//! On [a, b] the function g is *above* where it is positive. A search is armed when g has been above:
//! - begun [`Beginning::Above`] (the search before ended there, above): armed at once;
//! - begun [`Beginning::Fresh`] with g(a) > `level`: armed at once;
//! - begun `Fresh` with |g(a)| ≤ `level`: g starts *on the level*, which is no crossing. Leaving upwards (g >
//!   `level`) arms. Leaving downwards (g < −`level`) before that is [`Crossing::Sinks`], or, if a positive value is
//!   seen on the way, an ordinary crossing;
//! - begun `Fresh` with g(a) < −`level`: below. Rising to `level` arms.
//!
//! Once armed, the first t with g(t) ≤ 0 is [`Crossing::At`]: g(`before`) > 0 ≥ g(t) were both evaluated and lie a few
//! ulps apart. An excursion into 0 < g ≤ `grazing` that returns above `grazing` is [`Crossing::Grazing`],
//! with its lowest point. The level is never resolved below 64 ulps of the values of g.
//!
//! What comes first is reported; to go on after a grazing or a sinking, search again from there.
//!
//! # Method
//! `scan.rs`: piecewise polynomials in Bernstein form exclude, isolate or split; `bracket.rs` polishes
//! on g itself.
//!
//! # Guarantee
//! To tolerance. For a function that is resolved by its interpolants (smooth), no crossing is missed,
//! however short the time below is, down to the rounding of g itself. A limit reached is
//! [`Crossing::NotIsolated`], a value that is not finite [`Crossing::NotFinite`]; neither is ever `None`.
//! Wiggles below 1e-10 of the size of g that no interpolation resolves are taken for rounding.

mod bernstein;
mod bracket;
mod chebyshev;
mod earliest;
mod first;
mod polynomial;
mod scan;
mod source;

pub use first::CrossingSearch;
pub use polynomial::smallest_positive_root;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// No crossing, no grazing in the whole interval.
    None,
    /// From positive to zero or below.
    At {
        /// First moment with g ≤ 0, to a few ulps.
        t: f64,
        /// Last moment seen with g > 0 (equal to `t` only if the search began above and was not).
        before: f64,
        /// g(t), not positive.
        value: f64,
    },
    /// Came within the grazing tolerance and went away again without touching zero.
    Grazing {
        /// Where it was lowest.
        t: f64,
        /// g there, positive.
        minimum: f64,
    },
    /// Started on the level and left it downwards, without having been above.
    Sinks {
        /// When it was `level` below zero.
        t: f64,
    },
    /// A limit was reached: there may be a crossing in (from, to]. Before `from` there is none.
    NotIsolated {
        /// Start of the doubtful part.
        from: f64,
        /// Its end.
        to: f64,
    },
    /// The function is infinite or not a number at `t`; what lies before was not all searched.
    NotFinite {
        /// When.
        t: f64,
    },
}

impl Crossing {
    /// When it happens, or begins; nothing for `None`.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        match *self {
            Self::None => None,
            Self::At { t, .. } | Self::Grazing { t, .. } | Self::Sinks { t } | Self::NotFinite { t } => {
                Some(t)
            }
            Self::NotIsolated { from, .. } => Some(from),
        }
    }

    /// Whether the whole interval was searched and nothing is there.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

/// What is known of g at the start of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// Nothing: g(a) decides, by the rule.
    #[default]
    Fresh,
    /// g has been above and has not crossed since: the search goes on from an earlier interval.
    Above,
}

/// What may be set for a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossingOptions {
    /// Half width of the level at the start, in the unit of g.
    pub level: f64,
    /// Rounding of g, in its unit, where it is more than that of a function of its size: a difference of large numbers, for one.
    pub noise: f64,
    /// Largest minimum that counts as grazing; `None`: grazing is not reported.
    pub grazing: Option<f64>,
    /// Interpolants made before a search gives up as `NotIsolated`.
    pub pieces: usize,
}

impl Default for CrossingOptions {
    fn default() -> Self {
        Self {
            level: 1e-12,
            noise: 0.0,
            grazing: None,
            pieces: 4096,
        }
    }
}
