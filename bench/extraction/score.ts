/** The fields of a memory that a scorer needs. */
export type ScoredMemory = { type: string; content: string };

export type Score = {
  /** Pairs of indices: expected, found. */
  matched: { expected: number; found: number }[];
  missed: number[];
  excess: number[];
};

/** Two memories of one type are the same if they share at least so much of their content words (Dice). */
export const SAME_CONTENT = 0.6;

const WORDS = new Intl.Segmenter("und", { granularity: "word" });

/** Words in which a paraphrase may differ from the original ("I prefer tea", "prefers tea", "The user prefers tea"). */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the i i'm im i'll i've i'd my me we our us user user's is am are was be been to of in on at for and as that this it it's " +
    "they their them he she his her who has have had will with " +
    "ich mein meine meinem meiner der die das ein eine einen ist bin hat habe nutzer " +
    "yo mi me el la los las un una es soy ha he su se usuario " +
    "je j mon ma mes le la les un une est suis ai a utilisateur son sa " +
    "我 的 是 了 他 她 用户 我们"
  ).split(" "),
);

/** Pairs each expected memory with the most similar found one of its type, the most similar pairs first. */
export function scoreMemories(expected: readonly ScoredMemory[], found: readonly ScoredMemory[]): Score {
  const words = {
    expected: expected.map(({ content }) => contentWords(content)),
    found: found.map(({ content }) => contentWords(content)),
  };
  const pairs = expected
    .flatMap((one, i) =>
      found.flatMap((other, j) => {
        const likeness = one.type === other.type ? dice(words.expected[i] ?? new Set(), words.found[j] ?? new Set()) : 0;
        return likeness >= SAME_CONTENT ? [{ expected: i, found: j, likeness }] : [];
      }),
    )
    .sort((a, b) => b.likeness - a.likeness);
  const matched: Score["matched"] = [];
  const taken = { expected: new Set<number>(), found: new Set<number>() };
  for (const pair of pairs) {
    if (taken.expected.has(pair.expected) || taken.found.has(pair.found)) continue;
    taken.expected.add(pair.expected);
    taken.found.add(pair.found);
    matched.push({ expected: pair.expected, found: pair.found });
  }
  return {
    matched,
    missed: expected.map((_, i) => i).filter((i) => !taken.expected.has(i)),
    excess: found.map((_, j) => j).filter((j) => !taken.found.has(j)),
  };
}

/** Folded words without those that any paraphrase may drop, and with the -s of a third person and a plural taken off. */
export function contentWords(content: string): ReadonlySet<string> {
  const plain = content.normalize("NFKC").replace(/[‘’]/g, "'").toLowerCase();
  const words = [...WORDS.segment(plain)].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment);
  const kept = words.filter((word) => !EMPTY_WORDS.has(word));
  return new Set((kept.length > 0 ? kept : words).map(stem));
}

function stem(word: string): string {
  const folded = word.normalize("NFD").replace(/\p{M}/gu, "").replace(/'s$/, "");
  return folded.length > 3 && folded.endsWith("s") && !folded.endsWith("ss") ? folded.slice(0, -1) : folded;
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
