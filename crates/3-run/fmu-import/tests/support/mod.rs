//! FMUs made for the tests: C compiled here, packed here.
#![allow(dead_code, reason = "every test program uses a part of this")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fmus")
        .join(name)
}

/// Compiles a library.
pub(crate) fn compile(folder: &Path, name: &str) -> Vec<u8> {
    let library = folder.join(format!("{name}.library"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(compiler)
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-o"])
        .arg(&library)
        .arg(source(&format!("{name}.c")))
        .arg("-lm")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::read(library).unwrap()
}

/// Writes an archive.
pub(crate) fn pack(path: &Path, files: &[(&str, &[u8])]) {
    let mut archive = ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

pub(crate) fn description(name: &str) -> String {
    std::fs::read_to_string(source(&format!("{name}.xml"))).unwrap()
}

/// Where the library of a version is on this machine.
pub(crate) fn place(version: u32, identifier: &str) -> String {
    use std::env::consts::{ARCH, DLL_EXTENSION, OS};
    let folder = match (version, OS) {
        (2, "linux") => "linux64".to_owned(),
        (2, "macos") => "darwin64".to_owned(),
        (2, _) => "win64".to_owned(),
        (_, "macos") => format!("{ARCH}-darwin"),
        _ => format!("{ARCH}-{OS}"),
    };
    format!("binaries/{folder}/{identifier}.{DLL_EXTENSION}")
}

/// The ball of `ball2.c`.
pub(crate) fn ball(folder: &Path) -> PathBuf {
    let (library, path) = (compile(folder, "ball2"), folder.join("ball.fmu"));
    let text = description("ball2");
    pack(
        &path,
        &[
            ("modelDescription.xml", text.as_bytes()),
            (&place(2, "ball"), &library),
        ],
    );
    path
}

/// The decay of `decay3.c`.
pub(crate) fn decay(folder: &Path) -> PathBuf {
    let (library, path) = (compile(folder, "decay3"), folder.join("decay.fmu"));
    let text = description("decay3");
    pack(
        &path,
        &[
            ("modelDescription.xml", text.as_bytes()),
            ("resources/", b""),
            (&place(3, "decay"), &library),
        ],
    );
    path
}
