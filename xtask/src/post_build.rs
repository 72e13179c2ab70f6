//! What Trunk calls after each build, before it moves the staging folder over `dist/`: integrity of every file the
//! page starts from and the Content-Security-Policy; in a release also the single file and the second part.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::html::{self, Tag};
use crate::workspace::{BIN, WASM_FLAGS, cargo_home, root};
use crate::{csp, integrity, single_file, split};

/// In pages of `trunk serve`: an inline script whose text Trunk finishes only when it answers a request, so no policy
/// can know its hash.
const RELOAD_SCRIPT: &str = "__TRUNK_ADDRESS__";

/// Works on the folder that Trunk names in its variables.
pub fn run() -> Result<()> {
    let staging = env::var_os("TRUNK_STAGING_DIR")
        .map(PathBuf::from)
        .context("TRUNK_STAGING_DIR is not set: this command is for Trunk to call")?;
    let index = staging.join("index.html");
    let mut page = fs::read_to_string(&index).with_context(|| index.display().to_string())?;
    let served = page.contains(RELOAD_SCRIPT);
    let release = env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release");

    if release && !served {
        paths_in_wasm(&page, &staging)?;
        let (whole, path) = whole_wasm(&page, &staging)?;
        // The single file has the whole of it, without the names by which it is cut.
        fs::write(path, split::stripped(&whole)?)?;
        fs::write(staging.join(single_file::FILE_NAME), single_file::make(&page, &staging)?)?;
        page = in_two_parts(&page, &staging, &whole, &split::roots()?, split::LEAST_DOOR)?;
    }
    let mut hosted = with_integrity(&page, &staging)?;
    if !served {
        hosted = with_policy(&hosted)?;
    }
    fs::write(&index, hosted)?;
    Ok(())
}

/// The wasm as wasm-opt left it, with names, and where it lies. A copy stays for `cargo xtask second-part`.
fn whole_wasm(page: &str, staging: &Path) -> Result<(Vec<u8>, PathBuf)> {
    let name = html::only(page, "script", "id", "boot")?.get("data-wasm").context("no data-wasm")?;
    let path = staging.join(name);
    let whole = fs::read(&path).with_context(|| name.to_owned())?;
    let copy = split::whole();
    fs::create_dir_all(copy.parent().unwrap_or(root()))?;
    fs::write(&copy, &whole).with_context(|| copy.display().to_string())?;
    Ok((whole, path))
}

/// Puts the two parts in the place of the wasm, each named by its content, and the second part's name into the page.
fn in_two_parts(page: &str, staging: &Path, whole: &[u8], roots: &[split::Root], least_door: usize) -> Result<String> {
    let parts = split::split(whole, roots, least_door).context("the second part of the wasm")?;
    let old = html::only(page, "script", "id", "boot")?.get("data-wasm").context("no data-wasm")?.to_owned();
    let named = |part: &str, wasm: &[u8]| format!("./{BIN}-{}_{part}.wasm", integrity::in_name(wasm));
    let (first, second) = (named("bg", &parts.first), named("second", &parts.second));
    fs::remove_file(staging.join(&old)).with_context(|| old.clone())?;
    fs::write(staging.join(&first), parts.first)?;
    fs::write(staging.join(&second), parts.second)?;
    // Its preload and its attribute.
    let page = page.replace(&old, &first);
    let boot = html::only(&page, "script", "id", "boot")?.range.end - 1;
    Ok(html::replace(&page, vec![(boot..boot, format!(" data-second=\"{second}\""))]))
}

/// The page with the hash of each file it is made of. `boot.js` holds both parts of the wasm against theirs.
///
/// The glue comes by `import()`, for which an import map is the one place to say the hash. The preload says it too,
/// but a browser may answer a preload that failed by fetching once more, and then only the map speaks.
fn with_integrity(page: &str, staging: &Path) -> Result<String> {
    let boot = html::only(page, "script", "id", "boot")?;
    let glue = html::only(page, "link", "rel", "modulepreload")?;
    let hash = |tag: &Tag, attribute: &str| -> Result<String> {
        let name = tag.get(attribute).with_context(|| format!("the tag has no {attribute}"))?;
        Ok(integrity::sha384(&fs::read(staging.join(name)).with_context(|| name.to_owned())?))
    };
    let add = |tag: &Tag, attributes: String| (tag.range.end - 1..tag.range.end - 1, attributes);
    let second = match boot.get("data-second") {
        Some(_) => format!(" data-second-integrity=\"{}\"", hash(&boot, "data-second")?),
        None => String::new(),
    };
    let charset = html::only(page, "meta", "charset", "utf-8")?.range.end;
    let glue_hash = hash(&boot, "data-js")?;
    let map = import_map(boot.get("data-js").context("the boot script has no data-js")?, &glue_hash);
    Ok(html::replace(
        page,
        vec![
            // A map counts for what comes after it only.
            (charset..charset, format!("<script type=\"importmap\">{map}</script>")),
            add(&glue, format!(" integrity=\"{glue_hash}\"")),
            add(
                &boot,
                format!(
                    " integrity=\"{}\" data-wasm-integrity=\"{}\"{second}",
                    hash(&boot, "src")?,
                    hash(&boot, "data-wasm")?
                ),
            ),
        ],
    ))
}

/// An import map that says nothing but what the module at this address must be.
fn import_map(module: &str, hash: &str) -> String {
    serde_json::json!({ "integrity": { module: hash } }).to_string()
}

