//! Models laid out as an archive's resources, and an importer's logger.
#![allow(dead_code, unreachable_pub)]

use dyverse_block::{INDEX, Source};
use dyverse_lang::{Loaded, NoImports};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::Mutex;

pub const BALL: &str = "
system ball
param e in [0.5, 0.9]
param h = 1
input push = 0
entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0.1 + h, 0)  velocity = (1, 0, 0) }
fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
contact ball, floor { restitution = e  friction = 0.3 }
gravity (0, -9.81, 0)
force on ball = (push, 0, 0)
horizon 2
";

pub const TANK: &str = "
model tank
param k = 1
input inflow = 0.5

modal level {
  out cont x
  initial mode filling {
    x' = inflow init 0
    when x >= k goto full
  }
  mode full {
    x' = -0.25 * x init 1
    when x <= 0.5 goto filling { x := x }
  }
}
horizon = 5
record level.x
";

/// A model's resources in a folder.
pub struct Resources {
    pub folder: tempfile::TempDir,
    pub source: Source,
    pub token: CString,
    pub path: CString,
    pub uri: CString,
}

pub fn resources(name: &str, text: &str) -> Resources {
    let main = Loaded::named(name, text);
    let source = Source::read(main, &mut NoImports).expect("the model is a block");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(INDEX), source.pack.index()).unwrap();
    for (place, (_, bytes)) in source.pack.files.iter().enumerate() {
        std::fs::write(folder.path().join(source.pack.stored_name(place)), bytes).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    Resources {
        token: CString::new(source.pack.token()).unwrap(),
        path: CString::new(path).unwrap(),
        uri: CString::new(format!("file://{path}")).unwrap(),
        source,
        folder,
    }
}

impl Resources {
    /// The value reference of a variable.
    pub fn reference(&self, name: &str) -> u32 {
        self.source.description.find(name).expect(name) as u32
    }
}

static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What was logged that contains a text.
pub fn said(part: &str) -> bool {
    SAID.lock().unwrap().iter().any(|line| line.contains(part))
}

pub unsafe extern "C" fn log(_: *mut c_void, _: c_int, _: *const c_char, message: *const c_char) {
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    SAID.lock().unwrap().push(text);
}
