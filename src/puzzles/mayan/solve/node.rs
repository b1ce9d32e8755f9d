//! A position of the search with what its moves are chosen by.

use crate::puzzles::mayan::board::COLUMNS;

use super::asleep::Asleep;
use super::distance::{Costs, Histogram, Table, one_in, table};
use super::field::{COLUMN_BITS, Field, Places, each};

/// A position: its blocks, and the histogram of each colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<const PLANES: usize, const COLOURS: usize> {
    pub(super) field: Field<PLANES>,
    /// Of the colours in the order of their names, the first of which is 1.
    pub(super) histograms: [Histogram; COLOURS],
    /// What all colours cost together.
    pub(super) costs: Costs,
    pub(super) table: &'static Table,
}

/// Colours, by index, and their new histograms.
pub(super) type Changes<const COUNT: usize> = [(usize, Histogram); COUNT];

impl<const PLANES: usize, const COLOURS: usize> Node<PLANES, COLOURS> {
    pub(super) fn new(field: Field<PLANES>) -> Self {
        let (histograms, costs) = ([0; COLOURS], Costs::default());
        let mut node = Self { field, histograms, costs, table: table() };
        node.measure();
        node
    }

    /// Sets histograms and costs by the field.
    fn measure(&mut self) {
        self.costs = Costs::default();
        for colour in 0..COLOURS {
            let histogram = histogram_of(self.field.of_colour(colour + 1));
            self.histograms[colour] = histogram;
            self.costs = self.costs.and(self.table.costs(histogram));
        }
    }

    fn distance(&self, colour: usize) -> u8 {
        self.table.costs(self.histograms[colour]).distance()
    }

    /// The distance of the colour that is farthest, with its index; the first of several.
    pub(super) fn farthest(&self) -> (usize, u8) {
        let mut farthest = (0, 0);
        for colour in 0..COLOURS {
            let distance = self.distance(colour);
            if distance > farthest.1 {
                farthest = (colour, distance);
            }
        }
        farthest
    }

    /// A lower bound on the moves of a solution.
    pub(super) fn bound(&self) -> u8 {
        self.costs.moves().max(self.farthest().1)
    }

