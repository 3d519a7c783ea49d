const JOINED_LENGTH = 32;
const JOINED_PARTS = 4;
const MIXED_PIECES = 3;

const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;
const HUMPS = /(?<=\p{Ll})(?=\p{Lu})/u;
const DIGITS_AND_LETTERS = /(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u;

/** Irregular contractions in full. */
const CONTRACTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["won't", ["will", "not"]],
  ["can't", ["can", "not"]],
  ["shan't", ["shall", "not"]],
  ["ain't", ["be", "not"]],
  ["y'all", ["you", "all"]],
]);
/** Endings with what they stand for; the possessive stands for nothing, and so do "is" and "us". */
const ENDINGS: readonly (readonly [ending: string, words: readonly string[]])[] = [
  ["n't", ["not"]],
  ["'re", ["are"]],
  ["'ve", ["have"]],
  ["'ll", ["will"]],
  ["'d", ["would"]],
  ["'m", ["am"]],
  ["'s", []],
];
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=\p{L}{2})/iu;

/**
 * The words of a run of letters and digits with hyphens, underscores or apostrophes in it. A short compound also yields itself
 * in one word: "e-mail", "user_id" and "GitHub" are found by "email", "userid" and "github".
 */
export function splitCompound(run: string): string[] {
  const parts = run.split(/[_-]/).flatMap((part) => (part.includes("'") ? apostrophe(part) : [part]));
  const words = parts.flatMap(splitPart);
  const joins = words.length > 1 && words.length <= JOINED_PARTS && run.length <= JOINED_LENGTH && !run.includes("'");
  return joins ? [...words, words.join("")] : words;
}

/** English contractions in full, without the possessive; French without the elided word; other names ("O'Brien") closed up. */
function apostrophe(part: string): readonly string[] {
  const lower = part.toLowerCase();
  const contraction = CONTRACTIONS.get(lower);
  if (contraction !== undefined) return contraction;
  const ending = ENDINGS.find(([suffix]) => lower.endsWith(suffix));
  if (ending !== undefined) return [part.slice(0, part.length - ending[0].length).replaceAll("'", ""), ...ending[1]];
  return [part.replace(ELISION, "").replaceAll("'", "")];
}

/** Splits camelCase, and digits from letters ("5pm", "covid19") unless they alternate as in an identifier. "7th" is 7. */
function splitPart(part: string): string[] {
  if (ORDINAL.test(part)) return [part.slice(0, -2)];
  const pieces = part.split(DIGITS_AND_LETTERS);
  return (pieces.length > MIXED_PIECES ? [part] : pieces).flatMap(splitCamel);
}

/** "GitHub" is two words, "iPhone" one. */
function splitCamel(piece: string): string[] {
  const humps = piece.split(HUMPS);
  return humps.every((hump) => hump.length > 1) ? humps : [piece];
}
