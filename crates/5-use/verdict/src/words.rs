//! Numbers in sentences about a check.

/// A share in percent. What is not all does not look like all, what is something not like nothing.
pub fn percent(share: f64) -> String {
    // A share of nothing, which is what sums begin with, is -0.
    let percent = 100.0 * share + 0.0;
    if percent > 0.0 && percent < 0.01 {
        return "less than 0.01 %".into();
    }
    let shown = if percent < 100.0 {
        (percent * 100.0).floor() / 100.0
    } else {
        100.0
    };
    format!("{shown} %")
}

/// A number of things: `1 box`, `2 boxes`.
pub fn count(many: usize, one: &str, more: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { more })
}
