//! The date the advice is for: the browser's clock, read when a verdict is made.

use time::OffsetDateTime;

/// Now, in whole seconds, UTC.
pub fn now() -> OffsetDateTime {
    #[allow(clippy::cast_possible_truncation)] // seconds since 1970 are far below 2^53
    let seconds = (js_sys::Date::now() / 1000.0).floor() as i64;
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// Now, in milliseconds since 1970.
pub fn milliseconds() -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // far below 2^53
    let now = js_sys::Date::now() as u64;
    now
}

/// What a date-time field holds (local time, no zone) as RFC 3339 in UTC; `None` for what is no date.
pub fn local_to_rfc3339(field: &str) -> Option<String> {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_str(field));
    if date.get_time().is_nan() { None } else { date.to_iso_string().as_string() }
}

/// Now as the wall clock of this machine shows it: "2026-11-30 14:45".
pub fn minute_here() -> String {
    let date = js_sys::Date::new_0();
    // The clock set back by the distance to UTC, so that the form of UTC shows the time here.
    date.set_time(date.get_time() - date.get_timezone_offset() * 60_000.0);
    let iso = date.to_iso_string().as_string().unwrap_or_default();
    iso.get(..16).unwrap_or_default().replace('T', " ")
}

/// `2026-11-30` or a longer RFC 3339 text as "30 Nov 2026"; anything else as it is.
pub fn day(iso: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut parts = iso.get(..10).unwrap_or("").split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let name = month.and_then(|m| m.parse::<usize>().ok()).and_then(|m| MONTHS.get(m.checked_sub(1)?));
    match (year, name, day) {
        (Some(year), Some(name), Some(day)) => format!("{} {name} {year}", day.trim_start_matches('0')),
        _ => iso.to_owned(),
    }
}

/// An RFC 3339 date-time in UTC as "30 Nov 2026, 13:45 UTC".
pub fn minute(rfc3339: &str) -> String {
    match rfc3339.get(11..16) {
        Some(time) => format!("{}, {time} UTC", day(rfc3339)),
        None => day(rfc3339),
    }
}
