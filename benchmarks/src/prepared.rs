//! What `prepare.py` writes: scenes, references, initial states.

use crate::heaps::Heap;
use serde::Deserialize;

pub(crate) type Triple = [f64; 3];

#[derive(Deserialize)]
pub(crate) struct Prepared {
    pub(crate) scenes: Scenes,
    pub(crate) bounce: BounceReference,
    pub(crate) slide: SlideReference,
    #[serde(rename = "break")]
    pub(crate) rack: RackReference,
    pub(crate) boxes: Vec<BoxStart>,
    pub(crate) heaps: Vec<Heap>,
}

#[derive(Deserialize)]
pub(crate) struct Scenes {
    pub(crate) bounce: Bounce,
    pub(crate) slide: Slide,
    #[serde(rename = "break")]
    pub(crate) rack: Rack,
    #[serde(rename = "box")]
    pub(crate) balls: Balls,
}

#[derive(Deserialize)]
pub(crate) struct Bounce {
    pub(crate) gravity: f64,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) height: f64,
    pub(crate) restitution: f64,
    pub(crate) until: f64,
    pub(crate) rest_at: f64,
}

#[derive(Deserialize)]
pub(crate) struct Slide {
    pub(crate) gravity: f64,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) speed: f64,
    pub(crate) friction: f64,
    pub(crate) until: f64,
}

#[derive(Deserialize)]
pub(crate) struct Rack {
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) speed: f64,
    pub(crate) until: f64,
}

#[derive(Deserialize)]
pub(crate) struct Balls {
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) until: f64,
    pub(crate) gravity: f64,
    pub(crate) rapier_steps: Vec<f64>,
}

#[derive(Deserialize)]
pub(crate) struct BounceReference {
    pub(crate) bounce_times: Vec<f64>,
    pub(crate) height: f64,
    pub(crate) velocity: f64,
    pub(crate) rests_from: f64,
}

#[derive(Deserialize)]
pub(crate) struct SlideReference {
    pub(crate) rolls_from: f64,
    pub(crate) position: f64,
    pub(crate) velocity: f64,
}

#[derive(Deserialize)]
pub(crate) struct RackReference {
    pub(crate) start: Vec<Triple>,
    pub(crate) positions: Vec<Triple>,
    pub(crate) velocities: Vec<Triple>,
}

#[derive(Deserialize)]
pub(crate) struct BoxStart {
    pub(crate) edge: f64,
    pub(crate) positions: Vec<Triple>,
    pub(crate) velocities: Vec<Triple>,
}
