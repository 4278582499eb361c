//! Instances behind handles. An importer holds a number that looks like a pointer; nothing is ever read from it, so one that was freed, or made up, is
//! only a number that is not in the table.

use crate::machine::Machine;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A machine that may be used from any one thread at a time.
struct Moved(Machine);

// SAFETY: a machine shares nothing with other machines but models, which are never changed; reference counts inside it are its own. It is only reached
// through the mutex around it, so it is used by one thread at a time.
unsafe impl Send for Moved {}

type Shared = Arc<Mutex<Moved>>;

struct Table {
    next: usize,
    live: BTreeMap<usize, Shared>,
}

static TABLE: Mutex<Table> = Mutex::new(Table {
    next: 1,
    live: BTreeMap::new(),
});

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a machine into the table; gives its handle.
pub(crate) fn insert(machine: Machine) -> *mut c_void {
    let mut table = table();
    let number = table.next;
    table.next += 1;
    table.live.insert(number, Arc::new(Mutex::new(Moved(machine))));
    // Spaced like pointers.
    std::ptr::without_provenance_mut(number * 64)
}

/// Takes a machine out of the table; whether it was there.
pub(crate) fn remove(handle: *mut c_void) -> bool {
    let mut table = table();
    let removed = table.live.remove(&(handle.addr() / 64));
    if table.live.is_empty() {
        // An empty map may still hold memory.
        table.live = BTreeMap::new();
    }
    // It ends when nobody asks for others: what it holds may be asked for by name too.
    drop(table);
    removed.is_some()
}

/// Uses a machine; `None` if there is none with this handle.
pub(crate) fn with<T>(handle: *mut c_void, then: impl FnOnce(&mut Machine) -> T) -> Option<T> {
    if handle.is_null() || !handle.addr().is_multiple_of(64) {
        return None;
    }
    let shared = table().live.get(&(handle.addr() / 64)).cloned()?;
    let mut machine = shared.lock().unwrap_or_else(PoisonError::into_inner);
    Some(then(&mut machine.0))
}
