//! The text and JSON forms of mahjong-path, and the named cases.

use std::num::NonZeroU32;

use boardsolve::budget::{Budget, CancelFlag};
use boardsolve::grid::Cell;
use boardsolve::http::wire::{Stats, Wire};
use boardsolve::puzzle::{Invalid, OptionValues, Place, Puzzle};
use boardsolve::puzzles::mahjong_path::MahjongPath;
use boardsolve::puzzles::mahjong_path::board::{Options, Pair, tiles_of_rows};
use serde_json::{Value, json};

use super::{board, segments, solved};

fn read(text: &str) -> Result<String, Invalid> {
    let options = OptionValues::defaults(MahjongPath::OPTIONS);
    let cases = MahjongPath::read_text(text, &options)?;
    Ok(cases
        .iter()
        .map(|case| MahjongPath::write_text(&case.board, Ok(&solved(&case.board))))
        .collect())
}

#[test]
fn every_named_case_has_its_answer() {
    let cases: Value = serde_json::from_str(include_str!("../../cases/mahjong_path.json")).unwrap();
    for case in cases["texts"].as_array().unwrap() {
        let expected = case["answer"].as_str().unwrap();
        assert_eq!(read(case["text"].as_str().unwrap()).as_deref(), Ok(expected), "{case}");
    }
    for case in cases["boards"].as_array().unwrap() {
        let cell = |x: &Value, y: &Value| json!({ "row": y.as_i64().unwrap() - 1, "col": x.as_i64().unwrap() - 1 });
        let pairs: Vec<Value> = case["queries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|query| json!({ "from": cell(&query[0], &query[1]), "to": cell(&query[2], &query[3]) }))
            .collect();
        for corners in [false, true] {
            let request = json!({ "board": case["board"], "pairs": pairs, "corners": corners });
            let board = MahjongPath::board(serde_json::from_value(request).unwrap()).unwrap();
            assert_eq!(json!(segments(&board)), case["answers"], "{}", case["name"]);
        }
    }
}

#[test]
fn several_boards_blank_rows_and_missing_end_marks_are_read() {
    let sample = "3 3\nX X\n\nX\n1 1 3 1\n1 1 1 3\n";
    for end in ["", "0 0 0 0\n", "0 0\n", "0 0 0 0\n0 0\n", "\n\n0 0 0 0  \n\n0 0\n\n"] {
        assert_eq!(read(&format!("{sample}{end}")).as_deref(), Ok("1\n1\n"), "{end:?}");
        let two = format!("\u{feff}\n{sample}{end}").replace("0 0\n", "0 0 0 0\n");
        let two =
            two.trim_end_matches(['0', ' ', '\n']).to_owned() + "\n0 0 0 0\n\n2 1\nXX\n1 1 2 1";
        assert_eq!(read(&two).as_deref(), Ok("1\n1\n1\n"), "{two:?}");
        let crlf = two.replace('\n', "\r\n");
        assert_eq!(read(&crlf).as_deref(), Ok("1\n1\n1\n"), "{crlf:?}");
    }
    // Without `0 0 0 0` the next board begins at a line of two numbers.
    assert_eq!(read(&format!("{sample}2 1\nXX\n2 1 1 1\n0 0\n")).as_deref(), Ok("1\n1\n1\n"));
    assert_eq!(read("2 1\nXX   \n1 1 2 1\n").as_deref(), Ok("1\n"));
    assert_eq!(read("2 1\nXX\n0 0 0 0\n").as_deref(), Ok(""));
    let options = OptionValues::defaults(MahjongPath::OPTIONS);
    assert_eq!(MahjongPath::read_text("\n0 0\n", &options), Ok(Vec::new()));
    let cases = MahjongPath::read_text("\n2 1\nXX\n\n2 1\nXX\n", &options).unwrap();
    assert_eq!(cases.iter().map(|case| case.line).collect::<Vec<_>>(), [2, 5]);
}

#[test]
fn the_options_of_a_text_body_reach_its_boards() {
    let mut options = OptionValues::defaults(MahjongPath::OPTIONS);
    options.set("outside", "false").unwrap();
    options.set("max_segments", "2").unwrap();
    options.set("corners", "false").unwrap();
    let cases = MahjongPath::read_text("2 1\nXX\n", &options).unwrap();
    let read = cases[0].board.options();
    assert_eq!((read.outside, read.max_segments, read.corners), (false, NonZeroU32::new(2), false));
    assert!(options.clone().set("max_segments", "0").is_err());
    let defaults = OptionValues::defaults(MahjongPath::OPTIONS);
    let cases = MahjongPath::read_text("2 1\nXX\n", &defaults).unwrap();
    assert_eq!(cases[0].board.options(), Options::default());
}

#[test]
fn a_fault_of_a_text_body_is_found_at_its_line_and_column() {
    let faults = [
        ("3\n", true, (1, 2)),
        ("3 x\n", true, (1, 3)),
        ("0 3\n", false, (1, 1)),
        ("3 -1\n", false, (1, 3)),
        ("1001 3\n", false, (1, 1)),
        ("3 2\nX\n", true, (3, 1)),
        ("3 1\nXXXX\n", true, (2, 4)),
        ("3 1\n   X\n", true, (2, 4)),
        ("3 1\nX\tX\n", false, (2, 2)),
        ("3 1\nX X\n1 1 3\n", true, (3, 6)),
        ("3 1\nX X\n1 1 3 1 1\n", true, (3, 9)),
        ("3 1\nX X\n1 1 3 a\n", true, (3, 7)),
        ("3 1\nX X\n1 1 3 1\n1 1 2 1\n", false, (4, 5)),
        ("3 1\nX X\n2 1 3 1\n", false, (3, 1)),
        ("3 1\nX X\n1 1 4 1\n", false, (3, 5)),
        ("3 1\nX X\n1 1 3  2\n", false, (3, 8)),
        ("3 1\nX X\n1 99999999999 3 1\n", false, (3, 3)),
        ("3 1\nX X\n0 0 3 1\n", false, (3, 1)),
        ("3 1\nX X\n1 1 1 1\n", false, (3, 5)),
        ("3 1\nX X\n0 0 0 0\n0 0\n\n3 1\n", true, (6, 1)),
        ("3 1\nX X\n0 0 0 0\n1 1 3 1\n", true, (4, 5)),
    ];
    for (text, malformed, (line, column)) in faults {
        let invalid = read(text).unwrap_err();
        assert_eq!(invalid.place, Place::Line { line, column }, "{text:?}: {invalid}");
        assert_eq!(invalid.malformed, malformed, "{text:?}: {invalid}");
    }
}

#[test]
fn a_body_of_many_great_boards_with_rows_cut_short_is_refused() {
    let board = format!("1000 1000\n{}", "\n".repeat(1000));
    let invalid = read(&board.repeat(65)).unwrap_err();
    assert_eq!(invalid.place, Place::Line { line: 64 * 1001 + 1, column: 1 });
    assert!(invalid.limit.is_some());
}

#[test]
fn a_fault_of_a_json_request_is_found_by_its_pointer() {
    let pair = |from: (i32, i32), to: (i32, i32)| json!({ "from": { "row": from.0, "col": from.1 }, "to": { "row": to.0, "col": to.1 } });
    let good = pair((0, 0), (0, 2));
    let faults = [
        (json!({ "board": [], "pairs": [] }), "/board"),
        (json!({ "board": [""], "pairs": [] }), "/board"),
        (json!({ "board": ["X".repeat(1001)], "pairs": [] }), "/board"),
        (json!({ "board": ["X X", "X"], "pairs": [] }), "/board/1"),
        (json!({ "board": ["X X", "X\u{3000}X"], "pairs": [] }), "/board/1"),
        (json!({ "board": ["X X"], "pairs": [good, pair((0, 0), (0, 1))] }), "/pairs/1/to"),
        (json!({ "board": ["X X"], "pairs": [pair((0, 1), (0, 0))] }), "/pairs/0/from"),
        (json!({ "board": ["X X"], "pairs": [pair((-1, 0), (0, 0))] }), "/pairs/0/from"),
        (json!({ "board": ["X X"], "pairs": [good, good, pair((0, 0), (0, 3))] }), "/pairs/2/to"),
        (json!({ "board": ["X X"], "pairs": [pair((0, 2), (0, 2))] }), "/pairs/0/to"),
        (json!({ "board": ["X X"], "pairs": [], "max_segments": 0 }), "/max_segments"),
        (json!({ "board": ["X X"], "pairs": vec![good; 100_001] }), "/pairs"),
    ];
    for (request, pointer) in faults {
        let invalid = MahjongPath::board(serde_json::from_value(request).unwrap()).unwrap_err();
        assert_eq!(invalid.place, Place::Pointer(pointer.to_owned()), "{invalid}");
    }
}

#[test]
fn a_json_request_of_another_form_is_not_read() {
    type Request = <MahjongPath as Wire>::Request;
    let good = json!({ "board": ["X X"], "pairs": [{ "from": { "row": 0, "col": 0 }, "to": { "row": 0, "col": 2 } }] });
    assert!(serde_json::from_value::<Request>(good.clone()).is_ok());
    let changes = [
        ("/outside", json!(null)),
        ("/outside", json!("yes")),
        ("/max_segments", json!(null)),
        ("/max_segments", json!(-1)),
        ("/max_segments", json!(1.5)),
        ("/corners", json!(null)),
        ("/board", json!("X X")),
        ("/pairs", json!(null)),
        ("/other", json!(1)),
        ("/pairs/0", json!([{ "row": 0, "col": 0 }, { "row": 0, "col": 2 }])),
        ("/pairs/0/from", json!([0, 0])),
        ("/pairs/0/from", json!({ "row": 0 })),
        ("/pairs/0/from", json!({ "row": 0, "col": 0, "z": 0 })),
        ("/pairs/0/to/row", json!(null)),
        ("/pairs/0/via", json!({ "row": 0, "col": 0 })),
    ];
    for (pointer, value) in changes {
        let mut changed = good.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = changed.pointer_mut(parent).unwrap();
        match parent {
            Value::Array(items) => items[key.parse::<usize>().unwrap()] = value,
            _ => parent[key] = value,
        }
        assert!(serde_json::from_value::<Request>(changed.clone()).is_err(), "{changed}");
    }
}

#[test]
fn the_examples_are_solved_and_answered_in_the_stated_form() {
    let answers: Vec<Value> = MahjongPath::examples()
        .into_iter()
        .map(|example| {
            let board =
                MahjongPath::board(serde_json::from_value(example.request).unwrap()).unwrap();
            let outcome = MahjongPath::solve(&board, &mut Budget::unlimited());
            let stats = Stats { time_ms: 0.5, nodes: 1, time_limit_ms: 10 };
            serde_json::to_value(MahjongPath::response(&board, &outcome, stats)).unwrap()
        })
        .collect();
    let cell = |row: i32, col: i32| json!({ "row": row, "col": col });
    assert_eq!(
        answers[0],
        json!({
            "status": "solved",
            "paths": [
                { "segments": 4, "corners": [cell(2, 1), cell(1, 1), cell(1, 3), cell(2, 3), cell(2, 4)] },
                { "segments": 3, "corners": [cell(2, 0), cell(4, 0), cell(4, 3), cell(3, 3)] },
                { "segments": 0, "corners": [] }
            ],
            "stats": { "time_ms": 0.5, "nodes": 1, "time_limit_ms": 10 }
        })
    );
    assert_eq!(answers[2]["paths"], json!([{ "segments": 4 }, { "segments": 4 }]));
    assert_eq!(read(MahjongPath::text_example()).as_deref(), Ok("4\n3\n0\n"));
}

#[test]
fn a_stopped_solve_is_answered_with_the_limit_and_how_far_it_came() {
    let tiles = tiles_of_rows(&["X X"]).unwrap();
    let pair = Pair { from: Cell::new(0, 0), to: Cell::new(0, 2) };
    let board = board(&tiles, &[pair], Options::default());
    let outcome = MahjongPath::solve(&board, &mut Budget::new(None, CancelFlag::new(), 100));
    let stats = Stats { time_ms: 0.5, nodes: 1, time_limit_ms: 10 };
    let answer = serde_json::to_value(MahjongPath::response(&board, &outcome, stats)).unwrap();
    assert_eq!(answer["status"], "unknown");
    assert_eq!(answer["answered"], 0);
    assert_eq!(answer["reason"]["code"], "memory_limit");
    assert!(answer.get("paths").is_none());
}
