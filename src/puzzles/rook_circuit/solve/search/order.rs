//! Which edge to decide next: the one that conflicts met most, recent ones counting more (VSIDS,
//! Moskewicz et al. 2001), in a binary heap that knows where each edge stands.

/// Edges by activity, the most active first; of equally active ones the lower number.
#[derive(Debug)]
pub(super) struct Order {
    activity: Vec<f64>,
    heap: Vec<u32>,
    /// Where an edge stands in the heap, or [`ABSENT`].
    index: Vec<u32>,
    increment: f64,
}

const ABSENT: u32 = u32::MAX;
/// What an activity is multiplied with a conflict later, compared to a new one.
const DECAY: f64 = 0.95;
/// Activities beyond this are scaled down.
const GREATEST: f64 = 1e100;

impl Order {
    pub(super) fn new(edges: usize) -> Self {
        Self {
            activity: vec![0.0; edges],
            heap: (0..edges as u32).collect(),
            index: (0..edges as u32).collect(),
            increment: 1.0,
        }
    }

    /// Takes the most active edge out.
    pub(super) fn pop(&mut self) -> Option<usize> {
        let first = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.index[first as usize] = ABSENT;
        if let Some(top) = self.heap.first_mut() {
            *top = last;
            self.index[last as usize] = 0;
            self.sift_down(0);
        }
        Some(first as usize)
    }

    /// Puts an edge back.
    pub(super) fn push(&mut self, edge: usize) {
        if self.index[edge] == ABSENT {
            self.index[edge] = self.heap.len() as u32;
            self.heap.push(edge as u32);
            self.sift_up(self.heap.len() - 1);
        }
    }

    /// Notes that a conflict met the edge.
    pub(super) fn bump(&mut self, edge: usize) {
        self.activity[edge] += self.increment;
        if self.activity[edge] > GREATEST {
            for activity in &mut self.activity {
                *activity /= GREATEST;
            }
            self.increment /= GREATEST;
        }
        if self.index[edge] != ABSENT {
            self.sift_up(self.index[edge] as usize);
        }
    }

    /// Makes earlier bumps count less.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn goes_before(&self, one: u32, other: u32) -> bool {
        let (active, other_active) = (self.activity[one as usize], self.activity[other as usize]);
        active > other_active || (active == other_active && one < other)
    }

    fn sift_up(&mut self, mut at: usize) {
        let edge = self.heap[at];
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.goes_before(edge, self.heap[above]) {
                break;
            }
            self.place(at, self.heap[above]);
            at = above;
        }
        self.place(at, edge);
    }

    fn sift_down(&mut self, mut at: usize) {
        let edge = self.heap[at];
        loop {
            let mut below = 2 * at + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len()
                && self.goes_before(self.heap[below + 1], self.heap[below])
            {
                below += 1;
            }
            if !self.goes_before(self.heap[below], edge) {
                break;
            }
            self.place(at, self.heap[below]);
            at = below;
        }
        self.place(at, edge);
    }

    fn place(&mut self, at: usize, edge: u32) {
        self.heap[at] = edge;
        self.index[edge as usize] = at as u32;
    }
}
