//! Words that depend on a number.

/// "1 line", "3 lines".
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// "line 6", "lines 4–6".
pub fn lines(first: usize, last: usize) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first}–{last}") }
}

/// "a", "a and b", "a, b and c".
pub fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [firsts @ .., last] => format!("{} and {last}", firsts.join(", ")),
    }
}
