//! Runs and checks in progress: each on a thread of its own, watched and cancelled by number.
//!
//! A job is replaced by the next one of the same tab. A panic in a job is an error of that job. Results are kept until the next job of
//! the tab, and a quarter of an hour at the most.

#![allow(
    clippy::disallowed_methods,
    reason = "how long work takes is told to people, and limited"
)]

use axum::body::Bytes;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Jobs in work at the most, those that are being cancelled included.
const MOST_RUNNING: usize = 4;
/// Finished jobs that are kept at the most.
const MOST_KEPT: usize = 8;
/// How long a finished job is kept.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// How long a job that is cancelled is waited for: its thread may be in the middle of something.
const PATIENCE: Duration = Duration::from_millis(700);
/// How long it is waited for more where its thread has heard of it and makes a page of what there is.
const MAKING: Duration = Duration::from_secs(10);
/// Between two states that are told.
const BETWEEN: u64 = 50;
/// For a job's thread: models are read without recursion, checks are not deep; this is ample.
const STACK: usize = 16 << 20;

/// How a job ended.
pub(crate) enum Ended {
    /// With a page, as JSON.
    Page(Vec<u8>),
    /// With a message, and findings about the text if it is no model.
    Failed { message: String, findings: Vec<Value> },
}

/// What is told about a job.
#[derive(Clone, Debug)]
struct News {
    /// Counts what was told.
    number: u64,
    state: &'static str,
    progress: Value,
    failure: Option<Value>,
}

/// A job.
#[derive(Debug)]
pub(crate) struct Job {
    id: u64,
    tab: String,
    kind: &'static str,
    begun: Instant,
    is_cancelled: AtomicBool,
    /// Whether its thread knows that it is, and makes its page.
    has_heard: AtomicBool,
    /// When it was, ms.
    cancelled: AtomicU64,
    /// Whether its thread has ended.
    is_over: AtomicBool,
    /// When something was told last, ms.
    told: AtomicU64,
    news: watch::Sender<News>,
    page: Mutex<Option<Bytes>>,
    /// When the thread ended.
    ended: Mutex<Option<Instant>>,
}

impl Job {
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// The same, for its thread, which does nothing but make a page of what there is then.
    pub(crate) fn hears_cancel(&self) -> bool {
        let is_cancelled = self.is_cancelled();
        if is_cancelled {
            self.has_heard.store(true, Ordering::Relaxed);
        }
        is_cancelled
    }

    /// Seconds since it was cancelled; less than any number if it was not.
    pub(crate) fn seconds_since_cancelled(&self) -> f64 {
        if !self.is_cancelled() {
            return f64::NEG_INFINITY;
        }
        self.seconds() - self.cancelled.load(Ordering::Relaxed) as f64 / 1000.0
    }

    /// Asks it to end soon. If it does not, it counts as cancelled all the same, with nothing to show.
    pub(crate) fn cancel(self: &Arc<Self>) {
        let now = self.begun.elapsed().as_millis() as u64;
        self.cancelled.store(now, Ordering::Relaxed);
        if self.is_cancelled.swap(true, Ordering::Relaxed) || self.ended().is_some() {
            return;
        }
        self.news.send_modify(|news| {
            if news.state == "running" {
                news.number += 1;
                news.state = "cancelling";
            }
        });
        let own = Arc::clone(self);
        let give_up = move || {
            std::thread::sleep(PATIENCE);
            if own.has_heard.load(Ordering::Relaxed) {
                let until = Instant::now() + MAKING;
                while own.ended().is_none() && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(BETWEEN));
                }
            }
            own.finish(Ended::Failed {
                message: String::new(),
                findings: Vec::new(),
            });
        };
        // Without a thread for it there is only the wait.
        let _ = std::thread::Builder::new().spawn(give_up);
    }

    /// Tells how far it is, not too often.
    pub(crate) fn tell(&self, progress: impl FnOnce() -> Value) {
        let now = self.begun.elapsed().as_millis() as u64;
        let last = self.told.load(Ordering::Relaxed);
        if now < last + BETWEEN {
            return;
        }
        self.told.store(now, Ordering::Relaxed);
        let progress = progress();
        self.news.send_modify(|news| {
            news.number += 1;
            news.progress = progress;
        });
    }

    /// The first end counts.
    fn finish(&self, ended: Ended) {
        {
            let mut when = lock(&self.ended);
            if when.is_some() {
                return;
            }
            *when = Some(Instant::now());
        }
        let (state, failure) = match ended {
            Ended::Page(page) => {
                *lock(&self.page) = Some(page.into());
                (if self.is_cancelled() { "cancelled" } else { "done" }, None)
            }
            Ended::Failed { .. } if self.is_cancelled() => ("cancelled", None),
            Ended::Failed { message, findings } => (
                "failed",
                Some(json!({ "message": message, "findings": findings })),
            ),
        };
        self.news.send_modify(|news| {
            news.number += 1;
            news.state = state;
            news.failure = failure;
        });
    }

    /// The page of a job that ended with one.
    pub(crate) fn page(&self) -> Option<Bytes> {
        lock(&self.page).clone()
    }

    fn ended(&self) -> Option<Instant> {
        *lock(&self.ended)
    }

    /// What there is to tell after the news with this number: waits for it for a while.
    pub(crate) async fn news_after(&self, number: u64, patience: Duration) -> Value {
        let mut receiver = self.news.subscribe();
        let waited = receiver.wait_for(|news| news.number > number);
        // Nothing new is an answer too.
        let _ = tokio::time::timeout(patience, waited).await;
        let news = self.news.borrow().clone();
        json!({
            "id": self.id,
            "kind": self.kind,
            "number": news.number,
            "state": news.state,
            "progress": news.progress,
            "failure": news.failure,
            "hasPage": self.page().is_some(),
            "seconds": self.seconds(),
        })
    }
}

