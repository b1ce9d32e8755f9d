//! linkgame: numbered pairs, paths, frames under gravity, reasons, and any character.

use boardsolve::puzzle::Puzzle;
use boardsolve::puzzles::linkgame::Linkgame;
use boardsolve::puzzles::linkgame::board::{Board, Reason, Rules};
use serde_json::json;

use crate::drawn;
use crate::form::{checked, count};

fn refused(rows: &[&str], reason: &Reason) -> String {
    let board = Board::from_rows(rows, Rules::default()).expect("the board is legal");
    Linkgame::picture(&board, Err(reason))
}

#[test]
fn both_tiles_of_a_pair_carry_its_number_and_each_pair_has_a_path() {
    let picture = drawn("linkgame", &json!({ "board": ["AB*", "*BA"] }));
    let texts = checked(&picture);
    let numbers = count(&picture, "text", "number");
    assert_eq!(numbers, 4 + 1, "four tiles and the legend's: {texts:?}");
    for number in ["1", "2"] {
        assert!(texts.iter().filter(|text| *text == number).count() >= 2, "{texts:?}");
    }
    assert_eq!(count(&picture, "path", "path"), 2 + 1, "two pairs and the legend's");
    assert_eq!(count(&picture, "circle", "plug"), 4);
    assert!(texts[1].contains("1: B from (row 0, col 1) to (row 1, col 1)"), "{}", texts[1]);
}

#[test]
fn a_path_outside_has_room_around_the_board() {
    let request = json!({ "board": ["*DCD", "ACA*"], "outside": true });
    let picture = drawn("linkgame", &request);
    checked(&picture);
    assert_eq!(count(&picture, "rect", "outside"), 1);
    let inside = drawn("linkgame", &json!({ "board": ["AB*", "*BA"] }));
    assert_eq!(count(&inside, "rect", "outside"), 0);
}

#[test]
fn under_gravity_there_is_a_frame_a_move() {
    let request = json!({ "board": ["A***", "BA**", "BCC*"], "gravity": true });
    let picture = drawn("linkgame", &request);
    let texts = checked(&picture);
    assert_eq!(count(&picture, "text", "caption"), 3, "{texts:?}");
    assert_eq!(count(&picture, "rect", "taken"), 2 * 3 + 1);
    assert_eq!(count(&picture, "rect", "edge"), 4 + 2, "what stays, frame by frame");
}

/// The largest board, which goes row by row: each tile beside its twin.
fn largest() -> Vec<String> {
    let kind = |row: usize, col: usize| char::from(b'A' + ((row + col / 2) % 26) as u8);
    (0..30).map(|row| (0..30).map(|col| kind(row, col)).collect()).collect()
}

#[test]
fn frames_that_would_be_too_many_are_one_board_with_numbers() {
    let picture = drawn("linkgame", &json!({ "board": largest(), "gravity": true }));
    let texts = checked(&picture);
    assert_eq!(count(&picture, "text", "number"), 900 + 1);
    assert!(texts.iter().any(|text| text.contains("Columns fall")));
    assert!(picture.len() < 400_000, "{} bytes", picture.len());
}

#[test]
fn the_largest_board_is_drawn_in_half_a_megabyte() {
    let picture = drawn("linkgame", &json!({ "board": largest(), "outside": true }));
    checked(&picture);
    assert_eq!(count(&picture, "path", "thin"), 450);
    assert!(picture.len() < 500_000, "{} bytes", picture.len());
}

#[test]
fn an_empty_board_has_nothing_to_clear() {
    let texts = checked(&drawn("linkgame", &json!({ "board": ["**", "**"] })));
    assert_eq!(texts[0], "Lianliankan: nothing to clear");
}

#[test]
fn every_character_is_shown_and_none_is_markup() {
    for tile in [
        '<', '&', '"', '\'', '>', '\u{301}', '🀄', '\u{0}', '\u{1b}', '\u{202e}', '\u{fffe}',
        '\u{feff}', '界',
    ] {
        let picture = drawn("linkgame", &json!({ "board": [format!("{tile}{tile}")] }));
        let texts = checked(&picture);
        let shown = boardsolve::svg::glyph(tile);
        assert_eq!(texts.iter().filter(|text| **text == shown).count(), 2, "{tile:?}: {texts:?}");
        let odd = drawn("linkgame", &json!({ "board": [format!("{tile}{tile}{tile}")] }));
        assert!(checked(&odd).iter().any(|text| text.contains(&format!("3 tiles {shown}"))));
    }
}

#[test]
fn the_cells_of_each_reason_are_marked_and_counted() {
    let odd = drawn("linkgame", &json!({ "board": ["ABA*", "CC*B", "A***"] }));
    checked(&odd);
    assert_eq!(count(&odd, "rect", "marked"), 3 + 1);
    assert_eq!(count(&odd, "rect", "dim"), 4);
    let locked = drawn("linkgame", &json!({ "board": ["AB", "BA"] }));
    let texts = checked(&locked);
    assert_eq!(count(&locked, "rect", "marked"), 4 + 1);
    assert!(texts[1].contains("(row 0, col 0), (row 0, col 1)"), "{}", texts[1]);
    let exhausted = refused(&["AB", "BA"], &Reason::Exhausted { positions: 12_345 });
    assert!(checked(&exhausted)[1].contains("12345 positions"));
    assert_eq!(count(&exhausted, "rect", "marked"), 0);
}
