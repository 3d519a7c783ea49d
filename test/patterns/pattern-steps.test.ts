import { expect, it } from "vitest";
import { CORPUS_TEXTS } from "#test/corpus-texts";
import { build, nearMisses } from "#test/hostile-inputs";
import { compilePattern } from "#test/pattern-program";
import { countSteps, execCounted } from "#test/pattern-steps";
import { sourcePatterns } from "#test/source-patterns";

const TEXTS_A_PATTERN = 25;
const SHAPES_A_PATTERN = 25;
const LIMIT = 2_000_000;

it("the counting machine finds what the engine finds, for every pattern on texts of the corpora and on its near misses", async () => {
  const { patterns } = await sourcePatterns();
  const different: string[] = [];
  for (const [i, pattern] of patterns.entries()) {
    const program = compilePattern(pattern);
    const engine = new RegExp(pattern.source, `${pattern.flags.replace(/[dgy]/g, "")}dg${program.sticky ? "y" : ""}`);
    const shapes = nearMisses(pattern);
    const texts = [
      ...Array.from({ length: TEXTS_A_PATTERN }, (_, n) => CORPUS_TEXTS[(i * 7 + n * 31) % CORPUS_TEXTS.length] ?? ""),
      ...Array.from({ length: Math.min(SHAPES_A_PATTERN, shapes.length) }, (_, n) =>
        build(shapes[Math.floor((n * shapes.length) / SHAPES_A_PATTERN)] ?? { lead: "", pump: "a", tail: "" }, 60),
      ),
    ];
    for (const text of texts) {
      for (const from of [0, Math.floor(text.length / 3)]) {
        engine.lastIndex = from;
        const found = engine.exec(text)?.indices?.flatMap((span) => span ?? [-1, -1]) ?? null;
        const run = execCounted(program, text, { from, limit: LIMIT });
        if (run.steps < LIMIT && JSON.stringify(run.spans) !== JSON.stringify(found))
          different.push(`${[...pattern.files][0]} /${pattern.source.slice(0, 60)}/ on ${JSON.stringify(text.slice(0, 60))}`);
      }
    }
  }
  expect(different).toEqual([]);
});

it.each([
  ["\\d+ a", "", "the square", 100],
  ["(?:a+)+b", "", "more than any limit", Number.POSITIVE_INFINITY],
  ["(?<!\\d)\\d+ a", "", "the length", 10],
])("counts for /%s/ over digits or letters steps by %3$s", (source, flags, _growth, factor) => {
  const program = compilePattern({ source, flags });
  const steps = (units: number) => countSteps(program, (source.includes("d") ? "1" : "a").repeat(units), 10_000_000);
  if (Number.isFinite(factor)) expect(steps(1000) / steps(100)).toBeCloseTo(factor, -1);
  else expect(steps(40)).toBeGreaterThanOrEqual(10_000_000);
});
