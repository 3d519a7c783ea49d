import { nameKey } from "#core/text/normalize";
import { containsWords } from "../../src/domain/extraction/model/conversation.ts";
import type { Asked } from "./ask-cases.ts";
import { answerFacts } from "./model-table.ts";
import type { TalkMessage } from "./talk.ts";

export type TalkScore = {
  messages: number;
  facts: number;
  kept: number;
  stored: number;
  right: number;
  nothing: number;
  /** Messages with nothing to keep from which something was kept. */
  falseMessages: number;
  /** Persons whose names are not in the message. */
  inventedNames: number;
};

/**
 * Scores as the owner of the talk does: a fact is kept if one memory contains all of its words, a memory is right if it contains a word of
 * some fact. Both are necessary and not sufficient.
 */
export function scoreTalk(talk: readonly TalkMessage[], asked: readonly Asked[], threshold: number): TalkScore {
  const score: TalkScore = {
    messages: 0,
    facts: 0,
    kept: 0,
    stored: 0,
    right: 0,
    nothing: 0,
    falseMessages: 0,
    inventedNames: 0,
  };
  for (const [i, { keep, facts, text }] of talk.entries()) {
    const outcome = asked[i]?.outcome;
    const taken = outcome?.kind === "taken" ? outcome : null;
    const contents = (taken?.memories ?? []).filter(({ confidence }) => confidence >= threshold).map(({ content }) => content);
    score.messages += 1;
    score.stored += contents.length;
    score.right += contents.filter((content) =>
      facts.some(({ mustContain }) => mustContain.some((word) => has(content, word))),
    ).length;
    score.inventedNames += (taken?.people ?? []).filter(({ name }) => !containsWords(nameKey(text), nameKey(name))).length;
    if (keep) {
      score.facts += facts.length;
      score.kept += facts.filter(({ mustContain }) =>
        contents.some((content) => mustContain.every((word) => has(content, word))),
      ).length;
    } else {
      score.nothing += 1;
      if (contents.length > 0) score.falseMessages += 1;
    }
  }
  return score;
}

function has(text: string, word: string | number): boolean {
  return text.toLowerCase().includes(String(word).toLowerCase());
}

/** The table of a model over a folder of talk, English and other languages apart, with what the answers cost. */
export function talkTable(name: string, talk: readonly TalkMessage[], asked: readonly Asked[], threshold: number): string {
  const rows = ["en", "other"].flatMap((group) => {
    const isOf = ({ lang }: TalkMessage) => (lang === "en") === (group === "en");
    const its = talk.filter(isOf);
    const answers = asked.filter((_, i) => talk[i] !== undefined && isOf(talk[i]));
    return its.length === 0 ? [] : [rowOf(group, scoreTalk(its, answers, threshold))];
  });
  return [
    `### Model ${name}, ${talk.length} messages by an outside author, memories of confidence ${threshold} and more`,
    "",
    "| Language | Messages | Facts | Recall | Stored | Precision | Stored from messages with nothing to keep | Invented names |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    ...answerFacts(asked),
  ].join("\n");
}

function rowOf(group: string, score: TalkScore): string {
  const { messages, facts, kept, stored, right, nothing, falseMessages, inventedNames } = score;
  const share = (part: number, whole: number) => (whole === 0 ? "" : (part / whole).toFixed(3));
  return `| ${[group, messages, facts, share(kept, facts), stored, share(right, stored), `${falseMessages} of ${nothing}`, inventedNames].join(" | ")} |`;
}
