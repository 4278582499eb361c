//! Numbers that look random: SplitMix64 (Steele, Lea, Flood 2014). The same for the same seed on every machine.

/// Steps the state by the golden ratio, and mixes it.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::split_mix;

    /// The first numbers of the authors' own program for the seed 1234567.
    #[test]
    fn numbers_are_those_of_the_paper() {
        let mut state = 1_234_567;
        let first = [
            split_mix(&mut state),
            split_mix(&mut state),
            split_mix(&mut state),
        ];
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, expected);
    }
}
