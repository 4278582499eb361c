//! Which entities can meet during their present steps: boxes around motions, in a grid of cells.
//!
//! Every entity has a box that holds it over its present step. Two entities can meet only where their boxes overlap. Boxes are entered into the
//! cells of a uniform grid that they overlap; a query looks into the cells of one box. Boxes that overlap more cells than [`MOST_CELLS`] (planes,
//! large or fast entities) stand in a list of their own, which every query sees.
//!
//! # Guarantee
//! No pair of overlapping boxes is left out. The answer is sorted, so that it does not depend on the history of the grid.

use crate::index::IndexVec;
use dyverse_model::EntityId;
use std::collections::BTreeMap;

/// Cells that one box may be entered into; larger ones are kept apart.
const MOST_CELLS: i64 = 64;

/// An axis-parallel box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
}

impl Bounds {
    pub(crate) const EVERYWHERE: Bounds = Bounds {
        low: [f64::NEG_INFINITY; 3],
        high: [f64::INFINITY; 3],
    };

    fn overlaps(&self, other: &Bounds) -> bool {
        (0..3).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }
}

type Cell = [i64; 3];

/// The boxes of all entities.
#[derive(Debug)]
pub(crate) struct BroadPhase {
    cell_size: f64,
    bounds: IndexVec<EntityId, Bounds>,
    cells: BTreeMap<Cell, Vec<EntityId>>,
    large: Vec<EntityId>,
    /// Whether an entity is in `large`.
    is_large: IndexVec<EntityId, bool>,
}

impl BroadPhase {
    /// For `entities` entities, all everywhere at first; `cell_size` is about the size of a box.
    pub(crate) fn new(entities: usize, cell_size: f64) -> Self {
        BroadPhase {
            cell_size: if cell_size.is_finite() && cell_size > 0.0 {
                cell_size
            } else {
                1.0
            },
            bounds: vec![Bounds::EVERYWHERE; entities].into(),
            cells: BTreeMap::new(),
            large: (0..entities).map(EntityId).collect(),
            is_large: vec![true; entities].into(),
        }
    }

    pub(crate) fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// The cells a box overlaps; `None` if they are too many.
    fn range(&self, bounds: &Bounds) -> Option<(Cell, Cell)> {
        let place = |x: f64| {
            let cell = (x / self.cell_size).floor();
            (cell.abs() < 1e15).then_some(cell as i64)
        };
        let corner = |at: &[f64; 3]| Some([place(at[0])?, place(at[1])?, place(at[2])?]);
        let (low, high) = (corner(&bounds.low)?, corner(&bounds.high)?);
        let count = (0..3).try_fold(1i64, |product, i| product.checked_mul(high[i] - low[i] + 1))?;
        (count <= MOST_CELLS).then_some((low, high))
    }

    fn cells_of((low, high): (Cell, Cell)) -> impl Iterator<Item = Cell> {
        (low[0]..=high[0]).flat_map(move |x| {
            (low[1]..=high[1]).flat_map(move |y| (low[2]..=high[2]).map(move |z| [x, y, z]))
        })
    }

    /// Gives an entity a new box.
    pub(crate) fn update(&mut self, entity: EntityId, bounds: Bounds) {
        self.remove(entity);
        self.bounds[entity] = bounds;
        match self.range(&bounds) {
            Some(range) => {
                for cell in Self::cells_of(range) {
                    self.cells.entry(cell).or_default().push(entity);
                }
            }
            None => {
                self.is_large[entity] = true;
                self.large.push(entity);
            }
        }
    }

    fn remove(&mut self, entity: EntityId) {
        if self.is_large[entity] {
            self.large.retain(|e| *e != entity);
            self.is_large[entity] = false;
            return;
        }
        let Some(range) = self.range(&self.bounds[entity]) else {
            return;
        };
        for cell in Self::cells_of(range) {
            if let Some(list) = self.cells.get_mut(&cell) {
                list.retain(|e| *e != entity);
                if list.is_empty() {
                    self.cells.remove(&cell);
                }
            }
        }
    }

    /// The entities whose boxes overlap that of `entity`, ascending.
    pub(crate) fn near(&self, entity: EntityId) -> Vec<EntityId> {
        let bounds = &self.bounds[entity];
        let mut found: Vec<EntityId> = Vec::new();
        if self.is_large[entity] {
            found.extend(self.bounds.numbers().filter(|e| self.bounds[*e].overlaps(bounds)));
        } else {
            if let Some(range) = self.range(bounds) {
                found.extend(
                    Self::cells_of(range)
                        .filter_map(|cell| self.cells.get(&cell))
                        .flatten()
                        .copied(),
                );
            }
            found.extend(&self.large);
            found.retain(|e| self.bounds[*e].overlaps(bounds));
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|e| *e != entity);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: every pair looked at.
    #[test]
    fn no_overlapping_pair_is_left_out() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 31) as f64
        };
        let mut grid = BroadPhase::new(60, 0.3);
        let mut boxes = vec![Bounds::EVERYWHERE; 60];
        for round in 0..500 {
            let entity = round % 60;
            let size = if round % 17 == 0 { 20.0 } else { 0.4 };
            let low = [random() * 4.0 - 2.0, random() * 4.0 - 2.0, random() * 4.0 - 2.0];
            let bounds = Bounds {
                low,
                high: low.map(|x| x + size * random()),
            };
            grid.update(EntityId(entity), bounds);
            boxes[entity] = bounds;
            for asked in [entity, (entity * 7 + 3) % 60] {
                let expected: Vec<EntityId> = (0..60)
                    .filter(|e| *e != asked && boxes[*e].overlaps(&boxes[asked]))
                    .map(EntityId)
                    .collect();
                assert_eq!(grid.near(EntityId(asked)), expected);
            }
        }
    }
}
