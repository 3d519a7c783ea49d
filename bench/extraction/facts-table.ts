import { readLists } from "../../src/domain/facts/read-lists.ts";
import { routeQuestion } from "../../src/domain/facts/route-question.ts";
import { createTopicIndex } from "../../src/domain/facts/topics.ts";
import { type Part, type Score, scoreFacts } from "../../test/corpora/facts-score.ts";
import { markdown } from "../cost/table.ts";

const PARTS: readonly Part[] = ["fitted", "heldOut", "last"];

/** How the corpora of lists and questions are read: a row a language and kind. */
export function factsTable(): string {
  const topicIndex = createTopicIndex([]);
  const reader = {
    readLists: (text: string) => readLists(text, topicIndex),
    routeQuestion: (text: string) => routeQuestion(text, topicIndex),
  };
  const scores = PARTS.flatMap((part) => scoreFacts(reader, part));
  const alike = Map.groupBy(scores, ({ language, of }) => `${of} ${language}`);
  const head = ["facts", "language", "count", "right", "accuracy", "with a list or route", "wrongly taken", "topic bleed"];
  return markdown(head, [...alike.values()].map(rowOf));
}

function rowOf(scores: readonly Score[]): string[] {
  const [first] = scores;
  const sum = (count: (score: Score) => number) => scores.reduce((total, score) => total + count(score), 0);
  const [count, wrong] = [sum((score) => score.count), sum((score) => score.wrong.length)];
  const accuracy = `${((100 * (count - wrong)) / count).toFixed(1)} %`;
  const rest = [sum(({ positive }) => positive), sum(({ wronglyTaken }) => wronglyTaken), sum(({ bled }) => bled)].map(String);
  return [first?.of ?? "", first?.language ?? "", String(count), String(count - wrong), accuracy, ...rest];
}
