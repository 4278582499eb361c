//! The calls of the page, and the page itself. Calls are JSON in both directions; `docs/STUDIO.md` lists them.

use crate::answer::{Answer, Failure};
use crate::describe::{Text, describe};
use crate::folder::Folder;
use crate::guard::{Guard, guard};
use crate::jobs::{Job, Jobs};
use crate::loader::example;
use crate::names::model_path;
use crate::work::{Order, work};
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State as Shared};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use dyverse::{ACTOR_TEMPLATE, EXAMPLES, LARGEST_FILE, TEMPLATE};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Bytes of a call at the most: a text grows when it is written as JSON.
const LARGEST_CALL: usize = 2 * LARGEST_FILE;
/// How long a call for news of a job waits.
const PATIENCE: Duration = Duration::from_secs(15);
/// Bytes of the name of a tab at the most.
const LONGEST_TAB: usize = 64;

const PAGE: &str = include_str!("../assets/studio.html");
const SCRIPT: &str = include_str!("../assets/studio.js");
const ICON: &str = include_str!("../assets/icon.svg");

/// What all calls share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) guard: Guard,
    pub(crate) folder: Folder,
    pub(crate) jobs: Jobs,
}

impl State {
    pub(crate) fn new(guard: Guard, folder: Folder) -> Self {
        State {
            guard,
            folder,
            jobs: Jobs::default(),
        }
    }
}

type Studio = Shared<Arc<State>>;

pub(crate) fn router(state: Arc<State>) -> Router {
    let file =
        |kind: &'static str, text: &'static str| get(async move || ([(header::CONTENT_TYPE, kind)], text));
    Router::new()
        .route("/", file("text/html; charset=utf-8", PAGE))
        .route("/studio.js", file("text/javascript; charset=utf-8", SCRIPT))
        .route("/icon.svg", file("image/svg+xml", ICON))
        .route("/api/studio", get(studio))
        .route("/api/files", get(files))
        .route("/api/files/open", post(open))
        .route("/api/files/save", post(save))
        .route("/api/files/copy", post(copy))
        .route("/api/read", post(read))
        .route("/api/format", post(format))
        .route("/api/jobs", post(begin))
        .route("/api/jobs/{id}", get(news).delete(cancel))
        .route("/api/jobs/{id}/after/{number}", get(news_after))
        .route("/api/jobs/{id}/page", get(page))
        .layer(DefaultBodyLimit::max(LARGEST_CALL))
        .layer(from_fn_with_state(Arc::clone(&state), guard))
        .with_state(state)
}

/// A body that is JSON; what is wrong with it is said as JSON too.
struct Body<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let body: Result<Json<T>, JsonRejection> = Json::from_request(request, state).await;
        Ok(Body(body?.0))
    }
}

/// Does what takes longer than a moment, or waits for the disk, on another thread.
async fn aside<T: Send + 'static>(
    state: Arc<State>,
    work: impl FnOnce(&State) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::task::spawn_blocking(move || work(&state)).await?
}

async fn studio(Shared(state): Studio) -> Answer {
    let examples = EXAMPLES
        .iter()
        .map(|e| json!({ "file": e.file, "about": e.about }));
    Ok(Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "folder": state.folder.path().display().to_string(),
        "allowFmu": state.folder.allow_fmu,
        "examples": examples.collect::<Vec<_>>(),
        "templates": { "drbt": TEMPLATE, "dam": ACTOR_TEMPLATE },
    })))
}

async fn files(Shared(state): Studio) -> Answer {
    let (files, has_more) = aside(state, |state| Ok(state.folder.list()?)).await?;
    let files = files.iter().map(|f| json!({ "path": f.path, "bytes": f.bytes }));
    Ok(Json(
        json!({ "files": files.collect::<Vec<_>>(), "hasMore": has_more }),
    ))
}

#[derive(Deserialize)]
struct Open {
    path: String,
    #[serde(default)]
    example: bool,
}

async fn open(Shared(state): Studio, Body(call): Body<Open>) -> Answer {
    if call.example {
        let found = shipped(&call.path)?;
        return Ok(Json(json!({ "text": found.text, "version": null })));
    }
    let file = aside(state, move |state| state.folder.read(&call.path)).await?;
    Ok(Json(json!({ "text": file.text, "version": file.version })))
}

fn shipped(file: &str) -> Result<&'static dyverse::Example, Failure> {
    let missing = || Failure::new(StatusCode::NOT_FOUND, format!("no example is called {file}"));
    example(file).ok_or_else(missing)
}

