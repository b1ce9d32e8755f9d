//! A board in play: tiles go and come back, and which pairs are open is kept up to date.
//!
//! Without gravity a removal never closes a path, so openings pile up on a stack, and
//! going back is popping it. When the tile at place p goes, a pair opens only by a path
//! through p. With at most two turns, either p lies on the first or last segment, and
//! then one end is among the (at most four) tiles seen straight from p; or p lies within
//! the middle segment, and then both ends look straight into the free line through p.
//! The first are tested, the second are open for certain; that is O(side) a removal
//! where testing every pair anew would be O(pairs × side). Three turns are rarely
//! played: there, what each tile reaches is flooded anew.

use crate::budget::{Budget, Stop};

use super::field::{Field, Place};
use super::tiles::Tiles;

/// A board in play.
#[derive(Clone, Debug)]
pub(super) struct Play<'tiles> {
    pub(super) tiles: &'tiles Tiles,
    field: Field,
    /// Whether each tile is on the board.
    standing: Vec<bool>,
    left: usize,
    /// How many tiles of each kind are on the board.
    left_of: Vec<u16>,
    /// The tile at each place, standing or not.
    tile_at: Vec<u16>,
    /// Whether each pair is open.
    open: Vec<bool>,
    /// The open pairs in the order in which they opened.
    opened: Vec<u32>,
    removed: Vec<u16>,
    /// For each kind, the tiles seen from the line under inspection: a list by mark.
    seen_mark: Vec<u32>,
    seen: Vec<Vec<u16>>,
    mark: u32,
    changed_rows: u32,
    changed_cols: u32,
}

/// A moment to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    removed: usize,
    opened: usize,
}

const NO_TILE: u16 = u16::MAX;

impl<'tiles> Play<'tiles> {
    /// The board with every tile standing.
    pub(super) fn new(tiles: &'tiles Tiles) -> Self {
        let mut tile_at = vec![NO_TILE; 32 * 32];
        for (number, place) in tiles.places.iter().enumerate() {
            tile_at[index(*place)] = number as u16;
        }
        let mut play = Self {
            tiles,
            field: tiles.field.clone(),
            standing: vec![true; tiles.len()],
            left: tiles.len(),
            left_of: tiles.groups.iter().map(|group| group.len() as u16).collect(),
            tile_at,
            open: vec![false; tiles.pairs.len()],
            opened: Vec::new(),
            removed: Vec::new(),
            seen_mark: vec![0; tiles.groups.len()],
            seen: vec![Vec::new(); tiles.groups.len()],
            mark: 0,
            changed_rows: 0,
            changed_cols: 0,
        };
        if tiles.max_turns < 3 {
            play.test_all();
        }
        play
    }

    /// The tiles left on the board.
    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// How many tiles of a kind are left.
    #[inline]
    pub(super) fn left_of(&self, kind: u16) -> usize {
        usize::from(self.left_of[usize::from(kind)])
    }

