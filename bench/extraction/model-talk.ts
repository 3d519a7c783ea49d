import { nameKey } from "#core/text/normalize";
import { containsWords } from "../../src/domain/extraction/model/conversation.ts";
import type { Asked } from "./ask-cases.ts";
import { answerFacts } from "./model-table.ts";
import type { RoundMessage } from "./talk.ts";
import { scoreTalk, share, type TalkCounts } from "./talk-score.ts";

export type ModelScore = TalkCounts & {
  /** Persons whose names are not in the message. */
  inventedNames: number;
};

/** What a model's answers, one a message, would store. */
export function scoreAnswers(talk: readonly RoundMessage[], asked: readonly Asked[], threshold: number): ModelScore {
  const answers = talk.map(({ lang, keep, facts, text }, i) => {
    const outcome = asked[i]?.outcome;
    const taken = outcome?.kind === "taken" ? outcome : null;
    const stored = (taken?.memories ?? []).filter(({ confidence }) => confidence >= threshold).map(({ content }) => content);
    const invented = (taken?.people ?? []).filter(({ name }) => !containsWords(nameKey(text), nameKey(name))).length;
    return { lang, keep, facts: facts.map(({ mustContain }) => mustContain), stored, invented };
  });
  return { ...scoreTalk(answers), inventedNames: answers.reduce((sum, { invented }) => sum + invented, 0) };
}

/** The table of a model over a folder of talk, English and other languages apart, with what the answers cost. */
export function modelTalkTable(name: string, talk: readonly RoundMessage[], asked: readonly Asked[], threshold: number): string {
  const rows = ["en", "other"].flatMap((group) => {
    const isOf = ({ lang }: RoundMessage) => (lang === "en") === (group === "en");
    const its = talk.filter(isOf);
    const answers = asked.filter((_, i) => talk[i] !== undefined && isOf(talk[i]));
    return its.length === 0 ? [] : [rowOf(group, scoreAnswers(its, answers, threshold))];
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

function rowOf(group: string, score: ModelScore): string {
  const { messages, facts, kept, stored, right, nothing, storedFromNothing, inventedNames } = score;
  return `| ${[group, messages, facts, share(kept, facts), stored, share(right, stored), `${storedFromNothing} of ${nothing}`, inventedNames].join(" | ")} |`;
}
