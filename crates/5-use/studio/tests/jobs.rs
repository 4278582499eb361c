//! Texts, runs and checks over real connections.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests"
)]

use crate::common;
use common::{Server, order};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[test]
fn a_text_is_described() {
    let server = Server::start();
    let text = dyverse::EXAMPLES[0].text;
    let reply = server
        .post("/api/read", &json!({ "name": "a.drbt", "text": text }))
        .json();
    let model = &reply["model"];
    assert_eq!(model["name"], "interception");
    assert_eq!(model["horizon"], 2.0);
    assert_eq!(
        model["parameters"][0],
        json!({ "name": "K", "value": 2.0, "range": [1.0, 3.0] })
    );
    assert_eq!(model["inputs"].as_array().unwrap().len(), 3);
    let kept = json!({ "name": "kept", "formula": "always [0, 2] ball1.y > 0" });
    assert_eq!(model["properties"], json!([kept]));
    assert!(model["facts"].to_string().contains("locations"));
    let tidy = server
        .post("/api/format", &json!({ "name": "a.drbt", "text": text }))
        .json();
    assert_eq!(tidy["text"], text);
}

#[test]
fn every_example_is_described() {
    let server = Server::start();
    for example in dyverse::EXAMPLES {
        let body = json!({ "name": example.file, "example": true, "text": example.text });
        let reply = server.post("/api/read", &body);
        assert_eq!(reply.status, 200, "{}", example.file);
        let has_errors = reply.json()["findings"].to_string().contains("\"error\"");
        assert_eq!(
            reply.json()["model"].is_null(),
            has_errors,
            "{}: {}",
            example.file,
            reply.body
        );
    }
}

#[test]
fn findings_say_where() {
    let server = Server::start();
    let text = "system a\n# 𝄞\nentity b { sphere(radius = oops) mass = 1 }\n";
    let reply = server
        .post("/api/read", &json!({ "name": "a.drbt", "text": text }))
        .json();
    assert_eq!(reply["model"], Value::Null);
    let at = &reply["findings"][0]["at"];
    let units: Vec<u16> = text.encode_utf16().collect();
    let (from, to) = (
        at["from"].as_u64().unwrap() as usize,
        at["to"].as_u64().unwrap() as usize,
    );
    assert_eq!(String::from_utf16(&units[from..to]).unwrap(), "oops");
    let broken = server
        .post("/api/format", &json!({ "name": "a.drbt", "text": "system {{" }))
        .json();
    assert!(!broken["findings"].as_array().unwrap().is_empty());
    let job = server.begin(&json!({ "tab": "t", "kind": "simulate", "name": "a.drbt", "text": text }));
    let news = server.wait(job);
    assert_eq!(news["state"], "failed");
    assert!(!news["failure"]["findings"].as_array().unwrap().is_empty());
}

#[test]
fn a_run_ends_with_a_page() {
    let server = Server::start();
    let more =
        json!({ "parameters": [["K", 2.5], ["ball1.y", 3.5]], "inputs": [["u1", 0.25]], "until": 1.5 });
    let news = server.wait(server.begin(&order("simulate", "interception.drbt", more)));
    assert_eq!(news["state"], "done", "{news}");
    let page = server.get(&format!("/api/jobs/{}/page", news["id"])).json();
    let run = &page["page"]["runs"][0];
    assert_eq!(run["to"], 1.5);
    assert!(run["parameters"].to_string().contains("2.5"));
    assert!(!page["blobs"].as_array().unwrap().is_empty());
    let news = server.wait(server.begin(&order("simulate", "actors/thermostat.dam", json!({}))));
    assert_eq!(news["state"], "done", "{news}");
    let page = server.get(&format!("/api/jobs/{}/page", news["id"])).json();
    assert_eq!(page["page"]["kind"], "actors");
}

#[test]
fn what_cannot_run_says_why() {
    let server = Server::start();
    for (more, why) in [
        (json!({ "parameters": [["nobody", 1.0]] }), "nobody"),
        (json!({ "until": -1.0 }), "-1"),
        (json!({ "inputs": [["u9", 1.0]] }), "u9"),
    ] {
        let news = server.wait(server.begin(&order("simulate", "interception.drbt", more)));
        assert_eq!(news["state"], "failed");
        assert!(
            news["failure"]["message"].as_str().unwrap().contains(why),
            "{news}"
        );
    }
    let more = json!({ "property": "nothing", "timeout": 5.0 });
    let news = server.wait(server.begin(&order("check", "interception.drbt", more)));
    assert!(
        news["failure"]["message"].as_str().unwrap().contains("nothing"),
        "{news}"
    );
}

