import { changesIn } from "#core/language/changes";
import type { Clause } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { endsSoon, isStandingOrder, isSteering, statesPreference } from "#core/language/frames";
import { assistantSlotOf } from "#core/language/slots";
import { MAX_TOKENS, type Token, tokensOf } from "#core/language/tokens";
import { type Features, hash, push } from "#core/linear/features";
import { classOnly, nameOf, SEED, textGroups, wordGroup } from "#core/linear/text-features";

/** The features of a passage: whether it holds anything worth keeping. */
export function passageFeatures(clauses: readonly Clause[]): Features {
  const features: Features = { hashes: [], values: [] };
  const tokens = clauses.flatMap(({ text }) => [...tokensOf(text), STOP]).slice(0, MAX_TOKENS);
  textGroups(features, tokens);
  push(features, wordGroup(tokensOf(clauses[0]?.text ?? "").slice(0, 3), SEED.before), 0.5);
  const share = (of: (clause: Clause) => boolean) => Math.round((4 * clauses.filter(of).length) / Math.max(1, clauses.length));
  const shapes = [
    `clauses ${Math.min(12, clauses.length)}`,
    `words ${Math.min(9, Math.floor(Math.log2(tokens.length + 1) * 1.5))}`,
    `questions ${share(({ isQuestion }) => isQuestion)}`,
    `quoted ${share(({ text }) => text.includes("\uFFFC"))}`,
    ...[...new Set(clauses.map(({ standing }) => standing))].map(
      (standing) => `standing ${standing} ${share((c) => c.standing === standing)}`,
    ),
  ];
  push(
    features,
    shapes.map((shape) => hash(SEED.shape, shape)),
    1,
  );
  return features;
}

const STOP: Token = { word: "|", name: "|", isHan: false };

/** The features of a clause between its neighbours. */
export function clauseFeatures(clauses: readonly Clause[], at: number): Features {
  const features: Features = { hashes: [], values: [] };
  const clause = clauses[at] as Clause;
  const tokens = tokensOf(clause.text);
  textGroups(features, tokens);
  const before = clauses[at - 1];
  const after = clauses[at + 1];
  const beside = (other: Clause | undefined, seed: number) => {
    const others = other === undefined ? [] : tokensOf(other.text);
    push(features, [...wordGroup(others, seed), ...others.map(({ name }) => hash(seed, `=${name}`))], 0.7);
  };
  beside(before, SEED.before);
  beside(after, SEED.after);
  const shapes = [
    `standing ${clause.standing}`,
    `question ${clause.isQuestion}`,
    `first ${at === 0} last ${at === clauses.length - 1}`,
    `alone ${clauses.length === 1}`,
    `words ${Math.min(12, tokens.length)}`,
    `begins ${nameOf(tokens[0] ?? STOP)}`,
    `begins ${classOnly(tokens[0] ?? STOP)} ${classOnly(tokens[1] ?? STOP)}`,
    `joined ${before?.sentence === clause.sentence} ${after?.sentence === clause.sentence}`,
    `before ${before?.standing} ${before?.isQuestion}`,
    `after ${after?.standing} ${after?.isQuestion}`,
    `quoted ${clause.text.includes("\uFFFC")}`,
  ];
  push(
    features,
    shapes.map((shape) => hash(SEED.shape, shape)),
    1.5,
  );
  return features;
}

/** The features of a sentence between its neighbours: whether it says how the assistant is to behave from now on. */
export function sentenceFeatures(clauses: readonly Clause[], sentence: number): Features {
  const features: Features = { hashes: [], values: [] };
  const own = clauses.filter((clause) => clause.sentence === sentence);
  const tokens = own.flatMap(({ text }) => tokensOf(text)).slice(0, MAX_TOKENS);
  textGroups(features, tokens);
  const at = clauses.findIndex((clause) => clause.sentence === sentence);
  const beside = (other: Clause | undefined, seed: number) => {
    const words = clauses.filter((clause) => clause.sentence === other?.sentence).flatMap(({ text }) => tokensOf(text));
    push(features, wordGroup(words, seed), 0.3);
    push(
      features,
      words.map(({ name }) => hash(seed, `=${name}`)),
      0.4,
    );
  };
  const before = clauses[at - 1];
  const after = clauses[at + own.length];
  beside(before, SEED.before);
  beside(after, SEED.after);
  const shapes = [
    `question ${own.at(-1)?.isQuestion}`,
    `clauses ${Math.min(6, own.length)}`,
    `words ${Math.min(12, tokens.length)}`,
    `first ${before === undefined} last ${after === undefined}`,
    `standings ${[...new Set(own.map(({ standing }) => standing))].sort().join(" ")}`,
    `begins ${nameOf(tokens[0] ?? STOP)}`,
    `begins ${classOnly(tokens[0] ?? STOP)} ${classOnly(tokens[1] ?? STOP)}`,
    ...signsOf(own),
  ];
  push(
    features,
    shapes.map((shape) => hash(SEED.shape, shape)),
    1.5,
  );
  return features;
}

/** What the words of a sentence are in every language, so that what is learned in one holds for others. */
function signsOf(sentence: readonly Clause[]): string[] {
  const words = lowerCase(sentence.map(({ text }) => text).join(", "));
  const { ended, renewed } = changesIn(words);
  const slots = sentence.flatMap(({ text }) => assistantSlotOf(text) ?? []);
  return [
    ...new Set(slots.map((slot) => `slot ${slot}`)),
    `a slot ${slots.length > 0}`,
    `standing order ${sentence.some(({ text }) => isStandingOrder(lowerCase(text)))}`,
    `prefers ${statesPreference(words)}`,
    `steering ${isSteering(words)}`,
    `ended ${ended} renewed ${renewed}`,
    `ends soon ${endsSoon(words)}`,
  ];
}

/** The features of a kept span: what kind of statement it is. */
export function spanFeatures(text: string): Features {
  const features: Features = { hashes: [], values: [] };
  const tokens = tokensOf(text);
  textGroups(features, tokens);
  push(
    features,
    [...wordGroup(tokens.slice(0, 2), SEED.before), hash(SEED.shape, `begins ${classOnly(tokens[0] ?? STOP)}`)],
    0.7,
  );
  return features;
}
