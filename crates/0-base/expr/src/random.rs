//! Random expressions, for tests.

use crate::{BinaryFunction, NodeId, Pool, Relation, SymbolId, UnaryFunction};
use dyverse_num::split_mix;

/// A random number, or with `is_truth` a random condition, over four symbols.
pub(crate) fn random(pool: &mut Pool, seed: &mut u64, depth: u32, is_truth: bool) -> NodeId {
    let pick = |seed: &mut u64, n: u64| split_mix(seed) % n;
    if is_truth {
        let next = |pool: &mut Pool, seed: &mut u64, t| random(pool, seed, depth.saturating_sub(1), t);
        return match if depth == 0 { 0 } else { pick(seed, 5) } {
            0 | 1 => {
                let (a, b) = (next(pool, seed, false), next(pool, seed, false));
                let relation = [
                    Relation::Less,
                    Relation::LessEqual,
                    Relation::Greater,
                    Relation::GreaterEqual,
                    Relation::Equal,
                    Relation::NotEqual,
                ][pick(seed, 6) as usize];
                pool.compare(relation, a, b)
            }
            2 => {
                let a = next(pool, seed, true);
                pool.not(a)
            }
            n => {
                let (a, b) = (next(pool, seed, true), next(pool, seed, true));
                if n == 3 { pool.and(a, b) } else { pool.or(a, b) }
            }
        };
    }
    if depth == 0 {
        return match pick(seed, 3) {
            0 => pool.number(pick(seed, 9) as f64 / 2.0 - 2.0),
            _ => {
                let id = SymbolId(pick(seed, 4) as u32);
                pool.symbol(id)
            }
        };
    }
    let next = |pool: &mut Pool, seed: &mut u64, t| random(pool, seed, depth - 1, t);
    let a = next(pool, seed, false);
    match pick(seed, 16) {
        0 => pool.unary(UnaryFunction::Abs, a),
        1 => pool.unary(UnaryFunction::Sign, a),
        2 => pool.unary(UnaryFunction::Floor, a),
        3 => pool.unary(UnaryFunction::Sin, a),
        4 => pool.negate(a),
        5 => pool.sqrt(a),
        6 => pool.integer_power(a, pick(seed, 7) as i32 - 3),
        n => {
            let b = next(pool, seed, false);
            match n {
                7 => pool.binary(BinaryFunction::Min, a, b),
                8 => pool.binary(BinaryFunction::Max, a, b),
                9 => pool.add(a, b),
                10 => pool.subtract(a, b),
                11 => pool.multiply(a, b),
                12 => pool.divide(a, b),
                13 => pool.binary(BinaryFunction::Power, a, b),
                14 => pool.binary(BinaryFunction::Atan2, a, b),
                _ => {
                    let c = next(pool, seed, true);
                    pool.select(c, a, b)
                }
            }
        }
    }
}
