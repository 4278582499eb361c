//! Evolution with an adapted covariance matrix, CMA-ES [Hansen, The CMA evolution strategy: a tutorial, arXiv 1604.00772], in the unit cube.
//!
//! Each generation is λ points of N(m, σ² C), brought into the cube; its better half moves m, C and σ. Points that fail have the value +∞ and are the worst. Constants are the tutorial's.
//!
//! | tutorial | here |
//! |---|---|
//! | m, σ, C = B D² Bᵀ | `mean`, `step`, `c`, `axes` and `lengths` |
//! | p_σ, p_c | `path_step`, `path_c` |
//! | μ_eff, c_σ, d_σ, c_c, c_1, c_μ | `effective`, … |

use crate::random::Random;

/// A search under way.
pub(crate) struct Cmaes {
    mean: Vec<f64>,
    step: f64,
    c: Vec<Vec<f64>>,
    axes: Vec<Vec<f64>>,
    lengths: Vec<f64>,
    path_step: Vec<f64>,
    path_c: Vec<f64>,
    weights: Vec<f64>,
    effective: f64,
    population: usize,
    generation: i32,
}

impl Cmaes {
    /// From a point, with a step.
    pub(crate) fn new(mean: Vec<f64>, step: f64, population: usize) -> Self {
        let n = mean.len();
        let half = population / 2;
        let raw: Vec<f64> = (1..=half)
            .map(|i| ((population as f64 + 1.0) / 2.0).ln() - (i as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|w| w / sum).collect();
        let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        Cmaes {
            step,
            c: identity(n),
            axes: identity(n),
            lengths: vec![1.0; n],
            path_step: vec![0.0; n],
            path_c: vec![0.0; n],
            weights,
            effective,
            population,
            generation: 0,
            mean,
        }
    }

    /// λ of the tutorial.
    pub(crate) fn usual_population(unknowns: usize) -> usize {
        4 + (3.0 * (unknowns.max(1) as f64).ln()).floor() as usize
    }

    /// The next generation.
    pub(crate) fn ask(&self, random: &mut Random) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        let one = |random: &mut Random| {
            let z: Vec<f64> = self.lengths.iter().map(|d| d * random.normal()).collect();
            let place = |i: usize| {
                let y: f64 = (0..n).map(|k| self.axes[i][k] * z[k]).sum();
                (self.mean[i] + self.step * y).clamp(0.0, 1.0)
            };
            (0..n).map(place).collect()
        };
        (0..self.population).map(|_| one(random)).collect()
    }

    /// Learns from the values of a generation, one for each of its points.
    pub(crate) fn tell(&mut self, points: &[Vec<f64>], values: &[f64]) {
        let n = self.mean.len();
        let size = n as f64;
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let steps: Vec<Vec<f64>> = order
            .iter()
            .take(self.weights.len())
            .map(|i| {
                let parts = points[*i].iter().zip(&self.mean);
                parts.map(|(x, m)| (x - m) / self.step).collect()
            })
            .collect();
        let mean_step: Vec<f64> = (0..n)
            .map(|i| steps.iter().zip(&self.weights).map(|(y, w)| w * y[i]).sum())
            .collect();
        for (m, y) in self.mean.iter_mut().zip(&mean_step) {
            *m += self.step * y;
        }
        let e = self.effective;
        let c_step = (e + 2.0) / (size + e + 5.0);
        let damping = 1.0 + 2.0 * (((e - 1.0) / (size + 1.0)).sqrt() - 1.0).max(0.0) + c_step;
        let white = self.whitened(&mean_step);
        for (p, y) in self.path_step.iter_mut().zip(&white) {
            *p = (1.0 - c_step) * *p + (c_step * (2.0 - c_step) * e).sqrt() * y;
        }
        self.generation += 1;
        let length = self.path_step.iter().map(|p| p * p).sum::<f64>().sqrt();
        let expected = size.sqrt() * (1.0 - 1.0 / (4.0 * size) + 1.0 / (21.0 * size * size));
        let settled = (1.0 - (1.0 - c_step).powi(2 * self.generation)).sqrt();
        let goes = f64::from(u8::from(length / settled < (1.4 + 2.0 / (size + 1.0)) * expected));
        let c_c = (4.0 + e / size) / (size + 4.0 + 2.0 * e / size);
        for (p, y) in self.path_c.iter_mut().zip(&mean_step) {
            *p = (1.0 - c_c) * *p + goes * (c_c * (2.0 - c_c) * e).sqrt() * y;
        }
        let c_1 = 2.0 / ((size + 1.3).powi(2) + e);
        let c_mu = (1.0 - c_1).min(2.0 * (e - 2.0 + 1.0 / e) / ((size + 2.0).powi(2) + e));
        let keep = 1.0 - c_1 - c_mu + (1.0 - goes) * c_1 * c_c * (2.0 - c_c);
        for i in 0..n {
            for j in 0..n {
                let rank: f64 = steps
                    .iter()
                    .zip(&self.weights)
                    .map(|(y, w)| w * y[i] * y[j])
                    .sum();
                self.c[i][j] = keep * self.c[i][j] + c_1 * self.path_c[i] * self.path_c[j] + c_mu * rank;
            }
        }
        self.step *= ((c_step / damping) * (length / expected - 1.0)).min(1.0).exp();
        self.step = self.step.min(1.0);
        let (values, axes) = eigen(&self.c);
        let largest = values.iter().copied().fold(0.0, f64::max);
        // What has collapsed keeps a little width, so that C stays regular.
        self.lengths = values.iter().map(|v| v.max(1e-14 * largest).sqrt()).collect();
        self.axes = axes;
    }

