//! The line that shows how far a run is: on a terminal, from the second second on.

use dyverse::{Progress, Watch};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// When the line appears, ms.
const FIRST: u64 = 1000;
/// Between two of its states, ms.
const NEXT: u64 = 100;

/// A line on standard error that is written over and over.
pub(super) struct ProgressLine {
    begun: Instant,
    is_shown: bool,
    /// When it was last written, ms; 0 for never.
    written: Arc<AtomicU64>,
}

impl ProgressLine {
    pub(super) fn new() -> Self {
        ProgressLine {
            begun: Instant::now(),
            is_shown: std::io::stderr().is_terminal(),
            written: Arc::new(AtomicU64::new(0)),
        }
    }

    /// What a run calls; nothing where no one looks.
    pub(super) fn watch(&self) -> Option<Watch> {
        if !self.is_shown {
            return None;
        }
        let (begun, written) = (self.begun, Arc::clone(&self.written));
        Some(Watch::new(move |progress| {
            if let Some(now) = due(begun, &written) {
                write(&line(&progress, now));
            }
            ControlFlow::Continue(())
        }))
    }

    /// Shows how far the run of an actor model is; nothing where no one looks.
    pub(super) fn tell(&self, t: f64, horizon: f64) {
        if self.is_shown
            && let Some(now) = due(self.begun, &self.written)
        {
            write(&format!("{}  {} s", part_done(t, horizon), now / 1000));
        }
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if self.written.load(Ordering::Relaxed) > 0 {
            write("");
        }
    }
}

/// The time since the run began, ms, if the line is to be written now; it then counts as written.
fn due(begun: Instant, written: &AtomicU64) -> Option<u64> {
    let now = begun.elapsed().as_millis() as u64;
    let last = written.load(Ordering::Relaxed);
    let is_due = now >= FIRST && now >= last + NEXT;
    if is_due {
        written.store(now, Ordering::Relaxed);
    }
    is_due.then_some(now)
}

/// Writes over the line; a terminal that is gone is no reason to stop.
fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = write!(err, "\r\x1b[2K{text}");
    let _ = err.flush();
}

fn line(progress: &Progress, elapsed: u64) -> String {
    format!(
        "{}  {} impacts, {} transitions  {} s",
        part_done(progress.t, progress.horizon),
        progress.impacts,
        progress.transitions,
        elapsed / 1000
    )
}

fn part_done(t: f64, horizon: f64) -> String {
    let part = (t / horizon).clamp(0.0, 1.0);
    let done = (20.0 * part) as usize;
    let bar: String = (0..20).map(|i| if i < done { '█' } else { '░' }).collect();
    format!("{bar} {:3.0} %  t = {t:.3} of {horizon} s", 100.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_the_run_is() {
        let progress = Progress {
            t: 2.5,
            horizon: 10.0,
            transitions: 12,
            impacts: 3,
        };
        assert_eq!(
            line(&progress, 4321),
            "█████░░░░░░░░░░░░░░░  25 %  t = 2.500 of 10 s  3 impacts, 12 transitions  4 s"
        );
    }
}
