//! Who is answered: requests for this machine by name, from this studio's own page, and calls with the token.
//!
//! | attack | what stops it |
//! |---|---|
//! | another web site calls the studio | `Origin`, `Sec-Fetch-Site`, no CORS headers, a token in a header that a form cannot send |
//! | DNS rebinding: a site's name is made to mean 127.0.0.1 | `Host` must be 127.0.0.1 or localhost, with the port |
//! | another user of the machine, or a program | the token, 256 random bits, compared in constant time |
//! | a model's text with markup | the page shows text as text; and the policy lets only the studio's own script run |
//! | framing and clickjacking | `frame-ancestors 'none'` |

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::hint::black_box;
use std::sync::Arc;

/// The header with the token.
const TOKEN: &str = "x-dyverse-token";

/// Styles are made by the page's own script, so they may be inline; scripts may not.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: &[(HeaderName, &str)] = &[
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

const MORE_HEADERS: &[(&str, &str)] = &[
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// What requests are compared with.
#[derive(Debug)]
pub(crate) struct Guard {
    hosts: [String; 2],
    origins: [String; 2],
    token: String,
}

impl Guard {
    pub(crate) fn new(port: u16, token: &str) -> Self {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        Guard {
            origins: hosts.each_ref().map(|host| format!("http://{host}")),
            hosts,
            token: token.to_owned(),
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("{}/?token={}", self.origins[0], self.token)
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, request: &Request) -> Option<&'static str> {
        let headers = request.headers();
        let is_host = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        if !only(headers, header::HOST).is_some_and(is_host) {
            return Some("this host is not served here");
        }
        if request.uri().authority().is_some_and(|a| !is_host(a.as_str())) {
            return Some("this host is not served here");
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = only(headers, header::ORIGIN);
            if !origin.is_some_and(|origin| self.origins.iter().any(|own| own == origin)) {
                return Some("this origin may not call");
            }
        }
        if !request.uri().path().starts_with("/api/") {
            return None;
        }
        // Browsers say where a call comes from; other programs need not.
        if headers.contains_key("sec-fetch-site") && only(headers, "sec-fetch-site") != Some("same-origin") {
            return Some("only the studio's own page may call");
        }
        let token = only(headers, TOKEN).unwrap_or_default();
        (!equal(token.as_bytes(), self.token.as_bytes())).then_some("the token is missing or wrong")
    }
}

/// The value of a header that is there once.
fn only(headers: &HeaderMap, name: impl axum::http::header::AsHeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    let is_alone = values.next().is_none();
    value.to_str().ok().filter(|_| is_alone)
}

/// Whether two tokens are equal, in a time that does not tell where they differ.
fn equal(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |sum, (x, y)| black_box(sum | (x ^ y)));
    a.len() == b.len() && black_box(differences) == 0
}

/// Refuses what is not to be answered; headers for what is.
pub(crate) async fn guard(
    State(state): State<Arc<crate::api::State>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match state.guard.refusal(&request) {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name.clone(), HeaderValue::from_static(value));
    }
    for (name, value) in MORE_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn tokens_are_equal_or_not() {
        for (a, b, same) in [
            ("", "", true),
            ("ab", "ab", true),
            ("ab", "ac", false),
            ("ab", "abc", false),
            ("", "a", false),
        ] {
            assert_eq!(equal(a.as_bytes(), b.as_bytes()), same, "{a} {b}");
        }
    }
}
