//! Ends a check from outside, in the middle of a box and of a simulation too.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Is asked now and then whether a check is to end.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// The check ends where this says so.
    pub fn new(ends: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Interrupt(Arc::new(ends))
    }

    /// Is it to end?
    pub fn is_set(&self) -> bool {
        (self.0)()
    }

    /// Who is asked.
    pub(crate) fn asked(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        Arc::clone(&self.0)
    }

    /// The same for what is watched.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.is_set() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Interrupt")
    }
}

impl PartialEq for Interrupt {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
