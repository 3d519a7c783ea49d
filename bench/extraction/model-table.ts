import type { Asked } from "./ask-cases.ts";
import { scoreMemories } from "./score.ts";

export type Found = { cases: number; expected: number; found: number; matched: number };

/** The table of a model over the corpus: a row a language, and what the answers were like. */
export function modelTable(name: string, asked: readonly Asked[], threshold: number): string {
  const languages = [...new Set(asked.map(({ one }) => one.language))];
  const rows = languages.map((language) =>
    row(
      language,
      asked.filter(({ one }) => one.language === language),
      threshold,
    ),
  );
  return [
    `### Model ${name}, ${asked.length} conversations, memories of confidence ${threshold} and more`,
    "",
    "| Language | Conversations | Expected | Found | Precision | Recall |",
    "|---|---|---|---|---|---|",
    ...rows,
    row("all", asked, threshold),
    "",
    ...answerFacts(asked),
  ].join("\n");
}

function row(name: string, asked: readonly Asked[], threshold: number): string {
  const { cases, expected, found, matched } = foundIn(asked, threshold);
  return `| ${name} | ${cases} | ${expected} | ${found} | ${percent(matched, found)} | ${percent(matched, expected)} |`;
}

export function foundIn(asked: readonly Asked[], threshold: number): Found {
  const sum: Found = { cases: asked.length, expected: 0, found: 0, matched: 0 };
  for (const { one, outcome } of asked) {
    const taken = outcome?.kind === "taken" ? outcome.memories.filter(({ confidence }) => confidence >= threshold) : [];
    sum.expected += one.expected.length;
    sum.found += taken.length;
    sum.matched += scoreMemories(one.expected, taken).matched.length;
  }
  return sum;
}

/** What the answers were like and what they cost, as lines of a list. */
export function answerFacts(asked: readonly Asked[]): string[] {
  return factsOf(asked).map(([fact, value]) => `- ${fact}: ${value}`);
}

function factsOf(asked: readonly Asked[]): [string, string][] {
  const outcomes = asked.flatMap(({ outcome }) => outcome ?? []);
  const unusable = tally(outcomes.flatMap((outcome) => (outcome.kind === "taken" ? [] : [{ reason: outcome.reason, count: 1 }])));
  const dropped = tally(outcomes.flatMap((outcome) => (outcome.kind === "taken" ? outcome.dropped : [])));
  const failures = tally(asked.flatMap(({ failure }) => (failure === null ? [] : [{ reason: failure, count: 1 }])));
  const seconds = asked.map((one) => one.seconds).sort((a, b) => a - b);
  const at = (share: number) => (seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * share))] ?? 0).toFixed(2);
  const each = (total: number) => (outcomes.length === 0 ? 0 : Math.round(total / outcomes.length));
  const tokens = (which: "inputTokens" | "outputTokens") => outcomes.reduce((sum, { usage }) => sum + (usage?.[which] ?? 0), 0);
  return [
    ["Answers of which nothing could be used", unusable],
    ["Answers that were repaired", String(outcomes.filter(({ kind, attempts }) => kind === "taken" && attempts > 1).length)],
    ["Statements that were not kept", dropped],
    ["Requests that failed", failures],
    ["Tokens", `${tokens("inputTokens")} in, ${tokens("outputTokens")} out`],
    ["Tokens a conversation", `${each(tokens("inputTokens"))} in, ${each(tokens("outputTokens"))} out`],
    ["Seconds a conversation", `${at(0.5)} in the middle, ${at(0.95)} at the 95th of 100`],
  ];
}

function tally(entries: readonly { reason: string; count: number }[]): string {
  const counts = new Map<string, number>();
  for (const { reason, count } of entries) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return "0";
  return `${total} (${[...counts].map(([reason, count]) => `${reason} ${count}`).join(", ")})`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)} %`;
}
