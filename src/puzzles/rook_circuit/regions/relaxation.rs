//! The subtour relaxation and its first-order primal-dual method.
//!
//! Primal: x in [0, 1] on the edges, two at each place, at least two across each cut, where
//! what a cut lacks is paid for: the least payment is to be found. Dual: y of any sign on
//! places and u in [0, 1] on cuts, worth
//! 2 Σ y + 2 Σ u − Σ max(0, y + y + Σ u of the cuts that the edge crosses);
//! a positive worth means that there is no circuit, whatever x is.
//!
//! The method (primal-dual hybrid gradient, Chambolle and Pock 2011) goes a step along the
//! gradient in x, clips, goes a step in y and u against the extrapolated x, and clips; steps are
//! scaled by the row and column sums (Pock and Chambolle 2011). The average of the iterates
//! converges faster on these degenerate programs, so it is kept too, and the method
//! restarts from it now and then.
//!
//! Cost: an iteration is a few passes over flat arrays that the compiler turns into vector
//! instructions, plus the borders of the cuts; about 5 ns a place. Single precision is
//! enough, since nothing here decides anything.

use super::cuts::Cut;
use super::field::Field;

/// A program and its iterate.
pub(super) struct Relaxation {
    places: usize,
    stride: usize,
    /// 1 for edges between free places, else 0.
    upper: Vec<f32>,
    x_step: Vec<f32>,
    y_step: Vec<f32>,
    crossed: Vec<u16>,
    cuts: Vec<Cut>,
    x: Vec<f32>,
    /// x extrapolated: twice the new one less the old one.
    ahead: Vec<f32>,
    /// The sum of u over the cuts that an edge crosses.
    lift: Vec<f32>,
    y: Vec<f32>,
    u: Vec<f32>,
    sums: Sums,
}

/// Sums of iterates since the last restart.
struct Sums {
    x: Vec<f32>,
    y: Vec<f32>,
    u: Vec<f32>,
    count: u32,
}

/// How good a pair (x; y, u) is.
pub(super) struct Quality {
    /// What the dual pair is worth; more than 0 promises a proof.
    pub(super) worth: f64,
    /// The sum over places of how far they are from two edges.
    pub(super) degree_error: f32,
    /// The sum over cuts of what they lack.
    pub(super) lack: f32,
}

/// Which of the two points that the method keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    Last,
    Average,
}

impl Relaxation {
    pub(super) fn new(field: &Field) -> Self {
        let places = field.places();
        let mut upper = vec![0.0; 2 * places];
        let mut y_step = vec![0.0; places];
        for place in field.free_places() {
            let edges = field.around(place).into_iter().filter(|&(_, other)| field.is_free(other));
            let mut degree: f32 = 0.0;
            for (edge, _) in edges {
                upper[edge] = 1.0;
                degree += 1.0;
            }
            y_step[place] = 1.0 / degree.max(1.0);
        }
        Self {
            places,
            stride: field.stride(),
            x: upper.iter().map(|upper| upper * 0.5).collect(),
            upper,
            x_step: vec![0.5; 2 * places],
            y_step,
            crossed: vec![0; 2 * places],
            cuts: Vec::new(),
            ahead: vec![0.0; 2 * places],
            lift: vec![0.0; 2 * places],
            y: vec![0.0; places],
            u: Vec::new(),
            sums: Sums { x: vec![0.0; 2 * places], y: vec![0.0; places], u: Vec::new(), count: 0 },
        }
    }

    pub(super) fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// How many iterates the average is of.
    pub(super) const fn averaged(&self) -> u32 {
        self.sums.count
    }

    /// Adds cuts; the average starts anew, for it knows nothing of them.
    pub(super) fn add_cuts(&mut self, cuts: Vec<Cut>) {
        for cut in cuts {
            for &edge in &cut.border {
                self.crossed[edge as usize] += 1;
                self.x_step[edge as usize] = 1.0 / (2.0 + f32::from(self.crossed[edge as usize]));
            }
            self.cuts.push(cut);
            self.u.push(0.0);
            self.sums.u.push(0.0);
        }
        self.clear_sums();
    }

    /// Goes on from the average.
    pub(super) fn restart(&mut self) {
        self.x = self.edges(Point::Average);
        (self.y, self.u) = (self.scaled(&self.sums.y), self.scaled(&self.sums.u));
        self.clear_sums();
    }

    /// x at a point.
    pub(super) fn edges(&self, point: Point) -> Vec<f32> {
        match point {
            Point::Last => self.x.clone(),
            Point::Average => self.scaled(&self.sums.x),
        }
    }

