//! Motion in a location: the method of Dormand and Prince, order 5 with an error estimate of order 4 [Dormand, Prince 1980].

/// Relative error of a step that is accepted.
const PRECISION: f64 = 1e-11;
/// Steps at the most.
const MOST_STEPS: usize = 4000;
/// After so many steps the rest must be within reach of [`MOST_STEPS`] like them: along a surface on which rates switch, steps stay as small as they are.
const WATCHED: usize = 200;

const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [[f64; 6]; 7] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
/// Fifth order less fourth.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// f(t, x), where it has a value.
pub(crate) type Rate<'f> = dyn FnMut(f64, &[f64]) -> Option<Vec<f64>> + 'f;

/// Follows x′ = f(t, x) from t₀ to t₁; `None` if that takes too many steps, or f has no value.
pub(crate) fn follow(
    f: &mut Rate<'_>,
    x0: &[f64],
    (t0, t1): (f64, f64),
    scales: &dyn Fn(usize) -> f64,
) -> Option<Vec<f64>> {
    let (mut t, mut x) = (t0, x0.to_vec());
    let mut h = t1 - t0;
    let mut since = t0;
    for step in 1..=MOST_STEPS {
        if t >= t1 {
            return Some(x);
        }
        if step % WATCHED == 0 {
            if (t1 - t) * (WATCHED as f64) > (t - since) * (MOST_STEPS as f64) {
                return None;
            }
            since = t;
        }
        h = h.min(t1 - t);
        let is_last = t + h >= t1;
        let mut k: Vec<Vec<f64>> = Vec::with_capacity(7);
        for stage in 0..7 {
            let mut y = x.clone();
            for (before, slope) in k.iter().enumerate() {
                let factor = h * A[stage][before];
                y.iter_mut().zip(slope).for_each(|(y, s)| *y += factor * s);
            }
            k.push(f(t + C[stage] * h, &y)?);
        }
        let error = |i: usize| h * E.iter().zip(&k).map(|(e, k)| e * k[i]).sum::<f64>();
        let size = |i: usize| PRECISION * (scales(i) + x[i].abs());
        let worst = (0..x.len()).map(|i| error(i).abs() / size(i)).fold(0.0, f64::max);
        if worst.is_nan() {
            return None;
        }
        if worst <= 1.0 || h <= 4.0 * f64::EPSILON * t.abs() {
            let weights = A[6];
            for (i, x) in x.iter_mut().enumerate() {
                *x += h * weights.iter().zip(&k).map(|(w, k)| w * k[i]).sum::<f64>();
            }
            t = if is_last { t1 } else { t + h };
        }
        h *= (0.9 * worst.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oscillator_and_a_fall() {
        let found = follow(
            &mut |_, x| Some(vec![x[1], -x[0]]),
            &[1.0, 0.0],
            (0.0, 10.0),
            &|_| 1.0,
        );
        let found = found.unwrap_or_default();
        assert!((found[0] - 10.0_f64.cos()).abs() < 1e-9 && (found[1] + 10.0_f64.sin()).abs() < 1e-9);
        let fall = follow(
            &mut |_, x| Some(vec![x[1], -9.81]),
            &[1.0, 0.0],
            (0.0, 2.0),
            &|_| 1.0,
        );
        assert!(fall.is_some_and(|x| (x[0] - (1.0 - 2.0 * 9.81)).abs() < 1e-12));
        assert_eq!(follow(&mut |_, _| None, &[1.0], (0.0, 1.0), &|_| 1.0), None);
    }

    /// A jump is passed; a surface of jumps is given up soon.
    #[test]
    fn a_jump_and_a_surface_of_jumps() {
        let jump = follow(
            &mut |t, _| Some(vec![if t < 0.3 { 1.0 } else { -1.0 }]),
            &[0.0],
            (0.0, 1.0),
            &|_| 1.0,
        );
        assert!(jump.is_some_and(|x| (x[0] + 0.4).abs() < 1e-9));
        let mut asked = 0;
        let along = follow(
            &mut |_, x| {
                asked += 1;
                Some(vec![if x[0] < 0.0 { 1.0 } else { -2.0 }])
            },
            &[-0.1],
            (0.0, 1.0),
            &|_| 1.0,
        );
        assert_eq!(along, None);
        assert!(asked <= 7 * 2 * WATCHED, "{asked}");
    }
}
