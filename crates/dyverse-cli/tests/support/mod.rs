//! Calling the command.
#![allow(dead_code, reason = "every test program uses a part of this")]
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

pub(crate) fn dyverse(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dyverse"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

pub(crate) fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dyverse"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read all of its input closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The code with which it ends when whoever reads its output goes away: at once, or after the first byte.
pub(crate) fn code_unread(folder: &Path, arguments: &[&str], reads_one: bool) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dyverse"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut reader = child.stdout.take().unwrap();
    if reads_one {
        let _ = reader.read(&mut [0]);
    }
    drop(reader);
    child.wait().unwrap().code()
}