    /// The places of each colour that is more than `moves` moves away: the next
    /// move must bring a block of each of them nearer.
    pub(super) fn urgent(&self, moves: u8) -> impl Iterator<Item = Places> + '_ {
        (0..COLOURS)
            .filter(move |&colour| self.distance(colour) > moves)
            .map(|colour| self.field.of_colour(colour + 1))
    }

    /// What the swap of a place, given by its bit's number, with its right neighbour
    /// changes, if nothing vanishes; `None` if the bounds tell that `moves` moves
    /// can't clear what it leads to. The distances of the other colours are not looked at.
    #[inline]
    pub(super) fn swap_is_hopeful(&self, place: u32, moves: u8) -> Option<(Changes<2>, Costs)> {
        let changes = self.swap(place);
        Some((changes, self.costs_after(changes, moves)?))
    }

    /// The node after the swap of a place, given by its bit's number, with its right
    /// neighbour, if nothing vanishes; `None` if the bounds tell that `moves` moves
    /// can't clear it. The distances of the other colours are not looked at.
    #[inline]
    pub(super) fn after_quiet_swap(&self, place: u32, moves: u8) -> Option<Self> {
        let (changes, costs) = self.swap_is_hopeful(place, moves)?;
        Some(self.changed(self.field.swapped(1 << place), changes, costs))
    }

    /// As [`Node::after_quiet_swap`], where something vanishes.
    #[inline]
    pub(super) fn after_loud_swap(&self, place: u32, moves: u8) -> Option<Self> {
        let mut field = self.field.swapped(1 << place);
        let runs = field.runs();
        // The first runs have the colours of the two blocks alone.
        let changes = self.swap(place).map(|(colour, histogram)| {
            (colour, histogram - histogram_of(field.of_colour(colour + 1) & runs))
        });
        let costs = self.costs_after(changes, moves)?;
        field.take(runs);
        let node = self.changed(field, changes, costs);
        match field.runs() {
            0 => (!field.is_empty()).then_some(node),
            runs => node.settled(runs, moves),
        }
    }

    /// The node after the drop of the block of a place, given by its bit's number, on
    /// column `to`, and whether nothing vanished; `None` if the bounds tell that `moves`
    /// moves can't clear it.
    #[inline]
    pub(super) fn after_drop(&self, place: u32, to: u32, moves: u8) -> (Option<Self>, bool) {
        let colour = self.field.colour(place) - 1;
        let (from, to_column) = ((place / COLUMN_BITS) as usize, to as usize);
        let changes = [(colour, self.histograms[colour] - one_in(from) + one_in(to_column))];
        let Some(costs) = self.costs_after(changes, moves) else { return (None, false) };
        let field = self.field.dropped(place, to);
        let node = self.changed(field, changes, costs);
        match field.runs() {
            0 => (Some(node), true),
            runs => (node.settled(runs, moves), false),
        }
    }

    /// The colours of the swap of a place with its right neighbour, by index, and
    /// their histograms after it.
    #[inline]
    fn swap(&self, place: u32) -> Changes<2> {
        let [left, right] = [place, place + COLUMN_BITS].map(|at| self.field.colour(at) - 1);
        let x = (place / COLUMN_BITS) as usize;
        let shift = one_in(x + 1) - one_in(x);
        [(left, self.histograms[left] + shift), (right, self.histograms[right] - shift)]
    }

    /// What all colours cost together when some have other histograms; `None` if
    /// that, or the distance of one of those, is more than `moves` moves.
    #[inline]
    fn costs_after<const COUNT: usize>(&self, changes: Changes<COUNT>, moves: u8) -> Option<Costs> {
        let mut costs = self.costs;
        let mut near = true;
        for (colour, histogram) in changes {
            let after = self.table.costs(histogram);
            near &= after.distance() <= moves;
            costs = costs.exchanged(self.table.costs(self.histograms[colour]), after);
        }
        (near & costs.allow(moves)).then_some(costs)
    }

    /// The node with another field, other histograms and costs.
    #[inline]
    fn changed<const COUNT: usize>(
        &self,
        field: Field<PLANES>,
        changes: Changes<COUNT>,
        costs: Costs,
    ) -> Self {
        let mut node = Self { field, costs, ..*self };
        for (colour, histogram) in changes {
            node.histograms[colour] = histogram;
        }
        node
    }

    /// The node when `runs` and all that follow have vanished.
    fn settled(&self, runs: Places, moves: u8) -> Option<Self> {
        let mut node = *self;
        node.field.settle(runs);
        if node.field.is_empty() {
            return None;
        }
        node.measure();
        (node.costs.allow(moves) && node.farthest().1 <= moves).then_some(node)
    }

    /// The drops of these moves that are asleep after which nothing vanishes.
    pub(super) fn quiet_of(&self, asleep: Asleep) -> Asleep {
        let (right, left) = self.field.all_drops();
        let is_quiet = |at: &u32, to: u32| self.field.dropped(*at, to).runs() == 0;
        let to_right =
            each(asleep.drops_right & right).filter(|at| is_quiet(at, at / COLUMN_BITS + 1));
        let to_left =
            each(asleep.drops_left & left).filter(|at| is_quiet(at, at / COLUMN_BITS - 1));
        let set = |places: u64, at: u32| places | 1 << at;
        Asleep { drops_right: to_right.fold(0, set), drops_left: to_left.fold(0, set), swaps: 0 }
    }

    /// Whether the colours are within `moves` moves, as far as the distances tell.
    pub(super) fn is_hopeful(&self, moves: u8) -> bool {
        self.costs.allow(moves) && self.farthest().1 <= moves
    }
}

/// The columns of each set of the first four.
pub(super) const COLUMN_SETS: [Places; 16] = {
    let mut sets = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut x = 0;
        while x < COLUMNS - 1 {
            if set >> x & 1 == 1 {
                sets[set] |= 0x7F << (COLUMN_BITS as usize * x);
            }
            x += 1;
        }
        set += 1;
    }
    sets
};

