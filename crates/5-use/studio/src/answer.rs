//! How calls fail: a status, a sentence for people, and what else the page needs to go on.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A call that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
    /// More fields of the answer.
    details: Option<Value>,
}

/// What a call comes to.
pub(crate) type Answer = Result<Json<Value>, Failure>;

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Failure {
            status,
            message: message.into(),
            details: None,
        }
    }

    /// A call that cannot be carried out as it is.
    pub(crate) fn call(message: impl Into<String>) -> Self {
        Failure::new(StatusCode::BAD_REQUEST, message)
    }

    /// Something in the way that the user can decide about.
    pub(crate) fn conflict(message: impl Into<String>, details: Value) -> Self {
        Failure {
            details: Some(details),
            ..Failure::new(StatusCode::CONFLICT, message)
        }
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.message });
        if let (Some(details), Some(body)) = (self.details, body.as_object_mut()) {
            body.insert("details".into(), details);
        }
        (self.status, Json(body)).into_response()
    }
}

impl From<JsonRejection> for Failure {
    fn from(rejection: JsonRejection) -> Self {
        Failure::new(rejection.status(), rejection.body_text())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        let status = match error.kind() {
            std::io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
            std::io::ErrorKind::PermissionDenied => StatusCode::FORBIDDEN,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Failure::new(status, error.to_string())
    }
}

impl From<tokio::task::JoinError> for Failure {
    fn from(_: tokio::task::JoinError) -> Self {
        Failure::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "this failed inside dyverse; the terminal says where",
        )
    }
}
