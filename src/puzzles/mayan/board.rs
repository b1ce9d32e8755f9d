//! A legal position, what is asked about it, and its moves by the rules alone.
//!
//! [`Blocks`] is the position: five columns of at most seven blocks, none
//! floating. Its moves are written for reading, not for speed, and an answer is
//! replayed with them; the search has a packed form of its own. A [`Board`] is
//! a position on which nothing vanishes by itself, with the request's options.

use std::fmt;

/// The number of columns.
pub const COLUMNS: usize = 5;
/// The most blocks in a column.
pub const HEIGHT: usize = 7;
/// The greatest colour; the least is 1.
pub const MAX_COLOUR: u8 = 10;
/// The most moves that may be asked for.
pub const MAX_STEPS: u8 = 10;

/// A position together with what is asked about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    blocks: Blocks,
    steps: u8,
    rules: Rules,
}

/// The options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// What the number of steps means.
    pub goal: Goal,
    /// Whether two blocks of one colour may be swapped: a move that changes nothing.
    pub same_colour_swaps: bool,
}

/// What the number of steps means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Exactly so many moves.
    #[default]
    Exact,
    /// As few moves as possible, at most so many.
    Fewest,
}

/// Five columns of blocks; a colour is 1 to 10, and 0 is an empty place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Blocks([[u8; HEIGHT]; COLUMNS]);

/// The drag of the block in column `x`, at height `y`, by one column. Moves
/// order as the answer wants them: by `x`, then `y`, then right before left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Column, 0 at the left.
    pub x: usize,
    /// Height, 0 at the bottom.
    pub y: usize,
    /// Which way.
    pub drag: Drag,
}

/// Which way a block is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Drag {
    /// To the column on the right.
    Right,
    /// To the column on the left.
    Left,
}

/// A block that vanished, and where it was then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vanished {
    /// Column, 0 at the left.
    pub x: usize,
    /// Height, 0 at the bottom.
    pub y: usize,
    /// Colour, 1 to 10.
    pub colour: u8,
}

/// The blocks that vanished together, by column, then by height.
pub type Round = Vec<Vanished>;

/// Why a board is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// Not 1 to [`MAX_STEPS`] steps.
    Steps(i64),
    /// Not exactly [`COLUMNS`] columns.
    ColumnCount(usize),
    /// A column of more than [`HEIGHT`] blocks.
    TooHigh {
        /// The column.
        x: usize,
        /// How many blocks it has.
        blocks: usize,
    },
    /// A colour that is not 1 to [`MAX_COLOUR`].
    Colour {
        /// The column.
        x: usize,
        /// The height.
        y: usize,
        /// The colour.
        colour: i64,
    },
    /// A run of three that vanishes before any move.
    Vanishes(Vanished),
}

/// Why a move can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// There is no block at the place.
    NoBlock,
    /// The drag leaves the board.
    OffBoard,
    /// Both blocks have one colour, and the rules do not count that as a move.
    SameColour,
}

impl Board {
    /// A board of the given columns, each bottom-up.
    ///
    /// # Errors
    /// The first fault, in the order of [`BoardError`].
    pub fn new(steps: i64, columns: &[Vec<i64>], rules: Rules) -> Result<Self, BoardError> {
        if !(1..=i64::from(MAX_STEPS)).contains(&steps) {
            return Err(BoardError::Steps(steps));
        }
        let blocks = Blocks::new(columns)?;
        if let Some(&vanished) = blocks.runs().first() {
            return Err(BoardError::Vanishes(vanished));
        }
        Ok(Self { blocks, steps: steps as u8, rules })
    }

    /// The position.
    pub const fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The number of moves, or the most of them.
    pub const fn steps(&self) -> u8 {
        self.steps
    }

    /// The options.
    pub const fn rules(&self) -> Rules {
        self.rules
    }
}

impl Blocks {
    /// The position of the given columns, each bottom-up; runs of three are allowed.
    ///
    /// # Errors
    /// The first fault of form, in the order of [`BoardError`].
    pub fn new(columns: &[Vec<i64>]) -> Result<Self, BoardError> {
        if columns.len() != COLUMNS {
            return Err(BoardError::ColumnCount(columns.len()));
        }
        for (x, column) in columns.iter().enumerate() {
            if column.len() > HEIGHT {
                return Err(BoardError::TooHigh { x, blocks: column.len() });
            }
        }
        let mut places = [[0; HEIGHT]; COLUMNS];
        for (x, column) in columns.iter().enumerate() {
            for (y, &colour) in column.iter().enumerate() {
                if !(1..=i64::from(MAX_COLOUR)).contains(&colour) {
                    return Err(BoardError::Colour { x, y, colour });
                }
                places[x][y] = colour as u8;
            }
        }
        Ok(Self(places))
    }

    /// Reads the text picture that [`fmt::Display`] draws: five lines, a column each.
    ///
    /// # Errors
    /// The first fault of form; what is not a number counts as colour −1.
    pub fn parse(picture: &str) -> Result<Self, BoardError> {
        let column = |line: &str| {
            let colours = line.split_whitespace().take_while(|&word| word != "0");
            colours.map(|word| word.parse().unwrap_or(-1)).collect()
        };
        Self::new(&picture.lines().map(column).collect::<Vec<_>>())
    }

