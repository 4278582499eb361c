//! Any text: what is formatted parses again, and formatting it again changes nothing.
#![no_main]

use dyverse_lang::format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(once) = format("fuzz.drbt", text) else { return };
    let twice = format("fuzz.drbt", &once);
    assert_eq!(twice.ok().as_deref(), Some(once.as_str()));
});
