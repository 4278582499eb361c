//! Looks at a step between its nodes: is what the slope was made from really as the nodes show it?
//!
//! A solver knows a right-hand side at its nodes only, so a pulse between two of them stays unseen. The parts of it that may have narrow features (a force that reads time) are
//! evaluated at evenly spread places as well and compared with the polynomial through the nodes.
//!
//! # Guarantee
//! A feature that is at one of the places further from the polynomial than the tolerance is seen, so every one that lasts for longer than the places are apart.

use crate::dense::DenseStep;
use crate::gauss::{NODES, legendre, rule};

impl DenseStep {
    /// The first of `looks` evenly spread places at which a component of `y` is further from the polynomial through its values at the nodes than its tolerance, or is no finite
    /// number; with the place before it, where it is not. `y` writes the components at a time.
    pub fn first_surprise(
        &self,
        looks: u32,
        tolerances: &[f64],
        y: &mut dyn FnMut(f64, &mut [f64]),
    ) -> Option<(f64, f64)> {
        let (t0, h, count) = (self.t0(), self.span(), tolerances.len());
        let rule = rule();
        let mut at_nodes = vec![0.0; NODES * count];
        for (node, values) in rule.nodes.iter().zip(at_nodes.chunks_exact_mut(count.max(1))) {
            y(t0 + h * node, values);
        }
        let mut coefficients = vec![0.0; NODES * count];
        for (row, out) in rule
            .to_legendre
            .iter()
            .zip(coefficients.chunks_exact_mut(count.max(1)))
        {
            for (weight, values) in row.iter().zip(at_nodes.chunks_exact(count.max(1))) {
                for (c, value) in out.iter_mut().zip(values) {
                    *c += weight * value;
                }
            }
        }
        let mut values = vec![0.0; count];
        let mut before = t0;
        for look in 1..looks {
            let t = t0 + h * f64::from(look) / f64::from(looks);
            if t >= self.t1() {
                break;
            }
            y(t, &mut values);
            let p = legendre::<NODES>(2.0 * f64::from(look) / f64::from(looks) - 1.0);
            let is_known = (0..count).all(|i| {
                let terms = p.iter().zip(coefficients.iter().skip(i).step_by(count));
                let expected: f64 = terms.map(|(p, c)| p * c).sum();
                (values[i] - expected).abs() <= tolerances[i]
            });
            if !is_known {
                return Some((before, t));
            }
            before = t;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::{FlowOptions, Integrator};
    use std::convert::Infallible;

    #[test]
    fn a_pulse_between_nodes_is_seen_and_a_smooth_slope_is_not() {
        let mut flow = Integrator::new(FlowOptions::default());
        flow.start(0.0, &[0.0]);
        let step = flow
            .step(1.0, &mut |_, _, dx: &mut [f64]| {
                dx[0] = 0.0;
                Ok::<(), Infallible>(())
            })
            .unwrap()
            .clone();
        assert_eq!((step.t0(), step.t1()), (0.0, 1.0));
        for place in [0.02, 0.31, 0.5, 0.98] {
            let width = 0.016 / 2.355;
            let mut pulse = |t: f64, y: &mut [f64]| {
                let s: f64 = (t - place) / width;
                y[0] = 1e3 * (-0.5 * s * s).exp();
            };
            let (before, at) = step.first_surprise(64, &[1e-3], &mut pulse).unwrap();
            assert!(before < at && at < place + 0.016, "{before} {at} {place}");
        }
        let mut smooth = |t: f64, y: &mut [f64]| y[0] = (3.0 * t).sin();
        assert_eq!(step.first_surprise(64, &[1e-9], &mut smooth), None);
        let mut broken = |t: f64, y: &mut [f64]| y[0] = if t > 0.7 { f64::NAN } else { 0.0 };
        assert!(step.first_surprise(64, &[1e-9], &mut broken).is_some());
    }
}
