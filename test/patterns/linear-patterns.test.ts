import { beforeAll, expect, it } from "vitest";
import { build, nearMisses, PLAIN_SHAPES } from "#test/hostile-inputs";
import { compilePattern } from "#test/pattern-program";
import { countSteps } from "#test/pattern-steps";
import { type SourcePattern, sourceFilesWith, sourcePatterns } from "#test/source-patterns";
import { recordPatterns } from "#test/text-work";

const UNITS = 40;
const TIMES = 10;
const MOST_GROWTH = 13;
/** Less than this a character says nothing of growth: a run that begins to match late. */
const CHEAP_STEPS = 20;
/** A bounded run grows until it is full, so what seems to grow is measured again at so many times the length, and once more. */
const TIMES_AGAIN = [60, 300];
/** Steps a character that a pattern over whole messages may take. */
const MOST_STEPS = 700;
/** Of patterns that read the first 4,000 characters of a text, which `piiRisk` cuts. */
const MOST_STEPS_OF_IDENTIFIERS = 4_000;
const IDENTIFIERS =
  /^core\/safety\/(?:account-numbers|birth-dates|emails|government-ids|labelled|national-ids|phones|precise-locations|street-addresses)\.ts$/;

/** Files whose patterns meet no text of users, and what they meet. */
const NO_USER_TEXT: Readonly<Record<string, string>> = {
  "core/language/either-accent.ts": "sources of patterns",
  "core/text/any-case.ts": "sources of patterns",
};
/** Files that make patterns when they are called, and of what: each is anchored and holds nothing but a fixed word. */
const MADE_LATER: Readonly<Record<string, string>> = {
  "core/ids.ts": "the shape of an id",
  "domain/extraction/model/read-answer.ts": "the name of a type before a colon",
  "domain/facts/edit-states.ts": "a verb that somebody said",
  "surfaces/rest/nearest-address.ts": "the path of a route, which is one test of a path",
  "surfaces/rest/router.ts": "the path of a route, which is one test of a path",
};
const SHAPES = Object.entries(PLAIN_SHAPES).filter(([name]) => !name.startsWith("run of"));

let patterns: SourcePattern[] = [];
let unmade: string[] = [];

beforeAll(async () => {
  ({ patterns, unmade } = await sourcePatterns());
});

it("finds the patterns of every file that makes some", () => {
  expect(patterns.length).toBeGreaterThan(1_000);
  expect(unmade).toEqual(Object.keys(MADE_LATER));
});

it("every normalization of text bounds the marks of a letter, which engines order in time by the square", () => {
  expect(sourceFilesWith(/\.normalize\(/)).toEqual(["core/text/normalize.ts"]);
});

it("no pattern of ours takes more steps than in proportion to the text, over hostile shapes and near misses of itself", {
  timeout: 900_000,
}, () => {
  const meeting = patterns.filter(({ files }) => ![...files].some((file) => file in NO_USER_TEXT));
  expect(meeting.flatMap((pattern) => steepIn(pattern, mostSteps(pattern)))).toEqual([]);
});

it("no pattern of a library that meets text does either", { timeout: 900_000 }, async () => {
  // After the patterns are collected: what is loaded before makes its own unseen.
  const { TEXT_PIPELINE } = await import("./text-pipeline.ts");
  const own = new Set(patterns.map(({ source, flags }) => `${flags}/${source}`));
  const recorded = recordPatterns(() => {
    for (const read of Object.values(TEXT_PIPELINE)) for (const text of LIBRARY_TEXTS) read(text);
  });
  const foreign = [...recorded].filter(([key, { units }]) => !own.has(key) && units > SHORT_INPUT);
  expect(foreign.length).toBeGreaterThan(0);
  expect(
    foreign.flatMap(([, { source, flags }]) => steepIn({ source, flags, files: new Set(["a library"]) }, MOST_STEPS)),
  ).toEqual([]);
});

/** Texts that bring the libraries to read: keys, numbers and words, long enough that a cut input shows. */
const LIBRARY_TEXTS = [
  "My key is sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4zAb7cDe0f, my token glpat-Ab3dEf6hIj9kLm2nOp5q, call +1 202 555 0143. ".repeat(
    40,
  ),
];
/** Patterns that are given less than this meet values that others cut out of the text. */
const SHORT_INPUT = 600;

function mostSteps({ files }: SourcePattern): number {
  return [...files].some((file) => IDENTIFIERS.test(file)) ? MOST_STEPS_OF_IDENTIFIERS : MOST_STEPS;
}

/** The first shape over which a pattern takes too many steps, or ever more for each character, with its steps. */
function steepIn(pattern: SourcePattern, most: number): string[] {
  const program = compilePattern(pattern);
  const shapes: (readonly [name: string, make: (units: number) => string])[] = [
    ...SHAPES,
    ...nearMisses(pattern).map((shape) => [JSON.stringify(shape), (units: number) => build(shape, units)] as const),
  ];
  for (const [name, make] of shapes) {
    const steps = (times: number) => countSteps(program, make(UNITS * times), most * UNITS * times);
    const isTooMany = (count: number, times: number) => count >= most * UNITS * times;
    let [times, before] = [TIMES, Math.max(steps(1), UNITS * CHEAP_STEPS)];
    let after = steps(TIMES);
    let growth = TIMES;
    for (const again of TIMES_AGAIN) {
      if (isTooMany(after, times) || after <= before * growth * (MOST_GROWTH / TIMES)) break;
      [growth, times, before, after] = [again / times, again, after, steps(again)];
    }
    if (isTooMany(after, times) || after > before * growth * (MOST_GROWTH / TIMES))
      return [
        `${[...pattern.files].join(" ")} /${pattern.source.slice(0, 100)}/${pattern.flags} over ${name}: ${before}, ${after}`,
      ];
  }
  return [];
}
