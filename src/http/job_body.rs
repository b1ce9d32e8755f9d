//! A job as its caller sees it: the wire form of what the store knows.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::http::problem::{Problem, ProblemBody};
use crate::jobs::{self, Job};

/// A job as its caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Job)]
pub struct JobBody {
    /// The job's id: who knows it (and has the key that asked for it) may see the job.
    #[schema(example = "5f0c6a51d6e14d0b9b2f3c7a8e9d0c1b")]
    id: String,
    /// The puzzle's name.
    #[schema(example = "rook-circuit")]
    puzzle: String,
    /// Where it stands.
    state: JobState,
    /// Whether it is to be cancelled and has not stopped yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    cancelling: bool,
    /// How far it is.
    progress: JobProgress,
    /// The solve's own answer, once the job is `done`; an array for a text body.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<serde_json::Value>)]
    pub(crate) answer: Option<Box<RawValue>>,
    /// Why the job `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    problem: Option<ProblemBody>,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a place.
    Queued,
    /// It is being solved.
    Running,
    /// It has its answer.
    Done,
    /// It ended by a fault of the service's; `problem` tells.
    Failed,
    /// It was taken back.
    Cancelled,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct JobProgress {
    /// What is done just now.
    stage: JobStage,
    /// Milliseconds that it waited for a place.
    #[schema(minimum = 0)]
    waited_ms: u64,
    /// Milliseconds since its solve began.
    #[schema(minimum = 0)]
    elapsed_ms: u64,
    /// Nodes of the search.
    #[schema(minimum = 0)]
    nodes: u64,
    /// What the search knows of the case that is being solved, as its answer would tell it if the
    /// search were stopped now. Left out where it knows nothing, or where its puzzle has no such bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    best_bound: Option<u64>,
    /// Cases of the body that are answered.
    #[schema(minimum = 0)]
    cases_done: u64,
    /// Cases of the body; 0 before it was read.
    #[schema(minimum = 0)]
    cases: u64,
}

/// What is done for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobStage {
    /// It waits for a place.
    Waiting,
    /// Its body is read.
    Reading,
    /// Its cases are solved.
    Solving,
    /// Its answer is written down.
    Writing,
    /// Nothing any more.
    Ended,
}

impl JobBody {
    /// What a caller sees of a job, but for its answer.
    pub(crate) fn of(job: &Job) -> Self {
        let progress = job.progress;
        let (state, stage) = match job.state {
            jobs::State::Queued => (JobState::Queued, JobStage::Waiting),
            jobs::State::Running if progress.cases == 0 => (JobState::Running, JobStage::Reading),
            jobs::State::Running if progress.cases_done < progress.cases => {
                (JobState::Running, JobStage::Solving)
            }
            jobs::State::Running => (JobState::Running, JobStage::Writing),
            jobs::State::Done => (JobState::Done, JobStage::Ended),
            jobs::State::Failed => (JobState::Failed, JobStage::Ended),
            jobs::State::Cancelled | jobs::State::Gone => (JobState::Cancelled, JobStage::Ended),
        };
        let is_solving = stage == JobStage::Solving;
        Self {
            id: job.id.to_string(),
            puzzle: job.puzzle.clone(),
            state,
            cancelling: job.cancel_requested && !job.state.has_ended(),
            progress: JobProgress {
                stage,
                waited_ms: job.waited_ms,
                elapsed_ms: progress.elapsed_ms,
                nodes: progress.nodes,
                best_bound: is_solving.then_some(progress.best).filter(|best| *best > 0),
                cases_done: progress.cases_done,
                cases: progress.cases,
            },
            answer: None,
            problem: (job.state == jobs::State::Failed).then(|| failure(job).body(&job.request_id)),
        }
    }
}

/// Why a job failed.
pub(crate) fn failure(job: &Job) -> Problem {
    job.failure.as_ref().map_or_else(Problem::internal, |failure| problem_of(failure.as_bytes()))
}

/// The problem that was stored.
pub(crate) fn problem_of(stored: &[u8]) -> Problem {
    let body = serde_json::from_slice::<ProblemBody>(stored);
    body.map_or_else(|_| Problem::internal(), |body| Problem::of_body(&body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::{Progress, State};

    fn body(state: State, cancel_requested: bool, progress: Progress) -> JobBody {
        JobBody::of(&Job { state, cancel_requested, progress, ..Job::of_nothing() })
    }

    fn of_cases(cases_done: u64, cases: u64, best: u64) -> Progress {
        Progress { cases_done, cases, best, ..Progress::default() }
    }

    #[test]
    fn a_running_job_reads_its_body_then_solves_its_cases_then_writes_its_answer() {
        for (progress, stage) in [
            (of_cases(0, 0, 0), JobStage::Reading),
            (of_cases(0, 2, 0), JobStage::Solving),
            (of_cases(1, 2, 0), JobStage::Solving),
            (of_cases(2, 2, 0), JobStage::Writing),
        ] {
            let body = body(State::Running, false, progress);
            assert_eq!((body.state, body.progress.stage), (JobState::Running, stage));
        }
    }

    #[test]
    fn a_bound_is_told_while_a_case_is_solved_and_only_where_there_is_one() {
        let told = |state, progress| body(state, false, progress).progress.best_bound;
        assert_eq!(told(State::Running, of_cases(0, 1, 1)), Some(1));
        assert_eq!(told(State::Running, of_cases(0, 1, 0)), None);
        assert_eq!(told(State::Running, of_cases(1, 1, 7)), None);
        assert_eq!(told(State::Done, of_cases(0, 1, 7)), None);
    }

    #[test]
    fn a_job_is_cancelling_from_the_request_to_its_end_and_has_a_problem_where_it_failed() {
        for state in State::ALL {
            for asked in [false, true] {
                let body = body(state, asked, Progress::default());
                assert_eq!(body.cancelling, asked && !state.has_ended(), "{state:?}");
                assert_eq!(body.problem.is_some(), state == State::Failed, "{state:?}");
            }
        }
    }
}
