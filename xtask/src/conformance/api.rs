//! What the API of etcd says, asked over HTTP without etcdctl: the other side of every comparison.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::host::Host;

/// One member as the API shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiMember {
    /// Its id, in hex as etcdctl prints it.
    pub id: String,
    /// Where clients reach it.
    pub client: String,
    /// What it runs; `None` when it does not answer.
    pub version: Option<String>,
    /// `leader`, `follower` or `learner`; `None` when it does not answer.
    pub role: Option<String>,
}

/// A call of the gRPC gateway.
pub fn call(host: &Host, endpoint: &str, path: &str, body: &str) -> Result<Value> {
    let text = host.ok(&format!("curl -s -m 10 -X POST -d '{body}' {endpoint}{path}"))?;
    serde_json::from_str(&text).with_context(|| format!("{path} of {endpoint} is no JSON: {text}"))
}

/// The gateway prints 64-bit numbers as texts, and leaves out what is 0, empty or false.
pub fn number(value: &Value) -> u64 {
    value.as_str().and_then(|text| text.parse().ok()).or_else(|| value.as_u64()).unwrap_or(0)
}

/// The members, by name, as the member at this endpoint lists them.
pub fn members(host: &Host, endpoint: &str) -> Result<BTreeMap<String, ApiMember>> {
    let list = call(host, endpoint, "/v3/cluster/member/list", "{\"linearizable\":false}")?;
    let rows = list["members"].as_array().with_context(|| format!("no members: {list}"))?;
    let mut members = BTreeMap::new();
    for row in rows {
        let id = number(&row["ID"]);
        let client = row["clientURLs"][0].as_str().unwrap_or_default();
        let status = call(host, client, "/v3/maintenance/status", "{}").ok();
        let role = status.as_ref().map(|s| {
            if row["isLearner"] == true {
                "learner"
            } else if number(&s["leader"]) == id {
                "leader"
            } else {
                "follower"
            }
        });
        let version = status.as_ref().and_then(|s| s["version"].as_str()).map(str::to_owned);
        let name = row["name"].as_str().unwrap_or_default().to_owned();
        members.insert(
            name,
            ApiMember { id: format!("{id:x}"), client: client.to_owned(), version, role: role.map(str::to_owned) },
        );
    }
    Ok(members)
}

/// The alarms, as `id in hex` and `NOSPACE`.
pub fn alarms(host: &Host, endpoint: &str) -> Result<Vec<(String, String)>> {
    let said = call(host, endpoint, "/v3/maintenance/alarm", "{\"action\":\"GET\"}")?;
    let rows = said["alarms"].as_array().cloned().unwrap_or_default();
    Ok(rows
        .iter()
        .map(|r| (format!("{:x}", number(&r["memberID"])), r["alarm"].as_str().unwrap_or_default().to_owned()))
        .collect())
}

/// The cluster version and the storage version that a member says.
pub fn versions(host: &Host, endpoint: &str) -> Result<(String, Option<String>)> {
    let text = host.ok(&format!("curl -s -m 10 {endpoint}/version"))?;
    let said: Value = serde_json::from_str(&text).with_context(|| text.clone())?;
    let cluster = said["etcdcluster"].as_str().with_context(|| text.clone())?;
    Ok((cluster.to_owned(), said["storage"].as_str().map(str::to_owned)))
}
