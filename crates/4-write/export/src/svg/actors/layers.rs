//! Blocks in columns: which column, in which order, at which height.
//!
//! After Sugiyama: wires that would close a cycle are set aside, what is needed at the same moment first put in; columns are longest ways; a wire that
//! passes columns has a *stop* in each; orders are improved by barycentres as long as crossings become fewer; heights are least squares of the
//! distances between neighbours under the order.

use std::collections::BTreeMap;

/// Between two things of one column.
const APART: f64 = 26.0;
/// The height of a stop: room for the wire.
const STOP: f64 = 8.0;
const SWEEPS: usize = 12;

/// A wire to be laid: what it joins, and whether it should rather not lead back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) is_direct: bool,
}

/// Where everything stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// The column of each block.
    pub(super) column: Vec<usize>,
    /// The upper end of each block.
    pub(super) top: Vec<f64>,
    /// Whether a link leads back.
    pub(super) is_back: Vec<bool>,
    /// The heights at which the wires of a block pass the columns after its own.
    pub(super) stops: BTreeMap<(usize, usize), f64>,
    pub(super) height: f64,
}

/// A block, or a stop of the wires of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Block(usize),
    Stop { of: usize, column: usize },
}

/// Columns, orders and heights for blocks of these heights.
pub(super) fn lay_out(heights: &[f64], links: &[Link]) -> Layout {
    let is_back = feedback(heights.len(), links);
    let forward: Vec<Link> = links
        .iter()
        .zip(&is_back)
        .filter(|(_, is_back)| !**is_back)
        .map(|(link, _)| *link)
        .collect();
    let mut column = columns(heights.len(), &forward);
    spread_the_unjoined(heights, links, &mut column);
    let mut grid = Grid::new(heights, &column, &forward);
    grid.sort();
    let centers = grid.heights();
    let mut layout = Layout {
        column,
        top: vec![0.0; heights.len()],
        is_back,
        ..Layout::default()
    };
    let half = |item: &Item| grid.height(item) / 2.0;
    let highest = centers
        .iter()
        .map(|(item, y)| y - half(item))
        .fold(f64::INFINITY, f64::min);
    for (item, y) in &centers {
        let y = y - if highest.is_finite() { highest } else { 0.0 };
        layout.height = layout.height.max(y + half(item));
        match item {
            Item::Block(block) => layout.top[*block] = y - half(item),
            Item::Stop { of, column } => {
                layout.stops.insert((*of, *column), y);
            }
        }
    }
    layout
}

/// Which links would close a cycle, if those before them and the direct ones are there first.
fn feedback(count: usize, links: &[Link]) -> Vec<bool> {
    let mut is_back = vec![false; links.len()];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let reaches = |next: &[Vec<usize>], from: usize, to: usize| {
        let mut seen = vec![false; count];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&next[node]);
            }
        }
        false
    };
    for wanted in [true, false] {
        for (place, link) in links.iter().enumerate().filter(|(_, l)| l.is_direct == wanted) {
            if reaches(&next, link.to, link.from) {
                is_back[place] = true;
            } else {
                next[link.from].push(link.to);
            }
        }
    }
    is_back
}

/// The length of the longest way to each block; what nothing leads to stands just before what it leads to.
fn columns(count: usize, forward: &[Link]) -> Vec<usize> {
    let mut column = vec![0; count];
    // As many rounds as the longest way has links: there is no cycle.
    for _ in 0..count {
        let before = column.clone();
        for link in forward {
            column[link.to] = column[link.to].max(column[link.from] + 1);
        }
        if column == before {
            break;
        }
    }
    for block in 0..count {
        if forward.iter().all(|link| link.to != block) {
            let users = forward.iter().filter(|link| link.from == block);
            if let Some(first) = users.map(|link| column[link.to]).min() {
                column[block] = first - 1;
            }
        }
    }
    column
}