    /// The colour of the block at height `y` of column `x`; `None` where there is none.
    pub fn colour(&self, x: usize, y: usize) -> Option<u8> {
        let colour = *self.0.get(x)?.get(y)?;
        (colour != 0).then_some(colour)
    }

    /// The number of blocks in column `x`.
    pub fn height(&self, x: usize) -> usize {
        self.0[x].iter().take_while(|&&colour| colour != 0).count()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        (0..COLUMNS).all(|x| self.height(x) == 0)
    }

    /// How many blocks of `colour` each column has.
    pub fn histogram(&self, colour: u8) -> [usize; COLUMNS] {
        self.0.map(|column| column.iter().filter(|&&other| other == colour).count())
    }

    /// Makes a move and lets everything fall and vanish; what vanished is given
    /// back, round by round. An illegal move changes nothing.
    ///
    /// # Errors
    /// What forbids the move.
    pub fn play(
        &mut self,
        played: Move,
        same_colour_swaps: bool,
    ) -> Result<Vec<Round>, IllegalMove> {
        self.drag(played, same_colour_swaps)?;
        let mut rounds = Vec::new();
        loop {
            let round = self.vanish();
            if round.is_empty() {
                return Ok(rounds);
            }
            rounds.push(round);
        }
    }

    /// The first half of a move: the drag, and what falls by it. Nothing vanishes yet.
    /// An illegal move changes nothing.
    ///
    /// # Errors
    /// What forbids the move.
    pub fn drag(&mut self, played: Move, same_colour_swaps: bool) -> Result<(), IllegalMove> {
        let Move { x, y, drag } = played;
        let colour = self.colour(x, y).ok_or(IllegalMove::NoBlock)?;
        let to = match drag {
            Drag::Right => x + 1,
            Drag::Left => x.checked_sub(1).ok_or(IllegalMove::OffBoard)?,
        };
        if to >= COLUMNS {
            return Err(IllegalMove::OffBoard);
        }
        if self.colour(to, y) == Some(colour) && !same_colour_swaps {
            return Err(IllegalMove::SameColour);
        }
        // An empty place and a block trade places too; then everything falls.
        (self.0[x][y], self.0[to][y]) = (self.0[to][y], self.0[x][y]);
        self.fall();
        Ok(())
    }

    /// Takes all runs of three or more away at once and lets the rest fall; what
    /// vanished is given back, nothing where there was no run.
    pub fn vanish(&mut self) -> Round {
        let round = self.runs();
        for vanished in &round {
            self.0[vanished.x][vanished.y] = 0;
        }
        self.fall();
        round
    }

    /// The blocks that stand in runs of three or more, by column, then by height.
    pub fn runs(&self) -> Round {
        let in_line = |x: usize, y: usize, right: usize, up: usize| {
            // The block is the first, the second or the third of some three in a line.
            (0..3).any(|before| {
                (0..3).all(|step| {
                    let place = |at: usize, by: usize| (at + step * by).checked_sub(before * by);
                    place(x, right).zip(place(y, up)).is_some_and(|(other_x, other_y)| {
                        self.colour(other_x, other_y) == self.colour(x, y)
                    })
                })
            })
        };
        let mut runs = Vec::new();
        for x in 0..COLUMNS {
            for y in 0..HEIGHT {
                if let Some(colour) = self.colour(x, y)
                    && (in_line(x, y, 1, 0) || in_line(x, y, 0, 1))
                {
                    runs.push(Vanished { x, y, colour });
                }
            }
        }
        runs
    }

    fn fall(&mut self) {
        for column in &mut self.0 {
            // A stable sort by "is empty" keeps the order of the blocks.
            column.sort_by_key(|&colour| colour == 0);
        }
    }
}

/// A column a line, bottom-up, each ending in 0: the contest's own form.
impl fmt::Display for Blocks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for x in 0..COLUMNS {
            for colour in self.0[x].iter().take_while(|&&colour| colour != 0) {
                write!(formatter, "{colour} ")?;
            }
            writeln!(formatter, "0")?;
        }
        Ok(())
    }
}

/// The contest's form: the number of steps, then the blocks.
impl fmt::Display for Board {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\n{}", self.steps, self.blocks)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.x, self.y, self.drag.sign())
    }
}

impl Drag {
    /// The statement's `g`: 1 to the right, −1 to the left.
    pub const fn sign(self) -> i8 {
        match self {
            Self::Right => 1,
            Self::Left => -1,
        }
    }
}

