//! The studio: a page in the browser of the same machine to write models, run and check them.
//!
//! **In:** a folder. **Out:** a server on loopback ([`Studio::serve`]) for one page, whose scripts are in `web/src/studio`.
//!
//! | file | what it holds |
//! |---|---|
//! | `guard.rs` | who is answered: the host, the origin, the token |
//! | `server.rs` | connections, and how long they may wait |
//! | `api.rs`, `answer.rs` | the calls, and how they fail |
//! | `names.rs`, `folder.rs` | which files there are; listing, reading, saving |
//! | `loader.rs` | imports of a model, from the folder or among the shipped examples |
//! | `describe.rs`, `findings.rs` | what is said about a text: findings, parameters, properties |
//! | `jobs.rs`, `work.rs` | runs and checks on threads of their own: progress, cancelling, results |
//!
//! # Guarantee
//! Listens on 127.0.0.1 only. Answers a call only with the token of this start, from a page of this address, under a name of this
//! machine: another web site that is open in the same browser can neither read nor change anything. Reads and writes nothing outside the folder, also not
//! by links, and also not if folders are swapped for links meanwhile: paths are resolved by the operating system below an open folder. A
//! file that has changed since it was read is not overwritten unasked. FMUs, which hold code of others, are refused unless allowed.
//!
//! # Never here
//! Mathematics; the terminal.

mod answer;
mod api;
mod describe;
mod findings;
mod folder;
mod guard;
mod jobs;
mod loader;
mod names;
mod server;
mod work;

use folder::Folder;
use guard::Guard;
use std::fmt;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the studio is started with.
#[derive(Clone, Debug)]
pub struct StudioOptions {
    /// The folder whose models are shown; nothing outside it is read or written.
    pub folder: PathBuf,
    /// The port to listen on; 0 for any that is free.
    pub port: u16,
    /// Whether FMUs that models name are run: their code can do whatever its user can.
    pub allow_fmu: bool,
}

/// Why there is no studio.
#[derive(Debug)]
pub enum StudioError {
    /// The folder cannot be opened.
    Folder(PathBuf, std::io::Error),
    /// The port cannot be listened on.
    Port(u16, std::io::Error),
    /// The system has no random numbers for the token.
    Token(String),
    /// The server could not start.
    Server(std::io::Error),
}

impl fmt::Display for StudioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudioError::Folder(path, error) => {
                write!(f, "cannot open the folder {}: {error}", path.display())
            }
            StudioError::Port(port, error) => write!(f, "cannot listen on port {port}: {error}"),
            StudioError::Token(why) => write!(f, "the system gives no random numbers: {why}"),
            StudioError::Server(error) => write!(f, "the server cannot start: {error}"),
        }
    }
}

impl std::error::Error for StudioError {}

/// A studio that listens and does not answer yet.
#[derive(Debug)]
pub struct Studio {
    listener: TcpListener,
    state: Arc<api::State>,
}

impl Studio {
    /// Opens the folder and the port.
    ///
    /// # Errors
    /// See [`StudioError`].
    pub fn open(options: &StudioOptions) -> Result<Self, StudioError> {
        let folder = Folder::open(&options.folder, options.allow_fmu)
            .map_err(|error| StudioError::Folder(options.folder.clone(), error))?;
        let bind = |error| StudioError::Port(options.port, error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(bind)?;
        let port = listener.local_addr().map_err(bind)?.port();
        listener.set_nonblocking(true).map_err(bind)?;
        let guard = Guard::new(port, &token()?);
        let state = Arc::new(api::State::new(guard, folder));
        Ok(Studio { listener, state })
    }

    /// Where the page is. The token in it is the key: whoever has it can read and change the folder's models.
    pub fn address(&self) -> String {
        self.state.guard.address()
    }

    /// The folder, as it was found.
    pub fn folder(&self) -> &Path {
        self.state.folder.path()
    }

    /// Answers until the user ends the program (Ctrl-C, SIGTERM); work in progress is cancelled then.
    ///
    /// # Errors
    /// [`StudioError::Server`].
    pub fn serve(self) -> Result<(), StudioError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(8)
            .build()
            .map_err(StudioError::Server)?;
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let service = api::router(Arc::clone(&self.state));
            let server = tokio::spawn(server::serve(listener, service));
            let interrupted = closed().await;
            server.abort();
            interrupted
        });
        self.state.jobs.cancel_all();
        // Calls that wait for news of a job are not waited for.
        runtime.shutdown_background();
        ended.map_err(StudioError::Server)
    }
}

/// Waits for the signal that closes the studio.
async fn closed() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// 256 random bits as text.
fn token() -> Result<String, StudioError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| StudioError::Token(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
