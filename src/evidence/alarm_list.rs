//! `etcdctl alarm list`: lines, JSON, fields, and no output at all, which means that no alarm is raised.

use serde_json::Value;

use super::detect::{Context, Place, Taken};
use super::fact::{Alarm, AlarmType, Body, Fact, Kind};
use super::fields::Record;
use super::json::{self, Document};
use super::value;

/// The alarm in a text as etcd prints it, also among the errors of `endpoint status`:
/// `memberID:10616479530360510257 alarm:NOSPACE`. The blanks between the two differ from build to build.
#[must_use]
pub fn alarm_in(text: &str) -> Option<Alarm> {
    let mut words = text.split_whitespace();
    let member_id = words.next()?.strip_prefix("memberID:")?.parse().ok()?;
    let alarm = alarm_type(words.next()?.strip_prefix("alarm:")?)?;
    words.next().is_none().then_some(Alarm { member_id, alarm })
}

fn alarm_type(text: &str) -> Option<AlarmType> {
    match text.trim() {
        "NOSPACE" | "1" => Some(AlarmType::NoSpace),
        "CORRUPT" | "2" => Some(AlarmType::Corrupt),
        _ => None,
    }
}

/// The facts of a list that was printed: that it was looked at, and its alarms. `alarm disarm` prints the alarms it
/// took away in the same form: they say nothing of now.
fn listed(place: &Place<'_>, alarms: Vec<Fact>) -> Vec<Fact> {
    if place.context.parsed.says(&["alarm", "disarm"]) {
        return Vec::new();
    }
    let mut facts = vec![place.fact(place.span(1), Body::AlarmsListed)];
    facts.extend(alarms);
    facts
}

/// One alarm a line.
#[must_use]
pub fn read_simple(place: &Place<'_>) -> Option<Taken> {
    let mut alarms = Vec::new();
    for (offset, line) in place.lines.get(place.at..)?.iter().enumerate() {
        let Some(alarm) = alarm_in(&line.text) else { break };
        let at = place.at + offset;
        alarms.push(place.fact(place.range(at, at), Body::Alarm(alarm)));
    }
    let lines = alarms.len();
    (lines > 0).then(|| place.taken(lines, Kind::AlarmList, "lines", lines, listed(place, alarms)))
}

/// `{"header":…,"alarms":[…]}`; without alarms only after the command, because other answers are as bare.
#[must_use]
pub fn from_json(document: &Document<'_>, place: &Place<'_>) -> Option<Vec<Fact>> {
    let object = document.value.as_object()?;
    if object.contains_key("alarms") {
        let alarms = document.members(place, "alarms")?.into_iter().filter_map(|(alarm, span)| {
            let decimal = json::field(&alarm, "memberID").is_some_and(Value::is_string)
                && json::field(&alarm, "alarm").is_some_and(Value::is_string);
            let kind = match json::field(&alarm, "alarm")? {
                Value::Number(n) => alarm_type(&n.to_string()),
                Value::String(s) => alarm_type(s),
                _ => None,
            }?;
            let member_id = json::field(&alarm, "memberID").and_then(|v| json::id(v, decimal))?;
            Some(place.fact(span, Body::Alarm(Alarm { member_id, alarm: kind })))
        });
        return Some(listed(place, alarms.collect()));
    }
    let bare = object.keys().all(|k| k == "header");
    (bare && lists(place.context)).then(|| listed(place, Vec::new()))
}

/// Is it a record of this kind?
#[must_use]
pub fn fields_fit(record: &Record<'_>) -> bool {
    record.has("MemberID") && record.has("AlarmType")
}

/// The records of the form fields.
#[must_use]
pub fn from_fields(records: &[Record<'_>], place: &Place<'_>) -> Vec<Fact> {
    let alarms = records.iter().filter_map(|record| {
        let alarm = Alarm {
            member_id: record.get("MemberID").and_then(value::decimal_or_hex)?,
            alarm: record.get("AlarmType").and_then(alarm_type)?,
        };
        let (first, last) = record.range()?;
        Some(place.fact(place.range(first, last), Body::Alarm(alarm)))
    });
    let alarms = alarms.collect();
    listed(place, alarms)
}

/// Is the command an `alarm list`?
fn lists(context: &Context) -> bool {
    context.parsed.says(&["alarm", "list"])
}

/// Does the command's silence mean that no alarm is raised? Only that of an `alarm list` whose output and errors both
/// went to the screen.
#[must_use]
pub fn silence_means_none(context: &Context) -> bool {
    let form = context.parsed.flag(&["w", "write-out"]).unwrap_or("simple");
    lists(context) && !context.parsed.compound && form == "simple"
}
