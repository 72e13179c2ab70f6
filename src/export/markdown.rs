//! Markdown task list for GitHub and GitLab.
