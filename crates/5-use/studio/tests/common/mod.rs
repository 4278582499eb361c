//! A studio over a folder of its own, and raw requests to it.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    dead_code,
    reason = "tests, each of which uses a part of this"
)]

use dyverse_studio::{Studio, StudioOptions};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub(crate) struct Server {
    pub(crate) place: tempfile::TempDir,
    pub(crate) port: u16,
    pub(crate) token: String,
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    /// Of the folder `in` of a temporary place; it ends with the tests.
    pub(crate) fn start() -> Self {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("in");
        std::fs::create_dir(&folder).unwrap();
        let studio = Studio::open(&StudioOptions {
            folder,
            port: 0,
            allow_fmu: false,
        });
        let studio = studio.unwrap();
        let address = studio.address();
        let rest = address.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once("/?token=").unwrap();
        let (port, token) = (port.parse().unwrap(), token.to_owned());
        std::thread::spawn(move || studio.serve());
        Server { place, port, token }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.place.path().join("in")
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends bytes, reads until the other side closes.
    pub(crate) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // A request that is refused early may not be read to its end.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Reply {
            status,
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    /// Sends bytes and nothing more; the status of the answer, 0 if there is none.
    pub(crate) fn raw_closed(&self, request: &[u8]) -> u16 {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        text.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
    }

    /// A request with these headers besides.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.raw(text.as_bytes())
    }

    /// A call as the page makes it.
    pub(crate) fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let host = self.host();
        let origin = format!("http://{host}");
        let mut headers = vec![
            ("Host", host.as_str()),
            ("Origin", origin.as_str()),
            ("Sec-Fetch-Site", "same-origin"),
            ("X-Dyverse-Token", self.token.as_str()),
        ];
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        self.request(method, path, &headers, &body)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, Some(body))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.call("GET", path, None)
    }

    /// Begins a job; its number.
    pub(crate) fn begin(&self, order: &Value) -> u64 {
        let begun = self.post("/api/jobs", order);
        assert_eq!(begun.status, 202, "{}", begun.body);
        begun.json()["id"].as_u64().unwrap()
    }

    /// Follows a job until it ends.
    pub(crate) fn wait(&self, id: u64) -> Value {
        let begun = Instant::now();
        let mut number = 0;
        loop {
            let news = self.get(&format!("/api/jobs/{id}/after/{number}")).json();
            let state = news["state"].as_str().unwrap_or_default();
            if state != "running" && state != "cancelling" {
                return news;
            }
            number = news["number"].as_u64().unwrap_or(number);
            assert!(begun.elapsed() < Duration::from_secs(120), "{news}");
        }
    }
}

/// An order for a run of a shipped example.
pub(crate) fn order(kind: &str, file: &str, more: Value) -> Value {
    let example = dyverse::EXAMPLES.iter().find(|e| e.file == file).unwrap();
    let mut order = json!({
        "tab": "test",
        "kind": kind,
        "name": file,
        "example": true,
        "text": example.text,
    });
    if let (Some(order), Value::Object(more)) = (order.as_object_mut(), more) {
        order.extend(more);
    }
    order
}
