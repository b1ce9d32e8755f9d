//! Answers mahjong-path in the contest's form with the breadth-first search of the public crate
//! `pathfinding`: a step is a straight line of any length over empty cells.
//!
//! `cargo build --release` in this folder, then `BOARDSOLVE_PEERS` of the bench `mahjong_path` names
//! `target/release` of it.

use std::io::{Read, Write};

use pathfinding::prelude::bfs;

type Place = (usize, usize);

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("the board is text");
    let (head, rest) = text.split_once('\n').expect("a line with the size");
    let mut size = head.split_whitespace().map(|number| number.parse().expect("a number"));
    let (cols, rows): (usize, usize) =
        (size.next().expect("a width"), size.next().expect("a height"));
    let mut lines = rest.lines();
    // A ring of empty cells around the board.
    let mut is_tile = vec![vec![false; cols + 2]; rows + 2];
    for row in is_tile.iter_mut().skip(1).take(rows) {
        let line = lines.next().expect("a line a row");
        line.bytes().zip(&mut row[1..]).for_each(|(byte, cell)| *cell = byte != b' ');
    }
    let mut out = std::io::stdout().lock();
    for line in lines {
        let numbers: Vec<usize> =
            line.split_whitespace().map(|number| number.parse().expect("a number")).collect();
        let [from_col, from_row, to_col, to_row] = numbers[..] else { continue };
        if from_col == 0 {
            break;
        }
        let to = (to_row, to_col);
        let path =
            bfs(&(from_row, from_col), |&from| lines_from(&is_tile, from, to), |&at| at == to);
        // The path holds both ends.
        let segments = path.map_or(0, |path| path.len() - 1);
        writeln!(out, "{segments}").expect("somebody reads");
    }
}

/// The places at the end of a straight line of empty cells; `to` may be one too.
fn lines_from(is_tile: &[Vec<bool>], (row, col): Place, to: Place) -> Vec<Place> {
    let mut ends = Vec::new();
    for (down, along) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
        let (mut row, mut col) = (row, col);
        loop {
            let (Some(next_row), Some(next_col)) =
                (row.checked_add_signed(down), col.checked_add_signed(along))
            else {
                break;
            };
            (row, col) = (next_row, next_col);
            let Some(&tile) = is_tile.get(row).and_then(|line| line.get(col)) else { break };
            if !tile || (row, col) == to {
                ends.push((row, col));
            }
            if tile {
                break;
            }
        }
    }
    ends
}
