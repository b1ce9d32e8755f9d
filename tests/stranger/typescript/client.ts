// A client in TypeScript: openapi-fetch with the types that openapi-typescript made of the document.
// That it compiles says that the types can be used, that it runs says that they are true.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Problem = components["schemas"]["Problem"];

type Json = "application/json" | "application/problem+json";

const client = createClient<paths, Json>({ baseUrl: process.env["BOARDSOLVE_URL"]! });

/**
 * The answer of one board. A JSON body gets no array, and no job where none was asked for, but the
 * document can't tie the one to the other.
 */
function one<T extends object>(answer: T | undefined, problem: Problem | undefined) {
  assert.equal(problem, undefined);
  assert.ok(answer !== undefined && "stats" in answer);
  return answer as Extract<T, { stats: unknown }>;
}

async function linkgame() {
  const { data, error } = await client.POST("/linkgame", { body: { board: ["AB*", "*BA"] } });
  const answer = one(data, error);
  assert.equal(answer.status, "solved");
  assert.deepEqual(answer.moves?.map((move) => [move.tile, move.path.length]), [["B", 2], ["A", 3]]);
}

async function mayan() {
  const { data, error } = await client.POST("/mayan", {
    body: { steps: 3, columns: [[1], [2, 1], [2, 3, 4], [3, 1], [2, 4, 3, 4]] },
  });
  const answer = one(data, error);
  assert.equal(answer.status, "solved");
  assert.deepEqual(answer.moves, [{ x: 2, y: 1, g: 1 }, { x: 3, y: 1, g: 1 }, { x: 3, y: 0, g: 1 }]);
  assert.equal(answer.cascade?.[2]?.length, 3);
}

async function tetrisSg() {
  const { data, error } = await client.POST("/tetris-sg", {
    params: { query: { time_limit_ms: 150 } },
    body: { board: ["0000", "0000", "0000", "0000"], moves: "all" },
  });
  const answer = one(data, error);
  assert.equal(answer.winner, "first");
  assert.equal(answer.grundy, 1);
  assert.deepEqual(answer.winning_moves, [{ board: 0, row: 1, col: 1 }]);
  assert.equal(answer.stats.time_limit_ms, 150);
}

async function mahjongPath() {
  const { data, error } = await client.POST("/mahjong-path", {
    body: {
      board: ["XXXXX", "X   X", "XXX X", " XXX "],
      pairs: [{ from: { row: 2, col: 1 }, to: { row: 2, col: 4 } }],
    },
  });
  const answer = one(data, error);
  assert.equal(answer.status, "solved");
  assert.equal(answer.paths?.[0]?.segments, 4);
  assert.deepEqual(answer.paths[0].corners?.at(-1), { row: 2, col: 4 });
}

async function rookCircuit() {
  const { data, error } = await client.POST("/rook-circuit", {
    body: { board: ["....", ".##.", "...."], unique: true, count: true },
  });
  const answer = one(data, error);
  assert.equal(answer.status, "solved");
  assert.equal(answer.moves?.length, 10);
  assert.equal(answer.unique, true);
  assert.equal(answer.count, "1");
}

async function refusal() {
  const { data, error, response } = await client.POST("/linkgame", { body: { board: ["AB*", "*B"] } });
  assert.equal(data, undefined);
  assert.equal(response.status, 422);
  assert.equal(error?.code, "invalid_puzzle");
  assert.equal(error.errors?.[0]?.pointer, "/board/1");
}

async function unsolvable() {
  const { data, error } = await client.POST("/linkgame", { body: { board: ["AB", "BA"] } });
  const answer = one(data, error);
  assert.equal(answer.status, "unsolvable");
  assert.equal(answer.reason?.code, "locked");
  assert.equal(answer.reason.cells?.length, 4);
}

async function text() {
  const { data, error } = await client.POST("/linkgame", {
    params: { query: { outside: true } },
    headers: { "Content-Type": "text/plain" },
    body: "2 2\nAB\nBA\n1 2\nAA\n0 0\n",
    bodySerializer: (body) => body as string,
    parseAs: "text",
  });
  assert.equal(error, undefined);
  assert.equal(data, "no\nyes\n");
}

const tests = [linkgame, mayan, tetrisSg, mahjongPath, rookCircuit, refusal, unsolvable, text];
for (const test of tests) await test();
console.log(`${tests.length} passed, 0 failed`);
