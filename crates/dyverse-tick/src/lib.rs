//! Engine of actor models.
