//! Finds the corners of a path that a wave has reached the end of.

use super::super::answers::Answers;
use super::super::plan::Job;
use super::super::runs::Place;
use super::Wave;
use crate::budget::{Budget, Stop};
use crate::grid::Direction;

impl Wave<'_> {
    /// Adds the corners of the path from the root to the job's far end, reached at `level`.
    pub(super) fn walk(
        &self,
        root: Place,
        job: &Job,
        level: u32,
        answers: &mut Answers,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let mut place = self.plan.places[job.far as usize];
        answers.corner(place);
        let mut ways: &[Direction] = &Direction::ALL;
        for nearer in (1..level).rev() {
            budget.tick()?;
            let (distance, direction) = self.nearest_turn(place, ways, nearer);
            place = place.step(direction, distance);
            ways = match direction {
                Direction::North | Direction::South => &[Direction::East, Direction::West],
                Direction::East | Direction::West => &[Direction::North, Direction::South],
            };
            answers.corner(place);
        }
        answers.corner(root);
        answers.reverse(level);
        Ok(())
    }

    /// The nearest cell in one of these directions, and of equally near ones the
    /// first, that was reached at `level` crosswise. What lies farther than
    /// `level` + 1 along the way was not reached at all yet.
    fn nearest_turn(&self, place: Place, ways: &[Direction], level: u32) -> (usize, Direction) {
        let mut nearest = None;
        for &direction in ways {
            let most = nearest.map_or(usize::MAX, |(distance, _)| distance - 1);
            let turn = match direction {
                Direction::North | Direction::South => {
                    self.turn_along_col(place, direction, level, most)
                }
                Direction::East => self.turn_to_the_east(place, level),
                Direction::West => self.turn_to_the_west(place, level),
            };
            if let Some(distance) = turn.filter(|&distance| distance <= most) {
                nearest = Some((distance, direction));
            }
        }
        nearest.expect("a run of the level before crosses every run of a level")
    }

    fn turn_along_col(
        &self,
        place: Place,
        direction: Direction,
        level: u32,
        most: usize,
    ) -> Option<usize> {
        let (mut index, bit) = self.shape.index(place);
        let rows_left = match direction {
            Direction::North => place.row(),
            _ => self.shape.rows - 1 - place.row(),
        };
        for distance in 1..=rows_left.min(most) {
            match direction {
                Direction::North => index -= self.shape.words,
                _ => index += self.shape.words,
            }
            if self.vertical.reached[index] & bit == 0 {
                return None;
            }
            if self.horizontal.at_level(index, level) & bit != 0 {
                return Some(distance);
            }
        }
        None
    }

    fn turn_to_the_east(&self, place: Place, level: u32) -> Option<usize> {
        let (first, bit) = self.shape.index(place);
        // The cells east of the place in its word, then whole words.
        let mut mask = !(bit | (bit - 1));
        for index in first..self.shape.row(place.row()).end {
            let turns = self.vertical.at_level(index, level) & mask;
            let ends = !self.horizontal.reached[index] & mask;
            if turns | ends != 0 {
                let (turn, end) = (turns.trailing_zeros(), ends.trailing_zeros());
                let word = place.col() / 64 + (index - first);
                return (turn < end).then(|| word * 64 + turn as usize - place.col());
            }
            mask = u64::MAX;
        }
        None
    }

    fn turn_to_the_west(&self, place: Place, level: u32) -> Option<usize> {
        let (first, bit) = self.shape.index(place);
        let mut mask = bit - 1;
        for index in (self.shape.row(place.row()).start..=first).rev() {
            let turns = self.vertical.at_level(index, level) & mask;
            let ends = !self.horizontal.reached[index] & mask;
            if turns | ends != 0 {
                let (turn, end) = (turns.leading_zeros(), ends.leading_zeros());
                let word = place.col() / 64 - (first - index);
                return (turn < end).then(|| place.col() - (word * 64 + 63 - turn as usize));
            }
            mask = u64::MAX;
        }
        None
    }
}
