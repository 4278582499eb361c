//! Proofs that constraints hold somewhere.
//!
//! # Method
//! *Inequalities:* the constraints are evaluated at single points: the middle of the box and its corners (concave
//! constraints have their minima there [002 §6.4]).
//!
//! *Equations* f(x) = 0, fewer than variables or as many: from the middle of the box, as many variables as equations are
//! chosen by elimination with pivots, the others are held. Newton's method finds an approximate solution c, and with
//! Y ≈ f'(c)⁻¹ and a small box X around c Krawczyk's operator
//!
//!   K(X) = c − Y f(c) + (I − Y f'(X)) (X − c)
//!
//! proves a solution in K(X) if K(X) lies inside X [Krawczyk 1969; Moore, Kearfott, Cloud 2009, ch. 8]. The other
//! constraints are then to hold in all of K(X).
//!
//! # Guarantee
//! Rigorous: a point or box returned has a solution in it. f must be proved continuous on X, and its slopes
//! defined there; at the seams of `abs`, `min` and `max` the hull of both slopes is taken. None found says nothing.

use dyverse_expr::{NodeId, Pool, Relation, SymbolId};
use dyverse_num::{Interval, Tri};

use super::split_at;
use crate::{Constraint, Contractor};

/// Dimensions up to which all corners of a box are tried; beyond, the two extreme ones.
const ALL_CORNERS_UP_TO: usize = 3;
/// Steps of Newton's method.
const MOST_STEPS: usize = 24;
/// Half widths of X tried, relative to the size of c.
const RADII: [f64; 3] = [1e-13, 1e-10, 1e-7];
/// Pivots below this share of the largest are no pivots.
const SMALLEST_PIVOT: f64 = 1e-12;

/// A point of the box at which all constraints certainly hold; `seen` is told what holds at each point tried.
pub(super) fn inner_point(
    contractor: &Contractor,
    sides: &[Interval],
    mut seen: impl FnMut(&[Tri]),
) -> Option<Vec<Interval>> {
    let mut is_solution = |point: &Vec<Interval>| {
        let answers = contractor.check_sides(point);
        seen(&answers);
        answers.iter().all(|answer| answer.certainly())
    };
    let middle = sides.iter().map(|side| Interval::point(split_at(side))).collect();
    if is_solution(&middle) {
        return Some(middle);
    }
    corners(sides).find(|corner| is_solution(corner))
}

fn corners(sides: &[Interval]) -> impl Iterator<Item = Vec<Interval>> + '_ {
    let all = sides.len() <= ALL_CORNERS_UP_TO;
    let count = if all { 1_usize << sides.len() } else { 2 };
    let is_bounded = sides.iter().all(Interval::is_bounded);
    (0..if is_bounded { count } else { 0 }).map(move |number| {
        let is_upper = |place: usize| {
            if all {
                number >> place & 1 == 1
            } else {
                number == 1
            }
        };
        let end = |place: usize, side: &Interval| if is_upper(place) { side.hi() } else { side.lo() };
        let ends = sides.iter().enumerate();
        ends.map(|(place, side)| Interval::point(end(place, side)))
            .collect()
    })
}

/// Equations f = 0 over all variables of a part.
pub(super) struct Equations {
    functions: Contractor,
    slopes: Contractor,
    /// Where each variable of the part is among those of `functions`, and of `slopes`.
    places: Vec<(Option<usize>, Option<usize>)>,
    count: usize,
}

impl Equations {
    /// `slopes` row by row: of each function by each variable. `None` without functions.
    pub(super) fn new(
        pool: &Pool,
        functions: &[NodeId],
        slopes: &[NodeId],
        variables: &[SymbolId],
    ) -> Option<Self> {
        let prepare = |nodes: &[NodeId]| {
            let equations = nodes.iter().map(|node| Constraint::new(*node, Relation::Equal));
            Contractor::new(pool, &equations.collect::<Vec<_>>()).ok()
        };
        let (count, slopes) = (functions.len(), prepare(slopes)?);
        let functions = prepare(functions)?;
        let place = |contractor: &Contractor, symbol| contractor.symbols().binary_search(symbol).ok();
        let places = variables
            .iter()
            .map(|symbol| (place(&functions, symbol), place(&slopes, symbol)))
            .collect();
        (count > 0 && count <= variables.len()).then_some(Equations {
            functions,
            slopes,
            places,
            count,
        })
    }

    fn functions_at(&self, sides: &[Interval]) -> Option<Vec<Interval>> {
        let mut own = vec![Interval::ZERO; self.functions.symbols().len()];
        for (side, (place, _)) in sides.iter().zip(&self.places) {
            if let Some(place) = place {
                own[*place] = *side;
            }
        }
        self.functions.continuous_ranges(&own)
    }

    /// Row by row, one column per variable of the part.
    fn slopes_at(&self, sides: &[Interval]) -> Option<Vec<Interval>> {
        let mut own = vec![Interval::ZERO; self.slopes.symbols().len()];
        for (side, (_, place)) in sides.iter().zip(&self.places) {
            if let Some(place) = place {
                own[*place] = *side;
            }
        }
        let slopes = self.slopes.defined_ranges(&own)?;
        slopes.iter().all(Interval::is_bounded).then_some(slopes)
    }

