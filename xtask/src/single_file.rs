//! The page as one file, for a host without a network: everything inlined, the wasm packed and in base85.
//!
//! The script is wasm-bindgen's glue with `boot.js` below it; `boot.js` sees that the wasm lies in the page.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::html::{self, Tag};
use crate::{base85, csp, integrity};

/// Its name in `dist/`.
pub const FILE_NAME: &str = "etcd-upgrade-planner.html";

/// What the page is made of, besides its HTML.
struct Parts {
    style: String,
    icon: Vec<u8>,
    script: String,
    wasm: Vec<u8>,
}

/// Makes the single file from the page that Trunk wrote, with the files beside it in `folder`.
pub fn make(page: &str, folder: &Path) -> Result<String> {
    let boot = html::only(page, "script", "id", "boot")?;
    let read = |tag: &Tag, attribute: &str| {
        let name = tag.get(attribute).with_context(|| format!("the tag has no {attribute}"))?;
        fs::read(folder.join(name)).with_context(|| name.to_owned())
    };
    let text = |tag: &Tag, attribute: &str| Ok::<_, anyhow::Error>(String::from_utf8(read(tag, attribute)?)?);
    let parts = Parts {
        style: style(stylesheets(page).iter().map(|link| text(link, "href")).collect::<Result<_>>()?)?,
        icon: read(&html::only(page, "link", "rel", "icon")?, "href")?,
        script: script(&text(&boot, "data-js")?, &text(&boot, "src")?)?,
        wasm: read(&boot, "data-wasm")?,
    };
    inline(page, &parts)
}

fn inline(page: &str, parts: &Parts) -> Result<String> {
    let Parts { style, icon, script, wasm } = parts;
    let policy = csp::single_file(&integrity::sha256(script), &integrity::sha256(style));
    let charset = html::only(page, "meta", "charset", "utf-8")?.range.end;
    let icon = format!(r#"<link rel="icon" href="data:image/svg+xml;base64,{}">"#, STANDARD.encode(icon));
    let wasm = gzip(wasm)?;
    let (bytes, wasm) = (wasm.len(), base85::encode(&wasm));
    let boot = html::only(page, "script", "id", "boot")?.range;
    let boot_end = boot.end + page[boot.end..].find("</script>").context("the boot script is not closed")?;
    // The bytes come before the script that reads them.
    let blocks = format!(
        "<script type=\"application/octet-stream\" id=\"part-wasm\" data-bytes=\"{bytes}\">{wasm}</script>\n\
         <script type=\"module\">{script}</script>"
    );
    let mut edits =
        vec![(charset..charset, csp::meta(&policy)), (html::only(page, "link", "rel", "icon")?.range, icon)];
    // All styles as one, in the place of the first.
    let mut style = Some(format!("<style>{style}</style>"));
    for link in stylesheets(page) {
        edits.push((link.range, style.take().unwrap_or_default()));
    }
    ensure!(style.is_none(), "the page has no <link rel=\"stylesheet\">");
    for rel in ["modulepreload", "preload"] {
        edits.push((html::only(page, "link", "rel", rel)?.range, String::new()));
    }
    // A block at the end of the body: the shell is painted before the browser comes to a megabyte of it.
    edits.push((boot.start..boot_end + "</script>".len(), String::new()));
    let body_end = page.rfind("</body>").context("the page has no </body>")?;
    edits.push((body_end..body_end, blocks));
    let single = html::replace(page, edits);
    nothing_outside(&single)?;
    Ok(single)
}

fn stylesheets(page: &str) -> Vec<Tag<'_>> {
    html::tags(page, "link").into_iter().filter(|link| link.get("rel") == Some("stylesheet")).collect()
}

/// Fails when the page still names a file beside it.
fn nothing_outside(page: &str) -> Result<()> {
    for (tag, attribute) in [("link", "href"), ("script", "src"), ("img", "src")] {
        let outside =
            html::tags(page, tag).into_iter().filter_map(|t| t.get(attribute)).find(|url| !url.starts_with("data:"));
        if let Some(url) = outside {
            bail!("the single file still needs <{tag} {attribute}=\"{url}\">");
        }
    }
    Ok(())
}

/// The styles as they may stand in a `<style>`.
fn style(css: String) -> Result<String> {
    ensure!(!css.contains("</style"), "the style contains `</style`, which would end it");
    ensure!(!css.contains("@import"), "the style imports another file");
    let outside = css.split("url(").skip(1).find(|url| !url.trim_start_matches(['"', '\'']).starts_with("data:"));
    if let Some(url) = outside {
        bail!("the style names another file: url({}", url.chars().take(40).collect::<String>());
    }
    Ok(css)
}

