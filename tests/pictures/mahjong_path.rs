//! mahjong-path: numbered ends, corners, what is left out, and the greatest boards.

use boardsolve::grid::{Cell, CellSet, Size};
use serde_json::{Value, json};

use crate::drawn;
use crate::form::{checked, count, pieces};

fn pair([row, col, to_row, to_col]: [usize; 4]) -> Value {
    json!({ "from": { "row": row, "col": col }, "to": { "row": to_row, "col": to_col } })
}

fn contest() -> Value {
    json!({
        "board": ["XXXXX", "X   X", "XXX X", " XXX "],
        "pairs": [pair([2, 1, 2, 4]), pair([2, 0, 3, 3]), pair([2, 1, 3, 2])]
    })
}

#[test]
fn each_pair_has_a_line_with_its_corners_between_two_plates_with_its_number() {
    let picture = drawn("mahjong-path", &contest());
    let texts = checked(&picture);
    assert_eq!(texts[0], "Mahjong path: 2 of 3 pairs are joined");
    assert_eq!(count(&picture, "path", "line"), 2 + 2, "and the legend's");
    assert_eq!(count(&picture, "circle", "dot"), 3 + 2);
    // A tile of two pairs has one plate, and the pair without a path has its own kind.
    for (number, times) in [("1,3", 1), ("1", 1), ("2", 2), ("3", 2)] {
        let found = texts.iter().filter(|text| *text == number).count();
        // The columns and rows are numbered, too.
        let axes = if number.len() == 1 { 2 } else { 0 };
        assert_eq!(found - axes, times, "{number}: {texts:?}");
    }
    assert_eq!(count(&picture, "rect", "no-path"), 1 + 1);
    assert_eq!(pieces(&picture, "tile"), 14);
    let told = "Pair 1, row 2, column 1 to row 2, column 4: 4 segments, turning at row 1, column 1";
    assert!(texts[1].contains(told), "{}", texts[1]);
    assert!(texts[1].contains("Pair 3, row 2, column 1 to row 3, column 2: no path."));
}

#[test]
fn pairs_differ_by_their_dashes_as_well_as_by_their_colours() {
    let rows: Vec<_> = (0..8).map(|_| "X      X").collect();
    let pairs: Vec<_> = (0..8).map(|row| pair([row, 0, row, 7])).collect();
    let picture = drawn("mahjong-path", &json!({ "board": rows, "pairs": pairs }));
    checked(&picture);
    for index in 0..8 {
        assert_eq!(count(&picture, "path", &format!("s{index}")), 1 + 1, "and the legend's");
    }
    for index in 0..5 {
        assert!(count(&picture, "path", &format!("d{index}")) >= 2);
    }
}

#[test]
fn tiles_are_drawn_by_their_places_whatever_stands_on_them() {
    let request =
        |tile: char| json!({ "board": [format!("{tile} {tile}")], "pairs": [pair([0, 0, 0, 2])] });
    let plain = drawn("mahjong-path", &request('X'));
    for tile in ['<', '&', '"', '\'', '\u{301}', '🀄', '\u{0}', '\u{202e}', '\u{fffe}', '界'] {
        // Boards with tiles in the same places are equal, and share their answers.
        let picture = drawn("mahjong-path", &request(tile));
        checked(&picture);
        assert_eq!(picture, plain, "{tile:?}");
    }
}

#[test]
fn without_corners_the_ends_alone_are_drawn_and_the_picture_says_so() {
    let mut request = contest();
    request["corners"] = json!(false);
    let picture = drawn("mahjong-path", &request);
    let texts = checked(&picture);
    assert_eq!(count(&picture, "path", "line"), 0);
    assert!(texts.iter().any(|text| text.contains("corners were not asked for")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("4 segments")));
}

#[test]
fn a_board_without_pairs_is_a_board() {
    let texts = checked(&drawn("mahjong-path", &json!({ "board": ["X "], "pairs": [] })));
    assert_eq!(texts[0], "Mahjong path: no pair is asked for");
}

#[test]
fn of_many_pairs_the_first_are_drawn_and_the_picture_says_so() {
    let rows = vec!["X".to_owned() + &" ".repeat(98) + "X"; 100];
    let pairs: Vec<_> = (0..3000).map(|at| pair([at % 100, 0, (at * 7 + 3) % 100, 99])).collect();
    let picture = drawn("mahjong-path", &json!({ "board": rows, "pairs": pairs }));
    let texts = checked(&picture);
    assert_eq!(count(&picture, "path", "line"), 50 + 1);
    assert!(texts.contains(&"The first 50 of 3000 pairs are drawn.".to_owned()), "{texts:?}");
    assert!(texts[1].ends_with("And 2980 pairs more. The first 50 pairs are drawn."));
    assert!(picture.len() < 100_000, "{} bytes", picture.len());
    // On a small board there is room for fewer.
    let rows = vec!["X      X"; 8];
    let pairs: Vec<_> = (0..30).map(|at| pair([at % 8, 0, (at + 1) % 8, 7])).collect();
    let small = drawn("mahjong-path", &json!({ "board": rows, "pairs": pairs }));
    checked(&small);
    assert_eq!(count(&small, "path", "line"), 16 + 1);
}

#[test]
fn the_greatest_boards_are_drawn_in_a_few_megabytes() {
    let size = Size::new(1000, 1000);
    let board = |tiles: &CellSet| -> Vec<String> {
        let tile = |cell| if tiles.contains(cell) { 'X' } else { ' ' };
        let row = |row| (0..1000).map(|col| tile(Cell::new(row, col))).collect();
        (0..1000).map(row).collect()
    };
    // As many runs of tiles as there can be.
    let chequered = CellSet::from_cells(size, size.cells().filter(|cell| cell.is_white()));
    let request = json!({ "board": board(&chequered), "pairs": [pair([0, 0, 999, 999])] });
    let picture = drawn("mahjong-path", &request);
    checked(&picture);
    assert!(picture.len() < 5_000_000, "{} bytes", picture.len());
    // As many turns of one path as a comb of corridors makes.
    let is_wall = |cell: &Cell| {
        let gap = if cell.col % 4 == 1 { 999 } else { 0 };
        cell.col % 2 == 1 && cell.row != gap
    };
    let comb = size.cells().filter(is_wall);
    let ends = [Cell::new(999, 0), Cell::new(500, 998)];
    let comb = CellSet::from_cells(size, comb.chain(ends));
    let request = json!({
        "board": board(&comb), "pairs": [pair([999, 0, 500, 998])], "outside": false
    });
    let picture = drawn("mahjong-path", &request);
    let texts = checked(&picture);
    assert!(texts[1].contains("and so on"), "{}", texts[1]);
    assert!(picture.len() < 5_000_000, "{} bytes", picture.len());
}
