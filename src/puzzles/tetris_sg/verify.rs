//! Checks an answer from the rules alone.
//!
//! What is checked of every answer: everything asked for is there or named as
//! undecided, and nothing else; the moves are legal, in order, each once; there
//! is a winning move exactly when the first player wins; the Grundy value is 0
//! exactly when the second player wins.
//!
//! Whether the winner is right can't be told without playing the game out. That
//! is done, by the definition of the Grundy value and nothing cleverer, as long
//! as the whole position takes no more than [`MOST_POSITIONS`] different ones:
//! then the winner, the value and every move are checked, and that no winning
//! move is left out. Such are all boards up to 5×5 and most contest boards in
//! which the free places are scattered. For greater ones the winner, the value
//! and that a move wins are *not* checked here; the laws compare those with
//! independent methods.

use crate::puzzle::Violation;

use super::answer::{Answer, Extra, Winner};
use super::board::{Move, MovesAsked, Position};
use super::parts::{parts, play_out};

/// The most positions that are played out to check one answer: well under a
/// tenth of a millisecond.
pub const MOST_POSITIONS: usize = 400;

/// Checks `answer` as far as this module says.
///
/// # Errors
/// The first rule that the answer breaks.
pub fn answer(position: &Position, answer: &Answer) -> Result<(), Violation> {
    check_questions(position, answer)?;
    check_moves(position, answer)?;
    check_winner(answer)?;
    match Game::new(position) {
        Some(game) => check_against(position, answer, &game),
        None => Ok(()),
    }
}

/// Everything asked for is there or named as undecided, and nothing else.
fn check_questions(position: &Position, answer: &Answer) -> Result<(), Violation> {
    let questions = position.questions();
    let asked = [
        (Extra::Grundy, questions.grundy, answer.grundy.is_some()),
        (Extra::WinningMoves, questions.moves != MovesAsked::None, answer.winning_moves.is_some()),
    ];
    for (extra, is_asked, is_given) in asked {
        let times = answer.undecided.iter().filter(|&&undecided| undecided == extra).count();
        if usize::from(is_asked) != usize::from(is_given) + times {
            let detail = format!(
                "{extra:?}: asked for: {is_asked}, given: {is_given}, undecided: {times} times"
            );
            return Err(Violation::new(detail));
        }
    }
    Ok(())
}

/// The moves are legal, in order, each once, and no more than were asked for.
fn check_moves(position: &Position, answer: &Answer) -> Result<(), Violation> {
    let Some(moves) = &answer.winning_moves else { return Ok(()) };
    if let Some(play) = moves.iter().find(|&&play| !position.is_legal(play)) {
        return Err(Violation::new(format!("{play:?} does not lie on four free cells")));
    }
    if let Some(pair) = moves.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(Violation::new(format!("{:?} does not come before {:?}", pair[0], pair[1])));
    }
    if position.questions().moves == MovesAsked::One && moves.len() > 1 {
        return Err(Violation::new(format!("one move was asked for, not {}", moves.len())));
    }
    Ok(())
}

/// The winner, the value and whether there is a winning move say the same.
fn check_winner(answer: &Answer) -> Result<(), Violation> {
    let first_wins = answer.winner == Winner::First;
    if let Some(value) = answer.grundy
        && first_wins != (value != 0)
    {
        return Err(Violation::new(format!(
            "the {:?} player can't win at the Grundy value {value}",
            answer.winner
        )));
    }
    if let Some(moves) = &answer.winning_moves
        && first_wins == moves.is_empty()
    {
        return Err(Violation::new(format!(
            "the {:?} player can't win when there are {} winning moves",
            answer.winner,
            moves.len()
        )));
    }
    Ok(())
}

/// The answer is the one that playing everything out gives.
fn check_against(position: &Position, answer: &Answer, game: &Game) -> Result<(), Violation> {
    let value = game.value;
    if (answer.winner == Winner::First) != (value != 0) {
        let detail = format!("the {:?} player does not win: the value is {value}", answer.winner);
        return Err(Violation::new(detail));
    }
    if let Some(given) = answer.grundy
        && given != value
    {
        return Err(Violation::new(format!("the Grundy value is {value}, not {given}")));
    }
    if let Some(given) = &answer.winning_moves {
        let mut right = game.winning_moves.clone();
        if position.questions().moves == MovesAsked::One {
            right.truncate(1);
        }
        if *given != right {
            return Err(Violation::new(format!("the winning moves are {right:?}, not {given:?}")));
        }
    }
    Ok(())
}