/// All jobs.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    last: AtomicU64,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    /// Those whose threads have not ended, also where nobody waits for them any more.
    working: Mutex<Vec<Arc<Job>>>,
}

/// Too much is in work.
#[derive(Debug)]
pub(crate) struct Busy;

impl Jobs {
    pub(crate) fn get(&self, id: u64) -> Option<Arc<Job>> {
        let mut jobs = lock(&self.jobs);
        forget_old(&mut jobs);
        jobs.get(&id).cloned()
    }

    pub(crate) fn cancel_all(&self) {
        for job in lock(&self.jobs).values() {
            job.cancel();
        }
    }

    /// Begins a job; the one before it of the same tab is cancelled.
    pub(crate) fn begin(
        &self,
        tab: &str,
        kind: &'static str,
        work: impl FnOnce(&Arc<Job>) -> Ended + Send + 'static,
    ) -> Result<Arc<Job>, Busy> {
        let mut jobs = lock(&self.jobs);
        jobs.retain(|_, job| job.ended().is_none() || job.tab != tab);
        jobs.values()
            .filter(|job| job.tab == tab)
            .for_each(|job| job.cancel());
        forget_old(&mut jobs);
        let mut working = lock(&self.working);
        working.retain(|job| !job.is_over.load(Ordering::Relaxed));
        if working.len() >= MOST_RUNNING {
            return Err(Busy);
        }
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let news = News {
            number: 1,
            state: "running",
            progress: Value::Null,
            failure: None,
        };
        let job = Arc::new(Job {
            id,
            tab: tab.to_owned(),
            kind,
            begun: Instant::now(),
            is_cancelled: AtomicBool::new(false),
            has_heard: AtomicBool::new(false),
            cancelled: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            told: AtomicU64::new(0),
            news: watch::Sender::new(news),
            page: Mutex::new(None),
            ended: Mutex::new(None),
        });
        let own = Arc::clone(&job);
        let run = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| work(&own)));
            own.finish(ended.unwrap_or_else(|_| Ended::Failed {
                message: "this failed inside dyverse; the terminal says where".into(),
                findings: Vec::new(),
            }));
            own.is_over.store(true, Ordering::Relaxed);
        };
        let name = format!("job {id}");
        let thread = std::thread::Builder::new()
            .name(name)
            .stack_size(STACK)
            .spawn(run);
        thread.map_err(|_| Busy)?;
        working.push(Arc::clone(&job));
        jobs.insert(id, Arc::clone(&job));
        Ok(job)
    }
}

/// Drops jobs that ended long ago, and the oldest of too many.
fn forget_old(jobs: &mut BTreeMap<u64, Arc<Job>>) {
    jobs.retain(|_, job| job.ended().is_none_or(|ended| ended.elapsed() < KEPT));
    let ended: Vec<u64> = jobs
        .values()
        .filter(|job| job.ended().is_some())
        .map(|job| job.id)
        .collect();
    for id in ended.iter().take(ended.len().saturating_sub(MOST_KEPT)) {
        jobs.remove(id);
    }
}

/// What a thread that panicked left behind is still in order: every change is one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(job: &Job) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let mut number = 0;
        loop {
            let news = runtime.block_on(job.news_after(number, Duration::from_secs(10)));
            if !["running", "cancelling"].contains(&news["state"].as_str().unwrap()) {
                return news;
            }
            number = news["number"].as_u64().unwrap();
        }
    }

    fn until_cancelled(job: &Arc<Job>) -> Ended {
        while !job.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ended::Page(b"{}".into())
    }

    #[test]
    fn a_panic_is_an_error_of_the_job() {
        let jobs = Jobs::default();
        let job = jobs.begin("tab", "simulate", |_| panic!("on purpose")).unwrap();
        let news = wait(&job);
        assert_eq!(news["state"], "failed");
        assert!(
            news["failure"]["message"]
                .as_str()
                .unwrap()
                .contains("inside dyverse")
        );
    }

    #[test]
    fn the_next_job_of_a_tab_replaces_the_one_before() {
        let jobs = Jobs::default();
        let first = jobs.begin("tab", "simulate", until_cancelled).unwrap();
        let other = jobs.begin("other", "simulate", until_cancelled).unwrap();
        let second = jobs
            .begin("tab", "simulate", |_| Ended::Page(b"{}".into()))
            .unwrap();
        assert_eq!(wait(&first)["state"], "cancelled");
        assert_eq!(wait(&second)["state"], "done");
        assert!(!other.is_cancelled());
        jobs.cancel_all();
        assert_eq!(wait(&other)["state"], "cancelled");
    }

    #[test]
    fn there_are_not_too_many() {
        let jobs = Jobs::default();
        for tab in 0..MOST_RUNNING {
            jobs.begin(&tab.to_string(), "check", until_cancelled).unwrap();
        }
        assert!(jobs.begin("one more", "check", until_cancelled).is_err());
        jobs.cancel_all();
    }
}
