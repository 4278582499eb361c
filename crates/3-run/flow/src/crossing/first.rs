//! The first crossing of one function: the rule of `crossing.rs`, as scans.
//!
//! # Guarantee
//! That of `crossing.rs`. No allocation once the stack has grown.

use super::bernstein::MAX_DEGREE;
use super::bracket::close_bracket;
use super::scan::{Effort, Scan, Scanned, Task};
use super::source::{Shifted, Source};
use super::{Beginning, Crossing, CrossingOptions};

/// The level is not resolved below this part of the function's size.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Places at which a positive value is looked for before a sinking is believed.
const LOOKS: u32 = 16;

/// Searches for crossings; keeps its work space.
///
/// ```
/// use dyverse_flow::{Beginning, Crossing, CrossingOptions, CrossingSearch};
/// let mut search = CrossingSearch::new(CrossingOptions::default());
/// // Thrown up from the ground: leaves the level, returns at 2 v/g.
/// let found = search.first(&mut |t| 3.0 * t - 4.905 * t * t, 0.0, 1.0, Beginning::Fresh);
/// assert!(matches!(found, Crossing::At { t, .. } if (t - 6.0 / 9.81).abs() < 1e-15));
/// ```
#[derive(Debug, Default)]
pub struct CrossingSearch {
    options: CrossingOptions,
    stack: Vec<Task>,
    pieces: u64,
}

impl CrossingSearch {
    /// A search with its options.
    #[must_use]
    pub fn new(options: CrossingOptions) -> Self {
        Self {
            options,
            stack: Vec::new(),
            pieces: 0,
        }
    }

    /// The options it was made with.
    #[must_use]
    pub fn options(&self) -> &CrossingOptions {
        &self.options
    }

    /// Polynomial pieces made so far.
    #[must_use]
    pub fn pieces(&self) -> u64 {
        self.pieces
    }

    /// The first crossing of `g` in (a, b]; nothing if b ≤ a. See the rule in the [crate] documentation.
    pub fn first(&mut self, g: &mut dyn FnMut(f64) -> f64, a: f64, b: f64, beginning: Beginning) -> Crossing {
        self.first_of(&mut Source::BlackBox(g), a, b, beginning)
    }

    /// The same for Σ c_k (t − a)^k.
    pub fn first_of_power(&mut self, c: &[f64], a: f64, b: f64, beginning: Beginning) -> Crossing {
        if c.len() > MAX_DEGREE + 1 {
            let mut horner = |t: f64| c.iter().rev().fold(0.0, |sum, c| sum * (t - a) + c);
            return self.first(&mut horner, a, b, beginning);
        }
        self.first_of(&mut Source::Power { c, origin: a }, a, b, beginning)
    }

    /// The same for Σ b_j C(n,j) τ^j (1−τ)^{n−j}, τ = (t − a)/(b − a). `NotIsolated` above degree 24, and
    /// for no coefficients.
    pub fn first_of_bernstein(
        &mut self,
        coefficients: &[f64],
        a: f64,
        b: f64,
        beginning: Beginning,
    ) -> Crossing {
        if coefficients.is_empty() || coefficients.len() > MAX_DEGREE + 1 {
            return Crossing::NotIsolated { from: a, to: b };
        }
        let mut source = Source::Bernstein {
            b: coefficients,
            from: a,
            to: b,
        };
        self.first_of(&mut source, a, b, beginning)
    }

    pub(super) fn first_of(
        &mut self,
        source: &mut Source<'_>,
        a: f64,
        b: f64,
        beginning: Beginning,
    ) -> Crossing {
        if !(a.is_finite() && b.is_finite()) {
            return Crossing::NotFinite {
                t: if a.is_finite() { b } else { a },
            };
        }
        if a >= b {
            return Crossing::None;
        }
        let at_a = source.value(a);
        let at_b = source.value(b);
        if !at_a.is_finite() {
            return Crossing::NotFinite { t: a };
        }
        let mut whole = Whole {
            source,
            stack: &mut self.stack,
            left: Effort::new(self.options.pieces),
            size: at_a.abs().max(if at_b.is_finite() { at_b.abs() } else { 0.0 }),
            grazing: self.options.grazing.unwrap_or(0.0).max(0.0),
            noise: self.options.noise.max(0.0),
        };
        let found = whole.search((a, at_a), b, self.options.level, beginning);
        self.pieces += (self.options.pieces - whole.left.pieces) as u64;
        found
    }
}

