// One question to the service at a time: it runs, for so long, and can be stopped.

import * as api from "./api.js";

export class Asking {
  #onChange;
  #running;

  /** `onChange()` is called while a question runs, and as it ends. */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  get isRunning() {
    return this.#running !== undefined;
  }

  /** Seconds since the question was sent; 0 where none runs. */
  get seconds() {
    return this.#running ? (performance.now() - this.#running.started) / 1000 : 0;
  }

  /** { answer, … } or { problem }, or nothing where it was stopped meanwhile. */
  async ask(name, request, { timeLimitMs, key }) {
    this.stop();
    const controller = new AbortController();
    const running = { controller, started: performance.now(), tick: setInterval(this.#onChange, 100) };
    this.#running = running;
    this.#onChange();
    const { signal } = controller;
    const body = JSON.stringify(request);
    try {
      const answered = await api.post(name, { body, type: "application/json", timeLimitMs, key, signal });
      return signal.aborted ? undefined : answered;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof api.Problem)) throw error;
      return { problem: error };
    } finally {
      if (this.#running === running) this.#end();
    }
  }

  /** Hangs up, which cancels the solve at the service. */
  stop() {
    if (!this.#running) return;
    this.#running.controller.abort();
    this.#end();
  }

  #end() {
    clearInterval(this.#running.tick);
    this.#running = undefined;
    this.#onChange();
  }
}
