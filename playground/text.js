// Reading the contests' text. These readers take what is right and give up on
// the rest: what exactly is wrong with a text, the service says.

import { NotDrawable } from "./grid.js";

/** The words of a text, one after the other. */
export class Words {
  #words;
  #next = 0;

  constructor(text) {
    this.#words = text
      .replace(/^\uFEFF/, "")
      .split(/\s+/)
      .filter(Boolean);
  }

  get atEnd() {
    return this.#next >= this.#words.length;
  }

  word() {
    if (this.atEnd) throw new NotDrawable("the text ends too early");
    return this.#words[this.#next++];
  }

  number() {
    const word = this.word();
    if (!/^\d+$/.test(word)) throw new NotDrawable(`“${word}” is not a number`);
    return Number(word);
  }

  numbers(count) {
    return Array.from({ length: count }, () => this.number());
  }
}

/** Cases that begin with `rows cols` and end with `0 0` or with the text. */
export function readCases(text, readCase) {
  const words = new Words(text);
  const cases = [];
  while (!words.atEnd) {
    const [rows, cols] = words.numbers(2);
    if (rows === 0 && cols === 0) break;
    cases.push(readCase(words, rows, cols));
  }
  return cases;
}
