//! 2×2 squares: parts by value, winning squares, sums, and the greatest of them.

use serde_json::{Value, json};

use crate::drawn;
use crate::form::{checked, count, pieces};

/// The texts of that class.
fn texts_of(picture: &str, class: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(picture).expect("the picture is XML");
    document
        .descendants()
        .filter(|node| node.has_tag_name("text") || node.tag_name().name() == "text")
        .filter(|node| node.attribute("class") == Some(class))
        .filter_map(|node| node.text().map(str::to_owned))
        .collect()
}

fn parted(moves: &str) -> Value {
    json!({
        "board": [
            "00010000", "00010000", "11111111", "00100100",
            "00100100", "00111100", "00100000", "00100000"
        ],
        "moves": moves
    })
}

#[test]
fn each_part_has_its_value_written_on_it_and_a_tint_of_it() {
    let picture = drawn("tetris-sg", &parted("one"));
    let texts = checked(&picture);
    assert_eq!(texts[0], "2×2 squares: the first player wins");
    // Part by part, then the legend: 0, 1 and 2.
    assert_eq!(texts_of(&picture, "value"), ["1", "2", "0", "1", "1", "0", "1", "2"]);
    for (tint, parts) in [("t6", 1), ("t0", 1), ("t1", 1)] {
        assert_eq!(count(&picture, "path", tint), parts, "{tint}");
    }
    assert!(texts.contains(&"Grundy value 3, the exclusive or of 1, 2, 0, 1, 1.".to_owned()));
    assert!(texts.contains(&"Grundy value 1: 3 parts".to_owned()), "{texts:?}");
}

#[test]
fn winning_squares_are_framed_or_dotted_and_numbered_where_there_are_several() {
    let one = drawn("tetris-sg", &parted("one"));
    checked(&one);
    assert_eq!(count(&one, "rect", "square"), 1 + 1, "and the legend's");
    assert_eq!(count(&one, "circle", "disc"), 1 + 1);
    assert_eq!(count(&one, "text", "disc-number"), 0);
    let all = drawn("tetris-sg", &parted("all"));
    let texts = checked(&all);
    assert_eq!(texts_of(&all, "disc-number"), ["1", "2"]);
    assert_eq!(count(&all, "rect", "square"), 1 + 1);
    assert!(texts[1].contains("row 0, column 4; row 0, column 6."), "{}", texts[1]);
    let none = drawn("tetris-sg", &parted("none"));
    checked(&none);
    assert_eq!(count(&none, "circle", "disc"), 0);
    let lost = drawn("tetris-sg", &json!({ "board": vec!["00000"; 5] }));
    let texts = checked(&lost);
    assert!(texts.contains(&"No square wins: to each there is an answer.".to_owned()));
    assert_eq!(count(&lost, "rect", "square"), 0);
}

#[test]
fn the_boards_of_a_sum_have_captions_and_what_is_of_no_use_is_crossed() {
    let request = json!({ "boards": [["0000", "0000", "0010"], ["01", "00"], ["000000"]] });
    let picture = drawn("tetris-sg", &request);
    let texts = checked(&picture);
    assert_eq!(count(&picture, "text", "caption"), 3);
    for caption in ["Board 0: value 2", "Board 1: value 0", "Board 2: value 0"] {
        assert!(texts.iter().any(|text| text == caption), "{caption}: {texts:?}");
    }
    // Two strokes a cross; one of the cells of board 0, three, six, and the legend's.
    assert_eq!(pieces(&picture, "useless"), 2 * (1 + 3 + 6 + 1));
    assert_eq!(pieces(&picture, "taken"), 2);
}

#[test]
fn what_is_too_much_to_play_out_follows_from_the_whole_or_is_left_open() {
    let square = |side: usize| vec!["0".repeat(side); side];
    // One part of 49 anchors, beside a small one: the whole tells its value.
    let one = drawn("tetris-sg", &json!({ "boards": [square(8), square(3)], "moves": "none" }));
    checked(&one);
    assert_eq!(texts_of(&one, "value")[..2], ["1", "1"]);
    // Two such parts cancel, whatever each is worth.
    let two = drawn("tetris-sg", &json!({ "boards": [square(8), square(8)], "moves": "none" }));
    let texts = checked(&two);
    assert_eq!(texts_of(&two, "value"), ["?", "?", "?"]);
    assert!(texts.contains(&"Board 0".to_owned()), "a caption claims nothing: {texts:?}");
    // Nothing is claimed of the value when it was not asked for, either.
    let request = json!({ "board": square(8), "grundy": false, "moves": "none" });
    let open = drawn("tetris-sg", &request);
    checked(&open);
    assert_eq!(texts_of(&open, "value")[0], "?");
}

#[test]
fn the_greatest_sum_is_drawn_in_a_few_megabytes() {
    // Single squares, as many as fit: 441 parts a board, on 64 boards.
    let row: String = (0..64).map(|col| if col % 3 == 2 { '1' } else { '0' }).collect();
    let taken = "1".repeat(64);
    let board: Vec<_> =
        (0..64).map(|at| if at % 3 == 2 { taken.clone() } else { row.clone() }).collect();
    let picture = drawn("tetris-sg", &json!({ "boards": vec![board; 64], "moves": "all" }));
    let texts = checked(&picture);
    assert_eq!(texts_of(&picture, "value").len(), 5000 + 1, "and the legend's");
    assert!(texts.iter().any(|text| text.contains("the first 5000 parts")));
    assert!(picture.len() < 6_000_000, "{} bytes", picture.len());
}

#[test]
fn the_words_tell_twenty_parts_and_that_there_are_more() {
    for (across, down, tells_more) in [(4, 5, false), (3, 7, true)] {
        let row = vec!["00"; across].join("1");
        let between = "1".repeat(row.len());
        let rows =
            vec![[row.as_str(), row.as_str()].join("\n"); down].join(&format!("\n{between}\n"));
        let board: Vec<&str> = rows.lines().collect();
        let texts = checked(&drawn("tetris-sg", &json!({ "board": board })));
        let told = format!("in {} parts of value {}", across * down, vec!["1"; 20].join(", "));
        let end = if tells_more { " and so on. " } else { ". " };
        assert!(texts[1].contains(&format!("{told}{end}")), "{}", texts[1]);
    }
}
