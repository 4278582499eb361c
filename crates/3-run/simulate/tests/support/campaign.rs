//! Scenes of many seeds on all cores, and what came of them. What one finds wrong is told at once; the sum does not depend on the number of cores.
#![allow(dead_code, clippy::disallowed_methods, clippy::unwrap_used)]

use std::panic::RefUnwindSafe;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A campaign that tells how far it is does so after so many scenes.
const TOLD_EVERY: u64 = 500;

/// What came of some scenes.
pub(crate) trait Report: Default + Send {
    fn add(&mut self, other: Self);
    /// A scene of which nothing is known but that it is wrong.
    fn failed(seed: u64, what: &str) -> Self;
    /// What is wrong, with its seeds.
    fn wrong(&mut self) -> &mut Vec<(u64, String)>;
}

/// Tries the scenes of `count` seeds; one that panics is wrong.
pub(crate) fn try_scenes<R: Report>(
    seeds: impl Fn(u64) -> u64 + Sync,
    count: u64,
    try_scene: impl Fn(u64) -> R + Sync + RefUnwindSafe,
) -> R {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let report = Mutex::new(R::default());
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let seed = seeds(number);
                    let tried = std::panic::catch_unwind(|| try_scene(seed));
                    let mut one = tried.unwrap_or_else(|_| R::failed(seed, "a panic"));
                    for (seed, what) in one.wrong().iter() {
                        eprintln!("WRONG {seed}: {what}");
                    }
                    report.lock().unwrap().add(one);
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if done.is_multiple_of(TOLD_EVERY) {
                        eprintln!("{done} of {count} scenes");
                    }
                }
            });
        }
    });
    let mut report = report.into_inner().unwrap();
    report.wrong().sort();
    report
}

/// A number that `cargo xtask campaign` gives.
pub(crate) fn number(name: &str, unless: u64) -> u64 {
    std::env::var(name).map_or(unless, |text| text.parse().unwrap())
}

/// Writes models to the folder of the campaign, if there is one.
pub(crate) fn write_models(part: &str, models: impl Iterator<Item = (u64, String)>) {
    if let Ok(folder) = std::env::var("CAMPAIGN_FOLDER") {
        let folder = Path::new(&folder);
        std::fs::create_dir_all(folder).unwrap();
        for (seed, text) in models {
            std::fs::write(folder.join(format!("{part}-{seed}.drbt")), text).unwrap();
        }
    }
}
