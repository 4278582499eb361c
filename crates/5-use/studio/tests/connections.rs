//! Connections that are opened and not used, and work that takes its time to end.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests"
)]

use crate::common::Server;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// What a slow and busy machine may need besides.
const SLACK: Duration = Duration::from_secs(15);

/// Sends bytes, and waits for the other side to close; after how long it did.
fn closed_after(server: &Server, bytes: &[u8], each: Duration) -> Duration {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let begun = Instant::now();
    let pause = if each.is_zero() {
        Duration::from_secs(90)
    } else {
        each
    };
    stream.set_read_timeout(Some(pause)).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = [0; 4096];
    loop {
        match stream.read(&mut answer) {
            Ok(0) => return begun.elapsed(),
            Ok(_) => {}
            // One byte more, as whoever wants to keep it open does.
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                ) =>
            {
                assert!(begun.elapsed() < Duration::from_secs(80), "it is still open");
                if stream.write_all(b"x").is_err() {
                    return begun.elapsed();
                }
            }
            Err(_) => return begun.elapsed(),
        }
    }
}

#[test]
fn who_sends_half_a_request_and_waits_is_dropped() {
    let server = Server::start();
    let token = server.token.clone();
    let body = format!(
        "POST /api/read HTTP/1.1\r\nHost: {}\r\nOrigin: http://{0}\r\nX-Dyverse-Token: {token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{\"name\"",
        server.host()
    );
    let quiet = Duration::ZERO;
    let cases: [(&[u8], Duration, u64); 5] = [
        (b"", quiet, 10),
        (b"GET / HT", quiet, 10),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Dyv", quiet, 10),
        // A byte now and then does not help.
        (b"GET / HTTP/1.1\r\nX-Slow: ", Duration::from_secs(1), 10),
        (body.as_bytes(), quiet, 30),
    ];
    std::thread::scope(|scope| {
        for (bytes, each, limit) in cases {
            let server = &server;
            scope.spawn(move || {
                let after = closed_after(server, bytes, each);
                assert!(
                    after < Duration::from_secs(limit) + SLACK,
                    "{after:?}: {:?}",
                    String::from_utf8_lossy(bytes)
                );
            });
        }
    });
}

#[test]
fn there_are_not_too_many_connections_and_they_do_not_keep_others_out_for_long() {
    let server = Server::start();
    let idle: Vec<TcpStream> = (0..200)
        .filter_map(|_| TcpStream::connect(("127.0.0.1", server.port)).ok())
        .collect();
    // Those that have no place are closed at once.
    let is_closed = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(3))).unwrap();
        let mut byte = [0];
        match stream.read(&mut byte) {
            Ok(read) => read == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    };
    let closed = idle
        .iter()
        .rev()
        .take(100)
        .filter(|stream| is_closed(stream))
        .count();
    assert!(closed >= 90, "{closed}");
    let begun = Instant::now();
    loop {
        let reply = server.get("/api/studio");
        if reply.status == 200 {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(10) + SLACK,
            "{}",
            reply.status
        );
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(idle);
}

/// Ten balls with all their velocities unknown: one step of one box takes long.
fn ten_balls() -> serde_json::Value {
    let example = dyverse::EXAMPLES
        .iter()
        .find(|e| e.file == "10_balls.drbt")
        .unwrap();
    let text = format!(
        "{}\nhorizon 10\nproperty up: always [0, 10] a.x < 100\n",
        example.text
    );
    let components = ["vx", "vy", "vz", "wx", "wy", "wz"];
    let names = "abcdefghij"
        .chars()
        .flat_map(|ball| components.map(|c| format!("{ball}.{c}")));
    let choices: Vec<_> = names.map(|name| json!([name, -0.1, 0.1])).collect();
    json!({ "tab": "t", "kind": "check", "name": "ten.drbt", "text": text, "choices": choices, "timeout": null })
}

#[test]
fn what_is_cancelled_ends_within_a_second() {
    let server = Server::start();
    let swing =
        "model swing\nout cont x, v\nx' = v init 1\nv' = -x\nhorizon = 1e9\nproperty inside: always x < 2\n";
    let endless =
        |kind: &str| json!({ "tab": "t", "kind": kind, "name": "swing.dam", "text": swing, "timeout": null });
    let ball = dyverse::EXAMPLES
        .iter()
        .find(|e| e.file == "bouncing_ball.drbt")
        .unwrap();
    let map = json!({
        "tab": "t", "kind": "partition", "name": "ball.drbt", "text": ball.text, "property": "above",
        "names": ["e"], "width": 1e-9, "timeout": null,
    });
    for (order, wait) in [
        (endless("simulate"), 500),
        (endless("check"), 500),
        (map, 3000),
        (ten_balls(), 4000),
    ] {
        let id = server.begin(&order);
        std::thread::sleep(Duration::from_millis(wait));
        let asked = Instant::now();
        assert!(server.call("DELETE", &format!("/api/jobs/{id}"), None).status < 300);
        let news = server.wait(id);
        let took = asked.elapsed();
        assert_eq!(news["state"], "cancelled", "{news}");
        assert!(
            took < Duration::from_secs(1) + SLACK,
            "{took:?}: {}",
            order["name"]
        );
    }
}
