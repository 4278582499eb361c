//! Random numbers for tests: the same on every machine and in every run.
#![allow(dead_code)]

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }
    /// Below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
    pub(crate) fn flip(&mut self) -> bool {
        self.bits() & 1 == 1
    }
    /// In [lo, hi).
    pub(crate) fn within(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}
