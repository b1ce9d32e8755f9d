// The page: which puzzle, which board, what was answered. Everything else is in
// modules of its own; this one connects them.

import * as api from "./api.js";
import { Asking } from "./asking.js";
import { BoardView } from "./board.js";
import { Brushes } from "./brushes.js";
import { button, element, field } from "./fields.js";
import { fromFragment, toFragment } from "./link.js";
import { factsOfAnswer, jsonOfAnswer, verdict, verdictOfAnswer, verdictOfProblem } from "./outcome.js";
import { Player } from "./player.js";
import { puzzles } from "./puzzles.js";
import { generator } from "./random.js";
import { TextPanel } from "./text-panel.js";

/** The page's elements, by id. */
const page = Object.fromEntries([...document.querySelectorAll("[id]")].map((node) => [node.id, node]));
/** So many edits can be undone. */
const MOST_UNDONE = 200;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

const state = {
  puzzle: undefined,
  request: undefined,
  /** What is half drawn. */
  draft: {},
  /** Requests before the edits, newest last. */
  past: [],
  answer: undefined,
  problem: undefined,
  /** What the answer's headers told. */
  about: undefined,
};

/** The service's own examples, by puzzle. */
const examples = new Map();
let optionFields = [];
let randomFields = [];
const timeLimit = field(
  "page",
  { name: "time_limit_ms", label: "Time limit, ms", min: 1, placeholder: "default" },
  () => changed(),
);
const key = field(
  "page",
  { name: "key", label: "API key, if the service asks for one", kind: "password" },
  () => renderCurl(),
);

// ---- The board ------------------------------------------------------------

const view = new BoardView(page.board, {
  stroke(at) {
    return startStroke(at, brushes.chosen(state), true);
  },
  key(at, name) {
    const meaning = state.puzzle.key(name, state.request);
    if (!meaning) return undefined;
    startStroke(at, meaning.brush, false)?.(at);
    return meaning.onward;
  },
});

const brushes = new Brushes(page.brushes, () => {
  if (!state.draft.from) return;
  state.draft = {};
  render();
});

function startStroke(at, brush, toggle) {
  const before = state.request;
  const apply = state.puzzle.stroke(before, at, brush, { toggle, draft: state.draft });
  let isFirst = true;
  return (place) => {
    const after = apply(state.request, place);
    if (after !== state.request && isFirst) {
      remember(before);
      isFirst = false;
    }
    edit(after);
  };
}

/** Another board, by drawing: what was answered is about the one before. */
function edit(request) {
  state.request = request;
  page.example.value = "";
  changed();
  linkSoon();
}

function remember(request) {
  state.past.push(request);
  if (state.past.length > MOST_UNDONE) state.past.shift();
}

/** An edit that is one step to undo. */
function change(request) {
  remember(state.request);
  edit(request);
}

/** Another board altogether. */
async function load(puzzle, request, { example = "", isFromLink = false } = {}) {
  if (puzzle !== state.puzzle) {
    state.puzzle = puzzle;
    buildPuzzle();
  }
  state.request = request;
  state.past = [];
  page.example.value = example;
  state.draft = {};
  changed();
  if (!isFromLink) await link("pushState");
}

/** Brings the page up to date after the request changed. */
function changed() {
  asking.stop();
  state.answer = undefined;
  forgetProblem();
  player.load(undefined);
  render();
}

function render() {
  const { puzzle, request } = state;
  if (!state.answer) view.show(marked(puzzle.scene(request, state.draft)));
  page.caption.textContent = "";
  brushes.render(state);
  renderExtras();
  for (const option of optionFields) option.set(request[option.spec.name]);
  renderSize();
  page.undo.setAttribute("aria-disabled", state.past.length === 0);
  renderOutcome();
  renderCurl();
  text.follow();
}

/** The scene with the places that a problem points at. */
function marked(scene) {
  const errors = state.problem?.body.errors ?? [];
  const places = errors.flatMap(({ pointer }) => state.puzzle.pointed(state.request, pointer));
  return { ...scene, marks: [...(scene.marks ?? []), ...places] };
}

