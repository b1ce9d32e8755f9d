// The brushes to draw with: a radio group, one for each kind of cell.

import { element } from "./fields.js";

export class Brushes {
  #root;
  #onChoice;
  #sign;
  /** The chosen brush of each puzzle, by its name. */
  #chosen = new Map();

  constructor(root, onChoice) {
    this.#root = root;
    this.#onChoice = onChoice;
  }

  /** The brush that is chosen, or else the puzzle's first. */
  chosen({ puzzle, request }) {
    const brushes = puzzle.brushes(request);
    const chosen = this.#chosen.get(puzzle.name);
    return (brushes.find(({ id }) => id === chosen) ?? brushes[0]).id;
  }

  render({ puzzle, request }) {
    const brushes = puzzle.brushes(request);
    const sign = JSON.stringify([puzzle.name, brushes.map(({ id }) => id)]);
    // Built anew only where they differ, so that the focus stays.
    if (sign !== this.#sign) {
      this.#sign = sign;
      this.#root.replaceChildren(...brushes.map((brush) => this.#node(puzzle, brush)));
    }
    const chosen = this.chosen({ puzzle, request });
    for (const input of this.#root.querySelectorAll("input")) input.checked = input.brush === chosen;
  }

  #node(puzzle, { id, label, look }) {
    const input = element("input", { type: "radio", name: "brush", value: String(id), "aria-label": label });
    input.brush = id;
    input.addEventListener("change", () => {
      this.#chosen.set(puzzle.name, id);
      this.#onChoice();
    });
    const face = element("span", { class: `cell ${look.kind}`, "aria-hidden": "true" }, [
      element("span", { class: "face" }, [look.text]),
    ]);
    if (look.hue !== undefined) face.style.setProperty("--hue", look.hue);
    // Words beside what its picture alone does not say.
    const words = look.kind === "tile" && look.text ? [] : [element("span", { class: "word" }, [label])];
    return element("label", { class: "brush", title: label }, [input, face, ...words]);
  }
}
