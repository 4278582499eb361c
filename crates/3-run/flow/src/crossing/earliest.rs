//! The earliest crossings of several functions, those that belong together reported together.
//!
//! # Method
//! One search after another; each only as far as the earliest found so far, and the simultaneity after it.
//!
//! # Guarantee
//! Nothing before the first reported time, in any of the functions; all within `simultaneity` of it are
//! reported, ordered by time, then by index. `NotIsolated` and `NotFinite` take part like crossings, at the
//! time where the doubt begins.

use super::source::Source;
use super::{Beginning, Crossing, CrossingSearch};

impl CrossingSearch {
    /// The earliest crossings of g_0 … g_{count−1} in (a, b], into `found` (index and crossing).
    ///
    /// `beginning` tells how each function begins. `found` is empty exactly if there is none.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of one search, and three for several"
    )]
    pub fn earliest(
        &mut self,
        count: usize,
        g: &mut dyn FnMut(usize, f64) -> f64,
        a: f64,
        b: f64,
        beginning: &dyn Fn(usize) -> Beginning,
        simultaneity: f64,
        found: &mut Vec<(usize, Crossing)>,
    ) {
        found.clear();
        let mut until = b;
        for i in 0..count {
            let mut one = |t: f64| g(i, t);
            let crossing = self.first_of(&mut Source::BlackBox(&mut one), a, until, beginning(i));
            if let Some(t) = crossing.time() {
                found.push((i, crossing));
                until = until.min(t + simultaneity.max(0.0));
            }
        }
        found.retain(|(_, crossing)| crossing.time().is_none_or(|t| t <= until));
        found.sort_by(|(_, first), (_, second)| {
            first
                .time()
                .partial_cmp(&second.time())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
    }
}