/// One search under way.
struct Whole<'a, 'b, 'c> {
    source: &'b mut Source<'a>,
    stack: &'c mut Vec<Task>,
    left: Effort,
    size: f64,
    grazing: f64,
    noise: f64,
}

impl Whole<'_, '_, '_> {
    fn search(&mut self, (a, at_a): (f64, f64), b: f64, level: f64, beginning: Beginning) -> Crossing {
        let band = level.max(ROUNDING * self.size).max(4.0 * self.noise) + f64::MIN_POSITIVE;
        if beginning == Beginning::Above {
            return if at_a > 0.0 {
                self.scan_armed(a, b, Some((a, at_a)))
            } else {
                Crossing::At {
                    t: a,
                    before: a,
                    value: at_a,
                }
            };
        }
        if at_a > band {
            return self.scan_armed(a, b, None);
        }
        let up = self.scan(-1.0, band * (1.0 + 4.0 * f64::EPSILON), a, b);
        let (until, is_armed) = match up {
            Scanned::Reached { t, .. } => (t, true),
            Scanned::Clear => (b, false),
            other => return other.into(),
        };
        if at_a >= -band {
            match self.scan(1.0, band * (1.0 + 4.0 * f64::EPSILON), a, until) {
                Scanned::Clear => {}
                Scanned::Reached { t, .. } => return self.sink(a, t),
                other => return other.into(),
            }
        }
        if is_armed && until < b {
            self.scan_armed(until, b, None)
        } else {
            Crossing::None
        }
    }

    /// Where sign·g + offset ≤ 0 for the first time.
    fn scan(&mut self, sign: f64, offset: f64, from: f64, to: f64) -> Scanned {
        let mut scan = Scan {
            f: Shifted {
                source: self.source,
                sign,
                offset,
            },
            stack: self.stack,
            left: &mut self.left,
            grazing: 0.0,
            lowest: None,
            has_been_clear: false,
            size: self.size,
            noise: self.noise,
        };
        scan.run(from, to)
    }

    /// The crossing or grazing after `from`, where g is positive; `begun` is the value there if an excursion below
    /// the grazing tolerance may have begun earlier.
    fn scan_armed(&mut self, from: f64, to: f64, begun: Option<(f64, f64)>) -> Crossing {
        let has_been_clear = begun.is_some() || self.source.value(from) > self.grazing;
        let mut scan = Scan {
            f: Shifted {
                source: self.source,
                sign: 1.0,
                offset: 0.0,
            },
            stack: self.stack,
            left: &mut self.left,
            grazing: self.grazing,
            lowest: begun.filter(|point| point.1 <= self.grazing),
            has_been_clear,
            size: self.size,
            noise: self.noise,
        };
        scan.run(from, to).into()
    }

    /// Left the level downwards at `t`: a crossing if it was above on the way.
    fn sink(&mut self, a: f64, t: f64) -> Crossing {
        let places = (0..LOOKS).map(|i| a + f64::from(i) / f64::from(LOOKS) * (t - a));
        let mut highest = (a, f64::NEG_INFINITY);
        for place in places {
            let value = self.source.value(place);
            if value > highest.1 {
                highest = (place, value);
            }
        }
        if highest.1 <= 0.0 || highest.0 >= t {
            return Crossing::Sinks { t };
        }
        let at_t = self.source.value(t);
        match close_bracket(&mut |t| self.source.value(t), highest, (t, at_t)) {
            Ok((lo, hi)) => Crossing::At {
                t: hi.0,
                before: lo.0,
                value: hi.1,
            },
            Err(t) => Crossing::NotFinite { t },
        }
    }
}

impl From<Scanned> for Crossing {
    fn from(scanned: Scanned) -> Self {
        match scanned {
            Scanned::Clear => Self::None,
            Scanned::Reached { before, t, value } => Self::At { t, before, value },
            Scanned::Grazed { t, minimum } => Self::Grazing { t, minimum },
            Scanned::NotIsolated { from, to } => Self::NotIsolated { from, to },
            Scanned::NotFinite { t } => Self::NotFinite { t },
        }
    }
}
