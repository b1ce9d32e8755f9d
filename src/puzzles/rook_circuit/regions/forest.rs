//! Union-find: which of a number of things are joined.

/// A forest whose trees are the sets of joined things. Paths are halved as they are walked, and
/// the smaller number becomes the root's child, so a walk is short on
/// average; no recursion.
#[derive(Clone, Debug)]
pub(in crate::puzzles::rook_circuit) struct Forest {
    parent: Vec<u32>,
}

impl Forest {
    /// `len` things, none joined.
    pub(in crate::puzzles::rook_circuit) fn new(len: usize) -> Self {
        Self { parent: (0..len as u32).collect() }
    }

    /// The thing that stands for all that are joined with `thing`.
    pub(in crate::puzzles::rook_circuit) fn root(&mut self, thing: usize) -> usize {
        let mut thing = thing as u32;
        while self.parent[thing as usize] != thing {
            let above = self.parent[self.parent[thing as usize] as usize];
            self.parent[thing as usize] = above;
            thing = above;
        }
        thing as usize
    }

    /// Joins two things; `false` when they were joined.
    pub(in crate::puzzles::rook_circuit) fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.min(other)] = one.max(other) as u32;
        one != other
    }

    /// Whether two things are joined.
    pub(in crate::puzzles::rook_circuit) fn are_joined(
        &mut self,
        one: usize,
        other: usize,
    ) -> bool {
        self.root(one) == self.root(other)
    }
}