    /// y and u at a point.
    pub(super) fn multipliers(&self, point: Point) -> (Vec<f32>, Vec<f32>) {
        match point {
            Point::Last => (self.y.clone(), self.u.clone()),
            Point::Average => (self.scaled(&self.sums.y), self.scaled(&self.sums.u)),
        }
    }

    /// One iteration.
    pub(super) fn iterate(&mut self) {
        let (places, stride) = (self.places, self.stride);
        self.lift.fill(0.0);
        for (cut, &u) in self.cuts.iter().zip(&self.u) {
            if u > 0.0 {
                for &edge in &cut.border {
                    self.lift[edge as usize] += u;
                }
            }
        }
        for (first_edge, distance) in [(0, 1), (places, stride)] {
            // The last places lie on the border: no edge leads onwards from there.
            let edges = first_edge..first_edge + places - distance;
            step_edges(
                &mut self.x[edges.clone()],
                &mut self.ahead[edges.clone()],
                [&self.y[..places - distance], &self.y[distance..], &self.lift[edges.clone()]],
                [&self.x_step[edges.clone()], &self.upper[edges]],
            );
        }
        let inner = stride..places - stride;
        step_places(
            &mut self.y[inner.clone()],
            &self.y_step[inner.clone()],
            [
                &self.ahead[inner.clone()],
                &self.ahead[inner.start - 1..inner.end - 1],
                &self.ahead[places + inner.start..places + inner.end],
                &self.ahead[places..places + inner.end - stride],
            ],
        );
        for (cut, u) in self.cuts.iter().zip(&mut self.u) {
            let crossings: f32 = cut.border.iter().map(|&edge| self.ahead[edge as usize]).sum();
            *u = (*u + (2.0 - crossings) / cut.border.len().max(1) as f32).clamp(0.0, 1.0);
        }
        add_up(&mut self.sums.x, &self.x);
        add_up(&mut self.sums.y, &self.y);
        add_up(&mut self.sums.u, &self.u);
        self.sums.count += 1;
    }

    /// The quality of a point.
    pub(super) fn quality(&self, field: &Field, point: Point) -> Quality {
        let x = self.edges(point);
        let (y, u) = self.multipliers(point);
        let mut lift = vec![0.0_f32; 2 * self.places];
        let mut worth = 0.0;
        let mut lack = 0.0;
        for (cut, &u) in self.cuts.iter().zip(&u) {
            worth += 2.0 * f64::from(u);
            let mut crossings = 0.0;
            for &edge in &cut.border {
                lift[edge as usize] += u;
                crossings += x[edge as usize];
            }
            lack += (2.0 - crossings).max(0.0);
        }
        let mut degree_error = 0.0;
        for place in field.free_places() {
            worth += 2.0 * f64::from(y[place]);
            for (edge, other) in field.onward(place) {
                worth -= f64::from((y[place] + y[other] + lift[edge]).max(0.0));
            }
            let degree: f32 = field.around(place).iter().map(|&(edge, _)| x[edge]).sum();
            degree_error += (2.0 - degree).abs();
        }
        Quality { worth, degree_error, lack }
    }

    fn scaled(&self, sums: &[f32]) -> Vec<f32> {
        let scale = 1.0 / self.sums.count.max(1) as f32;
        sums.iter().map(|sum| sum * scale).collect()
    }

    fn clear_sums(&mut self) {
        self.sums.x.fill(0.0);
        self.sums.y.fill(0.0);
        self.sums.u.fill(0.0);
        self.sums.count = 0;
    }
}

/// A step of x along its gradient y + y + lift, clipped, and its extrapolation.
fn step_edges(
    x: &mut [f32],
    ahead: &mut [f32],
    [one, other, lift]: [&[f32]; 3],
    [step, upper]: [&[f32]; 2],
) {
    let len = x.len();
    // Equal lengths known up front let the compiler drop the bounds checks.
    let (ahead, one, other) = (&mut ahead[..len], &one[..len], &other[..len]);
    let (lift, step, upper) = (&lift[..len], &step[..len], &upper[..len]);
    for i in 0..len {
        let moved = (x[i] + step[i] * (one[i] + other[i] + lift[i])).max(0.0).min(upper[i]);
        ahead[i] = 2.0 * moved - x[i];
        x[i] = moved;
    }
}

/// A step of y against what the extrapolated edges lack of two at each place.
fn step_places(y: &mut [f32], step: &[f32], [east, west, south, north]: [&[f32]; 4]) {
    let len = y.len();
    let (step, east, west) = (&step[..len], &east[..len], &west[..len]);
    let (south, north) = (&south[..len], &north[..len]);
    for i in 0..len {
        y[i] += step[i] * (2.0 - east[i] - west[i] - south[i] - north[i]);
    }
}

fn add_up(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}