/// The fault alone; whoever reads the request adds the place.
impl fmt::Display for BoardError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Steps(steps) => {
                write!(formatter, "the number of steps is 1 to {MAX_STEPS}, not {steps}")
            }
            Self::ColumnCount(count) => {
                write!(formatter, "a board has exactly {COLUMNS} columns, not {count}")
            }
            Self::TooHigh { blocks, .. } => {
                write!(formatter, "a column has at most {HEIGHT} blocks, not {blocks}")
            }
            Self::Colour { colour: 0, .. } => write!(
                formatter,
                "0 is no colour: a column is its blocks bottom-up, colours 1 to {MAX_COLOUR}"
            ),
            Self::Colour { colour, .. } => {
                write!(formatter, "a colour is 1 to {MAX_COLOUR}, not {colour}")
            }
            Self::Vanishes(vanished) => write!(
                formatter,
                "the block of colour {} at x = {}, y = {} stands in a run of three, which would \
                 vanish before any move; a board must have no such run",
                vanished.colour, vanished.x, vanished.y
            ),
        }
    }
}

impl std::error::Error for BoardError {}

impl fmt::Display for IllegalMove {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoBlock => "there is no block at this place",
            Self::OffBoard => "the block would leave the board",
            Self::SameColour => "a swap of two blocks of one colour is no move",
        })
    }
}

impl std::error::Error for IllegalMove {}

#[cfg(test)]
mod tests {
    use super::*;

    const fn right(x: usize, y: usize) -> Move {
        Move { x, y, drag: Drag::Right }
    }

    #[test]
    fn the_picture_is_read_back_as_the_same_blocks() {
        let picture = "1 0\n2 1 0\n2 3 4 0\n0\n2 4 3 10 0\n";
        let blocks = Blocks::parse(picture).unwrap();
        assert_eq!(blocks.to_string(), picture);
        assert_eq!(Blocks::parse(&blocks.to_string()), Ok(blocks));
        assert_eq!(Blocks::parse("1 0\n0\n0\n0\n"), Err(BoardError::ColumnCount(4)));
    }

    #[test]
    fn a_word_of_a_picture_that_is_no_number_is_no_colour() {
        let fault = BoardError::Colour { x: 1, y: 0, colour: -1 };
        assert_eq!(Blocks::parse("1 0\nx 0\n0\n0\n0\n"), Err(fault));
    }

    #[test]
    fn lines_that_cross_vanish_together() {
        // The statement's fifth figure: a row and a column share a block.
        let mut blocks = Blocks::parse("1 0\n1 0\n2 1 1 0\n1 0\n0\n").unwrap();
        assert_eq!(blocks.play(right(2, 0), false).unwrap().concat().len(), 5);
        assert_eq!(blocks.to_string(), "0\n0\n0\n2 0\n0\n");
    }

    #[test]
    fn what_falls_makes_the_next_round() {
        let mut blocks = Blocks::parse("1 2 0\n1 2 0\n2 0\n1 0\n0\n").unwrap();
        let rounds = blocks.play(Move { x: 3, y: 0, drag: Drag::Left }, false).unwrap();
        assert_eq!(rounds.len(), 1);
        assert_eq!(blocks.to_string(), "2 0\n2 0\n0\n2 0\n0\n");
        let rounds = blocks.play(Move { x: 3, y: 0, drag: Drag::Left }, false).unwrap();
        assert_eq!(
            rounds,
            [vec![
                Vanished { x: 0, y: 0, colour: 2 },
                Vanished { x: 1, y: 0, colour: 2 },
                Vanished { x: 2, y: 0, colour: 2 },
            ]]
        );
        assert!(blocks.is_empty());
    }

    #[test]
    fn an_illegal_move_says_why_and_changes_nothing() {
        let before = Blocks::parse("1 0\n1 0\n0\n0\n2 0\n").unwrap();
        let mut blocks = before;
        assert_eq!(blocks.play(right(0, 1), false), Err(IllegalMove::NoBlock));
        assert_eq!(blocks.play(right(4, 0), false), Err(IllegalMove::OffBoard));
        let left = Move { x: 0, y: 0, drag: Drag::Left };
        assert_eq!(blocks.play(left, false), Err(IllegalMove::OffBoard));
        assert_eq!(blocks.play(right(0, 0), false), Err(IllegalMove::SameColour));
        assert_eq!(blocks, before);
        assert_eq!(blocks.play(right(0, 0), true), Ok(vec![]));
    }

    #[test]
    fn every_fault_has_its_own_error() {
        let read = |steps, columns: [&[i64]; 5]| {
            Board::new(steps, &columns.map(<[i64]>::to_vec), Rules::default())
        };
        assert_eq!(read(0, [&[]; 5]), Err(BoardError::Steps(0)));
        assert_eq!(read(11, [&[]; 5]), Err(BoardError::Steps(11)));
        assert_eq!(
            Board::new(1, &[vec![], vec![]], Rules::default()),
            Err(BoardError::ColumnCount(2))
        );
        assert_eq!(
            read(1, [&[], &[1, 2, 1, 2, 1, 2, 1, 2], &[], &[], &[]]),
            Err(BoardError::TooHigh { x: 1, blocks: 8 })
        );
        assert_eq!(
            read(1, [&[], &[], &[1, 0], &[], &[]]),
            Err(BoardError::Colour { x: 2, y: 1, colour: 0 })
        );
        assert_eq!(
            read(1, [&[], &[], &[2, 1, 1, 1], &[], &[]]),
            Err(BoardError::Vanishes(Vanished { x: 2, y: 1, colour: 1 }))
        );
    }
}
