//! Learnt clauses: of these literals, one must be true.
//!
//! Clauses lie one behind the other in one list of words; each is watched by its first two
//! literals (Moskewicz et al. 2001). The number of levels that a clause's literals came from
//! when it was learnt says how much it is worth (Audemard and Simon 2009): those of
//! few levels stay, of the others the worse half goes from time to time.

/// An edge and whether it is chosen: twice the edge's number, plus one if it is *not*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal(u32);

impl Literal {
    /// The edge is chosen.
    pub(super) const fn chosen(edge: usize) -> Self {
        Self(2 * edge as u32)
    }

    /// The edge is not chosen.
    pub(super) const fn dropped(edge: usize) -> Self {
        Self(2 * edge as u32 + 1)
    }

    pub(super) const fn edge(self) -> usize {
        (self.0 / 2) as usize
    }

    pub(super) const fn is_chosen(self) -> bool {
        self.0.is_multiple_of(2)
    }

    pub(super) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a clause begins in the list of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseId(u32);

/// A clause that watches a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub(super) clause: ClauseId,
    /// Another literal of the clause: where it is true the clause need not be looked at.
    pub(super) blocker: Literal,
}

/// All learnt clauses.
#[derive(Debug)]
pub(super) struct Clauses {
    /// A clause is its length, its number of levels, and its literals.
    words: Vec<u32>,
    ids: Vec<ClauseId>,
    /// By literal index, the clauses to be looked at when the literal becomes false.
    watches: Vec<Vec<Watch>>,
}

const HEADER: usize = 2;
/// Clauses from so few levels stay for good.
const KEPT_LEVELS: u32 = 2;

impl Clauses {
    pub(super) fn new(edges: usize) -> Self {
        Self { words: Vec::new(), ids: Vec::new(), watches: vec![Vec::new(); 2 * edges] }
    }

    pub(super) const fn len(&self) -> usize {
        self.ids.len()
    }

    /// About the bytes that the clauses hold.
    pub(super) const fn bytes(&self) -> usize {
        self.words.len() * 4 + self.ids.len() * (4 + 2 * size_of::<Watch>() * 3 / 2)
    }

    /// Adds a clause of two literals or more; the first two are watched.
    pub(super) fn add(&mut self, literals: &[Literal], levels: u32) -> ClauseId {
        let id = ClauseId(self.words.len() as u32);
        self.words.push(literals.len() as u32);
        self.words.push(levels);
        self.words.extend(literals.iter().map(|literal| literal.0));
        self.ids.push(id);
        self.watch(id);
        id
    }

    fn watch(&mut self, id: ClauseId) {
        let (first, second) = (self.literal(id, 0), self.literal(id, 1));
        self.watches[first.index()].push(Watch { clause: id, blocker: second });
        self.watches[second.index()].push(Watch { clause: id, blocker: first });
    }

    pub(super) fn length(&self, id: ClauseId) -> usize {
        self.words[id.0 as usize] as usize
    }

    #[inline]
    pub(super) fn literal(&self, id: ClauseId, index: usize) -> Literal {
        Literal(self.words[id.0 as usize + HEADER + index])
    }

    pub(super) fn literals(&self, id: ClauseId) -> impl Iterator<Item = Literal> + '_ {
        let begin = id.0 as usize + HEADER;
        self.words[begin..begin + self.length(id)].iter().map(|&word| Literal(word))
    }

    #[inline]
    pub(super) fn swap(&mut self, id: ClauseId, one: usize, other: usize) {
        let begin = id.0 as usize + HEADER;
        self.words.swap(begin + one, begin + other);
    }

    /// Takes the list of clauses that watch a literal, to be given back by [`Clauses::put_watches`].
    pub(super) fn take_watches(&mut self, literal: Literal) -> Vec<Watch> {
        std::mem::take(&mut self.watches[literal.index()])
    }

    pub(super) fn put_watches(&mut self, literal: Literal, watches: Vec<Watch>) {
        self.watches[literal.index()] = watches;
    }

    pub(super) fn add_watch(&mut self, literal: Literal, watch: Watch) {
        self.watches[literal.index()].push(watch);
    }

    /// Drops the worse half of the clauses that came from many levels and are not `needed`. Every
    /// clause that stays moves: `moved` is told from where to where.
    pub(super) fn reduce(
        &mut self,
        needed: impl Fn(ClauseId) -> bool,
        mut moved: impl FnMut(ClauseId, ClauseId),
    ) {
        let levels = |id: &ClauseId| self.words[id.0 as usize + 1];
        let mut worst: Vec<ClauseId> = self
            .ids
            .iter()
            .copied()
            .filter(|id| levels(id) > KEPT_LEVELS && !needed(*id))
            .collect();
        // Of clauses from equally many levels the older goes first.
        worst.sort_by_key(|id| (std::cmp::Reverse(levels(id)), id.0));
        worst.truncate(worst.len() / 2);
        for id in &worst {
            self.words[id.0 as usize + 1] = 0;
        }
        for watches in &mut self.watches {
            watches.clear();
        }
        let words = std::mem::take(&mut self.words);
        let ids = std::mem::take(&mut self.ids);
        self.words.reserve(words.len());
        for old in ids {
            let begin = old.0 as usize;
            if words[begin + 1] == 0 {
                continue;
            }
            let id = ClauseId(self.words.len() as u32);
            let end = begin + HEADER + words[begin] as usize;
            self.words.extend_from_slice(&words[begin..end]);
            self.ids.push(id);
            self.watch(id);
            moved(old, id);
        }
    }
}
