//! What an FMU says: collected, and told to people with the error that follows.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::rc::Rc;
use std::sync::Mutex;

/// Messages kept at the most; of more, the last ones.
const MOST: usize = 50;

unsafe extern "C" {
    /// `fmi2CallbackLogger`, in `logger.c`.
    pub(crate) fn dyverse_fmu_import_log(
        environment: *mut c_void,
        instance: *const c_char,
        status: c_int,
        category: *const c_char,
        message: *const c_char,
        ...
    );
}

/// The environment of an instance: what its logger writes to. `logger.c` knows the first field.
#[repr(C)]
pub(crate) struct Messages {
    message: unsafe extern "C" fn(*mut c_void, c_int, *const c_char),
    kept: Mutex<Vec<(c_int, String)>>,
}

impl Messages {
    /// At an address that stays.
    pub(crate) fn new() -> Rc<Self> {
        Rc::new(Messages {
            message: keep,
            kept: Mutex::new(Vec::new()),
        })
    }

    /// What an FMU is given.
    pub(crate) fn environment(&self) -> *mut c_void {
        std::ptr::from_ref(self).cast_mut().cast()
    }

    /// Takes what was said so far, each text once: warnings and worse, or everything if there is none of these.
    pub(crate) fn take(&self) -> Vec<String> {
        let said = match self.kept.lock() {
            Ok(mut kept) => std::mem::take(&mut *kept),
            Err(_) => Vec::new(),
        };
        let has_serious = said.iter().any(|(status, _)| *status > 0);
        let mut texts: Vec<String> = Vec::new();
        for (status, text) in said {
            if (status > 0 || !has_serious) && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    fn push(&self, status: c_int, text: String) {
        if let Ok(mut kept) = self.kept.lock() {
            if kept.len() == MOST {
                kept.remove(0);
            }
            kept.push((status, text));
        }
    }
}

/// A text of C; empty for a null pointer.
///
/// # Safety
/// The pointer is null or points to a text that ends in zero.
pub(crate) unsafe fn text_of(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: not null, and the caller promises the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_string_lossy().trim().to_owned()
}

/// Keeps a message.
unsafe extern "C" fn keep(environment: *mut c_void, status: c_int, text: *const c_char) {
    // SAFETY: `environment` is what `environment()` gave; it lives as long as the instance that calls. The text is the caller's.
    let (messages, text) = unsafe { (environment.cast::<Messages>().as_ref(), text_of(text)) };
    if let Some(messages) = messages {
        messages.push(status, text);
    }
}

/// `fmi3LogMessageCallback`.
pub(crate) unsafe extern "C" fn log3(
    environment: *mut c_void,
    status: c_int,
    _category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: as in `keep`, whose arguments these are.
    unsafe { keep(environment, status, message) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_fmi_2_are_filled_in() {
        let messages = Messages::new();
        // SAFETY: the environment lives, and the format fits its arguments.
        unsafe {
            dyverse_fmu_import_log(
                messages.environment(),
                c"ball".as_ptr(),
                3,
                c"logStatusError".as_ptr(),
                c"mass is %g, not above %d: %s".as_ptr(),
                -1.5_f64,
                0_i32,
                c"100 %".as_ptr(),
            );
        }
        assert_eq!(messages.take(), ["mass is -1.5, not above 0: 100 %"]);
        assert!(messages.take().is_empty());
    }

    #[test]
    fn serious_messages_come_first_and_once() {
        let messages = Messages::new();
        messages.push(0, "hello".into());
        assert_eq!(messages.take(), ["hello"]);
        for (status, text) in [(0, "hello"), (3, "no"), (3, "no"), (1, "hm")] {
            messages.push(status, text.into());
        }
        assert_eq!(messages.take(), ["no", "hm"]);
    }
}
