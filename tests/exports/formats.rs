//! Each format read by a parser of its own.

use std::cell::RefCell;
use std::collections::BTreeSet;

use etcd_upgrade_planner::export::document::Detail;
use etcd_upgrade_planner::export::report::Report;
use etcd_upgrade_planner::export::{self, Format, html, servicenow};
use html5ever::tokenizer::{BufferQueue, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use pulldown_cmark::{Event, Options, Parser, Tag as Mark, TagEnd};
use sha2::Digest as _;

use crate::clusters::ALL;

fn full(report: &Report, format: Format) -> String {
    export::write(report, format, Detail::Full)
}

fn step_ids(report: &Report) -> Vec<&str> {
    report.checklist.iter().flat_map(|phase| &phase.steps).map(|step| step.id.as_str()).collect()
}

fn blocked(report: &Report) -> BTreeSet<&str> {
    report.findings.iter().filter(|f| f.outcome == "blocked").map(|f| f.gate.as_str()).collect()
}

#[test]
fn every_blocked_gate_and_every_step_is_in_every_full_export() {
    let (mut gates, mut steps) = (0, 0);
    for cluster in ALL {
        let report = cluster.report();
        for format in Format::ALL {
            // Escapes are undone: what is looked for is what a reader sees.
            let text = seen(format, &full(&report, format));
            for gate in blocked(&report) {
                assert!(text.contains(gate), "{} {format:?}: {gate}", cluster.name);
                gates += 1;
            }
            for id in step_ids(&report) {
                assert!(text.contains(id), "{} {format:?}: {id}", cluster.name);
                steps += 1;
            }
        }
    }
    assert!(gates >= 16 && steps >= 400, "{gates} gates and {steps} steps are not enough to tell");
}

/// An export as its reader sees it.
fn seen(format: Format, text: &str) -> String {
    match format {
        Format::Jira => references(text),
        Format::Html | Format::Rich => page(text).text,
        // Its fields break a text at lines, an id never.
        Format::Markdown => markdown(text).text,
        Format::Csv => csv::Reader::from_reader(text.as_bytes())
            .records()
            .flat_map(|row| row.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join("\n"),
        Format::Json => text.replace("\\\"", "\"").replace("\\n", "\n").replace("\\\\", "\\"),
        Format::Text | Format::ServiceNow => text.to_owned(),
    }
}

/// `&#124;` as `|`.
fn references(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split("&#").enumerate() {
        match part.split_once(';').filter(|_| at > 0) {
            Some((number, rest)) => out.extend(char::from_u32(number.parse().unwrap()).into_iter().chain(rest.chars())),
            None => out.push_str(part),
        }
    }
    out
}

struct Markdown {
    tasks: Vec<(bool, String)>,
    text: String,
    html: Vec<String>,
    links: Vec<String>,
}

fn markdown(text: &str) -> Markdown {
    let mut read = Markdown { tasks: Vec::new(), text: String::new(), html: Vec::new(), links: Vec::new() };
    let mut in_task = false;
    for event in Parser::new_ext(text, Options::ENABLE_TASKLISTS | Options::ENABLE_TABLES) {
        match event {
            Event::TaskListMarker(done) => {
                read.tasks.push((done, String::new()));
                in_task = true;
            }
            Event::Text(words) | Event::Code(words) => {
                read.text.push_str(&words);
                if let (true, Some((_, title))) = (in_task, read.tasks.last_mut()) {
                    title.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => read.text.push(' '),
            Event::Html(html) | Event::InlineHtml(html) => read.html.push(html.to_string()),
            Event::Start(Mark::Link { dest_url, .. }) => read.links.push(dest_url.to_string()),
            Event::End(TagEnd::Paragraph) => {
                in_task = false;
                read.text.push('\n');
            }
            Event::End(TagEnd::CodeBlock | TagEnd::Heading(_) | TagEnd::Item | TagEnd::TableCell) => {
                read.text.push('\n')
            }
            _ => {}
        }
    }
    read
}

#[test]
fn markdown_is_a_task_list_with_every_step_and_nothing_of_the_names_is_markup() {
    for cluster in ALL {
        let report = cluster.report();
        let read = markdown(&full(&report, Format::Markdown));
        let steps: Vec<_> = report.checklist.iter().flat_map(|phase| &phase.steps).collect();
        assert_eq!(read.tasks.len(), report.asks.len() + steps.len(), "{}", cluster.name);
        for (step, (done, title)) in steps.iter().zip(&read.tasks[report.asks.len()..]) {
            assert_eq!(*done, step.record.as_ref().is_some_and(|r| r.done), "{}", step.id);
            let words = step.title.replace('\n', " ");
            assert!(title.starts_with(&format!("{}. {words}", step.number)), "{title:?} is not {words:?}");
        }
        assert_eq!(read.html, Vec::<String>::new(), "{}", cluster.name);
        let own = |link: &&String| !link.starts_with("https://");
        assert_eq!(read.links.iter().find(own), None, "{}", cluster.name);
    }
}

#[derive(Default)]
struct Page {
    tags: Vec<Tag>,
    text: String,
}

struct Sink(RefCell<Page>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => page.tags.push(tag),
            Token::CharacterTokens(text) => page.text.push_str(&text),
            Token::ParseError(error) => panic!("the page is no good HTML: {error}"),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn page(text: &str) -> Page {
    let input = BufferQueue::default();
    input.push_back(text.into());
    let tokenizer =
        Tokenizer::new(Sink(RefCell::default()), TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() });
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

#[test]
fn no_element_of_a_page_comes_from_data() {
    const KNOWN: [&str; 31] = [
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "h3",
        "p",
        "strong",
        "b",
        "br",
        "code",
        "pre",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "a",
        "section",
        "div",
        "span",
        "em",
        "i",
    ];
    for cluster in ALL {
        let report = cluster.report();
        for format in [Format::Html, Format::Rich] {
            for tag in page(&full(&report, format)).tags {
                let name = tag.name.to_string();
                assert!(KNOWN.contains(&&*name), "{}: <{name}>", cluster.name);
                for attribute in tag.attrs {
                    let (key, value) = (attribute.name.local.to_string(), attribute.value.to_string());
                    assert!(!key.starts_with("on") && key != "style", "{}: {key}={value}", cluster.name);
                    assert!(key != "href" || value.starts_with("https://"), "{}: {value}", cluster.name);
                }
            }
        }
    }
}

#[test]
fn the_page_forbids_all_but_its_own_style() {
    let text = full(&ALL[0].report(), Format::Html);
    let hash = sha2::Sha256::digest(html::STYLE.as_bytes());
    let hash = format!("sha256-{}", base64(&hash));
    assert_eq!(html::STYLE_HASH, hash, "the style has changed: this is its hash");
    let policy = page(&text).tags.into_iter().find_map(|tag| {
        let of = |key: &str| tag.attrs.iter().find(|a| &*a.name.local == key).map(|a| a.value.to_string());
        (of("http-equiv").as_deref() == Some("Content-Security-Policy")).then(|| of("content")).flatten()
    });
    let expected = format!("default-src 'none'; style-src '{hash}'; base-uri 'none'; form-action 'none'");
    assert_eq!(policy, Some(expected));
    assert!(text.contains(&format!("<style>{}</style>", html::STYLE)));
}

fn base64(bytes: &[u8]) -> String {
    use base64ct::Encoding as _;
    base64ct::Base64::encode_string(bytes)
}

#[test]
fn csv_gives_back_every_cell_and_calculates_none() {
    for cluster in ALL {
        let report = cluster.report();
        let text = full(&report, Format::Csv);
        assert!(text.matches('\n').count() > 3);
        let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
        let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let at = |name: &str| columns.iter().position(|c| c == name).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        for cell in rows.iter().flatten() {
            assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']), "{}: {cell}", cluster.name);
        }
        let steps: Vec<_> = report.checklist.iter().flat_map(|phase| &phase.steps).collect();
        let written: Vec<_> = rows.iter().filter(|row| &row[0] == "step").collect();
        assert_eq!(written.len(), steps.len());
        for (row, step) in written.iter().zip(steps) {
            assert_eq!(row[at("title")].trim_start_matches('\''), step.title);
            assert_eq!(row[at("commands")].trim_start_matches('\''), step.commands.join("\n"));
            let record = step.record.clone().unwrap_or_default();
            assert_eq!(row[at("owner")], record.owner);
            assert_eq!(row[at("note")].trim_start_matches('\''), record.note);
        }
    }
}

#[test]
fn fields_of_a_change_request_keep_their_lengths_and_say_what_goes_on() {
    let mut went_on = 0;
    for cluster in ALL {
        for detail in [Detail::Full, Detail::Brief] {
            let fields = servicenow::fields(&cluster.report(), detail);
            let names: Vec<&str> = fields.iter().map(|f| f.name).filter(|n| *n != servicenow::WORK_NOTES).collect();
            assert_eq!(
                names,
                [
                    "short_description",
                    "description",
                    "justification",
                    "implementation_plan",
                    "risk_impact_analysis",
                    "backout_plan",
                    "test_plan"
                ]
            );
            assert_eq!(fields[0].limit, 160);
            for field in &fields {
                assert!(field.text.chars().count() <= field.limit, "{}: {}", cluster.name, field.label);
                if field.over > 0 {
                    assert!(field.text.contains("goes on in the work notes"), "{}", field.label);
                    went_on += 1;
                }
            }
        }
    }
    assert!(went_on > 0);
}

#[test]
fn jira_has_no_markup_of_the_names() {
    let report = ALL.iter().find(|c| c.name == "names").unwrap().report();
    let text = full(&report, Format::Jira);
    let mut verbatim = false;
    for line in text.lines() {
        if line.starts_with("{code") || line.starts_with("{noformat") {
            verbatim = !verbatim;
            continue;
        }
        if !verbatim {
            let plain = line.replace("{{", "").replace("}}", "");
            assert!(!plain.contains(['{', '}', '\\']), "{line}");
            // Links are ours, and a table has as many borders as its heading.
            assert!(!plain.contains("|'"), "{line}");
        }
    }
    assert!(!verbatim, "a block is not closed");
    let table: Vec<&str> = text.lines().filter(|l| l.starts_with('|')).collect();
    assert!(table.len() >= 4, "{table:?}");
    assert!(table[1..4].iter().all(|row| row.matches('|').count() == 8), "{table:#?}");
}

#[test]
fn records_and_waivers_are_in_every_format_brief_or_full() {
    for cluster in ALL.iter().filter(|c| c.name == "v2-on" || c.name == "names") {
        let report = cluster.report();
        assert!(!report.waivers.is_empty(), "{} accepts nothing", cluster.name);
        for format in Format::ALL {
            for detail in [Detail::Full, Detail::Brief] {
                let text = seen(format, &export::write(&report, format, detail));
                for part in ["Ann Ångström", "30 Nov, 21:40", "Accepted in CHG-7, | see {there}", "second line"] {
                    assert!(text.contains(part), "{} {format:?} {detail:?}: {part}", cluster.name);
                }
            }
        }
    }
}

#[test]
fn brief_is_shorter_and_without_evidence_no_pasted_line_is_left() {
    let mut report = ALL[1].report();
    for format in Format::ALL.into_iter().filter(|f| *f != Format::Json) {
        let (full, brief) =
            (export::write(&report, format, Detail::Full), export::write(&report, format, Detail::Brief));
        assert!(brief.len() * 2 < full.len(), "{format:?}: {} of {}", brief.len(), full.len());
    }
    let quote = report.findings.iter().filter(|f| f.outcome == "blocked").find_map(|f| f.grounds.first()).unwrap();
    let line = quote.quote.lines().next().unwrap().to_owned();
    assert!(full(&report, Format::Text).contains(&line));
    report.leave_evidence_out();
    assert!(report.findings.iter().flat_map(|f| &f.grounds).all(|g| g.quote.is_empty() && g.mark.is_none()));
    assert!(!full(&report, Format::Text).contains("        | "));
}
