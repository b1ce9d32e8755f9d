// Words about what came of a request: an answer, a problem, or a solve that runs.

import { element } from "./fields.js";

const HEADLINES = {
  solved: ["✓", "Solved"],
  unsolvable: ["✗", "No solution"],
  unknown: ["?", "Not decided"],
};

const paragraph = (text, kind = "") => element("p", { class: kind }, [text]);

/** A headline with a sign, so that colour is not all that tells it, and what is to be said below. */
export function verdict(kind, sign, headline, ...more) {
  const mark = element("span", { class: "sign", "aria-hidden": "true" }, [sign]);
  return element("div", { class: `verdict ${kind}` }, [
    element("p", { class: "headline" }, [mark, headline]),
    ...more,
  ]);
}

/** What an answer says; `about` is what its headers told. */
export function verdictOfAnswer(puzzle, answer, about = {}) {
  const [sign, headline] = HEADLINES[answer.status];
  const { status, reason, stats } = answer;
  const facts = [milliseconds(stats.time_ms), `${stats.nodes.toLocaleString("en")} nodes`];
  if (about.queuedMs >= 1) facts.push(`${Math.round(about.queuedMs)} ms in the queue`);
  if (about.fromCache) facts.push("known from before");
  if (status === "unknown") facts.push(`limit ${stats.time_limit_ms} ms`);
  return verdict(
    status,
    sign,
    (status === "solved" && puzzle.headline?.(answer)) || headline,
    ...(reason ? [paragraph(reason.message), paragraph(reason.code, "code-name")] : []),
    paragraph(facts.join(" · "), "about"),
  );
}

/** What a problem says. */
export function verdictOfProblem({ body, retryAfter }) {
  return verdict(
    "problem",
    "!",
    body.title ?? "A problem",
    paragraph(body.detail ?? ""),
    ...(retryAfter ? [paragraph(`Try again in ${retryAfter} s.`)] : []),
    paragraph(body.code ?? "", "code-name"),
  );
}

/** The puzzle's own facts of an answer. */
export const factsOfAnswer = (puzzle, request, answer) =>
  puzzle
    .facts(request, answer)
    .flatMap(([term, value]) => [element("dt", {}, [term]), element("dd", {}, [String(value)])]);

const MOST_CHARACTERS = 20_000;

/** An answer as JSON; of a very long one, the beginning. */
export function jsonOfAnswer(answer) {
  if (!answer) return "Nothing is answered yet.";
  const text = JSON.stringify(answer, null, 2);
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length - MOST_CHARACTERS} more characters`;
}

function milliseconds(time) {
  if (time < 0.01) return "under 0.01 ms";
  return time < 10 ? `${time.toFixed(2)} ms` : `${Math.round(time).toLocaleString("en")} ms`;
}