/// Blocks without wires fill the lowest columns.
fn spread_the_unjoined(heights: &[f64], links: &[Link], column: &mut [usize]) {
    let is_joined = |block: usize| links.iter().any(|link| link.from == block || link.to == block);
    let joined: Vec<usize> = (0..heights.len()).filter(|block| is_joined(*block)).collect();
    let alone: Vec<usize> = (0..heights.len()).filter(|block| !is_joined(*block)).collect();
    let used = joined.iter().map(|block| column[*block] + 1).max().unwrap_or(0);
    let wanted = (alone.len() as f64).sqrt().ceil() as usize;
    let mut totals = vec![0.0; used.max(wanted.min(6)).max(1)];
    for block in joined {
        totals[column[block]] += heights[block] + APART;
    }
    for block in alone {
        let lowest = (0..totals.len())
            .min_by(|a, b| totals[*a].total_cmp(&totals[*b]))
            .unwrap_or(0);
        column[block] = lowest;
        totals[lowest] += heights[block] + APART;
    }
}

struct Grid<'a> {
    heights: &'a [f64],
    columns: Vec<Vec<Item>>,
    /// Between neighbouring columns.
    joins: Vec<(Item, Item)>,
}

impl<'a> Grid<'a> {
    fn new(heights: &'a [f64], column: &[usize], forward: &[Link]) -> Self {
        let count = column.iter().max().map_or(0, |last| last + 1);
        let mut columns = vec![Vec::new(); count];
        for (block, column) in column.iter().enumerate() {
            columns[*column].push(Item::Block(block));
        }
        let mut joins = Vec::new();
        for link in forward {
            let mut last = Item::Block(link.from);
            for (passed, column) in columns
                .iter_mut()
                .enumerate()
                .take(column[link.to])
                .skip(column[link.from] + 1)
            {
                let stop = Item::Stop {
                    of: link.from,
                    column: passed,
                };
                if !column.contains(&stop) {
                    column.push(stop);
                    joins.push((last, stop));
                }
                last = stop;
            }
            joins.push((last, Item::Block(link.to)));
        }
        Self {
            heights,
            columns,
            joins,
        }
    }

    fn height(&self, item: &Item) -> f64 {
        match item {
            Item::Block(block) => self.heights.get(*block).copied().unwrap_or(0.0),
            Item::Stop { .. } => STOP,
        }
    }

