//! Elements, one call at a time. Texts and values of attributes are escaped here and nowhere else.

/// Writes HTML.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
}

impl Writer {
    /// An element with what `inside` writes. Names are written in the code, never taken from data.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)], inside: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        inside(self);
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
        // Inside of a line or of kept spaces a line break would show.
        if !matches!(name, "a" | "b" | "code" | "strong") {
            self.out.push('\n');
        }
    }

    /// An element with a text.
    pub(super) fn words(&mut self, name: &str, text: &str) {
        self.element(name, &[], |out| out.text(text));
    }

    /// An element that holds nothing.
    pub(super) fn void(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.open(name, attributes);
    }

    /// A text.
    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                '\n' | '\t' => self.out.push(c),
                // HTML has no way to write control characters.
                c if c.is_control() => self.out.push('\u{fffd}'),
                c => self.out.push(c),
            }
        }
    }

    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// What was written.
    pub(super) fn finish(self) -> String {
        self.out
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (key, value) in attributes {
            self.out.push(' ');
            self.out.push_str(key);
            self.out.push_str("=\"");
            self.text(value);
            self.out.push('"');
        }
        self.out.push('>');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_are_escaped() {
        let mut out = Writer::default();
        out.element("a", &[("href", "x\" onclick='y'&")], |out| out.text("<b>&\u{1b}\"'"));
        assert_eq!(out.finish(), "<a href=\"x&quot; onclick=&#39;y&#39;&amp;\">&lt;b&gt;&amp;\u{fffd}&quot;&#39;</a>");
    }
}
