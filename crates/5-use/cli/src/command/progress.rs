//! How far a run or a check is, on standard error, and when it is to end.
//!
//! On a terminal one line that is written over and over, from the second second on. Elsewhere (a file, a log) a line after two seconds, and one every ten seconds then.

use crate::signals;
use dyverse::check::{CheckProgress, Interrupt};
use dyverse::time::StopReason;
use dyverse::{Progress, TickWatch, Watch};
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// When the line appears, ms; on a terminal, and elsewhere.
const FIRST: [u64; 2] = [1000, 2000];
/// Between two of its states, ms; likewise.
const NEXT: [u64; 2] = [100, 10_000];

/// What is said on standard error about work that takes time.
pub(crate) struct ProgressLine {
    begun: Instant,
    told: Told,
}

/// The time that a run has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunTime {
    /// Until when it is over and written, s.
    pub(crate) limit: f64,
    /// What it takes to write a byte of its trace, s; an estimate.
    pub(crate) writing: f64,
}

#[derive(Clone)]
struct Told {
    is_terminal: bool,
    /// When it was last written, ms; 0 for never.
    written: Arc<AtomicU64>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        ProgressLine {
            begun: Instant::now(),
            told: Told {
                is_terminal: std::io::stderr().is_terminal(),
                written: Arc::new(AtomicU64::new(0)),
            },
        }
    }

    /// What a run calls, which ends in this time, or by a signal.
    pub(crate) fn watch(&self, time: RunTime) -> Watch {
        let (begun, told) = (self.begun, self.told.clone());
        Watch::with_reason(move |progress| {
            told.tell(begun, |now| line(&progress, now));
            goes_on(begun, time, progress.bytes)
        })
    }

    /// The same for an actor model, which shows how far it is by [`ProgressLine::tell`].
    pub(crate) fn limit(&self, time: RunTime) -> TickWatch {
        let begun = self.begun;
        TickWatch::weighing(move |_, bytes| goes_on(begun, time, bytes))
    }

    /// Shows how far the run of an actor model is.
    pub(crate) fn tell(&self, t: f64, horizon: f64) {
        let line = |now| format!("{}  {} s", part_done(t, horizon), now / 1000);
        self.told.tell(self.begun, line);
    }

    /// Shows how far a check is.
    pub(crate) fn tell_check(&self, property: &str, progress: &CheckProgress) {
        self.told
            .tell(self.begun, |now| check_line(property, progress, now));
    }

    /// Seconds since it was made.
    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Is set from so many seconds on, or by a signal.
    pub(crate) fn after(&self, seconds: f64) -> Interrupt {
        let begun = self.begun;
        Interrupt::new(move || signals::came() || begun.elapsed().as_secs_f64() > seconds)
    }

    /// Is set from so many seconds on only.
    pub(crate) fn later(&self, seconds: f64) -> Interrupt {
        let begun = self.begun;
        Interrupt::new(move || begun.elapsed().as_secs_f64() > seconds)
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if self.told.is_terminal && self.told.written.load(Ordering::Relaxed) > 0 {
            write_over("");
        }
    }
}

impl Told {
    /// Writes a line if it is time for one; a terminal that is gone is no reason to stop.
    fn tell(&self, begun: Instant, line: impl FnOnce(u64) -> String) {
        let kind = usize::from(!self.is_terminal);
        let now = begun.elapsed().as_millis() as u64;
        let last = self.written.load(Ordering::Relaxed);
        if now < FIRST[kind] || (last > 0 && now < last + NEXT[kind]) {
            return;
        }
        self.written.store(now, Ordering::Relaxed);
        let line = line(now);
        if self.is_terminal {
            write_over(&line);
        } else {
            // Bars are for the eye.
            let plain = line.trim_start_matches(['█', '░', ' ']);
            let _ = writeln!(std::io::stderr().lock(), "progress: {plain}");
        }
    }
}

/// Whether a run goes on: nobody wants its end, and there is time left, also to write what there is of it.
fn goes_on(begun: Instant, time: RunTime, bytes: usize) -> ControlFlow<StopReason> {
    if signals::came() {
        ControlFlow::Break(StopReason::Interrupted)
    } else if begun.elapsed().as_secs_f64() + time.writing * bytes as f64 > time.limit {
        ControlFlow::Break(StopReason::TimeLimit { seconds: time.limit })
    } else {
        ControlFlow::Continue(())
    }
}

/// Writes over the line.
fn write_over(text: &str) {
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
            bytes: 0,
        };
        assert_eq!(
            line(&progress, 4321),
            "█████░░░░░░░░░░░░░░░  25 %  t = 2.500 of 10 s  3 impacts, 12 transitions  4 s"
        );
    }

    #[test]
    fn a_run_ends_while_there_is_time_to_write_it() {
        let time = RunTime {
            limit: 100.0,
            writing: 1e-6,
        };
        let begun = Instant::now();
        assert!(goes_on(begun, time, 90_000_000).is_continue());
        assert!(goes_on(begun, time, 101_000_000).is_break());
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
