//! Any bytes: reading ends without a panic, gives a model or a reason, and says it in bounded space.
#![no_main]

use dyverse_diag::{RenderOptions, render_all};
use dyverse_lang::{Loaded, NoImports, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let main = Loaded::named("fuzz.drbt", bytes.to_vec());
    let reading = read(main, &mut NoImports);
    assert!(reading.model.is_some() || reading.diagnostics.iter().any(dyverse_diag::Diagnostic::is_error));
    let shown = render_all(&reading.diagnostics, &reading.sources, RenderOptions { color: true });
    assert!(shown.len() < 400_000);
});
