#!/usr/bin/env python3
"""Decides rook-circuit boards with OR-tools' CP-SAT (AddCircuit), for the bench `rook_circuit`.

usage: pip install ortools && python3 benches/peers/rook_circuit.py [TIME_LIMIT_S] < BOARDS

BOARDS are rows of `.` and `#`, a blank line between boards. Each is decided on one thread, within
TIME_LIMIT_S (1). Prints a line a board: `solved`, `unsolvable` or `unknown`, and the seconds that
building and solving its model took.
"""

import sys
import time

from ortools.sat.python import cp_model


def decide(rows, limit):
    """Returns "solved", "unsolvable" or "unknown"."""
    free = sorted(
        (row, col)
        for row, line in enumerate(rows)
        for col, cell in enumerate(line)
        if cell == "."
    )
    number = {cell: index for index, cell in enumerate(free)}
    model = cp_model.CpModel()
    arcs = []
    for row, col in free:
        for other in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)):
            if other in number:
                arcs.append((number[row, col], number[other], model.new_bool_var("")))
    if len(free) < 4 or not arcs:
        return "unsolvable"
    model.add_circuit(arcs)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return "solved"
    return "unsolvable" if status == cp_model.INFEASIBLE else "unknown"


def main():
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for board in sys.stdin.read().split("\n\n"):
        rows = board.split()
        if rows:
            start = time.perf_counter()
            verdict = decide(rows, limit)
            print(verdict, f"{time.perf_counter() - start:.6f}", flush=True)


if __name__ == "__main__":
    main()
