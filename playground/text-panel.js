// The panel in which a board is pasted or copied as text: the request as JSON,
// or the contest's own input.

import * as api from "./api.js";

export class TextPanel {
  #page;
  #context;
  #form = "json";
  /** Whether somebody typed: from then on the text no longer follows the board. */
  #isTyped = false;
  #cases = [];

  /**
   * `context`: `current()` is { puzzle, request }; `load(request)` takes a case
   * of a text, `loadWhole(request)` a JSON request; `key()` is the API key.
   */
  constructor(page, context) {
    this.#page = page;
    this.#context = context;
    page["as-json"].addEventListener("click", () => this.#show("json"));
    page["as-text"].addEventListener("click", () => this.#show("text"));
    page.text.addEventListener("input", () => (this.#isTyped = true));
    page["text-details"].addEventListener("toggle", () => this.follow());
    page.load.addEventListener("click", () => this.#load());
    page.case.addEventListener("change", () => context.load(this.#cases[page.case.value]));
  }

  /** Another puzzle: nothing of the one before stays. */
  reset() {
    this.#isTyped = false;
    this.#complain();
    this.#offer([]);
  }

  /** Shows the board as it is now, unless somebody is typing. */
  follow() {
    if (this.#isTyped || !this.#page["text-details"].open) return;
    const { puzzle, request } = this.#context.current();
    this.#page.text.value =
      this.#form === "json" ? JSON.stringify(request, null, 1) : puzzle.writeText(request);
  }

  #show(form) {
    this.#form = form;
    this.#isTyped = false;
    this.#complain();
    this.follow();
  }

  async #load() {
    const text = this.#page.text.value;
    const { puzzle } = this.#context.current();
    // Every contest's text begins with a number, and no JSON request does.
    const isText = /^\uFEFF?\s*\d/.test(text);
    this.#complain();
    try {
      const cases = isText ? puzzle.readText(text) : [JSON.parse(text)];
      if (cases.length === 0) throw new Error("the text holds no case");
      cases.forEach((request) => puzzle.check(request));
      this.#isTyped = false;
      this.#form = isText ? "text" : "json";
      this.#offer(isText ? cases : []);
      await (isText ? this.#context.load(cases[0]) : this.#context.loadWhole(cases[0]));
    } catch (error) {
      await this.#explain(puzzle.name, text, isText, error);
    }
  }

  #offer(cases) {
    this.#cases = cases;
    const { case: select } = this.#page;
    select.replaceChildren(...cases.map((_, index) => new Option(`${index + 1} of ${cases.length}`, index)));
    select.hidden = select.labels[0].hidden = cases.length < 2;
  }

  /** What is wrong with a text that could not be read here, the service knows best. */
  async #explain(name, text, isText, error) {
    const type = isText ? "text/plain" : "application/json";
    try {
      await api.post(name, { body: text, type, key: this.#context.key(), timeLimitMs: 1 });
      this.#complain(`The service takes this, but it can’t be drawn: ${error.message}.`);
    } catch (problem) {
      if (!(problem instanceof api.Problem)) throw problem;
      const { detail, line, column } = problem.body;
      this.#complain(detail);
      if (line) this.#select(line, column ?? 1);
    }
  }

  /** Puts the caret to a line and a column, both from 1. */
  #select(line, column) {
    const { text } = this.#page;
    const lines = text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, before) => sum + before.length + 1, 0);
    const characters = Array.from(lines[line - 1] ?? "");
    const at = start + characters.slice(0, column - 1).join("").length;
    text.focus();
    text.setSelectionRange(at, Math.min(at + 1, text.value.length));
  }

  #complain(detail) {
    const { text, "text-problem": problem } = this.#page;
    problem.hidden = !detail;
    problem.textContent = detail ?? "";
    if (detail) text.setAttribute("aria-invalid", "true");
    else text.removeAttribute("aria-invalid");
  }
}
