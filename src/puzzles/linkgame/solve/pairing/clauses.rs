//! Clauses over choices, each watched at two of its literals.

/// A choice made (even) or forbidden (odd).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Literal(u32);

impl Literal {
    /// The choice is made.
    pub(super) const fn made(choice: u32) -> Self {
        Self(choice << 1)
    }

    /// The choice is forbidden.
    pub(super) const fn forbidden(choice: u32) -> Self {
        Self(choice << 1 | 1)
    }

    pub(super) const fn choice(self) -> u32 {
        self.0 >> 1
    }

    pub(super) const fn is_made(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a clause begins in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseId(u32);

/// A clause to look at when a literal becomes false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watcher {
    pub(super) clause: ClauseId,
    /// Another literal of the clause: while it is true, there is nothing to do.
    pub(super) blocker: Literal,
}

/// All clauses, one after the other: length, weight, literals.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    store: Vec<u32>,
    /// For each literal, the clauses that watch it.
    pub(super) watchers: Vec<Vec<Watcher>>,
    count: usize,
}

const HEADER: usize = 2;

impl Clauses {
    pub(super) fn new(choices: usize) -> Self {
        Self { store: Vec::new(), watchers: vec![Vec::new(); choices * 2], count: 0 }
    }

    /// How many clauses there are.
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// The bytes that a clause of `length` literals takes.
    pub(super) const fn bytes(length: usize) -> usize {
        // Vectors grow by doubling, so half of what they hold may be unused.
        2 * (4 * (HEADER + length) + 2 * size_of::<Watcher>())
    }

    /// Adds a clause of at least two literals, watched at the first two. Clauses of
    /// less weight are kept longer.
    pub(super) fn add(&mut self, literals: &[Literal], weight: u32) -> ClauseId {
        let id = ClauseId(self.store.len() as u32);
        self.store.push(literals.len() as u32);
        self.store.push(weight);
        self.store.extend(literals.iter().map(|literal| literal.0));
        self.watchers[literals[0].index()].push(Watcher { clause: id, blocker: literals[1] });
        self.watchers[literals[1].index()].push(Watcher { clause: id, blocker: literals[0] });
        self.count += 1;
        id
    }

    pub(super) fn length(&self, clause: ClauseId) -> usize {
        self.store[clause.0 as usize] as usize
    }

    pub(super) fn literal(&self, clause: ClauseId, position: usize) -> Literal {
        Literal(self.store[clause.0 as usize + HEADER + position])
    }

    pub(super) fn literals(&self, clause: ClauseId) -> impl Iterator<Item = Literal> + '_ {
        let first = clause.0 as usize + HEADER;
        self.store[first..first + self.length(clause)].iter().map(|&code| Literal(code))
    }

    pub(super) fn swap(&mut self, clause: ClauseId, one: usize, other: usize) {
        let first = clause.0 as usize + HEADER;
        self.store.swap(first + one, first + other);
    }

    /// Drops the heavier half of the clauses over `kept_weight`, older ones first among
    /// equals; to be called when nothing but the root is decided. Returns the bytes freed.
    pub(super) fn forget(&mut self, kept_weight: u32, is_true: impl Fn(Literal) -> bool) -> usize {
        let mut clauses = Vec::with_capacity(self.count);
        let mut at = 0;
        while at < self.store.len() {
            clauses.push(at);
            at += HEADER + self.store[at] as usize;
        }
        let mut weights: Vec<u32> = clauses.iter().map(|&at| self.store[at + 1]).collect();
        weights.sort_unstable();
        let limit = weights.get(weights.len() / 2).copied().unwrap_or(0).max(kept_weight);
        let old = std::mem::take(self);
        *self = Self::new(old.watchers.len() / 2);
        let mut freed = 0;
        let mut literals = Vec::new();
        for at in clauses {
            let length = old.store[at] as usize;
            literals.clear();
            literals.extend(
                old.store[at + HEADER..at + HEADER + length].iter().map(|&code| Literal(code)),
            );
            if old.store[at + 1] > limit || literals.iter().any(|&literal| is_true(literal)) {
                freed += Self::bytes(length);
            } else {
                self.add(&literals, old.store[at + 1]);
            }
        }
        freed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SATISFIED: Literal = Literal::forbidden(8);

    /// Five clauses with weights of which the middle one is 3; the third is satisfied.
    fn five() -> (Clauses, Vec<Vec<Literal>>) {
        let of = |choices: &[u32]| choices.iter().copied().map(Literal::made).collect::<Vec<_>>();
        let literals = vec![
            of(&[0, 1]),
            of(&[2, 3, 4, 5]),
            vec![Literal::made(6), Literal::made(7), SATISFIED],
            of(&[5, 4, 1]),
            of(&[9, 0]),
        ];
        let mut clauses = Clauses::new(10);
        for (literals, weight) in literals.iter().zip([2, 7, 2, 3, 9]) {
            clauses.add(literals, weight);
        }
        (clauses, literals)
    }

    /// Every clause by its literals, in the order of the store; each has to be watched at its
    /// first two, and each of the two to know the other.
    fn watched(clauses: &Clauses) -> Vec<Vec<Literal>> {
        let mut seen = Vec::new();
        for (index, watchers) in clauses.watchers.iter().enumerate() {
            for &Watcher { clause, blocker } in watchers {
                let literals: Vec<_> = clauses.literals(clause).collect();
                let place = usize::from(literals[0].index() != index);
                assert_eq!(literals[place].index(), index, "{literals:?}");
                assert_eq!(blocker, literals[1 - place], "{literals:?}");
                seen.push((clause.0, literals));
            }
        }
        seen.sort_unstable();
        assert!(seen.chunks(2).all(|pair| pair.len() == 2 && pair[0] == pair[1]), "{seen:?}");
        seen.into_iter().step_by(2).map(|(_, literals)| literals).collect()
    }

    #[test]
    fn what_is_kept_when_clauses_are_forgotten_is_the_same_clause_and_watched() {
        let (mut clauses, literals) = five();
        assert_eq!(watched(&clauses), literals);
        let freed = clauses.forget(0, |literal| literal == SATISFIED);
        assert_eq!(watched(&clauses), [literals[0].clone(), literals[3].clone()]);
        assert_eq!(clauses.len(), 2);
        assert_eq!(freed, Clauses::bytes(4) + Clauses::bytes(3) + Clauses::bytes(2));
    }

    #[test]
    fn clauses_of_a_weight_that_is_always_kept_go_only_when_they_are_satisfied() {
        let (mut clauses, mut literals) = five();
        clauses.forget(9, |literal| literal == SATISFIED);
        literals.remove(2);
        assert_eq!(watched(&clauses), literals);
        assert_eq!(clauses.forget(9, |_| false), 0);
        assert_eq!(watched(&clauses), literals);
    }
}
