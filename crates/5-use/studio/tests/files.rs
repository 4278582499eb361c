//! Files over real connections: nothing outside the folder, nothing overwritten unasked.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests"
)]

use crate::common;
use common::Server;
use serde_json::{Value, json};

const HOSTILE: &[&str] = &[
    "../secret.drbt",
    "..\\secret.drbt",
    "a/../../secret.drbt",
    "/etc/hostname",
    "/tmp/x.drbt",
    "//server/share/x.drbt",
    "C:\\x.drbt",
    "C:x.drbt",
    "\\\\?\\C:\\x.drbt",
    "a\u{0}.drbt",
    "x.drbt\u{0}",
    "./x.drbt",
    "a//x.drbt",
    ".hidden.drbt",
    ".git/x.drbt",
    "nul.drbt",
    "COM1.dam",
    "x.drbt/",
    "x.txt",
    "x",
    "",
    ".",
    "..",
    "%2e%2e/secret.drbt",
    "link.drbt",
    "absolute.drbt",
    "out/secret.drbt",
    "x.drbt:stream",
    "a\nb.drbt",
];

fn with_secrets() -> Server {
    let server = Server::start();
    let outside = server.place.path();
    std::fs::write(outside.join("secret.drbt"), "system secret").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("../secret.drbt", server.folder().join("link.drbt")).unwrap();
        symlink(outside.join("secret.drbt"), server.folder().join("absolute.drbt")).unwrap();
        symlink("..", server.folder().join("out")).unwrap();
    }
    server
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let server = with_secrets();
    for path in HOSTILE {
        let reply = server.post("/api/files/open", &json!({ "path": path }));
        assert!(reply.status >= 400, "{path:?}: {}", reply.body);
        assert!(!reply.body.contains("system secret"), "{path:?}");
    }
    let reply = server.post(
        "/api/files/open",
        &json!({ "path": "../examples.rs", "example": true }),
    );
    assert_eq!(reply.status, 404);
    assert_eq!(server.get("/api/files").json()["files"], json!([]));
}

#[test]
fn nothing_outside_the_folder_is_written() {
    let server = with_secrets();
    let before = all_files(server.place.path());
    for path in HOSTILE {
        for version in [Value::Null, json!("0"), json!(server.token)] {
            let body = json!({ "path": path, "text": "changed", "version": version });
            let reply = server.post("/api/files/save", &body);
            // `%2e%2e` is only a strange name of a folder, for whoever does not decode it twice.
            if *path == "%2e%2e/secret.drbt" {
                continue;
            }
            assert!(reply.status >= 400, "{path:?}: {}", reply.body);
        }
        let copy = json!({ "example": "interception.drbt", "path": path });
        let reply = server.post("/api/files/copy", &copy);
        assert!(reply.status >= 400, "{path:?}: {}", reply.body);
    }
    let mut after = all_files(server.place.path());
    after.retain(|(name, _)| !name.contains("%2e"));
    assert_eq!(before, after);
}

/// All files below a folder with their contents, links not followed.
fn all_files(folder: &std::path::Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            found.extend(all_files(&entry.path()));
        } else if kind.is_file() {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            found.push((entry.path().display().to_string(), text));
        }
    }
    found.sort();
    found
}

#[test]
fn imports_stay_in_the_folder() {
    let server = with_secrets();
    std::fs::write(server.folder().join("part.drbt"), "param part = 1\n").unwrap();
    for path in [
        "../secret.drbt",
        "/etc/hostname",
        "link.drbt",
        "absolute.drbt",
        "out/secret.drbt",
    ] {
        let text = format!("system a\nimport \"{path}\"\n");
        let reply = server
            .post("/api/read", &json!({ "name": "a.drbt", "text": text }))
            .json();
        let findings = reply["findings"].as_array().unwrap();
        assert!(findings.iter().any(|f| f["code"] == "L030"), "{path}: {reply}");
        assert!(!reply.to_string().contains("secret\\n"), "{reply}");
    }
    let text = "system a\nimport \"part.drbt\"\nentity b { sphere(radius = part) mass = 1 }\n";
    let reply = server
        .post("/api/read", &json!({ "name": "a.drbt", "text": text }))
        .json();
    assert_eq!(reply["model"]["parameters"][0]["name"], "part", "{reply}");
    let fmu = "model a\nfmu pump = \"pump.fmu\"\nhorizon = 1\n";
    let reply = server
        .post("/api/read", &json!({ "name": "a.dam", "text": fmu }))
        .json();
    assert_eq!(reply["model"], Value::Null, "{reply}");
}

#[test]
fn a_file_that_changed_is_not_overwritten_unasked() {
    let server = Server::start();
    let save = |text: &str, version: Value| {
        let body = json!({ "path": "a/b.drbt", "text": text, "version": version });
        server.post("/api/files/save", &body)
    };
    let first = save("one", Value::Null);
    assert_eq!(first.status, 200, "{}", first.body);
    let first = first.json()["version"].clone();
    let again = save("two", Value::Null);
    assert_eq!(
        (again.status, &again.json()["details"]["reason"]),
        (409, &json!("exists"))
    );
    let path = server.folder().join("a/b.drbt");
    std::fs::write(&path, "from elsewhere").unwrap();
    let refused = save("two", first);
    assert_eq!(refused.status, 409);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "from elsewhere");
    let details = &refused.json()["details"];
    assert_eq!(details["reason"], "changed");
    // Whoever has seen what is there may replace it.
    assert_eq!(save("two", details["version"].clone()).status, 200);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    let known = server
        .post("/api/files/open", &json!({ "path": "a/b.drbt" }))
        .json();
    std::fs::remove_file(&path).unwrap();
    let gone = save("three", known["version"].clone());
    assert_eq!(
        (gone.status, &gone.json()["details"]["reason"]),
        (409, &json!("gone"))
    );
    assert!(!path.exists());
}

#[test]
fn a_copy_of_an_example_comes_with_what_it_imports() {
    let server = Server::start();
    let copy = json!({ "example": "actors/newtons_cradle.dam", "path": "mine/cradle.dam" });
    let reply = server.post("/api/files/copy", &copy);
    assert_eq!(reply.status, 200, "{}", reply.body);
    let files = server.get("/api/files").json();
    let paths: Vec<&str> = files["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|f| f["path"].as_str())
        .collect();
    assert_eq!(paths, ["mine/balls.dam", "mine/cradle.dam"]);
    let text = server
        .post("/api/files/open", &json!({ "path": "mine/cradle.dam" }))
        .json();
    let read = json!({ "name": "mine/cradle.dam", "text": text["text"] });
    assert_eq!(server.post("/api/read", &read).json()["model"]["kind"], "actors");
    assert_eq!(server.post("/api/files/copy", &copy).status, 409);
}
