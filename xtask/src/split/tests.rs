use std::fs;
use std::process::Command;

use super::*;
use crate::process::output;

/// Cuts a module written as text, where functions have their names.
fn cut(text: &str, roots: &[&str]) -> Result<Parts> {
    let wasm = wat::parse_str(text).unwrap();
    let roots: Vec<Root> = roots.iter().map(|path| Root { path: (*path).to_owned() }).collect();
    split(&wasm, &roots, 0)
}

/// Runs JavaScript in Node on both parts: `first` are the exports of the first, `arrive()` instantiates the second.
/// Returns what the script gives back, as JSON.
fn run(parts: &Parts, script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, wasm) in [("first", &parts.first), ("second", &parts.second)] {
        fs::write(folder.path().join(name), wasm).unwrap();
    }
    let script = format!(
        "const {{ readFileSync }} = require('fs');
         const load = async (name, imports) => (await WebAssembly.instantiate(readFileSync(name), imports)).instance.exports;
         const said = [];
         const trap = (f) => {{ try {{ return String(f()); }} catch (error) {{ return error.name; }} }};
         (async () => {{
           const first = await load('first', {{ js: {{ say: (n) => {{ said.push(n); }} }} }});
           const arrive = () => load('second', {{ first }});
           {script}
         }})().then((result) => console.log(JSON.stringify(result)));"
    );
    output(Command::new("node").current_dir(folder.path()).args(["-e", &script])).unwrap().trim().to_owned()
}

/// How many functions a module has itself.
fn own_functions(wasm: &[u8]) -> usize {
    let bodies = wasmparser::Parser::new(0).parse_all(wasm);
    bodies.filter(|payload| matches!(payload, Ok(wasmparser::Payload::CodeSectionEntry(_)))).count()
}

fn error(result: Result<Parts>) -> String {
    format!("{:#}", result.err().expect("it is refused"))
}

#[test]
fn a_call_into_the_second_part_traps_until_it_is_there() {
    let parts = cut(
        r#"(module
             (func $far (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
             (func (export "near") (param i32) (result i32) (call $far (local.get 0)))
             (table 0 funcref))"#,
        &["far"],
    )
    .unwrap();
    assert_eq!(
        run(&parts, "const early = trap(() => first.near(7)); await arrive(); return [early, first.near(7)];"),
        r#"["RuntimeError",21]"#
    );
}

#[test]
fn the_second_part_calls_the_first_and_javascript_and_shares_globals_and_memory() {
    let parts = cut(
        r#"(module
             (import "js" "say" (func $say (param i32)))
             (memory (export "memory") 1)
             (table 1 1 funcref)
             (global $stack (mut i32) (i32.const 100))
             (func $only_far (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
             (func $near (export "near") (param i32) (result i32)
               (global.set $stack (i32.sub (global.get $stack) (i32.const 16)))
               (global.get $stack))
             (func $far (param i32)
               (call $say (call $only_far (call $near (i32.const 0))))
               (i32.store (i32.const 8) (global.get $stack)))
             (func (export "go") (call $far (i32.const 5)))
             (func (export "peek") (result i32) (i32.load (i32.const 8))))"#,
        &["far"],
    )
    .unwrap();
    assert_eq!(
        run(&parts, "await arrive(); first.go(); first.go(); return [said, first.peek(), first.near()];"),
        "[[85,69],68,52]"
    );
    // It went along: nothing but `far` calls it.
    assert_eq!((own_functions(&parts.first), own_functions(&parts.second)), (3, 2));
}

#[test]
fn recursion_goes_across_and_back() {
    let parts = cut(
        r#"(module
             (table 0 funcref)
             (func $even (export "even") (param i32) (result i32)
               (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 1))
                 (else (call $odd (i32.sub (local.get 0) (i32.const 1))))))
             (func $odd (param i32) (result i32)
               (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
                 (else (call $even (i32.sub (local.get 0) (i32.const 1)))))))"#,
        &["odd"],
    )
    .unwrap();
    assert_eq!(run(&parts, "await arrive(); return [first.even(10), first.even(7)];"), "[1,0]");
}

