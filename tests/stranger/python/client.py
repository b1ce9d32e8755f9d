"""A client in Python: what openapi-python-client made of the document, used as its README says."""

import os

from boardsolve_client import Client
from boardsolve_client.api.operation import info, livez
from boardsolve_client.api.solve import (
    solve_linkgame,
    solve_mahjong_path,
    solve_mayan,
    solve_rook_circuit,
    solve_tetris_sg,
)
from boardsolve_client.models import (
    Cell,
    LinkgameReasonCode,
    LinkgameRequest,
    LinkgameResponse,
    MahjongPathPair,
    MahjongPathRequest,
    MahjongPathResponse,
    MayanGoal,
    MayanRequest,
    MayanResponse,
    Problem,
    RookCircuitRequest,
    RookCircuitResponse,
    Status,
    TetrisSgMoves,
    TetrisSgRequest,
    TetrisSgResponse,
    TetrisSgWinner,
)

CLIENT = Client(base_url=os.environ["BOARDSOLVE_URL"], raise_on_unexpected_status=True)


def linkgame():
    answer = solve_linkgame.sync(client=CLIENT, body=LinkgameRequest(board=["AB*", "*BA"]))
    assert isinstance(answer, LinkgameResponse), answer
    assert answer.status == Status.SOLVED
    assert [(move.tile, len(move.path)) for move in answer.moves] == [("B", 2), ("A", 3)]


def mayan():
    columns = [[1], [2, 1], [2, 3, 4], [3, 1], [2, 4, 3, 4]]
    request = MayanRequest(steps=3, columns=columns, goal=MayanGoal.EXACT)
    answer = solve_mayan.sync(client=CLIENT, body=request)
    assert isinstance(answer, MayanResponse), answer
    assert answer.status == Status.SOLVED
    assert [(move.x, move.y, move.g) for move in answer.moves] == [(2, 1, 1), (3, 1, 1), (3, 0, 1)]
    assert [len(rounds) for rounds in answer.cascade] == [0, 0, 3]


def tetris_sg():
    request = TetrisSgRequest(board=["0000"] * 4, moves=TetrisSgMoves.ALL)
    answer = solve_tetris_sg.sync(client=CLIENT, body=request, time_limit_ms=150)
    assert isinstance(answer, TetrisSgResponse), answer
    assert answer.winner == TetrisSgWinner.FIRST
    assert answer.grundy == 1
    assert [(move.board, move.row, move.col) for move in answer.winning_moves] == [(0, 1, 1)]
    assert answer.stats.time_limit_ms == 150


def mahjong_path():
    pair = MahjongPathPair(from_=Cell(row=2, col=1), to=Cell(row=2, col=4))
    request = MahjongPathRequest(board=["XXXXX", "X   X", "XXX X", " XXX "], pairs=[pair])
    answer = solve_mahjong_path.sync(client=CLIENT, body=request)
    assert isinstance(answer, MahjongPathResponse), answer
    assert answer.status == Status.SOLVED
    (path,) = answer.paths
    assert path.segments == 4
    assert path.corners[-1] == Cell(row=2, col=4)


def rook_circuit():
    request = RookCircuitRequest(board=["....", ".##.", "...."], unique=True, count=True)
    answer = solve_rook_circuit.sync(client=CLIENT, body=request)
    assert isinstance(answer, RookCircuitResponse), answer
    assert answer.status == Status.SOLVED
    assert len(answer.moves) == 10
    assert answer.unique is True
    assert answer.count == "1"


def refusal():
    answer = solve_linkgame.sync_detailed(client=CLIENT, body=LinkgameRequest(board=["AB*", "*B"]))
    assert answer.status_code == 422
    assert isinstance(answer.parsed, Problem), answer.parsed
    assert answer.parsed.code == "invalid_puzzle"
    assert answer.parsed.errors[0].pointer == "/board/1"


def unsolvable():
    answer = solve_linkgame.sync(client=CLIENT, body=LinkgameRequest(board=["AB", "BA"]))
    assert isinstance(answer, LinkgameResponse), answer
    assert answer.status == Status.UNSOLVABLE
    assert answer.reason.code == LinkgameReasonCode.LOCKED
    assert len(answer.reason.cells) == 4


def operation():
    assert livez.sync(client=CLIENT) == "ok\n"
    assert info.sync(client=CLIENT).limits.to_dict()["time_limit_ms"] == 100


TESTS = [linkgame, mayan, tetris_sg, mahjong_path, rook_circuit, refusal, unsolvable, operation]

if __name__ == "__main__":
    with CLIENT:
        for test in TESTS:
            test()
    print(f"{len(TESTS)} passed, 0 failed")
