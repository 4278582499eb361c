//! An FMU ready to be instantiated: its description, and the library of this platform.

use crate::archive::{Unpacked, describe};
use crate::machine::{Functions, Instance, Machine};
use crate::{Description, ImportError, Interface, Version, fmi2, fmi3};
use libloading::Library;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A library in memory, and the folder that it came from: the library goes first.
pub(crate) struct Loaded {
    pub(crate) library: Library,
    folder: Unpacked,
}

impl Loaded {
    pub(crate) fn resources(&self) -> PathBuf {
        self.folder.resources()
    }
}

/// An FMU for one of its interfaces. Its library is loaded: code of whoever made it runs in this process.
pub struct Fmu {
    description: Description,
    interface: Interface,
    calls: Calls,
}

enum Calls {
    Two(Rc<Functions<fmi2::Two>>),
    Three(Rc<Functions<fmi3::Three>>),
}

impl std::fmt::Debug for Fmu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fmu({}, {:?})", self.description.name, self.interface)
    }
}

impl Fmu {
    /// Opens an FMU. Without an interface that is asked for it is model exchange, where it is offered.
    ///
    /// # Errors
    /// A file that is no FMU or is damaged, an interface that it does not offer, no library for this platform, a library that cannot be loaded or is of another version.
    pub fn open(path: &Path, interface: Option<Interface>) -> Result<Self, ImportError> {
        let description = describe(path)?;
        let interface = choose(&description, interface)?;
        let Some(offer) = description.offer(interface) else {
            return Err(ImportError::new("it offers no interface"));
        };
        let folder = Unpacked::new(path)?;
        let file = folder.library(description.version, &offer.identifier)?;
        crate::binary::check(&file)?;
        // SAFETY: what the library does when it is loaded is its own affair; whoever opens an FMU has decided to run it.
        let library = unsafe { Library::new(&file) }
            .map_err(|error| ImportError::new(format!("its library cannot be loaded: {error}")))?;
        let loaded = Loaded { library, folder };
        let calls = match description.version {
            Version::Two => Calls::Two(Rc::new(Functions::load(loaded, interface)?)),
            Version::Three => Calls::Three(Rc::new(Functions::load(loaded, interface)?)),
        };
        Ok(Fmu {
            description,
            interface,
            calls,
        })
    }

    /// What it says about itself.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// How it is run.
    pub fn interface(&self) -> Interface {
        self.interface
    }

    /// A new instance.
    pub(crate) fn instantiate(&self, name: &str) -> Result<Box<dyn Machine>, ImportError> {
        Ok(match &self.calls {
            Calls::Two(calls) => Box::new(Instance::<fmi2::Two>::new(calls, self, name)?),
            Calls::Three(calls) => Box::new(Instance::<fmi3::Three>::new(calls, self, name)?),
        })
    }
}

fn choose(description: &Description, asked: Option<Interface>) -> Result<Interface, ImportError> {
    let (exchange, steps) = (Interface::ModelExchange, Interface::CoSimulation);
    let offered = |interface| description.offer(interface).is_some();
    match asked {
        None if offered(exchange) => Ok(exchange),
        None => Ok(steps),
        Some(interface) if offered(interface) => Ok(interface),
        Some(Interface::ModelExchange) => {
            Err(refused!("it does not offer model exchange"; help "it offers co-simulation: `cs`"))
        }
        Some(Interface::CoSimulation) => {
            Err(refused!("it does not offer co-simulation"; help "it offers model exchange: `me`"))
        }
    }
}

/// A text for C: what C would take for its end is left out.
pub(crate) fn c_text(text: &str) -> std::ffi::CString {
    let clean: Vec<u8> = text.bytes().filter(|b| *b != 0).collect();
    std::ffi::CString::new(clean).unwrap_or_default()
}
