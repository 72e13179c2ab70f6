//! The change of members that a person names: `replace=m2`, `grow=5`.

use std::fmt;
use std::str::FromStr;

/// The most voters a cluster grows to: etcd's documents advise against more than seven.
pub const MOST_VOTERS: usize = 7;

/// What is to become of the members. A member is named as the person names it: by name, id or URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A new member takes this one's place.
    Replace(String),
    /// One more voter.
    AddVoter,
    /// One more learner, which stays one.
    AddLearner,
    /// This one goes.
    Remove(String),
    /// This learner becomes a voter.
    Promote(String),
    /// Every member is replaced, one after the other.
    Move,
    /// To so many voters.
    Grow(usize),
    /// To so many voters.
    Shrink(usize),
}

/// Every form a change is written in, for messages.
pub const FORMS: &str = "replace=MEMBER, add-voter, add-learner, remove=MEMBER, promote=MEMBER, move, grow=VOTERS or \
                         shrink=VOTERS";

impl Change {
    /// The form without what it is about: `replace`.
    #[must_use]
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Replace(_) => "replace",
            Self::AddVoter => "add-voter",
            Self::AddLearner => "add-learner",
            Self::Remove(_) => "remove",
            Self::Promote(_) => "promote",
            Self::Move => "move",
            Self::Grow(_) => "grow",
            Self::Shrink(_) => "shrink",
        }
    }

    /// The member it names.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        match self {
            Self::Replace(member) | Self::Remove(member) | Self::Promote(member) => Some(member),
            _ => None,
        }
    }

    /// Does a member come in?
    #[must_use]
    pub fn adds(&self) -> bool {
        matches!(self, Self::Replace(_) | Self::AddVoter | Self::AddLearner | Self::Move | Self::Grow(_))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replace(member) | Self::Remove(member) | Self::Promote(member) => {
                write!(f, "{}={member}", self.verb())
            }
            Self::Grow(size) | Self::Shrink(size) => write!(f, "{}={size}", self.verb()),
            Self::AddVoter | Self::AddLearner | Self::Move => f.write_str(self.verb()),
        }
    }
}

impl FromStr for Change {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (verb, of) = text.split_once('=').map_or((text, None), |(verb, of)| (verb, Some(of.trim())));
        let size = |of: Option<&str>| of.and_then(|n| n.parse().ok()).filter(|n| (1..=MOST_VOTERS).contains(n));
        let member = |of: Option<&str>| of.filter(|m| !m.is_empty()).map(str::to_owned).ok_or(());
        match verb.trim() {
            "replace" => member(of).map(Self::Replace),
            "remove" => member(of).map(Self::Remove),
            "promote" => member(of).map(Self::Promote),
            "grow" => size(of).map(Self::Grow).ok_or(()),
            "shrink" => size(of).map(Self::Shrink).ok_or(()),
            "add-voter" if of.is_none() => Ok(Self::AddVoter),
            "add-learner" if of.is_none() => Ok(Self::AddLearner),
            "move" if of.is_none() => Ok(Self::Move),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_written_the_same() {
        for text in
            ["replace=m2", "add-voter", "add-learner", "remove=m2", "promote=1e81", "move", "grow=5", "shrink=1"]
        {
            assert_eq!(text.parse::<Change>().map(|change| change.to_string()), Ok(text.to_owned()));
        }
        for text in
            ["", "replace", "replace=", "add", "grow", "grow=0", "grow=8", "shrink=x", "move=m1", "add-voter=m4"]
        {
            assert_eq!(text.parse::<Change>(), Err(()), "{text}");
        }
    }
}
