//! Laws of the checks themselves: of right answers and reasons and of such that were tampered
//! with, a check takes exactly those that a plain referee takes.
//!
//! A solver that is right never shows what a check would let through. So each law tampers,
//! and each demands that both verdicts came up often.

mod linkgame;
mod mayan;
mod rook_circuit;
mod tetris_sg;

/// How often a check said yes and how often no.
#[derive(Debug, Default)]
struct Verdicts {
    yes: usize,
    no: usize,
}

impl Verdicts {
    fn count(&mut self, is_yes: bool) {
        *(if is_yes { &mut self.yes } else { &mut self.no }) += 1;
    }

    #[track_caller]
    fn assert_at_least(&self, yes: usize, no: usize) {
        assert!(self.yes >= yes && self.no >= no, "{self:?}");
    }
}
