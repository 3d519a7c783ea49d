/** How a word stands to the spans that are looked for: outside, the first of one, or a later one. */
export const TAGS = 3;
const OUTSIDE = 0;
const FIRST = 1;
const LATER = 2;

/** `scores`: three a word; `transitions`: from each tag to each tag. A later word of a span follows no word outside. */
export type TagScores = { scores: Float32Array; transitions: Float32Array };

/** A span of words, its probability among all readings, and where it begins and ends (exclusive). */
export type TaggedSpan = { from: number; to: number; odds: number };

function isPossible(before: number, tag: number): boolean {
  return !(tag === LATER && before === OUTSIDE);
}

function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

const ALL = [OUTSIDE, FIRST, LATER];

/** The logarithms of the sums over all readings of the words until each word, and after it. */
function sums({ scores, transitions }: TagScores): { until: Float64Array; after: Float64Array; total: number } {
  const count = scores.length / TAGS;
  const until = new Float64Array(scores.length).fill(Number.NEGATIVE_INFINITY);
  const after = new Float64Array(scores.length);
  const step = (from: number, to: number) =>
    isPossible(from, to) ? (transitions[from * TAGS + to] ?? 0) : Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++)
    for (const tag of ALL) {
      const before =
        i === 0
          ? tag === LATER
            ? Number.NEGATIVE_INFINITY
            : 0
          : logSum(ALL.map((from) => (until[(i - 1) * TAGS + from] ?? 0) + step(from, tag)));
      until[i * TAGS + tag] = (scores[i * TAGS + tag] ?? 0) + before;
    }
  for (let i = count - 2; i >= 0; i--)
    for (const tag of ALL)
      after[i * TAGS + tag] = logSum(
        ALL.map((to) => step(tag, to) + (scores[(i + 1) * TAGS + to] ?? 0) + (after[(i + 1) * TAGS + to] ?? 0)),
      );
  return { until, after, total: logSum(ALL.map((tag) => until[(count - 1) * TAGS + tag] ?? 0)) };
}

/** The probability of each tag of each word, and how often each transition is expected (conditional random field; Lafferty, McCallum and Pereira, 2001). */
export function marginals(of: TagScores): { tags: Float32Array; transitions: Float32Array } {
  const { scores, transitions } = of;
  const { until, after, total } = sums(of);
  const expected = new Float32Array(TAGS * TAGS);
  const tags = Float32Array.from(scores, (_, i) => Math.exp((until[i] ?? 0) + (after[i] ?? 0) - total));
  for (let i = 1; i < scores.length / TAGS; i++)
    for (const from of ALL)
      for (const to of ALL) {
        if (!isPossible(from, to)) continue;
        const at = i * TAGS + to;
        const log =
          (until[(i - 1) * TAGS + from] ?? 0) + (transitions[from * TAGS + to] ?? 0) + (scores[at] ?? 0) + (after[at] ?? 0);
        expected[from * TAGS + to] = (expected[from * TAGS + to] ?? 0) + Math.exp(log - total);
      }
  return { tags, transitions: expected };
}

/** The likeliest reading that has a span (Viterbi), and its probability among the readings that have one. */
export function readTags(given: TagScores): { spans: TaggedSpan[]; odds: number } {
  const count = given.scores.length / TAGS;
  if (count === 0) return { spans: [], odds: 1 };
  const chance = marginals(given).tags;
  const begins = ALL_OF(count).map((i) => chance[i * TAGS + FIRST] ?? 0);
  const of = { ...given, scores: given.scores.slice() };
  // Only readings in which the likeliest first word is one.
  of.scores[begins.indexOf(Math.max(...begins)) * TAGS + FIRST] =
    (of.scores[begins.indexOf(Math.max(...begins)) * TAGS + FIRST] ?? 0) + FORCED;
  const { tags, score } = bestTags(of);
  const { total } = sums(given);
  const none = given.scores.reduce(
    (sum, each, i) => (i % TAGS === OUTSIDE ? sum + each : sum),
    (count - 1) * (given.transitions[0] ?? 0),
  );
  const some = 1 - Math.exp(Math.min(0, none - total));
  const spans: TaggedSpan[] = [];
  for (const [i, tag] of tags.entries()) {
    const last = spans.at(-1);
    if (tag === FIRST) spans.push({ from: i, to: i + 1, odds: Math.min(1, (chance[i * TAGS + FIRST] ?? 0) / some) });
    else if (tag === LATER && last !== undefined) last.to = i + 1;
  }
  return { spans, odds: Math.min(1, Math.exp(score - FORCED - total) / some) };
}

const FORCED = 1000;
const ALL_OF = (count: number) => Array.from({ length: count }, (_, i) => i);

function bestTags({ scores, transitions }: TagScores): { tags: Int8Array; score: number } {
  const count = scores.length / TAGS;
  const best = new Float64Array(scores.length).fill(Number.NEGATIVE_INFINITY);
  const from = new Int8Array(scores.length);
  for (let i = 0; i < count; i++)
    for (const tag of ALL) {
      const at = i * TAGS + tag;
      if (i === 0) best[at] = tag === LATER ? Number.NEGATIVE_INFINITY : (scores[at] ?? 0);
      else
        for (const before of ALL) {
          const score = (best[(i - 1) * TAGS + before] ?? 0) + (transitions[before * TAGS + tag] ?? 0) + (scores[at] ?? 0);
          if (!isPossible(before, tag) || score <= (best[at] ?? 0)) continue;
          best[at] = score;
          from[at] = before;
        }
    }
  const ends = ALL.map((tag) => best[(count - 1) * TAGS + tag] ?? 0);
  const score = Math.max(...ends);
  const tags = new Int8Array(count);
  for (let i = count - 1, tag = ends.indexOf(score); i >= 0; tag = from[i * TAGS + tag] ?? 0, i--) tags[i] = tag;
  return { tags, score };
}
