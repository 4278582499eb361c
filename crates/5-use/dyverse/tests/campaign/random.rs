//! Random numbers, the same for the same seed: SplitMix64 [Steele, Lea, Flood 2014].

#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random(seed ^ 0x5851_f42d_4c95_7f2d);
        random.next();
        random
    }
    pub(crate) fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }
    /// Even in [0, 1).
    pub(crate) fn even(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.even()
    }
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
    /// True that often.
    pub(crate) fn often(&mut self, share: f64) -> bool {
        self.even() < share
    }
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
    /// A number of few digits.
    pub(crate) fn round(&mut self, low: f64, high: f64) -> f64 {
        (self.between(low, high) * 1000.0).round() / 1000.0
    }
}
