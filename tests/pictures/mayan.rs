//! Mayan: a frame a move and a round, colours by number, and every reason.

use boardsolve::puzzle::Puzzle;
use boardsolve::puzzles::mayan::Mayan;
use boardsolve::puzzles::mayan::answer::{Answer, Reason};
use boardsolve::puzzles::mayan::board::{Board, Drag, Move, Rules};
use roxmltree::Document;
use serde_json::{Value, json};

use crate::drawn;
use crate::form::{checked, count};

fn sample() -> Value {
    json!({ "steps": 3, "columns": [[1], [2, 1], [2, 3, 4], [3, 1], [2, 4, 3, 4]] })
}

#[test]
fn there_is_a_frame_a_move_and_one_a_round_and_the_board_at_the_end() {
    let picture = drawn("mayan", &sample());
    let texts = checked(&picture);
    assert_eq!(texts[0], "Mayan: cleared in 3 moves");
    assert_eq!(count(&picture, "text", "move"), 3, "{texts:?}");
    assert_eq!(count(&picture, "text", "name"), 3 + 1, "three rounds, and the end");
    assert_eq!(count(&picture, "rect", "well"), 7);
    assert_eq!(count(&picture, "rect", "vanishing"), 6 + 3 + 3 + 1, "and the legend's");
    assert_eq!(count(&picture, "path", "star"), 6 + 3 + 3 + 1);
    assert_eq!(count(&picture, "rect", "dragged"), 3 + 1);
    assert!(texts.iter().any(|text| text == "x 2, y 1, g 1 (right)"), "{texts:?}");
    assert!(texts[1].contains("Move 3: x 3, y 0, g 1 (right); 6 blocks vanish"), "{}", texts[1]);
}

#[test]
fn every_block_carries_the_number_of_its_colour() {
    let columns: [[i64; 2]; 5] = [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]];
    let columns = columns.map(|column| column.to_vec());
    let board = Board::new(2, &columns, Rules::default()).expect("the board is legal");
    let picture = Mayan::picture(&board, Err(&Reason::Exhausted { positions: 7 }));
    checked(&picture);
    assert_eq!(count(&picture, "rect", "tile"), 10);
    assert_eq!(count(&picture, "text", "number"), 10);
    // No two of the ten colours share tint and edge.
    for index in 0..10 {
        assert_eq!(count(&picture, "rect", &format!("t{index}")), 1);
        assert_eq!(count(&picture, "rect", &format!("s{index}")), 1);
    }
}

#[test]
fn ten_moves_stay_small() {
    let request = json!({ "steps": 10, "columns": [[1], [2], [1], [2], [1, 2]] });
    let picture = drawn("mayan", &request);
    let texts = checked(&picture);
    assert_eq!(count(&picture, "text", "move"), 10, "{texts:?}");
    assert_eq!(count(&picture, "path", "arrow"), 10 + 1);
    assert!(picture.len() < 100_000, "{} bytes", picture.len());
}

#[test]
fn a_drag_into_the_air_shows_the_fall() {
    let columns = [vec![1, 1], vec![], vec![1], vec![1], vec![]];
    let board = Board::new(1, &columns, Rules::default()).expect("the board is legal");
    let curves = |played: Move| {
        let answer = Answer::replayed(*board.blocks(), board.rules(), vec![played]);
        let picture = Mayan::picture(&board, Ok(&answer.expect("the move is legal")));
        checked(&picture);
        let document = Document::parse(&picture).expect("the picture is XML");
        let arrows = document.descendants().filter(|node| node.attribute("class") == Some("arrow"));
        arrows.filter(|node| node.attribute("d").is_some_and(|data| data.contains('q'))).count()
    };
    assert_eq!(curves(Move { x: 0, y: 1, drag: Drag::Right }), 1, "it turns downwards");
    assert_eq!(curves(Move { x: 0, y: 0, drag: Drag::Right }), 0);
}

#[test]
fn the_empty_board_takes_no_move() {
    let request = json!({ "steps": 2, "goal": "fewest", "columns": [[], [], [], [], []] });
    let picture = drawn("mayan", &request);
    let texts = checked(&picture);
    assert_eq!(texts[0], "Mayan: cleared in 0 moves");
    assert_eq!(count(&picture, "rect", "well"), 1);
    assert_eq!(count(&picture, "path", "tick"), 1);
}

#[test]
fn the_blocks_of_each_reason_are_marked() {
    let few = drawn("mayan", &json!({ "steps": 2, "columns": [[1], [2, 1], [2], [1], [2, 3]] }));
    let texts = checked(&few);
    assert!(texts[1].contains("There is only 1 block of colour 3"), "{}", texts[1]);
    assert_eq!(count(&few, "rect", "bad"), 1 + 1, "and the legend's");
    let far = drawn("mayan", &json!({ "steps": 1, "columns": [[1], [], [1], [], [1]] }));
    let texts = checked(&far);
    assert!(texts[1].contains("at least 2 moves, and there is 1"), "{}", texts[1]);
    assert_eq!(count(&far, "rect", "bad"), 3 + 1);
    assert_eq!(count(&far, "text", "bad-mark"), 3 + 1);
    let empty = json!({ "steps": 1, "columns": [[], [], [], [], []] });
    let exhausted = drawn("mayan", &empty);
    assert!(checked(&exhausted)[1].contains("A finished search found no moves"));
    assert_eq!(count(&exhausted, "rect", "bad"), 0);
}
