//! A client in Rust: what openapi-to-rust made of the document. That it compiles says that the
//! types can be used, that it runs says that they are true.

#[allow(warnings, reason = "the generator's own")]
mod generated;

use std::env;
use std::error::Error;

use generated::{
    ApiOpError, Cell, HttpClient, LinkgameReasonCode, MahjongPathPair, MahjongPathRequest, MayanGoal,
    MayanRequest, RookCircuitRequest, SolveLinkgameApiError, SolveLinkgameResponse,
    SolveMahjongPathResponse, SolveMayanResponse, SolveRookCircuitResponse, SolveTetrisSgResponse,
    Status, TetrisSgMoves, TetrisSgRequest, TetrisSgWinner,
};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let url = env::var("BOARDSOLVE_URL")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = HttpClient::new().with_base_url(url);
        linkgame(&client).await?;
        mayan(&client).await?;
        tetris_sg(&client).await?;
        mahjong_path(&client).await?;
        rook_circuit(&client).await?;
        refusal(&client).await?;
        unsolvable(&client).await?;
        println!("7 passed, 0 failed");
        Ok(())
    })
}

async fn linkgame(client: &HttpClient) -> Outcome {
    let answer = client.solve_linkgame_builder(rows(["AB*", "*BA"])).send().await?;
    let SolveLinkgameResponse::LinkgameResponse(answer) = answer else {
        panic!("a JSON body has one answer: {answer:?}")
    };
    assert_eq!(answer.status, Status::Solved);
    let moves = answer.moves.expect("a solved board has moves");
    let moves: Vec<_> = moves.iter().map(|step| (step.tile.as_str(), step.path.len())).collect();
    assert_eq!(moves, [("B", 2), ("A", 3)]);
    Ok(())
}

async fn mayan(client: &HttpClient) -> Outcome {
    let columns = vec![vec![1], vec![2, 1], vec![2, 3, 4], vec![3, 1], vec![2, 4, 3, 4]];
    let request = MayanRequest { goal: Some(MayanGoal::Exact), ..MayanRequest::new(columns, 3) };
    let answer = client.solve_mayan_builder(vec![], 1).request(request).send().await?;
    let SolveMayanResponse::MayanResponse(answer) = answer else {
        panic!("a JSON body has one answer: {answer:?}")
    };
    assert_eq!(answer.status, Status::Solved);
    let moves = answer.moves.expect("a solved board has moves");
    let moves: Vec<_> = moves.iter().map(|step| (step.x, step.y, step.g)).collect();
    assert_eq!(moves, [(2, 1, 1), (3, 1, 1), (3, 0, 1)]);
    let cascade = answer.cascade.expect("a solved board has its cascade");
    assert_eq!(cascade.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 3]);
    Ok(())
}

async fn tetris_sg(client: &HttpClient) -> Outcome {
    let request = TetrisSgRequest {
        board: Some(rows(["0000"; 4])),
        moves: Some(TetrisSgMoves::All),
        ..TetrisSgRequest::default()
    };
    let builder = client.solve_tetris_sg_builder().request(request).time_limit_ms(150);
    let answer = builder.send().await?;
    let SolveTetrisSgResponse::TetrisSgResponse(answer) = answer else {
        panic!("a JSON body has one answer: {answer:?}")
    };
    assert_eq!(answer.winner, Some(TetrisSgWinner::First));
    assert_eq!(answer.grundy, Some(1));
    let moves = answer.winning_moves.expect("the winning moves were asked for");
    let moves: Vec<_> = moves.iter().map(|step| (step.board, step.row, step.col)).collect();
    assert_eq!(moves, [(0, 1, 1)]);
    assert_eq!(answer.stats.time_limit_ms, 150);
    Ok(())
}

async fn mahjong_path(client: &HttpClient) -> Outcome {
    let pair = MahjongPathPair { from: Cell { row: 2, col: 1 }, to: Cell { row: 2, col: 4 } };
    let board = rows(["XXXXX", "X   X", "XXX X", " XXX "]);
    let request = MahjongPathRequest::new(board, vec![pair]);
    let builder = client.solve_mahjong_path_builder(vec![], vec![]).request(request);
    let answer = builder.send().await?;
    let SolveMahjongPathResponse::MahjongPathResponse(answer) = answer else {
        panic!("a JSON body has one answer: {answer:?}")
    };
    assert_eq!(answer.status, Status::Solved);
    let paths = answer.paths.expect("a solved board has paths");
    assert_eq!(paths[0].segments, 4);
    let corners = paths[0].corners.as_ref().expect("corners are given unless they are not wanted");
    assert_eq!(corners.last().map(|end| (end.row, end.col)), Some((2, 4)));
    Ok(())
}

async fn rook_circuit(client: &HttpClient) -> Outcome {
    let request = RookCircuitRequest {
        unique: Some(true),
        count: Some(true),
        ..RookCircuitRequest::new(rows(["....", ".##.", "...."]))
    };
    let answer = client.solve_rook_circuit_builder(vec![]).request(request).send().await?;
    let SolveRookCircuitResponse::RookCircuitResponse(answer) = answer else {
        panic!("a JSON body has one answer: {answer:?}")
    };
    assert_eq!(answer.status, Status::Solved);
    assert_eq!(answer.moves.map(|moves| moves.len()), Some(10));
    assert_eq!(answer.unique, Some(true));
    assert_eq!(answer.count.as_deref(), Some("1"));
    Ok(())
}

async fn refusal(client: &HttpClient) -> Outcome {
    let refused = client.solve_linkgame_builder(rows(["AB*", "*B"])).send().await;
    let Err(ApiOpError::Api(refused)) = refused else {
        panic!("rows of two lengths were not refused: {refused:?}")
    };
    let Some(SolveLinkgameApiError::Status422(problem)) = refused.typed else {
        panic!("not the problem that 422 is declared to be: {refused:?}")
    };
    assert_eq!(problem.code, "invalid_puzzle");
    assert_eq!(problem.errors.expect("it points into the body")[0].pointer, "/board/1");
    Ok(())
}

async fn unsolvable(client: &HttpClient) -> Outcome {
    let answer = client.solve_linkgame_builder(rows(["AB", "BA"])).send().await?;
    let SolveLinkgameResponse::LinkgameResponse(answer) = answer else {
        panic!("a JSON body has one answer: {answer:?}")
    };
    assert_eq!(answer.status, Status::Unsolvable);
    let reason = answer.reason.expect("a no has its reason");
    assert_eq!(reason.code, LinkgameReasonCode::Locked);
    assert_eq!(reason.cells.map(|cells| cells.len()), Some(4));
    Ok(())
}

fn rows<const ROWS: usize>(rows: [&str; ROWS]) -> Vec<String> {
    rows.map(str::to_owned).into()
}