    /// The tiles on the board.
    pub(super) fn standing(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.tiles.len() as u16).filter(|&tile| self.stands(tile))
    }

    /// Whether a tile is on the board.
    #[inline]
    pub(super) fn stands(&self, tile: u16) -> bool {
        self.standing[usize::from(tile)]
    }

    /// The pairs that opened so far, in order; one or both of their tiles may be gone.
    #[inline]
    pub(super) fn opened(&self) -> &[u32] {
        &self.opened
    }

    /// Whether a pair has opened.
    #[inline]
    pub(super) fn is_open(&self, pair: u32) -> bool {
        self.open[pair as usize]
    }

    /// Whether a path joins a pair of which one tile may be gone.
    #[inline]
    pub(super) fn is_joined(&self, pair: u32) -> bool {
        let (one, other) = self.tiles.pairs[pair as usize];
        self.open[pair as usize]
            || self.field.joins(
                self.tiles.places[usize::from(one)],
                self.tiles.places[usize::from(other)],
                self.tiles.max_turns,
            )
    }

    /// As [`Play::is_joined`], when only paths through the given rows and columns can be new.
    #[inline]
    pub(super) fn is_joined_anew(&self, pair: u32, (rows, cols): (u32, u32)) -> bool {
        let (one, other) = self.tiles.pairs[pair as usize];
        self.open[pair as usize]
            || self.field.joins_anew(
                self.tiles.places[usize::from(one)],
                self.tiles.places[usize::from(other)],
                self.tiles.max_turns,
                rows,
                cols,
            )
    }

    /// The rows and columns of the tiles removed since this was last asked.
    #[inline]
    pub(super) fn take_changes(&mut self) -> (u32, u32) {
        (std::mem::take(&mut self.changed_rows), std::mem::take(&mut self.changed_cols))
    }

    /// The moment to which [`Play::back_to`] returns.
    #[inline]
    pub(super) fn now(&self) -> Moment {
        Moment { removed: self.removed.len(), opened: self.opened.len() }
    }

    /// Takes a tile off the board.
    pub(super) fn remove(&mut self, tile: u16) {
        let place = self.tiles.places[usize::from(tile)];
        self.field.clear(place);
        self.changed_rows |= 1 << (place.row & 31);
        self.changed_cols |= 1 << (place.col & 31);
        self.standing[usize::from(tile)] = false;
        self.left -= 1;
        self.left_of[usize::from(self.tiles.kinds[usize::from(tile)])] -= 1;
        self.removed.push(tile);
        match self.tiles.max_turns {
            3.. => {}
            2 => {
                self.look_from(place);
                self.look_along_column(place);
                self.look_along_row(place);
            }
            _ => self.look_from(place),
        }
    }

    /// Puts back what was removed since a moment.
    pub(super) fn back_to(&mut self, moment: Moment) {
        for &tile in &self.removed[moment.removed..] {
            self.field.block(self.tiles.places[usize::from(tile)]);
            self.standing[usize::from(tile)] = true;
            self.left += 1;
            self.left_of[usize::from(self.tiles.kinds[usize::from(tile)])] += 1;
        }
        self.removed.truncate(moment.removed);
        for &pair in &self.opened[moment.opened..] {
            self.open[pair as usize] = false;
        }
        self.opened.truncate(moment.opened);
    }

    /// Opens the pairs that [`Play::remove`] does not find by itself (three turns);
    /// whether there were any.
    pub(super) fn catch_up(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        if self.tiles.max_turns < 3 {
            return Ok(false);
        }
        let before = self.opened.len();
        for tile in 0..self.tiles.len() as u16 {
            let kind = usize::from(self.tiles.kinds[usize::from(tile)]);
            if !self.stands(tile) || self.left_of[kind] < 2 {
                continue;
            }
            budget.tick()?;
            let reach =
                self.field.reach(self.tiles.places[usize::from(tile)], self.tiles.max_turns);
            // Every pair is met at its later tile.
            for &other in &self.tiles.groups[kind] {
                if other >= tile {
                    break;
                }
                let place = self.tiles.places[usize::from(other)];
                if self.stands(other) && reach[usize::from(place.row)] >> place.col & 1 == 1 {
                    self.set_open(self.tiles.pair(tile, other));
                }
            }
        }
        Ok(self.opened.len() > before)
    }

    fn test_all(&mut self) {
        let tiles = self.tiles;
        let is_exposed: Vec<bool> =
            tiles.places.iter().map(|&place| self.field.is_exposed(place)).collect();
        for (pair, &(one, other)) in tiles.pairs.iter().enumerate() {
            let (from, to) = (tiles.places[usize::from(one)], tiles.places[usize::from(other)]);
            let may_be_joined = is_exposed[usize::from(one)] && is_exposed[usize::from(other)];
            if may_be_joined || from.is_beside(to) {
                self.test(pair as u32);
            }
        }
    }

    #[inline]
    fn test(&mut self, pair: u32) {
        if !self.open[pair as usize] && self.is_joined(pair) {
            self.set_open(pair);
        }
    }

    #[inline]
    fn set_open(&mut self, pair: u32) {
        if !self.open[pair as usize] {
            self.open[pair as usize] = true;
            self.opened.push(pair);
        }
    }

    /// Tests the pairs of the tiles seen straight from a place that became free.
    fn look_from(&mut self, place: Place) {
        let tiles = self.tiles;
        let sights = self.field.sights(place);
        for sight in sights.into_iter().flatten() {
            let tile = self.tile_at[index(sight)];
            if tile == NO_TILE {
                continue;
            }
            let kind = usize::from(tiles.kinds[usize::from(tile)]);
            if self.left_of[kind] < 2 {
                continue;
            }
            for &other in &tiles.groups[kind] {
                // Neighbours were open from the start, so both ends must be exposed.
                if other != tile
                    && self.stands(other)
                    && self.field.is_exposed(tiles.places[usize::from(other)])
                {
                    self.test(tiles.pair(tile, other));
                }
            }
        }
    }

    /// Opens the pairs of the tiles that look into the free part of the column through `place`.
    fn look_along_column(&mut self, place: Place) {
        self.mark += 1;
        for row in self.field.col_span(place) {
            let [east, west] = self.field.row_sights(Place { row, col: place.col });
            self.meet(east);
            self.meet(west);
        }
    }

    /// Opens the pairs of the tiles that look into the free part of the row through `place`.
    fn look_along_row(&mut self, place: Place) {
        self.mark += 1;
        for col in self.field.row_span(place) {
            let [south, north] = self.field.col_sights(Place { row: place.row, col });
            self.meet(south);
            self.meet(north);
        }
    }

    /// A tile that looks into the line under inspection: it is open with all of its
    /// kind that do.
    #[inline]
    fn meet(&mut self, sight: Option<Place>) {
        let Some(place) = sight else { return };
        let tile = self.tile_at[index(place)];
        if tile == NO_TILE {
            return;
        }
        let kind = usize::from(self.tiles.kinds[usize::from(tile)]);
        if self.seen_mark[kind] != self.mark {
            self.seen_mark[kind] = self.mark;
            self.seen[kind].clear();
        }
        for position in 0..self.seen[kind].len() {
            let other = self.seen[kind][position];
            if other != tile {
                let pair = self.tiles.pair(tile, other);
                self.set_open(pair);
            }
        }
        self.seen[kind].push(tile);
    }
}

#[inline]
fn index(place: Place) -> usize {
    usize::from(place.row) * 32 + usize::from(place.col)
}