    /// C^(−1/2) y.
    fn whitened(&self, y: &[f64]) -> Vec<f64> {
        let n = y.len();
        let along: Vec<f64> = (0..n)
            .map(|k| (0..n).map(|i| self.axes[i][k] * y[i]).sum::<f64>() / self.lengths[k])
            .collect();
        (0..n)
            .map(|i| (0..n).map(|k| self.axes[i][k] * along[k]).sum())
            .collect()
    }

    /// Whether its points hardly differ any more, or it has lost its way.
    pub(crate) fn is_done(&self) -> bool {
        let widest = self.lengths.iter().copied().fold(0.0, f64::max) * self.step;
        widest.is_nan() || widest < 1e-12
    }
}

fn identity(n: usize) -> Vec<Vec<f64>> {
    (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect()
}

/// Eigenvalues of a symmetric matrix and their vectors as columns, by Jacobi's rotations [Golub, Van Loan, §8.5].
fn eigen(matrix: &[Vec<f64>]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let (mut a, mut v) = (matrix.to_vec(), identity(n));
    for _ in 0..60 {
        let off: f64 = (0..n)
            .map(|i| (0..i).map(|j| a[i][j] * a[i][j]).sum::<f64>())
            .sum();
        let whole: f64 = (0..n).map(|i| a[i][i] * a[i][i]).sum();
        if off <= 1e-32 * whole || off.is_nan() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let (c, s) = (1.0 / t.hypot(1.0), t / t.hypot(1.0));
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (upper, lower) = a.split_at_mut(q);
                for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
                for row in &mut v {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_give_the_matrix_back() {
        let a = vec![vec![4.0, 1.0, -2.0], vec![1.0, 3.0, 0.5], vec![-2.0, 0.5, 1.0]];
        let (values, v) = eigen(&a);
        for i in 0..3 {
            for j in 0..3 {
                let back: f64 = (0..3).map(|k| v[i][k] * values[k] * v[j][k]).sum();
                assert!((back - a[i][j]).abs() < 1e-13, "{i} {j} {back}");
                let unit: f64 = (0..3).map(|k| v[k][i] * v[k][j]).sum();
                assert!((unit - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
    }

    fn minimum(f: fn(&[f64]) -> f64, start: Vec<f64>, evaluations: usize) -> (Vec<f64>, f64) {
        let mut random = Random::new(3);
        let mut search = Cmaes::new(start, 0.3, 8);
        let mut best = (Vec::new(), f64::INFINITY);
        for _ in 0..evaluations / 8 {
            let points = search.ask(&mut random);
            let values: Vec<f64> = points.iter().map(|p| f(p)).collect();
            for (p, v) in points.iter().zip(&values) {
                if *v < best.1 {
                    best = (p.clone(), *v);
                }
            }
            search.tell(&points, &values);
        }
        best
    }

    #[test]
    fn finds_the_bottom_of_a_curved_valley_and_of_a_boundary() {
        // Rosenbrock's valley with its bottom at (0.75, 0.75).
        let valley = |p: &[f64]| {
            let (x, y) = (4.0 * p[0] - 2.0, 4.0 * p[1] - 2.0);
            (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
        };
        let (at, value) = minimum(valley, vec![0.2, 0.9], 3000);
        assert!(value < 1e-12 && (at[0] - 0.75).abs() < 1e-5, "{at:?} {value}");
        let (at, value) = minimum(|p| p[0] + (p[1] - 0.3).powi(2), vec![0.9, 0.9], 2000);
        assert!(at[0] == 0.0 && value < 1e-10, "{at:?} {value}");
        // A narrow ellipse that lies askew.
        let askew = |p: &[f64]| (p[0] + p[1] - 0.9).powi(2) + 1e6 * (p[0] - 2.0 * p[1]).powi(2);
        let (at, value) = minimum(askew, vec![0.5, 0.5], 3000);
        assert!(value < 1e-12 && (at[0] - 0.6).abs() < 1e-5, "{at:?} {value}");
    }
}
