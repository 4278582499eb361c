//! Steps from coarse to fine as long as time lasts.

/// Steps of a sweep, s.
pub(crate) const STEPS: [f64; 7] = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// Processor time that one run may take, s: a finer step is left out if it would take longer than this, judged by the step before it.
pub(crate) const AFFORDABLE: f64 = 20.0;

/// Runs with finer and finer steps; `run` gives the processor time it took.
pub(crate) fn sweep(mut run: impl FnMut(f64) -> f64) {
    let mut before = 0.0;
    for step in STEPS {
        if 10.0 * before > AFFORDABLE {
            return;
        }
        before = run(step);
    }
}