#[test]
fn functions_in_the_table_keep_their_slots() {
    let text = r#"(module
         (type $f (func (result i32)))
         (table (export "table") 5 5 funcref)
         (elem (i32.const 1) $one $two $three $two)
         (func $one (result i32) (i32.const 1))
         (func $two (result i32) (i32.const 2))
         (func $three (result i32) (i32.const 3))
         (func (export "at") (param i32) (result i32) (call_indirect (type $f) (local.get 0)))
         (func (export "direct") (result i32) (call $two)))"#;
    let call_all = "[1, 2, 3, 4].map((slot) => trap(() => first.at(slot)))";
    let parts = cut(text, &["two"]).unwrap();
    assert_eq!(
        run(&parts, &format!("const early = {call_all}; await arrive(); return [early, {call_all}, first.direct()];")),
        r#"[["1","RuntimeError","3","RuntimeError"],["1","2","3","2"],2]"#
    );
    // Its slot serves for direct calls too.
    assert_eq!(run(&parts, "return first.table.length;"), "5");
    // What stands in the table may be called by anybody, so it stays when no root names it.
    assert_eq!(own_functions(&parts.second), 1);
}

#[test]
fn a_stand_in_traps_even_when_it_is_called_as_what_it_is() {
    let parts = cut(
        r#"(module
             (type $f (func))
             (table 1 funcref)
             (elem (i32.const 0) $far)
             (func $far)
             (func (export "go") (call_indirect (type $f) (i32.const 0))))"#,
        &["far"],
    )
    .unwrap();
    assert_eq!(
        run(&parts, "const early = trap(first.go); await arrive(); return [early, trap(first.go)];"),
        r#"["RuntimeError","undefined"]"#
    );
}

#[test]
fn references_to_functions_reach_across() {
    let parts = cut(
        r#"(module
             (type $f (func (result i32)))
             (table $t 2 funcref)
             (elem declare func $far $near)
             (elem (i32.const 0) $near)
             (func $near (result i32) (i32.const 1))
             (func $far (result i32) (i32.const 2))
             (func $put (table.set $t (i32.const 0) (ref.func $near)) (table.set $t (i32.const 1) (ref.func $far)))
             (func (export "put_far") (table.set $t (i32.const 1) (ref.func $far)))
             (func (export "put_both") (call $put))
             (func (export "at") (param i32) (result i32) (call_indirect (type $f) (local.get 0))))"#,
        &["far", "put"],
    )
    .unwrap();
    let both = "[first.at(0), first.at(1)]";
    assert_eq!(
        run(
            &parts,
            &format!("await arrive(); first.put_far(); const one = {both}; first.put_both(); return [one, {both}];")
        ),
        "[[1,2],[1,2]]"
    );
}

#[test]
fn the_blob_moves_to_the_same_address_and_what_is_around_it_stays() {
    let magic = std::str::from_utf8(blob::MAGIC).unwrap();
    let parts = cut(
        &format!(
            r#"(module
                 (memory (export "memory") 1)
                 (table 0 funcref)
                 (data (i32.const 64) "before{magic}\06\00\00\00packedafter")
                 (func $far (result i32) (i32.load8_u (i32.const 106)))
                 (func (export "go") (result i32) (call $far)))"#
        ),
        &["far"],
    )
    .unwrap();
    let read = "Buffer.from(first.memory.buffer, 64, 60).toString('latin1').replace(/\\0+/g, '.')";
    let said = run(&parts, &format!("const early = {read}; await arrive(); return [early, {read}, first.go()];"));
    assert_eq!(said, format!(r#"["before.after.","before{magic}\u0006.packedafter.",112]"#));
    assert!(!parts.first.windows(6).any(|bytes| bytes == b"packed"));
}

#[test]
fn memory_that_has_grown_is_shared_all_the_same() {
    let parts = cut(
        r#"(module
             (memory (export "memory") 1 20)
             (table 0 funcref)
             (func $far (result i32)
               (drop (memory.grow (i32.const 2)))
               (i32.store (i32.const 200000) (i32.const 9))
               (memory.size))
             (func (export "go") (result i32) (call $far))
             (func (export "peek") (result i32) (i32.load (i32.const 200000))))"#,
        &["far"],
    )
    .unwrap();
    assert_eq!(
        run(
            &parts,
            "first.memory.grow(3); await arrive(); return [first.go(), first.peek(), first.memory.buffer.byteLength / 65536];"
        ),
        "[6,9,6]"
    );
}