    /// Sorts the columns so that few wires cross.
    fn sort(&mut self) {
        let mut best = (self.crossings(), self.columns.clone());
        for sweep in 0..SWEEPS {
            let places = self.columns.len();
            let order: Vec<usize> = if sweep % 2 == 0 {
                (1..places).collect()
            } else {
                (0..places.saturating_sub(1)).rev().collect()
            };
            for column in order {
                let neighbour = if sweep % 2 == 0 { column - 1 } else { column + 1 };
                self.sort_by(column, neighbour);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.columns.clone());
            }
        }
        self.columns = best.1;
    }

    fn sort_by(&mut self, column: usize, neighbour: usize) {
        let places: BTreeMap<Item, usize> = self.columns[neighbour].iter().copied().zip(0..).collect();
        let mean = |own: usize, item: &Item| {
            let near = self
                .joins
                .iter()
                .filter_map(|(a, b)| match (a == item, b == item) {
                    (true, _) => places.get(b),
                    (_, true) => places.get(a),
                    _ => None,
                });
            let near: Vec<f64> = near.map(|place| *place as f64).collect();
            if near.is_empty() {
                own as f64
            } else {
                near.iter().sum::<f64>() / near.len() as f64
            }
        };
        let mut items: Vec<(f64, Item)> = self.columns[column]
            .iter()
            .enumerate()
            .map(|(own, item)| (mean(own, item), *item))
            .collect();
        items.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.columns[column] = items.into_iter().map(|(_, item)| item).collect();
    }

    fn crossings(&self) -> usize {
        let places: BTreeMap<Item, (usize, usize)> = self
            .columns
            .iter()
            .enumerate()
            .flat_map(|(column, items)| {
                items
                    .iter()
                    .zip(0..)
                    .map(move |(item, place)| (*item, (column, place)))
            })
            .collect();
        let mut lines: Vec<(usize, usize, usize)> = Vec::new();
        for (a, b) in &self.joins {
            if let (Some((column, from)), Some((_, to))) = (places.get(a), places.get(b)) {
                lines.push((*column, *from, *to));
            }
        }
        let mut crossings = 0;
        for (place, (column, from, to)) in lines.iter().enumerate() {
            let later = lines.iter().skip(place + 1);
            crossings += later
                .filter(|(c, f, t)| c == column && (f < from && t > to || f > from && t < to))
                .count();
        }
        crossings
    }

    /// The middle of every item.
    fn heights(&self) -> BTreeMap<Item, f64> {
        let mut y: BTreeMap<Item, f64> = BTreeMap::new();
        for column in &self.columns {
            let wanted: Vec<f64> = vec![0.0; column.len()];
            y.extend(column.iter().copied().zip(self.spaced(column, &wanted)));
        }
        for sweep in 0..2 * SWEEPS {
            for place in 0..self.columns.len() {
                let place = if sweep % 2 == 0 {
                    place
                } else {
                    self.columns.len() - 1 - place
                };
                let column = &self.columns[place];
                let wanted: Vec<f64> = column.iter().map(|item| self.pull(item, &y)).collect();
                let spaced = self.spaced(column, &wanted);
                y.extend(column.iter().copied().zip(spaced));
            }
        }
        y
    }

    /// Where the neighbours of an item would have it.
    fn pull(&self, item: &Item, y: &BTreeMap<Item, f64>) -> f64 {
        let near = self
            .joins
            .iter()
            .filter_map(|(a, b)| match (a == item, b == item) {
                (true, _) => y.get(b),
                (_, true) => y.get(a),
                _ => None,
            });
        let near: Vec<f64> = near.copied().collect();
        if near.is_empty() {
            y.get(item).copied().unwrap_or(0.0)
        } else {
            near.iter().sum::<f64>() / near.len() as f64
        }
    }

    /// The middles nearest to those wanted, in order and apart: pools of neighbours that want to be nearer than they may.
    fn spaced(&self, column: &[Item], wanted: &[f64]) -> Vec<f64> {
        let mut offset = 0.0;
        let mut offsets: Vec<f64> = Vec::new();
        for (place, item) in column.iter().enumerate() {
            if let Some(before) = place.checked_sub(1).and_then(|before| column.get(before)) {
                offset += (self.height(before) + self.height(item)) / 2.0 + APART;
            }
            offsets.push(offset);
        }
        // Each pool: its mean and how many are in it.
        let mut pools: Vec<(f64, usize)> = Vec::new();
        for (wanted, offset) in wanted.iter().zip(&offsets) {
            let mut pool = (wanted - offset, 1);
            while let Some((mean, count)) = pools.last().copied().filter(|(mean, _)| *mean > pool.0) {
                let all = count + pool.1;
                pool = ((mean * count as f64 + pool.0 * pool.1 as f64) / all as f64, all);
                pools.pop();
            }
            pools.push(pool);
        }
        let means = pools
            .iter()
            .flat_map(|(mean, count)| std::iter::repeat_n(*mean, *count));
        means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(from: usize, to: usize, is_direct: bool) -> Link {
        Link { from, to, is_direct }
    }

    #[test]
    fn what_goes_through_a_delay_leads_back() {
        let layout = lay_out(
            &[40.0; 3],
            &[link(2, 0, false), link(0, 1, true), link(1, 2, true)],
        );
        assert_eq!(layout.column, [0, 1, 2]);
        assert_eq!(layout.is_back, [true, false, false]);
    }

    #[test]
    fn blocks_of_a_column_are_apart_and_wires_have_stops() {
        let links: Vec<Link> = (1..6)
            .map(|to| link(0, to, true))
            .chain([link(1, 6, true), link(0, 6, true)])
            .collect();
        let heights = [40.0, 60.0, 20.0, 100.0, 40.0, 40.0, 40.0];
        let layout = lay_out(&heights, &links);
        assert_eq!(layout.column, [0, 1, 1, 1, 1, 1, 2]);
        let mut spans: Vec<(f64, f64)> = (1..6)
            .map(|b| (layout.top[b], layout.top[b] + heights[b]))
            .collect();
        let stop = layout.stops[&(0, 1)];
        spans.push((stop, stop));
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(
            spans.windows(2).all(|pair| pair[0].1 + 20.0 < pair[1].0),
            "{spans:?}"
        );
        assert!(layout.top.iter().all(|top| *top >= 0.0));
    }

    #[test]
    fn blocks_without_wires_fill_a_square() {
        let layout = lay_out(&[40.0; 9], &[]);
        assert_eq!(layout.column.iter().max(), Some(&2));
    }
}
