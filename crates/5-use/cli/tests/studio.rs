//! `dyverse studio`: what is said when it cannot start, and its address when it does.

#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn studio(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dyverse"));
    command.arg("studio").args(arguments).arg("--no-open");
    command
}

fn refused(arguments: &[&str]) -> String {
    let Output { status, stderr, .. } = studio(arguments).output().unwrap();
    assert_eq!(status.code(), Some(2), "{arguments:?}");
    String::from_utf8(stderr).unwrap()
}

#[test]
fn what_cannot_start_says_why() {
    let place = tempfile::tempdir().unwrap();
    let name = |path: &Path| path.display().to_string();
    let missing = refused(&[&name(&place.path().join("missing"))]);
    assert!(
        missing.contains("cannot open the folder") && missing.contains("help"),
        "{missing}"
    );
    let file = place.path().join("a.drbt");
    std::fs::write(&file, "system a").unwrap();
    let no_folder = refused(&[&name(&file)]);
    assert!(no_folder.contains("name a folder"), "{no_folder}");
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let busy = refused(&[&name(place.path()), "--port", &port]);
    assert!(busy.contains(&port) && busy.contains("another program"), "{busy}");
}

#[test]
fn the_address_is_on_loopback_and_has_a_token() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().display().to_string();
    let mut child = studio(&[&folder])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let read = BufReader::new(child.stdout.take().unwrap()).read_line(&mut line);
    child.kill().unwrap();
    child.wait().unwrap();
    read.unwrap();
    let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, token) = rest.split_once("/?token=").unwrap();
    assert!(port.parse::<u16>().is_ok_and(|port| port > 0));
    assert!(token.len() == 64 && token.chars().all(|c| c.is_ascii_hexdigit()));
}

#[test]
#[cfg(unix)]
fn it_closes_with_a_signal() {
    for signal in ["INT", "TERM"] {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().display().to_string();
        let mut child = studio(&[&folder])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        // Its handlers are set a moment after it says where it is.
        std::thread::sleep(std::time::Duration::from_millis(500));
        crate::support::signal(&child, signal);
        let output = crate::support::finish(child, std::time::Duration::from_secs(20));
        assert_eq!(output.status.code(), Some(0), "{signal}");
    }
}
