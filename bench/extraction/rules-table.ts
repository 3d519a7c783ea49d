import { takeMemories } from "../../src/domain/extraction/rules/take-memories.ts";
import { FITTED, HELD_OUT, HELD_OUT_LAST } from "../../test/corpora/extraction.ts";
import type { ExtractionCase } from "../../test/corpora/extraction-cases.ts";
import { type Counts, type Measured, measure, precision, recall } from "../../test/corpora/extraction-measure.ts";

const HEAD = "| | right | excess | missed | precision | recall |\n|---|---|---|---|---|---|";

/** How well the rules read their corpora, as markdown: by category and by language. */
export function rulesTable(): string {
  return [
    section("Rules, on what was written before them", FITTED),
    section("Rules, on what was written after them (at first contact: precision .944, recall .927)", HELD_OUT),
    section("Rules, on what was written last (at first contact: precision .878, recall .896)", HELD_OUT_LAST),
  ].join("\n\n");
}

function section(name: string, cases: readonly ExtractionCase[]): string {
  const measured = measure(cases, takeMemories);
  const silent = cases.filter(({ expected }) => expected.length === 0).length;
  const sizes = `${cases.length} messages, ${silent} of them with nothing to take; ${measured.exact} of ${measured.all.right} right in every field.`;
  return `### ${name}\n\n${sizes}\n\n${HEAD}\n${rows(measured).join("\n")}`;
}

function rows({ all, byCategory, byLanguage }: Measured): string[] {
  return [...[...byCategory].sort(byName), ...[...byLanguage].sort(byName), ["all", all] as const].map(([name, counts]) =>
    row(name, counts),
  );
}

function byName(a: readonly [string, Counts], b: readonly [string, Counts]): number {
  return a[0].localeCompare(b[0]);
}

function row(name: string, counts: Counts): string {
  const { right, excess, missed } = counts;
  return `| ${name} | ${right} | ${excess} | ${missed} | ${precision(counts).toFixed(3)} | ${recall(counts).toFixed(3)} |`;
}