/// A position whose game was played out whole.
struct Game {
    value: u32,
    winning_moves: Vec<Move>,
}

impl Game {
    /// `None` when it takes more than [`MOST_POSITIONS`].
    fn new(position: &Position) -> Option<Self> {
        // A quick look first: this many anchors can't be played out.
        if (0..position.len()).flat_map(|board| position.anchors(board)).count() > MOST_POSITIONS {
            return None;
        }
        let mut left = MOST_POSITIONS;
        let mut games = Vec::new();
        for board in 0..position.len() {
            for part in parts(position, board) {
                let played_out = play_out(&part, &mut left)?;
                games.push((board, part, played_out));
            }
        }
        let value = games.iter().fold(0, |value, (.., game)| value ^ game.value);
        let mut winning_moves = Vec::new();
        for (board, part, game) in &games {
            for (&cell, value_after) in part.iter().zip(&game.values_after) {
                if value != 0 && value_after ^ game.value ^ value == 0 {
                    winning_moves.push(Move { board: *board, cell });
                }
            }
        }
        winning_moves.sort_unstable();
        Some(Self { value, winning_moves })
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Questions;
    use super::*;
    use crate::grid::Cell;

    /// A board too great to be played out, so that only what an answer says by itself is checked.
    fn great(moves: MovesAsked, grundy: bool) -> Position {
        let board = vec!["0".repeat(12); 12];
        let position = Position::from_rows(&[board], Questions { moves, grundy }).unwrap();
        assert!(Game::new(&position).is_none());
        position
    }

    fn moves_at(cells: &[(usize, i32, i32)]) -> Option<Vec<Move>> {
        let at = |&(board, row, col): &_| Move { board, cell: Cell::new(row, col) };
        Some(cells.iter().map(at).collect())
    }

    #[test]
    fn the_moves_of_a_great_board_are_legal_in_order_each_once_and_no_more_than_asked() {
        let all = great(MovesAsked::All, false);
        let one = great(MovesAsked::One, false);
        let says = |position: &Position, cells: &[(usize, i32, i32)]| {
            let winning_moves = moves_at(cells);
            let says =
                Answer { winner: Winner::First, grundy: None, winning_moves, undecided: vec![] };
            answer(position, &says).is_ok()
        };
        assert!(says(&all, &[(0, 0, 0), (0, 0, 1), (0, 10, 10)]));
        assert!(!says(&all, &[(0, 0, 1), (0, 0, 0)]), "not in order");
        assert!(!says(&all, &[(0, 0, 1), (0, 0, 1)]), "twice");
        assert!(!says(&all, &[(0, 0, 0), (0, 10, 11)]), "over the edge");
        assert!(!says(&all, &[(0, 0, 0), (1, 0, 0)]), "on no board");
        assert!(says(&one, &[(0, 5, 5)]));
        assert!(!says(&one, &[(0, 5, 5), (0, 5, 6)]), "one was asked for");
    }

    #[test]
    fn the_winner_of_a_great_board_has_the_value_and_the_moves_of_one() {
        let both = great(MovesAsked::All, true);
        let some = moves_at(&[(0, 0, 0)]);
        let none = Some(vec![]);
        for (winner, grundy, winning_moves, expected) in [
            (Winner::First, 3, &some, true),
            (Winner::Second, 0, &none, true),
            (Winner::First, 0, &some, false),
            (Winner::First, 3, &none, false),
            (Winner::Second, 3, &none, false),
            (Winner::Second, 0, &some, false),
        ] {
            let (grundy, winning_moves) = (Some(grundy), winning_moves.clone());
            let says = Answer { winner, grundy, winning_moves, undecided: vec![] };
            assert_eq!(answer(&both, &says).is_ok(), expected, "{says:?}");
        }
    }
}