    /// A box inside `region`, found from the middle of `sides`, in which all functions have a common zero.
    pub(super) fn solve_near(&self, sides: &[Interval], region: &[Interval]) -> Option<Vec<Interval>> {
        let mut point: Vec<f64> = sides.iter().map(split_at).collect();
        let slopes = middles(&self.slopes_at(&as_box(&point))?)?;
        let columns = pivot_columns(&slopes, self.count, sides)?;
        let mut inverse = None;
        for _ in 0..MOST_STEPS {
            let at = as_box(&point);
            let values = middles(&self.functions_at(&at)?)?;
            let slopes = self.slopes_at(&at).and_then(|slopes| middles(&slopes))?;
            let y = invert(&self.columns_of(&slopes, &columns))?;
            let mut moved = false;
            for (row, column) in columns.iter().enumerate() {
                let step: f64 = (0..self.count).map(|k| y[row * self.count + k] * values[k]).sum();
                let next = point[*column] - step;
                if !next.is_finite() {
                    return None;
                }
                moved |= (next - point[*column]).abs() > 1e-15 * next.abs().max(1e-300);
                point[*column] = next;
            }
            inverse = Some(y);
            if !moved {
                break;
            }
        }
        let inverse = inverse?;
        RADII
            .iter()
            .find_map(|radius| self.krawczyk(&point, &columns, &inverse, *radius))
            .filter(|solution| {
                solution
                    .iter()
                    .zip(region)
                    .all(|(side, whole)| side.is_subset(whole))
            })
    }

    fn columns_of<T: Copy>(&self, slopes: &[T], columns: &[usize]) -> Vec<T> {
        let width = self.places.len();
        (0..self.count)
            .flat_map(|row| columns.iter().map(move |column| slopes[row * width + column]))
            .collect()
    }

    fn krawczyk(&self, c: &[f64], columns: &[usize], y: &[f64], radius: f64) -> Option<Vec<Interval>> {
        let n = self.count;
        let mut x = as_box(c);
        for column in columns {
            let r = radius * c[*column].abs().max(1.0);
            x[*column] = Interval::new(c[*column] - r, c[*column] + r).ok()?;
        }
        self.functions_at(&x)?; // Continuous on all of X.
        let values = self.functions_at(&as_box(c))?;
        let slopes = self.columns_of(&self.slopes_at(&x)?, columns);
        let y: Vec<Interval> = y.iter().map(|entry| Interval::point(*entry)).collect();
        let mut image = x.clone();
        for (row, column) in columns.iter().enumerate() {
            let mut k = Interval::point(c[*column]);
            for j in 0..n {
                let product = (0..n).fold(Interval::ZERO, |sum, i| sum + y[row * n + i] * slopes[i * n + j]);
                let identity = if j == row { Interval::ONE } else { Interval::ZERO };
                let offset = x[columns[j]] - Interval::point(c[columns[j]]);
                k = k - y[row * n + j] * values[j] + (identity - product) * offset;
            }
            if k.is_empty() || !k.is_interior_to(&x[*column]) {
                return None;
            }
            image[*column] = k;
        }
        Some(image)
    }
}

fn as_box(point: &[f64]) -> Vec<Interval> {
    point.iter().map(|value| Interval::point(*value)).collect()
}

fn middles(ranges: &[Interval]) -> Option<Vec<f64>> {
    ranges.iter().map(Interval::mid).collect()
}

/// As many columns as rows with an invertible matrix, those with room to move first.
fn pivot_columns(slopes: &[f64], rows: usize, sides: &[Interval]) -> Option<Vec<usize>> {
    let width = sides.len();
    let room = |column: usize| sides[column].width().min(1e6);
    let mut a: Vec<f64> = (0..slopes.len()).map(|k| slopes[k] * room(k % width)).collect();
    let largest = a.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let mut columns = Vec::new();
    for row in 0..rows {
        let free = (0..width).filter(|column| !columns.contains(column));
        let (pivot_row, column) = (row..rows)
            .flat_map(|r| free.clone().map(move |column| (r, column)))
            .max_by(|p, q| {
                let size = |(r, column): &(usize, usize)| a[r * width + column].abs();
                size(p).total_cmp(&size(q)).then(q.cmp(p))
            })?;
        let pivot = a[pivot_row * width + column];
        if pivot.is_nan() || pivot.abs() <= SMALLEST_PIVOT * largest {
            return None;
        }
        for k in 0..width {
            a.swap(row * width + k, pivot_row * width + k);
        }
        for below in row + 1..rows {
            let share = a[below * width + column] / pivot;
            for k in 0..width {
                a[below * width + k] -= share * a[row * width + k];
            }
        }
        columns.push(column);
    }
    Some(columns)
}

/// The inverse of a square matrix, row by row, by elimination; `None` if it is singular.
fn invert(matrix: &[f64]) -> Option<Vec<f64>> {
    let n = matrix.len().isqrt();
    let (mut a, mut inverse) = (matrix.to_vec(), vec![0.0; n * n]);
    for k in 0..n {
        inverse[k * n + k] = 1.0;
    }
    for column in 0..n {
        let pivot_row = (column..n).max_by(|p, q| {
            let size = |row: usize| a[row * n + column].abs();
            size(*p).total_cmp(&size(*q)).then(q.cmp(p))
        })?;
        let pivot = a[pivot_row * n + column];
        if !(pivot.abs() > 0.0 && pivot.is_finite()) {
            return None;
        }
        for k in 0..n {
            a.swap(column * n + k, pivot_row * n + k);
            inverse.swap(column * n + k, pivot_row * n + k);
        }
        for k in 0..n {
            a[column * n + k] /= pivot;
            inverse[column * n + k] /= pivot;
        }
        for row in (0..n).filter(|row| *row != column) {
            let share = a[row * n + column];
            for k in 0..n {
                a[row * n + k] -= share * a[column * n + k];
                inverse[row * n + k] -= share * inverse[column * n + k];
            }
        }
    }
    Some(inverse)
}
