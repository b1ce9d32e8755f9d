//! Which choice to decide next: a heap by activity.

/// Choices by activity, the most active first; ties go to the lower number.
#[derive(Clone, Debug)]
pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    heap: Vec<u32>,
    position: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Order {
    pub(super) fn new(choices: usize) -> Self {
        Self {
            activity: vec![0.0; choices],
            increment: 1.0,
            heap: (0..choices as u32).collect(),
            position: (0..choices as u32).collect(),
        }
    }

    /// Raises a choice's activity.
    pub(super) fn bump(&mut self, choice: u32) {
        let activity = &mut self.activity[choice as usize];
        *activity += self.increment;
        if *activity > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.increment *= 1e-100;
        }
        if self.position[choice as usize] != ABSENT {
            self.rise(self.position[choice as usize] as usize);
        }
    }

    /// Lets all activities fade by raising later increments.
    pub(super) fn fade(&mut self, factor: f64) {
        self.increment /= factor;
    }

    /// Puts a choice back.
    pub(super) fn insert(&mut self, choice: u32) {
        if self.position[choice as usize] == ABSENT {
            self.position[choice as usize] = self.heap.len() as u32;
            self.heap.push(choice);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the most active choice out.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let &top = self.heap.first()?;
        let last = self.heap.pop().expect("the heap has a first element");
        self.position[top as usize] = ABSENT;
        if top != last {
            self.heap[0] = last;
            self.position[last as usize] = 0;
            self.sink(0);
        }
        Some(top)
    }

    fn before(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.activity[one as usize], self.activity[other as usize]);
        a > b || (a == b && one < other)
    }

    fn rise(&mut self, mut at: usize) {
        let choice = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.before(choice, self.heap[parent]) {
                break;
            }
            self.place(self.heap[parent], at);
            at = parent;
        }
        self.place(choice, at);
    }

    fn sink(&mut self, mut at: usize) {
        let choice = self.heap[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], choice) {
                break;
            }
            self.place(self.heap[child], at);
            at = child;
        }
        self.place(choice, at);
    }

    fn place(&mut self, choice: u32, at: usize) {
        self.heap[at] = choice;
        self.position[choice as usize] = at as u32;
    }
}
