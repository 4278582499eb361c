//! Messages to the importer.

use std::ffi::{CString, c_char, c_int, c_void};

/// `fmi2CallbackLogger`.
pub(crate) type Logger2 =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// `fmi3LogMessageCallback`.
pub(crate) type Logger3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// Where messages go.
#[derive(Clone, Copy)]
pub(crate) enum Sink {
    Nowhere,
    Fmi2(*mut c_void, Logger2),
    Fmi3(*mut c_void, Logger3),
}

/// Tells the importer things.
#[derive(Clone)]
pub(crate) struct Logger {
    sink: Sink,
    name: CString,
    pub(crate) is_on: bool,
}

/// A text for C: what C would take for its end is left out.
pub(crate) fn c_text(text: &str) -> CString {
    let clean: Vec<u8> = text.bytes().filter(|b| *b != 0).collect();
    CString::new(clean).unwrap_or_default()
}

impl Logger {
    pub(crate) fn new(sink: Sink, name: &str, is_on: bool) -> Self {
        Logger {
            sink,
            name: c_text(name),
            is_on,
        }
    }

    /// An error: always told.
    pub(crate) fn error(&self, status: c_int, message: &str) {
        self.tell(status, c"logStatusError", message);
    }

    /// An event, for importers that want to know.
    pub(crate) fn event(&self, message: &str) {
        self.tell(0, c"logEvents", message);
    }

    fn tell(&self, status: c_int, category: &std::ffi::CStr, message: &str) {
        let message = c_text(message);
        match self.sink {
            Sink::Nowhere => {}
            Sink::Fmi2(environment, log) => {
                // SAFETY: the importer gave this function for this use; the texts live until it returns. The message is an argument of a format, so that a per cent sign in it is only that.
                unsafe {
                    log(
                        environment,
                        self.name.as_ptr(),
                        status,
                        category.as_ptr(),
                        c"%s".as_ptr(),
                        message.as_ptr(),
                    );
                }
            }
            Sink::Fmi3(environment, log) => {
                // SAFETY: as above.
                unsafe { log(environment, status, category.as_ptr(), message.as_ptr()) };
            }
        }
    }
}
