//! The search for answers, on a thread of its own: the command waits for it, and not longer than it may.
//!
//! A check looks at the clock and for signals in the middle of boxes and of simulations too, and then ends by itself with what was decided. Where it does not ([`PATIENCE`]), because a single operation takes that long,
//! it is left behind, and the answer is what it told last.

use super::Answer;
use super::call::{partition_of, refused};
use crate::arguments::Check;
use crate::command::progress::ProgressLine;
use crate::outcome::Failure;
use crate::signals::{InWork, came};
use dyverse::check::{
    CheckError, CheckOptions, CheckProgress, Checkable, PartitionOptions, Verdict, check, partition,
    unfinished, unfinished_partition,
};
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The time that a check has if the call does not say, s.
pub(super) const USUAL: f64 = 60.0;
/// How long a check that is to end is waited for, s.
const PATIENCE: f64 = 0.5;
/// Between two looks at it.
const LOOK: Duration = Duration::from_millis(20);
/// Bytes of its stack.
const STACK: usize = 64 << 20;

/// What ended a search before it was done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stopped {
    /// `--timeout`, of so many seconds.
    Timeout(f64),
    /// The time that a check has if the call does not say.
    Usual(f64),
    /// Ctrl-C, or another signal.
    Signal,
}

impl Stopped {
    pub(super) fn word(self) -> &'static str {
        match self {
            Stopped::Timeout(_) => "timeout",
            Stopped::Usual(_) => "default_timeout",
            Stopped::Signal => "interrupt",
        }
    }

    pub(super) fn sentence(self) -> String {
        let by = match self {
            Stopped::Timeout(_) => "by --timeout".to_owned(),
            Stopped::Usual(seconds) => format!("after {seconds} s, which a check has without --timeout"),
            Stopped::Signal => "interrupted".to_owned(),
        };
        format!("{by}: what was decided so far is above")
    }
}

/// The answers about properties, each with what ended it early. The time is shared: a property has what is left, divided by the properties that are left.
pub(super) fn answers(
    subject: Checkable<'static>,
    names: &[String],
    options: &Check,
    check_options: &CheckOptions,
    line: &ProgressLine,
    limit: f64,
) -> Result<(Vec<Answer>, Vec<Option<Stopped>>), Failure> {
    let _in_work = InWork::begin();
    let (mut answers, mut stops) = (Vec::new(), Vec::new());
    for (place, name) in names.iter().enumerate() {
        let now = line.seconds();
        let share = (limit - now).max(0.0) / (names.len() - place) as f64;
        let until = now + share;
        let own = CheckOptions {
            interrupt: Some(line.after(until)),
            ..check_options.clone()
        };
        let answer = answer(subject, name, partition_of(options), own, line, until);
        let answer = answer.map_err(|error| refused(subject, &error))?;
        let stopped = match (is_stopped(&answer), came(), options.timeout) {
            (false, ..) => None,
            (true, true, _) => Some(Stopped::Signal),
            (true, false, Some(seconds)) => Some(Stopped::Timeout(seconds)),
            (true, false, None) => Some(Stopped::Usual(limit)),
        };
        answers.push(answer);
        stops.push(stopped);
    }
    Ok((answers, stops))
}

fn is_stopped(answer: &Answer) -> bool {
    match answer {
        Answer::Finding(finding) => matches!(&finding.verdict, Verdict::Unknown(left) if left.is_stopped),
        Answer::Partition(partition) => partition.is_stopped,
    }
}

/// One answer, not long after `until` at the latest.
fn answer(
    subject: Checkable<'static>,
    name: &str,
    what: Option<PartitionOptions>,
    options: CheckOptions,
    line: &ProgressLine,
    until: f64,
) -> Result<Answer, CheckError> {
    let begun = CheckProgress {
        decided: 0.0,
        boxes: 0,
        simulations: 0,
        best: f64::INFINITY,
    };
    let progress = Arc::new(Mutex::new(begun));
    let latest = || *progress.lock().unwrap_or_else(PoisonError::into_inner);
    let (sender, receiver) = channel();
    let asked = (
        Arc::clone(&progress),
        name.to_owned(),
        what.clone(),
        options.clone(),
    );
    let work = move || {
        let (progress, name, what, options) = asked;
        let watch = |now: CheckProgress| {
            *progress.lock().unwrap_or_else(PoisonError::into_inner) = now;
            match &options.interrupt {
                Some(interrupt) => interrupt.flow(),
                None => ControlFlow::Continue(()),
            }
        };
        let found = match &what {
            Some(what) => partition(subject, &name, what, &options, &watch).map(Answer::Partition),
            None => check(subject, &name, &options, &watch).map(Answer::Finding),
        };
        // Nobody waits any more: then nobody wants it.
        let _ = sender.send(found);
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    let thread = thread.map_err(|error| CheckError::Run(format!("no thread could be had: {error}")))?;
    let mut over_since = None;
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(CheckError::Run("the search ended without an answer".into())),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        line.tell_check(name, &latest());
        let now = line.seconds();
        if came() || now > until {
            let since = *over_since.get_or_insert(now);
            if now > since + PATIENCE {
                let progress = latest();
                return match &what {
                    Some(what) => {
                        unfinished_partition(subject, name, what, &options, &progress).map(Answer::Partition)
                    }
                    None => unfinished(subject, name, &options, &progress).map(Answer::Finding),
                };
            }
        }
    }
}
