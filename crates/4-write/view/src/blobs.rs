//! Tables of numbers, packed: planes of bytes of differences, deflated, base64.
//!
//! A signal changes little from sample to sample, so most bits of a number XORed with the one before are zero, and the bytes of one significance are alike: planes of them deflate well. Nothing is rounded.
//! `web/src/columns.ts` does the opposite.

use crate::document::{Column, ColumnKind};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// The tables of a document.
#[derive(Clone, Debug, Default)]
pub struct Blobs {
    texts: Vec<String>,
}

impl Blobs {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a column of numbers; NaN where there is none.
    pub fn f64(&mut self, values: &[f64]) -> Column {
        self.add(pack_f64(values), values.len(), ColumnKind::F64)
    }

    /// Adds a column of counts.
    pub fn u32(&mut self, values: &[u32]) -> Column {
        self.add(pack_u32(values), values.len(), ColumnKind::U32)
    }

    /// Their texts, in order.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    fn add(&mut self, text: String, count: usize, kind: ColumnKind) -> Column {
        self.texts.push(text);
        Column {
            blob: self.texts.len() - 1,
            count,
            kind,
        }
    }
}

/// Each number XORed with the one before, the least significant bytes of all first.
#[must_use]
pub fn pack_f64(values: &[f64]) -> String {
    let mut before = 0;
    let words = values.iter().map(|value| {
        let bits = value.to_bits();
        let word = bits ^ before;
        before = bits;
        word.to_le_bytes()
    });
    deflated(&planes(words.collect()))
}

/// Each number less the one before, likewise.
#[must_use]
pub fn pack_u32(values: &[u32]) -> String {
    let mut before = 0;
    let words = values.iter().map(|value| {
        let word = value.wrapping_sub(before);
        before = *value;
        word.to_le_bytes()
    });
    deflated(&planes(words.collect()))
}

/// Text, deflated.
pub(crate) fn pack_text(text: &str) -> String {
    deflated(text.as_bytes())
}

fn planes<const N: usize>(words: Vec<[u8; N]>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(N * words.len());
    for place in 0..N {
        bytes.extend(words.iter().map(|word| word[place]));
    }
    bytes
}

fn deflated(bytes: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    // A vector takes everything.
    let _ = encoder.write_all(bytes);
    STANDARD.encode(encoder.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::DeflateDecoder;
    use proptest::prelude::*;
    use std::io::Read;

    fn inflated(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        DeflateDecoder::new(STANDARD.decode(text).unwrap().as_slice())
            .read_to_end(&mut bytes)
            .unwrap();
        bytes
    }

    /// The opposite, written from the format's description.
    fn unpack(text: &str) -> Vec<f64> {
        let bytes = inflated(text);
        let count = bytes.len() / 8;
        let mut before = 0;
        (0..count)
            .map(|i| {
                let word: [u8; 8] = std::array::from_fn(|plane| bytes[plane * count + i]);
                before ^= u64::from_le_bytes(word);
                f64::from_bits(before)
            })
            .collect()
    }

    proptest! {
        #[test]
        fn numbers_come_back_bit_by_bit(bits in prop::collection::vec(any::<u64>(), 0..200)) {
            let values: Vec<f64> = bits.iter().map(|b| f64::from_bits(*b)).collect();
            let back: Vec<u64> = unpack(&pack_f64(&values)).into_iter().map(f64::to_bits).collect();
            prop_assert_eq!(back, bits);
        }

        #[test]
        fn counts_come_back(values in prop::collection::vec(any::<u32>(), 0..200)) {
            let bytes = inflated(&pack_u32(&values));
            let count = values.len();
            let mut before = 0u32;
            for (i, value) in values.iter().enumerate() {
                let word: [u8; 4] = std::array::from_fn(|plane| bytes[plane * count + i]);
                before = before.wrapping_add(u32::from_le_bytes(word));
                prop_assert_eq!(before, *value);
            }
        }
    }

    #[test]
    fn even_times_cost_next_to_nothing() {
        let constant = vec![1.25; 1_000_000];
        assert!(pack_f64(&constant).len() < 20_000);
        let smooth: Vec<f64> = (0..100_000).map(|i| (1e-4 * f64::from(i)).sin()).collect();
        assert!(pack_f64(&smooth).len() < 800_000, "{}", pack_f64(&smooth).len());
    }
}
