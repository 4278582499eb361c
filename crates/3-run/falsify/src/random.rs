//! Numbers for the search, the same for the same seed: SplitMix64 [Steele, Lea, Flood 2014], normal deviates by Box and Muller, and Halton's sequence (1960).

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }
    fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }
    /// Even in (0, 1).
    pub(crate) fn even(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
    /// Normal, of mean 0 and deviation 1.
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.even(), self.even());
        (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

/// The n-th number of van der Corput's sequence to a base.
fn radical_inverse(mut n: u64, base: u64) -> f64 {
    let (mut value, mut place) = (0.0, 1.0);
    while n > 0 {
        place /= base as f64;
        value += place * (n % base) as f64;
        n /= base;
    }
    value
}

/// The n-th point of Halton's sequence, shifted round the unit cube.
pub(crate) fn halton(n: u64, shift: &[f64]) -> Vec<f64> {
    let mut bases = Vec::new();
    let mut candidate = 2;
    while bases.len() < shift.len() {
        if bases.iter().all(|b| candidate % b != 0) {
            bases.push(candidate);
        }
        candidate += 1;
    }
    let places = bases.iter().zip(shift);
    places
        .map(|(base, shift)| (radical_inverse(n, *base) + shift).fract())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halton_fills_the_cube_evenly() {
        assert_eq!(
            [1, 2, 3, 4].map(|n| radical_inverse(n, 2)),
            [0.5, 0.25, 0.75, 0.125]
        );
        assert!((radical_inverse(5, 3) - 7.0 / 9.0).abs() < 1e-15);
        let points: Vec<_> = (1..=1000).map(|n| halton(n, &[0.3, 0.8, 0.1])).collect();
        for (low, high) in [(0.0, 0.5), (0.25, 0.75), (0.5, 1.0)] {
            let inside = points.iter().filter(|p| p.iter().all(|x| *x >= low && *x < high));
            assert!((inside.count() as i32 - 125).abs() < 12);
        }
    }

    #[test]
    fn normal_numbers_have_their_moments() {
        let mut random = Random::new(7);
        let all: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = all.iter().sum::<f64>() / 1e5;
        let variance = all.iter().map(|x| x * x).sum::<f64>() / 1e5;
        let fourth = all.iter().map(|x| x.powi(4)).sum::<f64>() / 1e5;
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02 && (fourth - 3.0).abs() < 0.15);
        let again: Vec<f64> = (0..3).scan(Random::new(7), |r, _| Some(r.normal())).collect();
        assert_eq!(again, all[..3]);
    }
}