function buildPuzzle() {
  const { puzzle } = state;
  document.title = `${puzzle.title} · boardsolve`;
  page["puzzle-title"].textContent = puzzle.title;
  page["puzzle-blurb"].textContent = puzzle.blurb;
  page.hint.textContent = puzzle.hint;
  for (const tab of page.puzzles.children) {
    if (tab.dataset.name === puzzle.name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  const listed = examplesOf(puzzle).map(({ summary }, index) =>
    element("option", { value: index }, [summary]),
  );
  page.example.replaceChildren(element("option", { value: "" }, ["Your own"]), ...listed);

  optionFields = puzzle.options.map((spec) => field("option", spec, (value) => setOption(spec, value)));
  page.options.replaceChildren(...optionFields.map(({ node }) => node), timeLimit.node, key.node);
  randomFields = [
    ...puzzle.random.fields.map((spec) => field("random", spec)),
    field("random", { name: "seed", label: "Seed (empty: another each time)", kind: "text" }),
  ];
  const make = element("button", { type: "submit", class: "primary" }, ["Make this board"]);
  page.random.replaceChildren(...randomFields.map(({ node }) => node), make);
  text.reset();
}

function setOption(spec, value) {
  const { [spec.name]: _, ...rest } = state.request;
  const isDefault = value === undefined || (value === spec.default && !spec.isRequired);
  change(isDefault ? rest : { ...rest, [spec.name]: value });
}

function renderExtras() {
  const { puzzle, request } = state;
  const focused = [...page.extras.querySelectorAll("button")].indexOf(document.activeElement);
  const context = { button, element, change, ask, say: toast, clearDraft: () => (state.draft = {}) };
  page.extras.replaceChildren(...(puzzle.extras?.(request, context) ?? []));
  const buttons = page.extras.querySelectorAll("button:not(:disabled)");
  if (focused >= 0) (buttons[Math.min(focused, buttons.length - 1)] ?? page.solve).focus();
}

const sizeFields = ["rows", "cols"].map((side) =>
  field("size", { name: side, label: side === "rows" ? "Rows" : "Columns", min: 1, max: 100 }, (value) =>
    resize(side, value),
  ),
);

function resize(side, value) {
  const { puzzle, request } = state;
  const [least, most] = puzzle.size[side];
  if (!Number.isInteger(value) || value < least || value > most) return;
  const board = view.place.board;
  const { cells } = puzzle.scene(request, {}).grids[board];
  const size = { rows: cells.length, cols: cells[0].length, [side]: value };
  change(puzzle.resize(request, size.rows, size.cols, board));
}

function renderSize() {
  const { puzzle, request } = state;
  page.size.hidden = !puzzle.size;
  if (!puzzle.size) return;
  const grids = puzzle.scene(request, {}).grids;
  const { cells } = grids[Math.min(view.place.board, grids.length - 1)];
  const now = { rows: cells.length, cols: cells[0].length };
  for (const size of sizeFields) {
    [size.input.min, size.input.max] = puzzle.size[size.spec.name];
    size.set(now[size.spec.name]);
  }
}

// ---- Solving --------------------------------------------------------------

const asking = new Asking(renderRunning);

/** Asks the service; the answer, or nothing where it was stopped or refused. */
async function ask(request) {
  forgetProblem();
  const asked = await asking.ask(state.puzzle.name, request, {
    timeLimitMs: timeLimit.get(),
    key: key.get(),
  });
  if (!asked) return undefined;
  const { answer, problem, ...about } = asked;
  state.about = about;
  state.problem = problem;
  if (problem) showProblem();
  return answer;
}

async function solve() {
  if (asking.isRunning) return;
  state.answer = undefined;
  player.load(undefined);
  page.status.replaceChildren();
  page.facts.replaceChildren();
  const { request } = state;
  state.answer = await ask(request);
  if (state.answer) showAnswer();
}

function cancel() {
  if (!asking.isRunning) return;
  const seconds = asking.seconds.toFixed(1);
  asking.stop();
  page.status.replaceChildren(verdict("cancelled", "–", `Cancelled after ${seconds} s`));
}

/** Quick solves come and go without a flicker: only after a moment is it said that one runs. */
function renderRunning() {
  const isLong = asking.seconds > 0.2;
  if (!isLong && document.activeElement === page.cancel) page.solve.focus();
  page.cancel.hidden = page.elapsed.hidden = !isLong;
  page.solve.setAttribute("aria-disabled", asking.isRunning);
  page.solve.classList.toggle("busy", isLong);
  if (!isLong) return;
  page.elapsed.textContent = `${asking.seconds.toFixed(1)} s`;
  if (page.status.childElementCount === 0) page.status.replaceChildren(verdict("running", "…", "Solving"));
}

function showAnswer() {
  const { puzzle, request, answer } = state;
  renderOutcome();
  if (answer.status === "solved") {
    const replay = puzzle.replay(request, answer);
    if (replay.length === 0) view.show(puzzle.scene(request, {}));
    player.load(replay);
    if (replay.length > 0 && !calm.matches) player.play();
  } else {
    const scene = puzzle.scene(request, {});
    const { marks = [], shapes = [] } = puzzle.why(request, answer.reason);
    view.show({ ...scene, marks: [...(scene.marks ?? []), ...marks], shapes });
  }
}

function renderOutcome() {
  const { puzzle, request, answer, problem, about } = state;
  page.json.textContent = jsonOfAnswer(answer);
  page.facts.replaceChildren(...(answer ? factsOfAnswer(puzzle, request, answer) : []));
  if (answer) page.status.replaceChildren(verdictOfAnswer(puzzle, answer, about));
  else if (!problem) page.status.replaceChildren();
}

/** A problem: what was wrong, and where. */
function showProblem() {
  const { body } = state.problem;
  page.status.replaceChildren(verdictOfProblem(state.problem));
  view.show(marked(state.puzzle.scene(state.request, state.draft)));
  for (const option of optionFields) {
    const error = body.errors?.find(({ pointer }) => `${pointer}/`.startsWith(`/${option.spec.name}/`));
    option.complain(error?.detail);
  }
  if (body.code === "invalid_query") timeLimit.complain(body.detail);
  if (body.code === "unauthorized") key.complain(body.detail);
}

function forgetProblem() {
  state.problem = undefined;
  for (const any of [...optionFields, timeLimit, key]) any.complain();
}

const player = new Player(
  {
    root: page.player,
    ...Object.fromEntries(
      ["first", "back", "play", "forward", "last", "speed", "progress", "step"].map((id) => [id, page[id]]),
    ),
  },
  (scene, step, { animate, isPlaying }) => {
    view.show(scene, { animate });
    // While it plays, a screen reader would be told more than it can say.
    page.caption.setAttribute("aria-live", isPlaying ? "off" : "polite");
    page.caption.textContent = scene.caption ?? "";
  },
);

// ---- Links, texts, and words to copy ---------------------------------------

let linkTimer;

function linkSoon() {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(() => link("replaceState"), 300);
}

/** Puts the board into the address, as a new step of the history or in place. */
async function link(how) {
  clearTimeout(linkTimer);
  const { puzzle, request } = state;
  const isFirstExample = request === examplesOf(puzzle)[0].request;
  const fragment = isFirstExample ? `#${puzzle.name}` : await toFragment(puzzle.name, request);
  if (request === state.request && fragment !== location.hash) history[how](null, "", fragment);
}

async function followLink() {
  const open = (puzzle) => load(puzzle, examplesOf(puzzle)[0].request, { example: "0", isFromLink: true });
  if (location.hash === "" || location.hash === "#") return open(puzzles[0]);
  try {
    const { name, request } = await fromFragment(location.hash);
    const puzzle = puzzles.find((candidate) => candidate.name === name);
    if (!puzzle) throw new Error("the link does not name a puzzle");
    if (!request) return await open(puzzle);
    puzzle.check(request);
    return await load(puzzle, request, { isFromLink: true });
  } catch (error) {
    toast(`This link can’t be opened: ${error.message}.`);
    if (!state.puzzle) return open(puzzles[0]);
  }
}

const examplesOf = (puzzle) => examples.get(puzzle.name);

function renderCurl() {
  const { puzzle, request } = state;
  page.curl.textContent = api.curl(puzzle.name, { request, timeLimitMs: timeLimit.get(), key: key.get() });
}

async function copy(words, what) {
  try {
    await navigator.clipboard.writeText(words);
    toast(`${what} is copied.`);
  } catch {
    // Pages from other than https or localhost may not write to the clipboard.
    toast(`${what} could not be copied by the page; please select it and copy it yourself.`);
  }
}

let toastTimer;

function toast(words) {
  clearTimeout(toastTimer);
  page.toast.textContent = words;
  toastTimer = setTimeout(() => (page.toast.textContent = ""), 8000);
}

const text = new TextPanel(page, {
  current: () => state,
  load: (request) => load(state.puzzle, { ...optionsOf(state.request), ...request }),
  loadWhole: (request) => load(state.puzzle, request),
  key: () => key.get(),
});

/** The options that are set; a text has no room for them. */
const optionsOf = (request) =>
  Object.fromEntries(
    state.puzzle.options.flatMap(({ name }) => (request[name] === undefined ? [] : [[name, request[name]]])),
  );

function makeRandom(event) {
  event?.preventDefault();
  const values = Object.fromEntries(randomFields.map(({ spec, get }) => [spec.name, clamp(spec, get())]));
  const seed =
    event?.type === "submit" && values.seed !== undefined
      ? values.seed
      : Math.random().toString(36).slice(2, 8);
  load(state.puzzle, { ...optionsOf(state.request), ...state.puzzle.random.make(generator(seed), values) });
  toast(`A random board of seed ${seed}.`);
}

const clamp = ({ kind, min, max, default: fallback }, value) =>
  kind === "boolean" || kind === "text"
    ? value
    : Number.isFinite(value)
      ? Math.max(min, Math.min(max, Math.round(value)))
      : fallback;

function undo() {
  const before = state.past.pop();
  if (!before) return;
  state.draft = {};
  edit(before);
}

// ---- Start ------------------------------------------------------------------

page.puzzles.append(
  ...puzzles.map(({ name, title }) => {
    const tab = element("a", { href: `#${name}` }, [title]);
    tab.dataset.name = name;
    return tab;
  }),
);
page.size.append(...sizeFields.map(({ node }) => node));
page.solve.addEventListener("click", solve);
page.cancel.addEventListener("click", cancel);
page.undo.addEventListener("click", undo);
page["random-quick"].addEventListener("click", makeRandom);
page.random.addEventListener("submit", makeRandom);
page.share.addEventListener("click", async () => {
  await link("replaceState");
  copy(location.href, "The link");
});
page["copy-curl"].addEventListener("click", () => copy(page.curl.textContent, "The command"));
page.example.addEventListener("change", () => {
  const example = examplesOf(state.puzzle)[page.example.value];
  if (example) load(state.puzzle, example.request, { example: page.example.value });
});
addEventListener("hashchange", followLink);
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") solve();
  else if (event.key === "Escape") cancel();
  else if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.matches("input, textarea"))
    undo();
});

async function start() {
  let description;
  try {
    description = await api.openApi();
  } catch (error) {
    toast(`The service’s examples can’t be loaded: ${error.message}.`);
  }
  for (const puzzle of puzzles) {
    const listed =
      description?.paths[`/${puzzle.name}`]?.post.requestBody.content["application/json"].examples ?? {};
    const own = Object.values(listed).map(({ summary, value }) => ({ summary, request: value }));
    examples.set(puzzle.name, [...puzzle.examples, ...own]);
  }
  await followLink();
}

start();
