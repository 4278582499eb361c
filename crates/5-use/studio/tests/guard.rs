//! Who is answered, and who is not: over real connections.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests"
)]

use crate::common;
use common::Server;
use serde_json::json;

#[test]
fn the_page_comes_without_a_token_and_with_a_strict_policy() {
    let server = Server::start();
    let host = server.host();
    let reply = server.request("GET", "/", &[("Host", &host)], "");
    assert_eq!(reply.status, 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self';",
        "frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(reply.head.contains(header), "{header}\n{}", reply.head);
    }
    assert!(!reply.head.contains("access-control"));
    // No data in it: neither the token nor the folder.
    assert!(!reply.body.contains(&server.token));
    assert!(!reply.body.contains(server.folder().to_str().unwrap()));
    let script = server.request("GET", "/studio.js", &[("Host", &host)], "");
    assert_eq!(script.status, 200);
    assert!(script.head.contains("content-type: text/javascript"));
}

#[test]
fn other_hosts_are_refused() {
    let server = Server::start();
    let port = server.port;
    let token = server.token.as_str();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("127.0.0.1.evil.example:{port}"),
        format!("[::1]:{port}"),
        format!("0.0.0.0:{port}"),
        String::new(),
    ] {
        for path in ["/", "/studio.js", "/api/studio"] {
            let reply = server.request("GET", path, &[("Host", &host), ("X-Dyverse-Token", token)], "");
            assert!(
                [400, 403].contains(&reply.status),
                "{host:?} {path}: {}",
                reply.status
            );
        }
    }
    // No host at all, two of them, and one in the request line that is another.
    let own = server.host();
    assert!([400, 403].contains(&server.request("GET", "/", &[], "").status));
    let two = [("Host", own.as_str()), ("Host", "evil.example")];
    assert!([400, 403].contains(&server.request("GET", "/", &two, "").status));
    let absolute = server.request("GET", "http://evil.example/", &[("Host", &own)], "");
    assert_eq!(absolute.status, 403);
    let named = format!("localhost:{port}");
    assert_eq!(server.request("GET", "/", &[("Host", &named)], "").status, 200);
}

#[test]
fn other_origins_are_refused() {
    let server = Server::start();
    let (host, port) = (server.host(), server.port);
    let token = server.token.as_str();
    for origin in [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        format!("https://127.0.0.1:{port}"),
        "http://127.0.0.1".to_owned(),
        format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        format!("http://127.0.0.1:{port}.evil.example"),
        "file://".to_owned(),
    ] {
        let headers = [
            ("Host", host.as_str()),
            ("Origin", &origin),
            ("X-Dyverse-Token", token),
        ];
        for (method, path) in [
            ("GET", "/api/studio"),
            ("OPTIONS", "/api/files/save"),
            ("GET", "/"),
        ] {
            let reply = server.request(method, path, &headers, "");
            assert_eq!(reply.status, 403, "{origin} {method} {path}");
            assert!(!reply.head.contains("access-control"));
        }
    }
    for site in ["cross-site", "same-site", "none"] {
        let headers = [
            ("Host", host.as_str()),
            ("Sec-Fetch-Site", site),
            ("X-Dyverse-Token", token),
        ];
        assert_eq!(
            server.request("GET", "/api/studio", &headers, "").status,
            403,
            "{site}"
        );
    }
}

#[test]
fn calls_need_the_token() {
    let server = Server::start();
    let host = server.host();
    let (mut short, mut long) = (server.token.clone(), server.token.clone());
    short.pop();
    long.push('0');
    let upper = server.token.to_uppercase();
    let wrong = "0".repeat(64);
    for token in ["", &short, &long, &wrong, &upper] {
        if token == server.token {
            continue;
        }
        let headers = [("Host", host.as_str()), ("X-Dyverse-Token", token)];
        for path in ["/api/studio", "/api/files", "/api/jobs/1", "/api/nothing"] {
            assert_eq!(server.request("GET", path, &headers, "").status, 403, "{path}");
        }
    }
    assert_eq!(
        server.request("GET", "/api/files", &[("Host", &host)], "").status,
        403
    );
    // A token in the address is not one in the header.
    let asked = format!("/api/files?token={}", server.token);
    assert_eq!(server.request("GET", &asked, &[("Host", &host)], "").status, 403);
    assert_eq!(server.get("/api/files").status, 200);
    assert_eq!(server.get("/api/nothing").status, 404);
}

#[test]
fn what_is_no_call_is_refused_and_the_server_goes_on() {
    let server = Server::start();
    let host = server.host();
    let headers = [
        ("Host", host.as_str()),
        ("X-Dyverse-Token", server.token.as_str()),
        ("Content-Type", "application/json"),
    ];
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"path\": 1}",
        "{\"path\": \"a.drbt\", \"text\"",
        "\u{0}",
        "{\"text\":\"\\ud800\"}",
    ] {
        for path in [
            "/api/read",
            "/api/format",
            "/api/jobs",
            "/api/files/save",
            "/api/files/open",
            "/api/files/copy",
        ] {
            let reply = server.request("POST", path, &headers, body);
            assert!(
                (400..500).contains(&reply.status),
                "{path} {body:?}: {}",
                reply.status
            );
            assert!(reply.json()["error"].is_string());
        }
    }
    // A form cannot be sent from elsewhere: another type is refused.
    let form = [headers[0], headers[1], ("Content-Type", "text/plain")];
    assert_eq!(server.request("POST", "/api/read", &form, "{}").status, 415);
    for bytes in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET",
        b"GET / HTTP/9.9\r\n\r\n",
        &[0xff; 4096],
    ] {
        let status = server.raw_closed(bytes);
        assert!(status == 0 || status >= 400, "{status}");
    }
    assert_eq!(server.get("/api/files").status, 200);
}

#[test]
fn bodies_are_limited() {
    let server = Server::start();
    let large = json!({ "name": "a.drbt", "text": " ".repeat(dyverse::LARGEST_FILE + 1) });
    assert_eq!(server.post("/api/read", &large).status, 413);
    let larger = json!({ "name": "a.drbt", "text": " ".repeat(2 * dyverse::LARGEST_FILE + 1) });
    // Refused before it is read to its end: the answer may be lost with the connection.
    assert!([0, 413].contains(&server.post("/api/read", &larger).status));
    assert_eq!(server.get("/api/files").status, 200);
}