/// The page with its policy, before anything that the policy is to hold for.
fn with_policy(page: &str) -> Result<String> {
    let charset = html::only(page, "meta", "charset", "utf-8")?.range.end;
    let map = html::only(page, "script", "type", "importmap")?.range.end;
    let (map, _) = page[map..].split_once("</script>").context("the import map is not closed")?;
    let policy = csp::hosted(&integrity::sha256(map));
    Ok(html::replace(page, vec![(charset..charset, csp::meta(&policy))]))
}

/// The wasm must not name the folders of the machine that built it. `cargo xtask dist` sets flags against it; a plain
/// `trunk build --release` does not, and is warned.
fn paths_in_wasm(page: &str, staging: &Path) -> Result<()> {
    let name = html::only(page, "script", "id", "boot")?.get("data-wasm").context("no data-wasm")?;
    let wasm = fs::read(staging.join(name)).with_context(|| name.to_owned())?;
    for folder in [cargo_home()?, root().to_owned()] {
        let folder = folder.display().to_string();
        if !contains(&wasm, folder.as_bytes()) {
            continue;
        }
        if env::var_os(WASM_FLAGS).is_some() {
            bail!("the wasm names {folder}, though {WASM_FLAGS} is set");
        }
        eprintln!("warning: the wasm names {folder}; publish what `cargo xtask dist` builds");
    }
    Ok(())
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<meta charset="utf-8"><link rel="modulepreload" href="./g.js"><script id="boot" src="./boot.js" data-js="./g.js" data-wasm="./a.wasm"></script>"#;

    fn staging() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in ["g.js", "boot.js", "a.wasm"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        folder
    }

    #[test]
    fn each_file_the_page_starts_from_has_its_own_hash() {
        let page = with_integrity(PAGE, staging().path()).unwrap();
        let boot = html::only(&page, "script", "id", "boot").unwrap();
        let glue = html::only(&page, "link", "rel", "modulepreload").unwrap();
        assert_eq!(boot.get("integrity"), Some(&*integrity::sha384(b"boot.js")));
        assert_eq!(boot.get("data-wasm-integrity"), Some(&*integrity::sha384(b"a.wasm")));
        assert_eq!(glue.get("integrity"), Some(&*integrity::sha384(b"g.js")));
    }

    #[test]
    fn a_cut_wasm_is_two_files_named_and_bound_by_their_content() {
        let folder = staging();
        let whole =
            wat::parse_str("(module (table 0 funcref) (func $a::b) (func (export \"go\") (call $a::b)))").unwrap();
        fs::write(folder.path().join("a.wasm"), &whole).unwrap();
        let roots = [split::Root { path: "a::b".to_owned() }];
        let page = PAGE.replace("<script", "<link rel=\"preload\" href=\"./a.wasm\"><script");
        let page = in_two_parts(&page, folder.path(), &whole, &roots, 0).unwrap();
        let page = with_integrity(&page, folder.path()).unwrap();
        let boot = html::only(&page, "script", "id", "boot").unwrap();
        for (file, hash) in [("data-wasm", "data-wasm-integrity"), ("data-second", "data-second-integrity")] {
            let name = boot.get(file).unwrap();
            let bytes = fs::read(folder.path().join(name)).unwrap();
            assert!(name.contains(&integrity::in_name(&bytes)), "{name}");
            assert_eq!(boot.get(hash), Some(&*integrity::sha384(&bytes)));
        }
        assert_eq!(html::only(&page, "link", "rel", "preload").unwrap().get("href"), boot.get("data-wasm"));
        assert!(!folder.path().join("a.wasm").exists(), "the whole wasm is not published");
    }

    #[test]
    fn the_import_map_comes_before_any_module_and_binds_the_glue() {
        let page = with_integrity(PAGE, staging().path()).unwrap();
        let map = format!(r#"{{"integrity":{{"./g.js":"{}"}}}}"#, integrity::sha384(b"g.js"));
        assert!(
            page.starts_with(&format!(r#"<meta charset="utf-8"><script type="importmap">{map}</script>"#)),
            "{page}"
        );
        let policy = with_policy(&page).unwrap();
        assert!(policy.contains(&format!("'{}'", integrity::sha256(&map))), "{policy}");
    }

    #[test]
    fn a_file_that_is_not_there_fails_the_build() {
        let folder = staging();
        fs::remove_file(folder.path().join("a.wasm")).unwrap();
        let error = format!("{:#}", with_integrity(PAGE, folder.path()).unwrap_err());
        assert!(error.contains("./a.wasm"), "{error}");
    }

    #[test]
    fn the_policy_comes_right_after_the_charset() {
        let page = with_policy(&with_integrity(PAGE, staging().path()).unwrap()).unwrap();
        assert!(page.starts_with("<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "), "{page}");
    }

    #[test]
    fn a_page_without_boot_script_fails_the_build() {
        let error = with_integrity("<meta charset=\"utf-8\">", staging().path()).unwrap_err().to_string();
        assert!(error.contains("no <script id=\"boot\">"), "{error}");
    }

    #[test]
    fn bytes_are_found_wherever_they_stand() {
        assert!(contains(b"\0asm/home/me/x", b"/home/me"));
        assert!(!contains(b"\0asm/home/m", b"/home/me"));
    }
}
