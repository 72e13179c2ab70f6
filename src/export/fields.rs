//! Reads JSON field by field. Readers that are derived, one for each type, are many times the code, which the page has to
//! load.

use serde_json::Value;

/// An object.
///
/// # Errors
/// When something else stands there.
pub fn object(json: &str) -> Result<Value, String> {
    let value: Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    if value.is_object() { Ok(value) } else { Err("it is no object".to_owned()) }
}

/// A field, unless it is missing or null.
fn field<'a>(of: &'a Value, key: &str) -> Option<&'a Value> {
    of.get(key).filter(|value| !value.is_null())
}

fn wrong(key: &str, expected: &str) -> String {
    format!("{expected} is expected at “{key}”, found is something else")
}

/// A text; `None` when it is missing.
///
/// # Errors
/// When something else stands there.
pub fn maybe_text(of: &Value, key: &str) -> Result<Option<String>, String> {
    let Some(value) = field(of, key) else { return Ok(None) };
    value.as_str().map(|text| Some(text.to_owned())).ok_or_else(|| wrong(key, "a text"))
}

/// A text; empty when it is missing.
///
/// # Errors
/// When something else stands there.
pub fn text(of: &Value, key: &str) -> Result<String, String> {
    maybe_text(of, key).map(Option::unwrap_or_default)
}

/// A yes or a no; `None` when it is missing.
///
/// # Errors
/// When something else stands there.
pub fn flag(of: &Value, key: &str) -> Result<Option<bool>, String> {
    let Some(value) = field(of, key) else { return Ok(None) };
    value.as_bool().map(Some).ok_or_else(|| wrong(key, "true or false"))
}

/// A list; empty when it is missing.
///
/// # Errors
/// When something else stands there.
pub fn list<'a>(of: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let Some(value) = field(of, key) else { return Ok(&[]) };
    value.as_array().map(Vec::as_slice).ok_or_else(|| wrong(key, "a list"))
}

/// A list of texts.
///
/// # Errors
/// When something else stands there.
pub fn texts(of: &Value, key: &str) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for value in list(of, key)? {
        all.push(value.as_str().ok_or_else(|| wrong(key, "a list of texts"))?.to_owned());
    }
    Ok(all)
}

/// A whole number; `None` when it is missing.
///
/// # Errors
/// When something else stands there.
pub fn number(of: &Value, key: &str) -> Result<Option<u64>, String> {
    let Some(value) = field(of, key) else { return Ok(None) };
    value.as_u64().map(Some).ok_or_else(|| wrong(key, "a whole number"))
}
