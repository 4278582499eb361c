//! Connections: who keeps one open without using it is dropped, and there are not too many of them.
//!
//! | of a connection | at the most |
//! |---|---|
//! | the head of a request, also the wait for the next one | [`HEAD`] |
//! | a request with its answer; calls that wait for news are answered long before | [`REQUEST`] |
//! | bytes of an answer that are not taken | [`UNREAD`] |
//! | connections at a time; more are closed at once | [`MOST`] |

use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep, timeout};

const HEAD: Duration = Duration::from_secs(10);
const REQUEST: Duration = Duration::from_secs(30);
const UNREAD: Duration = Duration::from_secs(30);
const MOST: usize = 64;
/// Before the next try where the system has no room for a connection.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers for as long as it is not dropped.
pub(crate) async fn serve(listener: TcpListener, router: Router) {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        // Without a place the connection is closed.
        if let Ok(place) = Arc::clone(&room).try_acquire_owned() {
            let router = router.clone();
            tokio::spawn(async move {
                connection(stream, router).await;
                drop(place);
            });
        }
    }
}

async fn connection(stream: TcpStream, router: Router) {
    let inner = TowerToHyperService::new(router);
    let service = service_fn(move |request| {
        let answer = inner.call(request);
        async move {
            let answered = timeout(REQUEST, answer).await;
            Ok::<Response, Infallible>(match answered {
                Ok(Ok(response)) => response,
                Ok(Err(never)) => match never {},
                Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
            })
        }
    });
    let io = TokioIo::new(Patient::new(stream));
    // How a connection ends is nobody's business.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(io, service)
        .await;
}

/// A stream that fails where nobody takes what is written.
struct Patient {
    stream: TcpStream,
    /// Runs while a write waits.
    waits: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream) -> Self {
        Patient { stream, waits: None }
    }

    /// What a write came to; an error where it has waited for too long.
    fn judge<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let waits = self
            .waits
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + UNREAD)));
        match waits.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.judge(cx, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.judge(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