#[test]
fn a_check_and_a_partition_end_with_pages() {
    let server = Server::start();
    let more = json!({ "choices": [["outside", 4.0, 6.0]], "property": "never_above_20", "timeout": 60.0 });
    let news = server.wait(server.begin(&order("check", "actors/thermostat.dam", more)));
    assert_eq!(news["state"], "done", "{news}");
    let page = server.get(&format!("/api/jobs/{}/page", news["id"])).json();
    let answer = &page["page"]["check"]["answers"][0];
    assert_eq!(answer["verdict"], "UNSAFE", "{answer}");
    assert!(
        answer["witness"]["call"]
            .as_str()
            .unwrap()
            .starts_with("dyverse simulate")
    );
    let more = json!({ "property": "kept", "names": ["K"], "width": 0.5, "timeout": 60.0 });
    let order = order("partition", "interception.drbt", more);
    let news = server.wait(server.begin(&order));
    if news["state"] == "done" {
        let page = server.get(&format!("/api/jobs/{}/page", news["id"])).json();
        assert!(!page["page"]["check"]["answers"][0]["partition"].is_null());
    } else {
        panic!("{news}");
    }
}

/// A spring so stiff that the run takes hours.
const ENDLESS: &str = "system endless\nentity a { sphere(radius = 1) mass = 1 position = (0, 3, 0) }\n\
    force on a = (0, -1e8 * a.y, 0)\nhorizon 1e6\nproperty high: always a.y > -10\n";
const ENDLESS_ACTORS: &str = "model endless\nx' = y init 1\ny' = -1e8 * x init 0\nhorizon = 1e6\nrecord x\n";

#[test]
fn long_work_is_cancelled() {
    let server = Server::start();
    for (name, kind, text) in [
        ("a.drbt", "simulate", ENDLESS),
        ("a.dam", "simulate", ENDLESS_ACTORS),
    ] {
        let order = json!({ "tab": name, "kind": kind, "name": name, "text": text });
        let id = server.begin(&order);
        std::thread::sleep(Duration::from_millis(300));
        let news = server.get(&format!("/api/jobs/{id}/after/1")).json();
        assert_eq!(news["state"], "running", "{news}");
        assert!(news["progress"]["t"].is_number(), "{news}");
        let begun = Instant::now();
        assert_eq!(
            server.call("DELETE", &format!("/api/jobs/{id}"), None).status,
            200
        );
        let news = server.wait(id);
        assert_eq!(news["state"], "cancelled", "{news}");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
    let id = server.begin(&order("check", "checks/bounce_heights.drbt", json!({})));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(
        server.call("DELETE", &format!("/api/jobs/{id}"), None).status,
        200
    );
    let news = server.wait(id);
    assert_eq!(news["state"], "cancelled", "{news}");
    // What was decided by then is shown.
    assert_eq!(news["hasPage"], true, "{news}");
    assert_eq!(server.call("DELETE", "/api/jobs/99", None).status, 404);
    assert_eq!(server.get("/api/jobs/x/page").status, 404);
}

/// What there is of a run with many events is shown too: its beginning.
#[test]
fn a_long_run_that_is_cancelled_is_shown() {
    let walls = "system walls\nentity b { sphere(radius = 0.1) mass = 1 velocity = (300, 0, 0) }\n\
        fixed entity l { half_space(normal = (1, 0, 0), offset = -1) }\nfixed entity r { half_space(normal = (-1, 0, 0), offset = -1) }\n\
        contact default { restitution = 1 friction = 0 }\nhorizon 1e9\n";
    let clock = "model m\nmodal w { out cont s\n mode a { s' = 1 when s >= 1 goto b { s := 0 } }\n mode b { s' = 1 when s >= 1 goto a { s := 0 } } }\n\
        horizon = 1e9\nrecord w.s\n";
    let server = Server::start();
    for (name, text) in [("walls.drbt", walls), ("clock.dam", clock)] {
        let order = json!({ "tab": name, "kind": "simulate", "name": name, "text": text });
        let id = server.begin(&order);
        std::thread::sleep(Duration::from_secs(4));
        server.call("DELETE", &format!("/api/jobs/{id}"), None);
        let news = server.wait(id);
        assert_eq!(news["state"], "cancelled", "{news}");
        assert_eq!(news["hasPage"], true, "{news}");
        let page = server.get(&format!("/api/jobs/{id}/page")).json();
        let run = &page["page"]["runs"][0];
        assert_eq!(run["stop"]["reason"], "cancelled");
        assert!(run["transitions"].as_array().unwrap().len() > 1000);
        let notes = page["page"]["notes"].to_string();
        assert!(notes.contains("The page shows the run until t = "), "{notes}");
    }
}

#[test]
fn the_next_job_of_a_tab_takes_the_place_of_the_one_before() {
    let server = Server::start();
    let order = json!({ "tab": "t", "kind": "simulate", "name": "a.drbt", "text": ENDLESS });
    let first = server.begin(&order);
    let second = server.begin(&order);
    assert_eq!(server.wait(first)["state"], "cancelled");
    server.call("DELETE", &format!("/api/jobs/{second}"), None);
    assert_eq!(server.wait(second)["state"], "cancelled");
}
