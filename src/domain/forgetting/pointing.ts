import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import type { Asked, Part } from "./asked.ts";
import { createWordLikeness } from "./word-likeness.ts";
import { tellingWords } from "./words-of.ts";

/** How sharply a part of a request points at the clause that it resembles most. */
const SHARPNESS = 6;
/** The weight of the likeness of whole texts beside that of their words. */
const WHOLE_TEXT = 0.5;
/** A part that resembles no clause more than this names none of them. */
const NAMES_ONE = 0.15;
/** Words of a part that are compared with each clause; the others say little more. */
const MOST_WORDS = 16;
/** Of longer requests and messages not every part is compared with every clause. */
const MOST_PARTS = 24;
const MOST_CLAUSES = 100;
const SUBJECTS: ReadonlySet<string> = new Set("kin pet health work home time number text like me third".split(" "));
const ROLES = ["asks", "keeps", "states"] as const;

/**
 * What the parts of a request say of the clauses that they resemble: each part points at clauses (a softmax of likenesses, as the attention of
 * Bahdanau, Cho and Bengio, 2015), and its own words, and those beside it, are features of what it points at.
 */
export function pointingFeatures(asked: Asked, clauses: readonly string[]): Named[] {
  if (clauses.length > MOST_CLAUSES) return clauses.map(() => ({}));
  const likenessOf = likenessTo(asked, clauses);
  const classes = clauses.map(classesIn);
  const features: Named[] = clauses.map(() => ({}));
  const best = clauses.map(() => ({ asks: 0, keeps: 0, states: 0 }));
  for (const part of asked.parts.slice(0, MOST_PARTS)) {
    const likenesses = likenessOf(part);
    const most = Math.max(...likenesses);
    const odds = likenesses.map((each) => Math.exp(SHARPNESS * (each - most)));
    const sum = odds.reduce((total, each) => total + each, 0);
    const named = classesIn(part.text);
    for (const [i, of] of features.entries()) {
      const pointed = ((odds[i] ?? 0) / sum - 1 / clauses.length) * Math.min(1, most);
      for (const name of [...part.about, ...part.beside]) of[`points ${name}`] = (of[`points ${name}`] ?? 0) + pointed;
      for (const name of classes[i] ?? [])
        if (named.has(name)) Object.assign(of, { [`both ${name} ${part.role}`]: 1, [`both ${part.role}`]: 1 });
      const own = best[i];
      if (own !== undefined) own[part.role] = Math.max(own[part.role], likenesses[i] ?? 0);
    }
  }
  for (const role of ROLES) {
    const most = Math.max(...best.map((each) => each[role]));
    for (const [i, of] of features.entries()) {
      const own = best[i]?.[role] ?? 0;
      of[`like ${role}`] = own;
      if (most <= NAMES_ONE) continue;
      if (own === most) of[`most ${role}`] = 1;
      else of[`under ${role}`] = Math.min(1, most - own);
    }
  }
  for (const [i, of] of features.entries()) {
    const { asks, keeps } = best[i] ?? { asks: 0, keeps: 0 };
    if (asks > 0 || keeps > 0) of["asks minus keeps"] = asks - keeps;
  }
  return features;
}

/** How a part resembles each clause: its words, each with the clause's most similar word, and the texts as wholes. */
function likenessTo({ similarity, meanings }: Asked, clauses: readonly string[]): (part: Part) => number[] {
  const words = createWordLikeness(meanings);
  const said = clauses.map((clause) => [...tellingWords(clause)]);
  return ({ text, words: asking }) => {
    const whole = similarity?.(text, clauses) ?? [];
    return said.map((of, i) => {
      const each = asking
        .slice(0, MOST_WORDS)
        .map((word) => words.weight(word) * of.reduce((most, other) => Math.max(most, words.of(word, other)), 0));
      return each.reduce((sum, one) => sum + one, 0) + WHOLE_TEXT * Math.max(0, whole[i] ?? 0);
    });
  };
}

function classesIn(text: string): ReadonlySet<string> {
  return new Set(tokensOf(text).flatMap(({ name }) => (SUBJECTS.has(name) ? [name] : [])));
}