#[derive(Deserialize)]
struct Save {
    path: String,
    text: String,
    version: Option<String>,
}

async fn save(Shared(state): Studio, Body(call): Body<Save>) -> Answer {
    let save = move |state: &State| state.folder.save(&call.path, &call.text, call.version.as_deref());
    Ok(Json(json!({ "version": aside(state, save).await? })))
}

#[derive(Deserialize)]
struct Copy {
    example: String,
    path: String,
    /// The text to save, if the example was changed.
    text: Option<String>,
}

/// Saves a copy of an example with what it imports, beside each other as they are shipped.
async fn copy(Shared(state): Studio, Body(call): Body<Copy>) -> Answer {
    let saved = aside(state, move |state| {
        let found = shipped(&call.example)?;
        model_path(&call.path).map_err(Failure::call)?;
        let text = Text {
            name: found.file.to_owned(),
            example: true,
            text: call.text.unwrap_or_else(|| found.text.to_owned()),
        };
        let imports = text.read(&state.folder)?.imports;
        let version = state.folder.save(&call.path, &text.text, None)?;
        let mut saved = vec![call.path.clone()];
        for import in imports {
            let Some(path) = moved(&import, found.file, &call.path) else {
                continue;
            };
            // What is there already is kept: it may be an earlier copy, and somebody's work.
            if let Some(imported) = example(&import)
                && state.folder.save(&path, imported.text, None).is_ok()
            {
                saved.push(path);
            }
        }
        Ok(json!({ "version": version, "saved": saved }))
    });
    saved.await.map(Json)
}

/// Where a file beside one is when that is moved; `None` if it is not beside it or below.
fn moved(file: &str, from: &str, to: &str) -> Option<String> {
    let folder = |path: &str| {
        path.rfind('/')
            .map_or(String::new(), |slash| path[..=slash].to_owned())
    };
    let rest = file.strip_prefix(&folder(from))?;
    Some(folder(to) + rest)
}

async fn read(Shared(state): Studio, Body(text): Body<Text>) -> Answer {
    aside(state, move |state| describe(&text, &state.folder))
        .await
        .map(Json)
}

async fn format(Shared(state): Studio, Body(text): Body<Text>) -> Answer {
    aside(state, move |_| text.format()).await.map(Json)
}

async fn begin(
    Shared(state): Studio,
    Body(order): Body<Order>,
) -> Result<(StatusCode, Json<Value>), Failure> {
    order.text.kind()?;
    if order.tab.len() > LONGEST_TAB {
        return Err(Failure::call("the name of the tab is too long"));
    }
    let (tab, kind, shared) = (order.tab.clone(), order.what.word(), Arc::clone(&state));
    let begun = state
        .jobs
        .begin(&tab, kind, move |job| work(&order, &shared.folder, job));
    let busy = |_| {
        Failure::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too much is in work; wait for it, or cancel something",
        )
    };
    let job = begun.map_err(busy)?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "id": job.id() }))))
}

fn job(state: &State, id: &str) -> Result<Arc<Job>, Failure> {
    let found = id.parse().ok().and_then(|id| state.jobs.get(id));
    found.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "there is no such job any more"))
}

async fn news(Shared(state): Studio, Path(id): Path<String>) -> Answer {
    Ok(Json(job(&state, &id)?.news_after(0, Duration::ZERO).await))
}

async fn news_after(Shared(state): Studio, Path((id, number)): Path<(String, u64)>) -> Answer {
    Ok(Json(job(&state, &id)?.news_after(number, PATIENCE).await))
}

async fn cancel(Shared(state): Studio, Path(id): Path<String>) -> Answer {
    job(&state, &id)?.cancel();
    Ok(Json(json!({})))
}

async fn page(Shared(state): Studio, Path(id): Path<String>) -> Result<Response, Failure> {
    let page = job(&state, &id)?.page();
    let page = page.ok_or_else(|| Failure::new(StatusCode::NOT_FOUND, "this job has nothing to show"))?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, page).into_response())
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn imports_move_with_what_imports_them() {
        assert_eq!(
            moved("actors/balls.dam", "actors/a.dam", "mine/b.dam").as_deref(),
            Some("mine/balls.dam")
        );
        assert_eq!(
            moved("actors/balls.dam", "actors/a.dam", "b.dam").as_deref(),
            Some("balls.dam")
        );
        assert_eq!(moved("other/balls.dam", "actors/a.dam", "b.dam"), None);
    }
}
