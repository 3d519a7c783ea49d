import * as questions from "#corpora/facts-questions";
import type { Language, StatementCorpus } from "#corpora/facts-statements";
import * as statements from "#corpora/facts-statements";

type Lists = readonly { topic: string; items: readonly { rank: number; value: string }[]; whole: boolean }[];
type Route = { ask: "rank"; rank: number | "last"; topic: string | null } | { ask: "list"; topic: string | null };

/** What is measured: it reads a message, without topics of a tenant's own. */
export type Reader = { readLists: (text: string) => Lists; routeQuestion: (text: string) => Route | null };
export type Part = "fitted" | "heldOut" | "last";
export type Wrong = { language: Language; text: string; expected: string; got: string };
export type Score = {
  language: Language;
  of: "statements" | "questions";
  count: number;
  /** Labelled with a list or a route. */
  positive: number;
  /** Of those labelled with none. */
  wronglyTaken: number;
  /** A value or a route under a topic that the label does not have. */
  bled: number;
  wrong: Wrong[];
};

const LANGUAGES: readonly Language[] = ["en", "de", "es", "fr", "zh"];
const STATEMENTS: Readonly<Record<Part, StatementCorpus>> = {
  fitted: statements.FITTED,
  heldOut: statements.HELD_OUT,
  last: statements.LAST,
};
const QUESTIONS: Readonly<Record<Part, questions.QuestionCorpus>> = {
  fitted: questions.FITTED,
  heldOut: questions.HELD_OUT,
  last: questions.LAST,
};
const NOTHING = "nothing";

/** Row by row, a language and kind each, of one part of the corpora. */
export function scoreFacts(reader: Reader, part: Part): Score[] {
  return LANGUAGES.flatMap((language) => [
    score(language, "statements", { cases: statementsOf(language, part), read: (text) => labelOfLists(reader.readLists(text)) }),
    score(language, "questions", {
      cases: questionsOf(language, part),
      read: (text) => labelOfRoute(reader.routeQuestion(text)),
    }),
  ]);
}

function statementsOf(language: Language, part: Part): [string, string][] {
  const { read, notRead } = STATEMENTS[part][language];
  return [...Object.entries(read), ...notRead.map((text): [string, string] => [text, NOTHING])];
}

function questionsOf(language: Language, part: Part): [string, string][] {
  const { routed, notRouted } = QUESTIONS[part][language];
  const asked = Object.entries(routed).flatMap(([label, texts]) => texts.map((text): [string, string] => [text, label]));
  return [...asked, ...notRouted.map((text): [string, string] => [text, NOTHING])];
}

type Cases = { cases: readonly [string, string][]; read: (text: string) => string };

function score(language: Language, of: Score["of"], { cases, read }: Cases): Score {
  const results = cases.map(([text, expected]) => ({ language, text, expected, got: read(text) }));
  const negative = results.filter(({ expected }) => expected === NOTHING);
  return {
    language,
    of,
    count: results.length,
    positive: results.length - negative.length,
    wronglyTaken: negative.filter(({ got }) => got !== NOTHING).length,
    bled: results.filter(
      ({ expected, got }) => expected !== NOTHING && topicsOf(got).some((topic) => !topicsOf(expected).includes(topic)),
    ).length,
    wrong: results.filter(({ expected, got }) => got !== expected),
  };
}

function topicsOf(label: string): string[] {
  return label.split(" ; ").flatMap((list) => list.split(" = ")[0]?.match(/favorite_[\p{L}\p{M}\p{N}_]+/gu) ?? []);
}

function labelOfLists(lists: Lists): string {
  const labels = lists.map(({ topic, items, whole }) =>
    whole
      ? `${topic} = ${items.map(({ value }) => value).join(" | ")}`
      : `${topic} ${items.map(({ rank, value }) => `${rank} = ${value}`).join(" ")}`,
  );
  return labels.length === 0 ? NOTHING : labels.join(" ; ");
}

function labelOfRoute(route: Route | null): string {
  if (route === null) return NOTHING;
  const asked = route.ask === "rank" ? String(route.rank) : "list";
  return route.topic === null ? asked : `${asked} ${route.topic}`;
}