/// How many of the places each column has.
const fn histogram_of(places: Places) -> Histogram {
    let pairs = places - (places >> 1 & 0x55_5555_5555);
    let fours = (pairs & 0x33_3333_3333) + (pairs >> 2 & 0x33_3333_3333);
    let columns = (fours + (fours >> 4)) & 0x0F_0F0F_0F0F;
    // Each column's count moves next to the one on its left.
    let packed = columns & 0o7
        | columns >> 5 & 0o70
        | columns >> 10 & 0o700
        | columns >> 15 & 0o7000
        | columns >> 20 & 0o7_0000;
    packed as Histogram
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::mayan::board::{Blocks, Drag, HEIGHT, MAX_STEPS, Move};

    const NAMES: [u8; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

    /// Compares every move of a board, on which nothing vanishes, with the rules;
    /// how many moves let something vanish.
    fn agrees<const PLANES: usize, const COLOURS: usize>(blocks: &Blocks) -> usize {
        let node = |blocks: &Blocks| Node::<PLANES, COLOURS>::new(Field::new(blocks, &NAMES));
        let before = node(blocks);
        let all = before.field.moves();
        let (all_right, all_left) = before.field.all_drops();
        let mut vanished = 0;
        let mut clears = false;
        for (x, y) in (0..COLUMNS).flat_map(|x| (0..HEIGHT).map(move |y| (x, y))) {
            let at = COLUMN_BITS * x as u32 + y as u32;
            let is_in = |places: Places| places >> at & 1 == 1;
            for drag in [Drag::Right, Drag::Left] {
                let played = Move { x, y, drag };
                let mut after = *blocks;
                let rounds = after.play(played, false);
                let to = x.checked_add_signed(isize::from(drag.sign()));
                let onto = to.and_then(|to| blocks.colour(to, y));
                let (swap, drop) = match drag {
                    Drag::Right => (is_in(all.quiet | all.loud), is_in(all_right)),
                    Drag::Left => (false, is_in(all_left)),
                };
                if drag == Drag::Right || onto.is_none() {
                    assert_eq!(rounds.is_ok(), swap || drop, "{blocks}{played}");
                }
                let (Ok(rounds), true) = (rounds, swap || drop) else { continue };
                clears |= after.is_empty();
                vanished += usize::from(!rounds.is_empty());
                let unsettled = match to {
                    Some(to) if drop => before.field.dropped(at, to as u32),
                    _ => before.field.swapped(1 << at),
                };
                assert_eq!(unsettled.clears_by_itself(), after.is_empty(), "{blocks}{played}");
                let ours = match to {
                    _ if swap && is_in(all.quiet) => before.after_quiet_swap(at, MAX_STEPS),
                    Some(to) if drop => {
                        let (ours, is_quiet) = before.after_drop(at, to as u32, MAX_STEPS);
                        assert!(ours.is_none() || is_quiet == rounds.is_empty());
                        ours
                    }
                    _ => before.after_loud_swap(at, MAX_STEPS),
                };
                if swap {
                    assert_eq!(is_in(all.loud), !rounds.is_empty(), "{blocks}{played}");
                }
                let expected = node(&after);
                match ours {
                    Some(ours) => {
                        assert_eq!(ours.field, expected.field, "{blocks}{played}");
                        assert_eq!(ours.histograms, expected.histograms, "{blocks}{played}");
                        assert_eq!(ours.costs, expected.costs, "{blocks}{played}");
                    }
                    None => assert!(after.is_empty() || !expected.is_hopeful(MAX_STEPS)),
                }
            }
        }
        assert_eq!(before.clears_in_one(), clears, "{blocks}");
        assert_eq!(before.last_move().is_some(), clears, "{blocks}");
        vanished
    }

    #[test]
    fn packed_moves_do_what_the_rules_do() {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut boards, mut vanished) = (0, 0);
        while boards < 4_000 {
            let (colours, heights) = (random.i64(1..=10), random.usize(1..=8));
            let columns: Vec<Vec<i64>> = (0..COLUMNS)
                .map(|_| (0..random.usize(0..heights)).map(|_| random.i64(1..=colours)).collect())
                .collect();
            let blocks = Blocks::new(&columns).unwrap();
            if !blocks.runs().is_empty() {
                continue;
            }
            boards += 1;
            vanished += match colours {
                1..=3 => agrees::<2, 3>(&blocks),
                4..=7 => agrees::<3, 7>(&blocks),
                _ => agrees::<4, 10>(&blocks),
            };
        }
        assert!(vanished > 1_000, "only {vanished} moves let something vanish");
    }
}
