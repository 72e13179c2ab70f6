//! Dates and times as people and tools write them.
//!
//! Read by hand: the reader of formats in `time` is 20 kB of the wasm.

use time::{Date, Month, OffsetDateTime, Time, UtcOffset};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A date-time of RFC 3339: `2026-11-30T13:45:00Z`, with any fraction of a second and any offset.
#[must_use]
pub fn rfc3339(text: &str) -> Option<OffsetDateTime> {
    let (date, text) = leading_date(text)?;
    let (time, text) = clock(text.strip_prefix(['T', 't'])?)?;
    let (second, text) = two(text.strip_prefix(':')?)?;
    let (nanosecond, text) = fraction(text)?;
    let offset = if matches!(text, "Z" | "z") { UtcOffset::UTC } else { offset(text, ":")? };
    at(date, time, second, nanosecond, offset)
}

/// A date: `2026-11-30`.
#[must_use]
pub fn date(text: &str) -> Option<Date> {
    leading_date(text).filter(|(_, rest)| rest.is_empty()).map(|(date, _)| date)
}

/// A time of `ls -l` in seconds since 1970, when the text holds a year: `Nov 30 2025` (read as the start of that day),
/// `2026-11-30 11:25`, `2026-11-30 11:25:03.039918000 +0000`. Without an offset it is read as UTC.
#[must_use]
pub fn listed(text: &str) -> Option<i64> {
    day_of_year(text).or_else(|| full(text)).map(OffsetDateTime::unix_timestamp)
}

fn day_of_year(text: &str) -> Option<OffsetDateTime> {
    let (month, rest) = text.split_once(' ')?;
    let (day, year) = rest.split_once(' ')?;
    let month = MONTHS.iter().position(|m| *m == month)?;
    let date = calendar(digits(year, 4)?, u32::try_from(month + 1).ok()?, number(day).filter(|_| day.len() <= 2)?)?;
    Some(date.midnight().assume_utc())
}

fn full(text: &str) -> Option<OffsetDateTime> {
    let (date, text) = leading_date(text)?;
    let (time, text) = clock(text.strip_prefix(' ')?)?;
    if text.is_empty() {
        return at(date, time, 0, 0, UtcOffset::UTC);
    }
    let (second, text) = two(text.strip_prefix(':')?)?;
    let (nanosecond, text) = fraction(text.starts_with('.').then_some(text)?)?;
    at(date, time, second, nanosecond, offset(text.strip_prefix(' ')?, "")?)
}

fn at(date: Date, (hour, minute): (u8, u8), second: u8, nanosecond: u32, offset: UtcOffset) -> Option<OffsetDateTime> {
    let time = Time::from_hms_nano(hour, minute, second, nanosecond).ok()?;
    Some(date.with_time(time).assume_offset(offset))
}

fn leading_date(text: &str) -> Option<(Date, &str)> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, rest) = two(rest.strip_prefix('-')?)?;
    let (day, rest) = two(rest.strip_prefix('-')?)?;
    Some((calendar(digits(year, 4)?, month.into(), day.into())?, rest))
}

fn calendar(year: u32, month: u32, day: u32) -> Option<Date> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(i32::try_from(year).ok()?, month, u8::try_from(day).ok()?).ok()
}

/// Hour and minute.
fn clock(text: &str) -> Option<((u8, u8), &str)> {
    let (hour, rest) = two(text)?;
    let (minute, rest) = two(rest.strip_prefix(':')?)?;
    Some(((hour, minute), rest))
}

/// Nanoseconds; finer digits are left out. 0 where no fraction stands.
fn fraction(text: &str) -> Option<(u32, &str)> {
    let Some(rest) = text.strip_prefix('.') else { return Some((0, text)) };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (written, rest) = rest.split_at_checked(end).filter(|(written, _)| !written.is_empty())?;
    let nanosecond =
        written.bytes().chain(std::iter::repeat(b'0')).take(9).fold(0, |n, d| n * 10 + u32::from(d - b'0'));
    Some((nanosecond, rest))
}

/// `+02:00`, with `between` hours and minutes.
fn offset(text: &str, between: &str) -> Option<UtcOffset> {
    let (sign, rest) = text.strip_prefix('+').map(|rest| (1, rest)).or_else(|| Some((-1, text.strip_prefix('-')?)))?;
    let (hours, rest) = two(rest)?;
    let (minutes, rest) = two(rest.strip_prefix(between)?)?;
    if hours > 23 || minutes > 59 || !rest.is_empty() {
        return None;
    }
    UtcOffset::from_hms(sign * i8::try_from(hours).ok()?, sign * i8::try_from(minutes).ok()?, 0).ok()
}

fn two(text: &str) -> Option<(u8, &str)> {
    let (number, rest) = text.split_at_checked(2)?;
    Some((u8::try_from(digits(number, 2)?).ok()?, rest))
}

fn digits(text: &str, count: usize) -> Option<u32> {
    number(text).filter(|_| text.len() == count)
}

/// A number of nothing but digits: `parse` would take a sign too.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use time::format_description::well_known::Rfc3339;
    use time::macros::datetime;

    proptest! {
        #[test]
        fn what_time_writes_is_read_back(seconds in 0_i64..4_102_444_800, nanosecond in 0_u32..1_000_000_000, quarters in -56_i32..=56) {
            let offset = UtcOffset::from_whole_seconds(quarters * 900).unwrap();
            let moment = OffsetDateTime::from_unix_timestamp(seconds).unwrap().replace_nanosecond(nanosecond).unwrap();
            let moment = moment.to_offset(offset);
            prop_assert_eq!(rfc3339(&moment.format(&Rfc3339).unwrap()), Some(moment));
        }

        #[test]
        fn what_is_no_moment_is_none_as_for_time(text in "[0-9Tt:.+Z -]{0,30}") {
            prop_assert_eq!(rfc3339(&text).is_some(), OffsetDateTime::parse(&text, &Rfc3339).is_ok(), "{}", text);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>()) {
            let _ = (rfc3339(&text), date(&text), listed(&text));
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date("2028-02-29").map(|d| d.to_string()).as_deref(), Some("2028-02-29"));
        for text in
            ["2027-02-29", "2026-13-01", "2026-00-01", "2026-11-31", "2026-1-1", "+026-11-30", "2026-11-30 ", ""]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_a_listing_are_read_when_they_hold_a_year() {
        let day = datetime!(2025-11-30 00:00 UTC).unix_timestamp();
        assert_eq!(listed("Nov 30 2025"), Some(day));
        assert_eq!(listed("Nov 3 2025"), Some(day - 27 * 86_400));
        assert_eq!(listed("2025-11-30 00:01"), Some(day + 60));
        assert_eq!(listed("2025-11-30 01:00:03.039918000 +0100"), Some(day + 3));
        for text in
            ["Nov 30 11:25", "11-30 11:25", "2025-11-30", "2025-11-30 00:01:02", "2025-11-30 24:00", "Now 30 2025"]
        {
            assert_eq!(listed(text), None, "{text}");
        }
    }
}