#[test]
fn what_javascript_calls_never_moves() {
    let text = r#"(module
         (table 1 funcref)
         (func $all::exported (export "exported") (result i32) (call $all::inner))
         (func $all::started)
         (func $all::inner (result i32) (i32.const 4))
         (start $all::started))"#;
    let parts = cut(text, &["all"]).unwrap();
    assert_eq!(run(&parts, "await arrive(); return first.exported();"), "4");
    assert_eq!(own_functions(&parts.second), 1);
    assert_eq!(error(cut(text, &["all::exported"])), "`all::exported` names only functions that JavaScript calls");
}

#[test]
fn a_root_that_names_nothing_is_refused() {
    let text = r#"(module (table 1 funcref) (func $a::b) (func (export "go") (call $a::b)))"#;
    let refused = error(cut(text, &["a::b", "a::c"]));
    assert_eq!(refused, "`a::c` names no function: was it renamed, or inlined by the compiler?");
    assert!(error(cut(text, &["a", "a::b"])).contains("`a::b` names nothing that the lines above it do not"));
}

#[test]
fn a_small_function_is_no_door_but_goes_along() {
    let text = r#"(module
         (table 1 funcref)
         (func $far::small (result i32) (i32.const 1))
         (func $far::large (result i32) (i32.add (call $far::leaf) (i32.add (i32.const 100000) (i32.const 200000))))
         (func $far::leaf (result i32) (i32.const 2))
         (func (export "go") (result i32) (i32.add (call $far::small) (call $far::large))))"#;
    let wasm = wat::parse_str(text).unwrap();
    let root = |path: &str| [Root { path: path.to_owned() }];
    let parts = split(&wasm, &root("far"), 10).unwrap();
    assert_eq!((own_functions(&parts.first), own_functions(&parts.second)), (2, 2));
    assert_eq!(run(&parts, "await arrive(); return first.go();"), "300003");
    let refused = error(split(&wasm, &root("far::small"), 10));
    assert_eq!(refused, "`far::small` names only functions that are imported or smaller than 10 bytes");
}

#[test]
fn a_module_without_names_is_refused() {
    let nameless = stripped(&wat::parse_str(r#"(module (table 1 funcref) (func $a::b))"#).unwrap()).unwrap();
    let refused = error(split(&nameless, &[Root { path: "a::b".to_owned() }], 0));
    assert!(refused.contains("no names"), "{refused}");
}

#[test]
fn stripping_leaves_everything_but_the_names() {
    let wasm = wat::parse_str(
        r#"(module
             (memory (export "memory") 1)
             (table 2 funcref)
             (elem (i32.const 0) $a $b)
             (data (i32.const 3) "abc")
             (func $a) (func $b (export "b") (result i32) (i32.load8_u (i32.const 4))))"#,
    )
    .unwrap();
    let bare = stripped(&wasm).unwrap();
    assert!(bare.len() < wasm.len());
    assert!(Module::read(&bare).unwrap().names.is_empty());
    let parts = Parts { first: bare, second: Vec::new() };
    assert_eq!(run(&parts, "return first.b();"), "98");
}
