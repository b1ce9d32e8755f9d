// Plays a replay: a number of steps, each of which is a scene. Step 0 is the
// board as it was asked.

/** How long a step is shown at speed 1, in milliseconds. */
const STEP_MS = 850;
/** A replay of many steps is not made to last longer than about this at speed 1. */
const WHOLE_MS = 40_000;

export class Player {
  #controls;
  #show;
  #replay;
  #step = 0;
  #timer;

  /** `controls` are the elements by name; `show(scene, step, how)` draws a step. */
  constructor(controls, show) {
    this.#controls = controls;
    this.#show = show;
    const { first, back, play, forward, last, progress, speed } = controls;
    first.addEventListener("click", () => this.go(0));
    back.addEventListener("click", () => this.go(this.#step - 1));
    forward.addEventListener("click", () => this.go(this.#step + 1, true));
    last.addEventListener("click", () => this.go(Infinity));
    progress.addEventListener("input", () => this.go(Number(progress.value)));
    play.addEventListener("click", () => (this.isPlaying ? this.pause() : this.play()));
    speed.addEventListener("change", () => {
      if (this.isPlaying) this.play();
    });
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  get step() {
    return this.#step;
  }

  /** Takes a replay, or `undefined` for none. */
  load(replay) {
    this.pause();
    this.#replay = replay;
    this.#step = 0;
    this.#controls.root.hidden = !replay || replay.length === 0;
    if (!replay) return;
    this.#controls.progress.max = replay.length;
    this.go(0);
  }

  go(step, animate = false) {
    this.pause();
    this.#to(step, animate);
  }

  play() {
    if (!this.#replay) return;
    clearTimeout(this.#timer);
    if (this.#step >= this.#replay.length) this.#to(0, false);
    this.#schedule();
    this.#label();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#label();
  }

  #schedule() {
    const pace = Math.min(STEP_MS, WHOLE_MS / this.#replay.length);
    this.#timer = setTimeout(
      () => {
        this.#to(this.#step + 1, true);
        if (this.#step < this.#replay.length) this.#schedule();
        else this.pause();
      },
      pace / Number(this.#controls.speed.value),
    );
  }

  #to(step, animate) {
    if (!this.#replay) return;
    this.#step = Math.max(0, Math.min(this.#replay.length, step));
    const { progress, step: label, first, back, forward, last } = this.#controls;
    progress.value = this.#step;
    progress.setAttribute("aria-valuetext", `step ${this.#step} of ${this.#replay.length}`);
    label.textContent = `${this.#step} / ${this.#replay.length}`;
    // A button that can do nothing says so, and yet keeps the focus.
    for (const button of [first, back]) button.setAttribute("aria-disabled", this.#step === 0);
    for (const button of [forward, last]) {
      button.setAttribute("aria-disabled", this.#step === this.#replay.length);
    }
    this.#show(this.#replay.scene(this.#step), this.#step, { animate, isPlaying: this.isPlaying });
  }

  #label() {
    const isAtEnd = this.#replay && this.#step >= this.#replay.length && this.#step > 0;
    this.#controls.play.textContent = this.isPlaying ? "Pause" : isAtEnd ? "Play again" : "Play";
  }
}
