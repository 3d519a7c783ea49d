import type { ForgetRequest } from "#core/language/forget-requests";
import { tokensOf } from "#core/language/tokens";
import { type Features, hash, push } from "#core/linear/features";
import { SEED } from "#core/linear/text-features";
import { sensitivityOf } from "#core/safety/sensitivity";
import { countIn } from "./match-topic.ts";
import { tellingWords } from "./words-of.ts";

const WEIGHT_OF_CONTEXT = 3;
/** How many messages before a request show whether it is one. */
const CONTEXT_MESSAGES = 3;

/**
 * The features of a message between what was said before it: after "draft a toast", "leave out the divorce" is about the toast. `said` has
 * the user's messages of the session, the latest first.
 */
export function requestFeaturesIn(
  { features: own, parts }: Pick<ForgetRequest, "features" | "parts">,
  said: readonly string[],
): Features {
  const features: Features = { hashes: [...own.hashes], values: [...own.values] };
  const before = said.slice(0, CONTEXT_MESSAGES);
  const [last] = before;
  if (last === undefined) return features;
  const tokens = tokensOf(last);
  push(
    features,
    tokens.map(({ word }) => hash(SEED.after, `said ${word}`)),
    1,
  );
  push(
    features,
    tokens.map(({ name }) => hash(SEED.after, `class ${name}`)),
    0.5,
  );
  push(
    features,
    tokens.slice(0, 3).map(({ word }, i) => hash(SEED.after, `begins ${i} ${word}`)),
    0.5,
  );
  const words = [...new Set(parts.flatMap(({ text }) => [...tellingWords(text)]))];
  const all = before.join(" | ");
  const shared = (text: string) => Math.min(3, countIn(words, tellingWords(text)));
  const shapes = [
    `shared ${shared(all)}`,
    `shared with last ${shared(last)}`,
    `last is ${sensitivityOf(last)}`,
    `all is ${sensitivityOf(all)}`,
    `question ${/[?？]\s*$/u.test(last)}`,
    `me ${tokens.some(({ name }) => name === "me")}`,
    `begins ${tokens[0]?.name}`,
    `figures ${/\d{3}/u.test(all)}`,
  ];
  push(
    features,
    shapes.map((shape) => hash(SEED.shape, `before ${shape}`)),
    WEIGHT_OF_CONTEXT,
  );
  return features;
}
