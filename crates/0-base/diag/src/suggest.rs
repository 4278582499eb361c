//! "Did you mean": the known name closest to an unknown one.

/// The candidate nearest to `name`, if near enough to be a likely slip of the fingers.
///
/// Near enough: at most a third of the longer name's letters have to change (at least one may), by
/// insertion, deletion, replacement or a swap of neighbours. Ties go to the first candidate.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names longer than this are not typed by people; comparing them would take quadratic time.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let lowered = name.to_lowercase();
    let length = name.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|c| c.len() <= LONGEST) {
        let other = candidate.chars().count();
        let allowed = (length.max(other) / 3).max(1);
        // Every letter too many is a change.
        if length.abs_diff(other) > allowed {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lowered, &candidate.to_lowercase());
        // Something must be alike.
        let is_near = distance <= allowed && distance < length.max(other);
        if is_near && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_slips_and_refuses_strangers() {
        let known = ["ball1", "ball2", "floor"];
        assert_eq!(closest("bal1", known), Some("ball1"));
        assert_eq!(closest("flor", known), Some("floor"));
        assert_eq!(closest("Ball2", known), Some("ball2"));
        assert_eq!(closest("spring", known), None);
        assert_eq!(closest("q", ["x", "y"]), None);
        assert_eq!(closest(&"x".repeat(1_000_000), known), None);
    }
}
