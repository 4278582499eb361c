//! Calling the command.
#![allow(dead_code, reason = "every test program uses a part of this")]
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that cannot begin has failed"
)]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples")
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

/// Starts it, with its output kept.
pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_dyverse"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends it a signal, such as `INT`.
#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Waits for its end, and for so long at the most; then it is killed, and the test has failed.
pub(crate) fn finish(mut child: Child, most: Duration) -> Output {
    let until = Instant::now() + most;
    // What it writes must not keep it from ending.
    let read = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = from.read_to_end(&mut bytes);
            bytes
        })
    };
    let stdout = child.stdout.take().map(|s| read(Box::new(s)));
    let stderr = child.stderr.take().map(|s| read(Box::new(s)));
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > until {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it did not end in {most:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let taken =
        |thread: Option<std::thread::JoinHandle<Vec<u8>>>| thread.map_or(Vec::new(), |t| t.join().unwrap());
    Output {
        status,
        stdout: taken(stdout),
        stderr: taken(stderr),
    }
}

/// What a folder holds, hidden files too, in order.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
