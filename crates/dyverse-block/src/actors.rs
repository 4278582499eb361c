//! An actor model as a block.

use crate::Description;
use crate::engine::{Advanced, At, Engine, Microstep};
use crate::{Slot, Value};
use dyverse_lang::ActorModel;
use dyverse_tick::TickOptions;

pub(crate) fn describe(_model: &ActorModel) -> Result<Description, String> {
    Err("not yet".into())
}
pub(crate) struct Actors;
impl Actors {
    pub(crate) fn new(_model: &ActorModel, _options: &TickOptions, _t: f64) -> Result<Self, String> {
        Err("not yet".into())
    }
}
impl Engine for Actors {
    fn initial(&mut self, _: &mut Vec<f64>) {}
    fn derivative(&mut self, _: At<'_>, _: &mut [f64]) -> Result<(), String> {
        Ok(())
    }
    fn indicators(&mut self, _: At<'_>, _: &mut [f64]) -> Result<(), String> {
        Ok(())
    }
    fn begin_instant(&mut self, _: At<'_>, _: bool) -> Result<(), String> {
        Ok(())
    }
    fn microstep(&mut self, _: f64, _: &mut [f64], _: &[f64]) -> Result<Microstep, String> {
        Err(String::new())
    }
    fn next_time(&self) -> Option<f64> {
        None
    }
    fn advance(&mut self, _: f64, _: f64, _: &mut [f64], _: &[f64]) -> Result<Advanced, String> {
        Err(String::new())
    }
    fn observe(&mut self, _: At<'_>, _: Slot) -> Result<Value, String> {
        Err(String::new())
    }
    fn input_default(&self, _: usize, _: f64) -> f64 {
        0.0
    }
    fn parameter(&self, _: usize) -> f64 {
        0.0
    }
    fn snapshot(&self) -> Vec<u64> {
        Vec::new()
    }
    fn restore(&mut self, _: &[u64]) -> Result<(), String> {
        Ok(())
    }
}
