// The puzzles of the page, and what each of them has to be: one module, one line.
//
// A *request* is the JSON that the service takes; it is never changed in place.
// A *look* is how one cell is drawn: { kind, text, name, hue? } (`kind` is a CSS
// class, `name` is for screen readers). A *scene* is what is to be seen:
//   grids   [{ cells: look[][], title? }]
//   ring    whether there is room for paths around the board
//   axes    { rows, cols }: labels, if not numbers from 0
//   marks   [{ board?, row, col, kind, name, badge? }]: cells to be noticed
//   shapes  [{ shape: "line", cells, kind, hue?, arrow?, dots?, label? } |
//            { shape: "square", row, col, size, kind, label? }], each with board?
//   moved   [{ board?, from, via?, to }]: what moved since the step before
//   caption a sentence
//
// A puzzle is
//   name, title, blurb, hint      its path at the service, and words about it
//   options                       fields of the request that are no board
//   size                          { rows: [least, greatest], cols: […] }, or none
//   check(request)                throws NotDrawable
//   scene(request, draft)         `draft` holds what is half drawn, such as a pair
//   brushes(request)              [{ id, label, look }], the first is chosen at first
//   stroke(request, at, brush, { toggle, draft })
//                                 → (request, at) → request, for each cell of the stroke
//   key(key, request)             → { brush, onward: [rows, cols] }, or nothing
//   resize(request, rows, cols, board)
//   random                        { fields, make(generator, values) → request }
//   readText(text), writeText(request)   the contest's form: a list of requests
//   replay(request, answer)       → { length, scene(step) }, for a solved board
//   headline(answer)              what “solved” means, if more than that
//   facts(request, answer)        → [[term, value]]
//   why(request, reason)          → { marks, shapes } that show the reason of a "no"
//   pointed(request, pointer)     → marks for the place that a problem points at
//   extras(request, context)      → elements below the board, if any
//   examples                      [{ summary, request }], before those of the OpenAPI
//                                 document; the first is what the page opens with

import { linkgame } from "./puzzles/linkgame.js";
import { mahjongPath } from "./puzzles/mahjong-path.js";
import { mayan } from "./puzzles/mayan.js";
import { rookCircuit } from "./puzzles/rook-circuit.js";
import { tetrisSg } from "./puzzles/tetris-sg.js";

export const puzzles = [linkgame, mayan, tetrisSg, mahjongPath, rookCircuit];
