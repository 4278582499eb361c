//! Tests of contact kinematics: thousands of random cases from fixed seeds, each kind in a file of its own.

mod by_hand;
mod closest;
mod dynamics;
mod enclosures;
mod motion;
mod random;
