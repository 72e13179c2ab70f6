//! `src/` as tokens: the string literals that ship, and versions built from figures.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One string literal.
pub struct Literal {
    /// What stands between the quotes, escapes as written.
    pub text: String,
    /// Its line, 1-based.
    pub line: usize,
}

/// One file of `src/`, without what is compiled for tests only.
pub struct File {
    /// From the root of the package: `src/gates.rs`.
    pub path: String,
    /// Its string literals, in order.
    pub literals: Vec<Literal>,
    /// `Version::new(3, …)` and `Minor::new(3, …)`, written as figures: line and text.
    pub built_versions: Vec<(usize, String)>,
    /// Modules in files of their own that are compiled for tests only.
    test_modules: Vec<String>,
}

/// Every file that ships, by path.
pub fn shipped() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    paths.sort();
    let files: Vec<(PathBuf, File)> = paths.into_iter().map(|path| (path.clone(), read(root, &path))).collect();
    let only_for_tests: BTreeSet<PathBuf> =
        files.iter().flat_map(|(path, file)| file.test_modules.iter().map(|name| module_path(path, name))).collect();
    let ships =
        |path: &Path| !only_for_tests.iter().any(|test| path.starts_with(test) || path.with_extension("") == *test);
    files.into_iter().filter(|(path, _)| ships(path)).map(|(_, file)| file).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|e| e == "rs") {
            paths.push(path);
        }
    }
}

/// Where `mod name;` in a file puts the module, without extension.
fn module_path(file: &Path, name: &str) -> PathBuf {
    let root = ["lib.rs", "main.rs"].iter().any(|root| file.ends_with(root));
    if root { file.with_file_name(name) } else { file.with_extension("").join(name) }
}

fn read(root: &Path, path: &Path) -> File {
    let text = std::fs::read_to_string(path).unwrap();
    let path = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
    of_text(path, &text)
}

/// A file by its text.
pub fn of_text(path: String, text: &str) -> File {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut file = File { path, literals: Vec::new(), built_versions: Vec::new(), test_modules: Vec::new() };
    file.walk(tokens);
    file
}

impl File {
    fn walk(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if let Some((attribute, after)) = attribute(&tokens, at) {
                let words = attribute.to_string();
                at = after;
                if words == "cfg (test)" || words.starts_with("cfg (all (test") {
                    at = self.skip_item(&tokens, at);
                } else if !words.starts_with("doc ") {
                    self.walk(attribute);
                }
                continue;
            }
            match token {
                TokenTree::Group(group) => self.walk(group.stream()),
                TokenTree::Literal(literal) => self.literal(literal),
                TokenTree::Ident(ident) if ident == "new" => self.built_version(&tokens, at),
                _ => {}
            }
            at += 1;
        }
    }

    /// Steps over the item that starts here: up to its braces or semicolon. Remembers a module in a file of its own.
    fn skip_item(&mut self, tokens: &[TokenTree], mut at: usize) -> usize {
        while let Some((_, after)) = attribute(tokens, at) {
            at = after;
        }
        let mut module = None;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(ident) if ident == "mod" => module = tokens.get(at).map(ToString::to_string),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return at,
                TokenTree::Punct(punct) if punct.as_char() == ';' => {
                    self.test_modules.extend(module);
                    return at;
                }
                _ => {}
            }
        }
        at
    }

    fn literal(&mut self, literal: &proc_macro2::Literal) {
        let written = literal.to_string();
        let Some((start, end)) = written.find('"').zip(written.rfind('"')).filter(|(start, end)| start < end) else {
            return;
        };
        if written.starts_with('\'') {
            return;
        }
        let text = written[start + 1..end].to_owned();
        self.literals.push(Literal { text, line: literal.span().start().line });
    }

    fn built_version(&mut self, tokens: &[TokenTree], at: usize) {
        let owner = at.checked_sub(3).and_then(|i| tokens.get(i)).map(ToString::to_string).unwrap_or_default();
        let Some(TokenTree::Group(arguments)) = tokens.get(at + 1) else { return };
        let figure = matches!(arguments.stream().into_iter().next(), Some(TokenTree::Literal(_)));
        if figure && (owner == "Version" || owner == "Minor") {
            self.built_versions.push((arguments.span().start().line, format!("{owner}::new{arguments}")));
        }
    }
}

/// The attribute that starts here, and the place after it. `#![…]` counts.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<(TokenStream, usize)> {
    let punct = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == sign);
    if !punct(at, '#') {
        return None;
    }
    let at = if punct(at + 1, '!') { at + 2 } else { at + 1 };
    match tokens.get(at) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => Some((group.stream(), at + 1)),
        _ => None,
    }
}

#[test]
fn what_ships_is_told_from_comments_documentation_and_tests() {
    let file = of_text(
        "src/x.rs".into(),
        r##"
        //! The hop to "3.6".
        /// Asks for "3.5.32".
        #[must_use] // "3.4"
        fn a() -> String { format!("shipped {}", b'x') }
        #[cfg(test)]
        #[allow(dead_code)]
        mod tests { const A: &str = "3.7"; }
        #[cfg(test)]
        mod apart;
        const B: &str = r#"raw "quoted""#;
        #[doc = "3.3"]
        fn b() { let _ = (Minor::new(3, 5), Version::new(a, b, c), Other::new(1)); view! { <p>"in a macro"</p> } }
        "##,
    );
    let texts: Vec<&str> = file.literals.iter().map(|literal| literal.text.as_str()).collect();
    assert_eq!(texts, ["shipped {}", "raw \"quoted\"", "in a macro"]);
    assert_eq!(file.literals[0].line, 5);
    assert_eq!(file.test_modules, ["apart"]);
    assert_eq!(file.built_versions, [(13, "Minor::new(3 , 5)".to_owned())]);
    assert_eq!(module_path(Path::new("src/etcd.rs"), "tests"), Path::new("src/etcd/tests"));
    assert_eq!(module_path(Path::new("src/lib.rs"), "tests"), Path::new("src/tests"));
}
