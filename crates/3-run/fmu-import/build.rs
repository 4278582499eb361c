//! Compiles the one function that Rust cannot define: a logger with a variable number of arguments.

fn main() {
    println!("cargo::rerun-if-changed=src/logger.c");
    cc::Build::new()
        .file("src/logger.c")
        .warnings(true)
        .compile("dyverse_fmu_import_logger");
}
