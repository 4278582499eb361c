//! Any text: what is formatted parses again, and formatting it again changes nothing.
#![no_main]

use dyverse_lang::format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for name in ["fuzz.drbt", "fuzz.dam"] {
        let Ok(once) = format(name, text) else { continue };
        let twice = format(name, &once);
        assert_eq!(twice.ok().as_deref(), Some(once.as_str()));
    }
});