/// The glue and the boot script as one inline module.
fn script(glue: &str, boot: &str) -> Result<String> {
    let mut script = String::with_capacity(glue.len() + boot.len());
    let mut has_export_line = false;
    for line in glue.lines() {
        if line.starts_with("export {") {
            ensure!(line.contains("__wbg_init as default"), "the glue exports something else by default: {line}");
            has_export_line = true;
            continue;
        }
        ensure!(!line.starts_with("import "), "the glue needs another file: {line}");
        script.push_str(line.strip_prefix("export ").unwrap_or(line));
        script.push('\n');
    }
    ensure!(has_export_line, "the glue has no line `export {{ … }}`; was it minified?");
    script.push_str(boot);
    // Either would change how the browser reads the rest of the page.
    for end in ["</script", "<!--"] {
        ensure!(!script.to_ascii_lowercase().contains(end), "the script contains `{end}`");
    }
    Ok(script)
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLUE: &str = "let wasm;\nexport function judge() {}\nfunction __wbg_init() {}\n\
                        export { initSync, __wbg_init as default };\n";
    const PAGE: &str = r#"<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="./icon.svg">
<link rel="stylesheet" href="./main-1.css" integrity="sha384-x"><link rel="modulepreload" href="./glue-1.js">
<link rel="preload" href="./app_bg.wasm" as="fetch"><script type="module" id="boot" src="./boot.js" data-js="./glue-1.js" data-wasm="./app_bg.wasm"></script></head><body><div id="shell"></div></body></html>"#;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files: [(&str, &[u8]); 5] = [
            ("icon.svg", b"<svg/>"),
            ("main-1.css", b"p{color:red}"),
            ("glue-1.js", GLUE.as_bytes()),
            ("app_bg.wasm", b"\0asm wasm"),
            ("boot.js", b"boot();\n"),
        ];
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        folder
    }

    #[test]
    fn everything_is_inlined_and_bound_to_the_policy() {
        let single = make(PAGE, folder().path()).unwrap();
        let script = "let wasm;\nfunction judge() {}\nfunction __wbg_init() {}\nboot();\n";
        assert!(single.contains(&format!("<script type=\"module\">{script}</script>")), "{single}");
        assert!(single.contains("<style>p{color:red}</style>"), "{single}");
        for hash in [integrity::sha256(script), integrity::sha256("p{color:red}")] {
            assert!(single.contains(&format!("'{hash}'")), "{single}");
        }
        assert!(single.find("http-equiv").unwrap() < single.find("<style>").unwrap());
        assert!(!single.contains("preload") && !single.contains("id=\"boot\""), "{single}");
    }

    #[test]
    fn several_styles_become_one_in_their_order() {
        let folder = folder();
        fs::write(folder.path().join("print-1.css"), "@media print{}").unwrap();
        let second = r#"<link rel="stylesheet" href="./print-1.css">"#;
        let page = PAGE.replace("</head>", &format!("{second}</head>"));
        let single = make(&page, folder.path()).unwrap();
        assert!(single.contains("<style>p{color:red}@media print{}</style>"), "{single}");
        assert_eq!(single.matches("<style>").count(), 1);
    }

    #[test]
    fn the_wasm_is_packed_and_comes_out_the_same() {
        let single = make(PAGE, folder().path()).unwrap();
        let block = html::only(&single, "script", "id", "part-wasm").unwrap().range.end;
        let text = single[block..].split_once('<').unwrap().0;
        let packed = gzip(b"\0asm wasm").unwrap();
        assert_eq!(text, base85::encode(&packed));
        assert!(single.contains(&format!("id=\"part-wasm\" data-bytes=\"{}\">", packed.len())), "{single}");
        let mut wasm = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&packed[..]), &mut wasm).unwrap();
        assert_eq!(wasm, b"\0asm wasm");
    }

    #[test]
    fn a_page_that_still_needs_another_file_is_refused() {
        let page = PAGE.replace("<body>", "<body><img src=\"./logo.png\">");
        let error = make(&page, folder().path()).unwrap_err().to_string();
        assert!(error.contains("./logo.png"), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let folder = folder();
        fs::remove_file(folder.path().join("boot.js")).unwrap();
        assert!(format!("{:#}", make(PAGE, folder.path()).unwrap_err()).contains("./boot.js"));
    }

    #[test]
    fn glue_without_an_export_line_is_refused() {
        let error = script("function __wbg_init() {} export{initSync,__wbg_init as default}", "").unwrap_err();
        assert!(error.to_string().contains("no line `export { … }`"), "{error}");
    }

    #[test]
    fn glue_that_imports_is_refused() {
        let glue = format!("import {{ a }} from './snippets/a.js';\n{GLUE}");
        assert!(script(&glue, "").unwrap_err().to_string().contains("./snippets/a.js"));
    }

    #[test]
    fn a_script_that_would_end_itself_is_refused() {
        for text in ["'</script>'", "'</SCRIPT>'", "'<!--'"] {
            assert!(script(GLUE, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_style_that_needs_another_file_or_ends_itself_is_refused() {
        for css in ["a{background:url(b.png)}", "@import 'b.css';", "a{content:'</style>'}"] {
            assert!(style(css.to_owned()).is_err(), "{css}");
        }
        assert!(style("a{background:url(\"data:image/png;base64,AA\")}".to_owned()).is_ok());
    }
}
