//! Clients that send many boards in one body: read at once, read slowly, or hung
//! up on in the middle.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::Duration;

use boardsolve::puzzles;
use fastrand::Rng;
use serde_json::Value;

use crate::chunks::Chunks;
use crate::load::{Load, count};
use crate::questions::{Question, hard, small_of};
use crate::support::{read_head, status_of};

/// What a client does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Reads,
    ReadsSlowly,
    HangsUpReading(usize),
    HangsUpSending(usize),
}

/// One client: body after body, from a seed of its own.
pub(crate) fn run(load: &Load, seed: u64) {
    let mut random = Rng::with_seed(seed);
    while !load.is_over() {
        let puzzle = puzzles::ALL[random.usize(..puzzles::ALL.len())].name();
        let lines: Vec<_> = (0..random.usize(1..400))
            .map(|_| match random.u8(..200) {
                0 if puzzle == "tetris-sg" && random.bool() => hard(&mut random, LIMIT_MS),
                _ => small_of(puzzle, &mut random),
            })
            .collect();
        let some = random.usize(..lines.len());
        let manner = match random.u8(..8) {
            0 => Manner::HangsUpReading(some),
            1 => Manner::HangsUpSending(some),
            2 | 3 => Manner::ReadsSlowly,
            _ => Manner::Reads,
        };
        match ask(load, puzzle, &lines, manner, &mut random) {
            Ok(()) => {}
            Err(_) if matches!(manner, Manner::HangsUpSending(_)) => {}
            Err(error) => load.fault(format!("the lines of {puzzle} broke off: {error}")),
        }
    }
}

/// The time limit of every line: much for an easy board on a machine that has other work.
const LIMIT_MS: u64 = 5000;

fn ask(
    load: &Load,
    puzzle: &str,
    lines: &[Question],
    manner: Manner,
    random: &mut Rng,
) -> std::io::Result<()> {
    let stream = TcpStream::connect(load.service.address)?;
    let mut sending = stream.try_clone()?;
    thread::scope(|scope| {
        let sent = scope.spawn(move || -> std::io::Result<()> {
            let head = format!(
                "POST /{puzzle}?time_limit_ms={LIMIT_MS} HTTP/1.1\r\nHost: x\r\n\
                 Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
            );
            sending.write_all(head.as_bytes())?;
            for (number, question) in lines.iter().enumerate() {
                if manner == Manner::HangsUpSending(number) {
                    return sending.shutdown(Shutdown::Both);
                }
                let line = format!("{}\n", question.body);
                let chunk = format!("{:x}\r\n{line}\r\n", line.len());
                sending.write_all(chunk.as_bytes())?;
            }
            sending.write_all(b"0\r\n\r\n")
        });
        let read = read(load, &stream, lines, manner, random);
        if matches!(manner, Manner::HangsUpReading(_)) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        // What went wrong in sending shows in what comes back.
        let _ = sent.join().expect("a sender ends quietly");
        if matches!(manner, Manner::HangsUpReading(_) | Manner::HangsUpSending(_)) {
            count(&load.counts.hung_up);
        }
        read
    })
}

fn read(
    load: &Load,
    stream: &TcpStream,
    lines: &[Question],
    manner: Manner,
    random: &mut Rng,
) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream.try_clone()?);
    let head = read_head(&mut stream)?;
    if status_of(&head)? == 503 {
        count(&load.counts.refused);
        return Ok(());
    }
    let mut answers = BufReader::new(Chunks::new(stream));
    let mut answer = Vec::new();
    for (number, question) in lines.iter().enumerate() {
        // What is told of a line that was not sent is nobody's answer.
        if [Manner::HangsUpReading(number), Manner::HangsUpSending(number)].contains(&manner) {
            return Ok(());
        }
        if manner == Manner::ReadsSlowly {
            thread::sleep(Duration::from_millis(random.u64(..30)));
        }
        answer.clear();
        answers.read_until(b'\n', &mut answer)?;
        if answer.is_empty() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let told: Value = serde_json::from_slice(&answer)?;
        let what = format!("line {} of {}", number + 1, lines.len());
        let is_problem = told["type"].is_string();
        let checked = match told["line"].as_u64() {
            Some(line) if line != number as u64 + 1 => Err(format!("line {line} came")),
            _ if is_problem => question.check_refusal(&answer),
            _ => question.check_answer(&answer),
        };
        if load.check(&what, checked) {
            count(if is_problem { &load.counts.bad } else { &load.counts.lines });
        }
    }
    answer.clear();
    answers.read_until(b'\n', &mut answer)?;
    if !answer.is_empty() {
        load.fault("there are more answers than lines");
    }
    Ok(())
}
