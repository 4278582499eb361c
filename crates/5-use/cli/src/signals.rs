//! Ctrl-C and SIGTERM: a run or a check in work ends and shows what there is of it; anything else ends at once. No temporary file stays either way.
//!
//! The handlers set numbers, and a thread looks at them: what a handler itself may do is next to nothing.

use crate::outcome::Outcome;
use crate::output::forget_everything;
use dyverse::fmu_import::remove_unpacked;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(20);

/// The signal that came while something was in work; 0 for none.
static CAME: AtomicUsize = AtomicUsize::new(0);
/// Whether something is in work that asks [`came`] now and then.
static IN_WORK: AtomicBool = AtomicBool::new(false);

/// From now on signals are heard. Where the system does not allow that they do what they always do.
pub(crate) fn listen() {
    let told = Arc::new(AtomicUsize::new(0));
    for signal in heard() {
        let _ = signal_hook::flag::register_usize(signal, Arc::clone(&told), signal as usize);
    }
    // A file that grows beyond what `ulimit -f` allows is output that cannot be written, and no reason to die.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    let look = move || {
        loop {
            std::thread::sleep(LOOK);
            let signal = told.swap(0, Ordering::SeqCst);
            if signal == 0 {
                continue;
            }
            let is_first = CAME.swap(signal, Ordering::SeqCst) == 0;
            if !(is_first && IN_WORK.load(Ordering::SeqCst)) {
                // Nothing is left to keep, or it takes too long for whoever asked twice.
                forget_everything();
                remove_unpacked();
                std::process::exit(128 + signal as i32);
            }
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(look);
}

/// The signals that end a command. So does the end of the time that `ulimit -t` allows; a closed terminal does, unless `nohup` said that it does not.
fn heard() -> Vec<i32> {
    #[cfg(unix)]
    {
        let mut heard = vec![SIGINT, SIGTERM, signal_hook::consts::SIGXCPU];
        if !is_ignored(signal_hook::consts::SIGHUP) {
            heard.push(signal_hook::consts::SIGHUP);
        }
        heard
    }
    #[cfg(not(unix))]
    vec![SIGINT, SIGTERM]
}

/// Whether whoever started the command wants it not to hear a signal; yes where that cannot be told.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Something is in work that asks [`came`] now and then, until this is dropped.
pub(crate) struct InWork;

impl InWork {
    pub(crate) fn begin() -> Self {
        IN_WORK.store(true, Ordering::SeqCst);
        InWork
    }
}

impl Drop for InWork {
    fn drop(&mut self) {
        IN_WORK.store(false, Ordering::SeqCst);
    }
}

/// Whether a signal asks for the end.
pub(crate) fn came() -> bool {
    CAME.load(Ordering::Relaxed) != 0
}

/// How a command ends that a signal ended.
pub(crate) fn outcome() -> Option<Outcome> {
    match CAME.load(Ordering::Relaxed) {
        0 => None,
        signal => Some(Outcome::Interrupted(signal as u8)),
    }
}
