#!/usr/bin/env python3
"""Times OR-tools' CP-SAT (AddCircuit) on the handed rook-circuit boards.

usage: pip install ortools && python3 benches/peers/rook_circuit.py [TIME_LIMIT_S [NAME_PART]]

Each board is decided on one thread, within TIME_LIMIT_S (10); NAME_PART picks the boards whose
names contain it. Verdicts are compared with the known ones. Prints a Markdown table, a row a kind
and size of board; the bench `rook_circuit` prints ours for the same boards.
"""

import statistics
import sys
import time
from pathlib import Path

from ortools.sat.python import cp_model

CASES = Path(__file__).parents[2] / "tests" / "cases" / "rook_circuit_boards.txt"


def boards(part):
    """Yields the name, the known verdict and the rows of each board."""
    for case in CASES.read_text().split("\n\n"):
        lines = case.split()
        if lines and part in lines[0]:
            yield lines[0], lines[1], lines[2:]


def decide(rows, limit):
    """Returns "solved", "unsolvable" or "unknown"."""
    free = {
        (row, col)
        for row, line in enumerate(rows)
        for col, cell in enumerate(line)
        if cell == "."
    }
    number = {cell: index for index, cell in enumerate(sorted(free))}
    model = cp_model.CpModel()
    arcs = []
    for row, col in number:
        for other in ((row - 1, col), (row, col + 1), (row + 1, col), (row, col - 1)):
            if other in number:
                arcs.append((number[row, col], number[other], model.new_bool_var("")))
    if len(number) < 4 or not arcs:
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
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    families = {}
    for name, verdict, rows in boards(part):
        start = time.perf_counter()
        decided = decide(rows, limit)
        seconds = time.perf_counter() - start
        if decided not in (verdict, "unknown"):
            sys.exit(f"{name}: {decided}, but it is known to be {verdict}")
        family = (name.split("_")[0], len(rows), len(rows[0]))
        families.setdefault(family, []).append((seconds, decided != "unknown"))
    print("| kind | size | boards | decided in 1 s | in the limit | median s | max s |")
    print("|---|---|---|---|---|---|---|")
    for (kind, height, width), times in sorted(families.items()):
        seconds = [time for time, _ in times]
        in_one = sum(is_decided and time <= 1 for time, is_decided in times)
        in_all = sum(is_decided for _, is_decided in times)
        print(
            f"| {kind} | {height} × {width} | {len(times)} | {in_one} | {in_all} "
            f"| {statistics.median(seconds):.3f} | {max(seconds):.3f} |"
        )


if __name__ == "__main__":
    main()
