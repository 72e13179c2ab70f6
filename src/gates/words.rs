//! How a sentence names members, versions and amounts.

/// `m1`, `m1 and m2`, `m1, m2 and m3`. Empty for nothing.
#[must_use]
pub fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// The form of a verb that fits the number of its subjects: `runs` for one, `run` for several.
#[must_use]
pub fn verb<'a>(subjects: usize, one: &'a str, several: &'a str) -> &'a str {
    if subjects == 1 { one } else { several }
}

/// `1 member`, `3 members`.
#[must_use]
pub fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

/// The first letter as a capital.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["m1"]), "m1");
        assert_eq!(list(&["m1", "m2"]), "m1 and m2");
        assert_eq!(list(&["m1", "m2", "m3"]), "m1, m2 and m3");
        assert_eq!(format!("{} {}", list(&["m1", "m2"]), verb(2, "runs", "run")), "m1 and m2 run");
        assert_eq!((count(1, "voter"), count(3, "voter")), ("1 voter".to_owned(), "3 voters".to_owned()));
        assert_eq!(sentence("élan"), "Élan");
    }
}
