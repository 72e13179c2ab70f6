//! Alarms: those of the newest list, and those that a status shows.

use std::collections::HashSet;

use super::super::Member;
use super::super::stretches::Stretches;
use super::{Merger, seen};
use crate::evidence::Evidence;
use crate::evidence::fact::{Alarm, AlarmType, Body, Fact, Kind, Seen, Span, Status};

impl Merger {
    pub(super) fn alarms(&mut self, facts: &[&Fact], evidence: &Evidence) {
        let stretches = Stretches::of(evidence, Kind::AlarmList);
        let lists = facts.iter().filter(|f| matches!(f.body, Body::AlarmsListed | Body::Alarm(_)));
        let newest = lists.map(|f| stretches.around(&f.span)).max();
        let mut older: Vec<Seen<Alarm>> = Vec::new();
        let mut listed_at = None;
        for fact in facts {
            let current = newest == Some(stretches.around(&fact.span));
            match &fact.body {
                Body::Alarm(alarm) if current => self.add_alarm(alarm.clone(), &fact.span),
                Body::Alarm(alarm) => older.push(seen(alarm, fact)),
                Body::AlarmsListed if current => {
                    self.cluster.alarms_looked_at.push(fact.span.clone());
                    listed_at = Some(fact.span.clone());
                }
                _ => {}
            }
        }
        self.gone_alarms(older, listed_at);
        let statuses: Vec<Seen<Status>> = self.cluster.members.iter().filter_map(|m| m.status.clone()).collect();
        // An alarm that can't be told from its text is one all the same: only a list says which.
        let unclear = statuses.iter().filter_map(|s| s.value.errors.as_ref()).flatten().any(|e| hides_an_alarm(e));
        for status in &statuses {
            let Some(errors) = &status.value.errors else { continue };
            if !unclear {
                self.cluster.alarms_looked_at.push(status.span.clone());
            }
            for alarm in errors.iter().flat_map(|e| alarms_in(e)) {
                self.add_alarm(alarm, &status.span);
            }
        }
        if unclear && self.cluster.alarms.is_empty() {
            self.cluster.alarms_looked_at.clear();
        }
    }

    fn add_alarm(&mut self, alarm: Alarm, span: &Span) {
        if self.raised.insert((alarm.member_id, alarm.alarm)) {
            self.cluster.alarms.push(Seen { value: alarm, span: span.clone() });
        }
    }

    /// Alarms of an older list that the newest one no longer shows.
    fn gone_alarms(&mut self, older: Vec<Seen<Alarm>>, listed_at: Option<Span>) {
        let Some(listed_at) = listed_at else { return };
        let mut told = HashSet::new();
        for alarm in older.into_iter().rev() {
            let key = (alarm.value.member_id, alarm.value.alarm);
            if self.raised.contains(&key) || !told.insert(key) {
                continue;
            }
            let label = self
                .index
                .by_id(key.0)
                .and_then(|m| self.member(m))
                .map_or_else(|| format!("{:x}", key.0), Member::label);
            let new = Seen { value: (), span: listed_at.clone() };
            self.history.alarm(label, alarm_name(key.1), "none", &alarm, &new);
        }
    }
}

/// How etcd calls an alarm.
fn alarm_name(alarm: AlarmType) -> &'static str {
    match alarm {
        AlarmType::NoSpace => "NOSPACE",
        AlarmType::Corrupt => "CORRUPT",
    }
}

/// The alarms in an error of `endpoint status`: `memberID:17106987581846101188 alarm:NOSPACE`. The id is decimal.
fn alarms_in(error: &str) -> Vec<Alarm> {
    let mut alarms = Vec::new();
    for part in error.split("memberID:").skip(1) {
        let mut words = part.split_whitespace();
        let id = words.next().and_then(|w| w.parse().ok());
        let name = words.next().and_then(|w| w.strip_prefix("alarm:"));
        let name = name.map(|n| n.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
        let alarm = [AlarmType::NoSpace, AlarmType::Corrupt].into_iter().find(|a| name == Some(alarm_name(*a)));
        if let (Some(member_id), Some(alarm)) = (id, alarm) {
            alarms.push(Alarm { member_id, alarm });
        }
    }
    alarms
}

/// Does it speak of an alarm that can't be read?
fn hides_an_alarm(error: &str) -> bool {
    error.matches("alarm").count() > alarms_in(error).len()
}
