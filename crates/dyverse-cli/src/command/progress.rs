//! The line that shows how far a run or a check is: on a terminal, from the second second on.

use dyverse::check::{CheckProgress, Interrupt};
use dyverse::time::StopReason;
use dyverse::{Progress, TickWatch, Watch};
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
pub(crate) struct ProgressLine {
    begun: Instant,
    is_shown: bool,
    /// When it was last written, ms; 0 for never.
    written: Arc<AtomicU64>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        ProgressLine {
            begun: Instant::now(),
            is_shown: std::io::stderr().is_terminal(),
            written: Arc::new(AtomicU64::new(0)),
        }
    }

    /// What a run calls, which ends after so many seconds; nothing where no one looks and there is no limit.
    pub(crate) fn watch(&self, limit: f64) -> Option<Watch> {
        if !(self.is_shown || limit.is_finite()) {
            return None;
        }
        let (begun, is_shown, written) = (self.begun, self.is_shown, Arc::clone(&self.written));
        Some(Watch::with_reason(move |progress| {
            if is_shown && let Some(now) = due(begun, &written) {
                write(&line(&progress, now));
            }
            in_time(begun, limit)
        }))
    }

    /// The same for an actor model, which shows how far it is by [`ProgressLine::tell`].
    pub(crate) fn limit(&self, limit: f64) -> Option<TickWatch> {
        let begun = self.begun;
        limit
            .is_finite()
            .then(|| TickWatch::with_reason(move |_| in_time(begun, limit)))
    }

    /// Shows how far the run of an actor model is; nothing where no one looks.
    pub(crate) fn tell(&self, t: f64, horizon: f64) {
        if self.is_shown
            && let Some(now) = due(self.begun, &self.written)
        {
            write(&format!("{}  {} s", part_done(t, horizon), now / 1000));
        }
    }

    /// Shows how far a check is; nothing where no one looks.
    pub(crate) fn tell_check(&self, property: &str, progress: &CheckProgress) {
        if self.is_shown
            && let Some(now) = due(self.begun, &self.written)
        {
            write(&check_line(property, progress, now));
        }
    }

    /// Seconds since it was made.
    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Is set from so many seconds on.
    pub(crate) fn after(&self, seconds: f64) -> Interrupt {
        let begun = self.begun;
        Interrupt::new(move || begun.elapsed().as_secs_f64() > seconds)
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if self.written.load(Ordering::Relaxed) > 0 {
            write("");
        }
    }
}

/// Whether there is time left.
fn in_time(begun: Instant, limit: f64) -> ControlFlow<StopReason> {
    if begun.elapsed().as_secs_f64() > limit {
        ControlFlow::Break(StopReason::TimeLimit { seconds: limit })
    } else {
        ControlFlow::Continue(())
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
    format!("{}  t = {t:.3} of {horizon} s", bar(t / horizon))
}

fn bar(part: f64) -> String {
    let part = part.clamp(0.0, 1.0);
    let done = (20.0 * part) as usize;
    let bar: String = (0..20).map(|i| if i < done { '█' } else { '░' }).collect();
    format!("{bar} {:3.0} %", 100.0 * part)
}

fn check_line(property: &str, progress: &CheckProgress, elapsed: u64) -> String {
    let best = if progress.best.is_finite() {
        format!(", least robustness {:.3e}", progress.best)
    } else {
        String::new()
    };
    format!(
        "{} decided  {property}: {} boxes, {} simulations{best}  {} s",
        bar(progress.decided),
        progress.boxes,
        progress.simulations,
        elapsed / 1000
    )
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

    #[test]
    fn the_line_of_a_check_says_what_is_decided() {
        let progress = CheckProgress {
            decided: 0.5,
            boxes: 12,
            simulations: 200,
            best: f64::INFINITY,
        };
        assert_eq!(
            check_line("kept", &progress, 2000),
            "██████████░░░░░░░░░░  50 % decided  kept: 12 boxes, 200 simulations  2 s"
        );
        let progress = CheckProgress {
            best: 0.0125,
            ..progress
        };
        assert!(check_line("kept", &progress, 2000).contains(", least robustness 1.250e-2  2 s"));
    }
}
