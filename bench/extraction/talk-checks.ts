import { readClauses } from "#core/language/clause-reader";
import type { JudgedAnswer } from "../../test/corpora/model-answers.ts";
import { markdown } from "../cost/table.ts";
import { dropReason } from "./answers-table.ts";
import type { RoundMessage } from "./talk.ts";

/**
 * What the checks do with two answers that need no model: for messages worth keeping the author's own wording of each fact, quoting the
 * sentences that have its words; for messages with nothing to keep every clause as it stands, as a model would that keeps everything.
 */
export function talkChecks(talk: readonly RoundMessage[]): string {
  const rows = ["en", "other"].map((group) => {
    const its = talk.filter(({ lang }) => (lang === "en") === (group === "en"));
    const right = its.filter(({ keep }) => keep).flatMap(authorsAnswers);
    const nothing = its.filter(({ keep }) => !keep).map(echoedAnswers);
    const isKept = (answer: JudgedAnswer) => dropReason(answer) === null;
    const stored = nothing.filter((answers) => answers.some(isKept)).length;
    return [group, right.length, right.filter(isKept).length, nothing.length, stored].map(String);
  });
  const head = [
    "language",
    "facts in their author's words",
    "of them kept",
    "messages with nothing to keep",
    "of them with a clause kept",
  ];
  return markdown(head, rows);
}

function authorsAnswers({ text, facts }: RoundMessage): JudgedAnswer[] {
  const clauses = readClauses(text);
  return facts.flatMap(({ says, mustContain }) => {
    if (says === undefined) return [];
    const has = (words: string) => mustContain.some((word) => words.toLowerCase().includes(String(word).toLowerCase()));
    const sentences = new Set(
      clauses.filter((clause) => has(text.slice(clause.start, clause.end))).map(({ sentence }) => sentence),
    );
    const quoted = clauses.filter(({ sentence }) => sentences.has(sentence));
    const [first, last] = [quoted[0], quoted.at(-1)];
    return [
      {
        said: text,
        content: says,
        quote: text.slice(first?.start ?? 0, Math.min(last?.end ?? text.length, (first?.start ?? 0) + 480)),
      },
    ];
  });
}

function echoedAnswers({ text }: RoundMessage): JudgedAnswer[] {
  return readClauses(text).map(({ start, end }) => {
    const words = text.slice(start, Math.min(end, start + 480));
    return { said: text, content: words, quote: words };
  });
}
