import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import { sensitivityOf } from "#core/safety/sensitivity";
import {
  type Asked,
  type Candidate,
  isContinuing,
  kindFeatures,
  type Match,
  matchOf,
  ordinalIn,
  ROLES,
  type Role,
  WEIGHT_OF_COUNT,
} from "./asked.ts";
import { pointingFeatures } from "./pointing.ts";
import { tellingWords } from "./words-of.ts";

/** Words that add a clause to the one before it, and say nothing themselves. */
const ADDING: ReadonlySet<string> = new Set("and so but also oh btw und y et".split(" "));
const WANTING: ReadonlySet<string> = new Set("need want help name".split(" "));
const DEGREES = ["public", "personal", "sensitive"];

/** What each clause of a message shows of being meant, where the message is not meant as a whole. */
export function clauseFeatures(asked: Asked, candidate: Candidate): Named[] {
  const { pieces } = candidate;
  const texts = pieces.map(({ text }) => text);
  const [matched, pointing] = [matchFeatures(asked, candidate), pointingFeatures(asked, texts)];
  const degrees = texts.map((text) => DEGREES.indexOf(sensitivityOf(text)));
  return pieces.map((piece, i) => ({
    ...kindFeatures(piece.text),
    ...matched[i],
    ...pointing[i],
    ...formFeatures(piece.text, { isLast: i === pieces.length - 1 }),
    ...privacyFeatures(degrees, i),
    [i === 0 ? "first" : "later"]: 1,
    ...(candidate.back === 0 && i === pieces.length - 1 ? { "own last": 1 } : {}),
    ...(piece.isQuestion ? { question: 1 } : {}),
  }));
}

/** What it has of the words of the request, beside what the other clauses have. */
function matchFeatures(asked: Asked, { pieces }: Candidate): Named[] {
  const matches = pieces.map(({ text }) => matchOf(asked, text));
  const total = matches.map(({ named, beside, around, kept }) => named + 0.5 * beside + 0.3 * around - kept);
  const best = Math.max(0, ...total);
  const bestAt = total.indexOf(best);
  const isNowhere = matches.every(({ named, beside, around }) => named + beside + around === 0);
  const keeps = matches.some(({ kept }) => kept > 0);
  const most = Object.fromEntries(ROLES.map((role) => [role, Math.max(...matches.map((match) => match[role]))]));
  const sentences = new Set(pieces.map(({ sentence }) => sentence)).size;
  const ordinal = asked.candidates === 1 && sentences + pieces.length > 2 ? ordinalIn(asked.request) : -1;
  return pieces.map((piece, i) => {
    const features: Named = {};
    for (const role of ROLES) Object.assign(features, roleFeatures(role, matches[i] as Match, most[role] ?? 0));
    if (ordinal >= 0)
      features[piece.sentence === ordinal || (sentences === 1 && i === ordinal) ? "counted" : "not counted"] = WEIGHT_OF_COUNT;
    if (isNowhere && keeps) features["nowhere but kept"] = 1;
    if ((total[i] ?? 0) < 0) features["kept more"] = 1;
    if (best === 0) return features;
    if (i === bestAt) return { ...features, best: 1 };
    features["other best"] = 1;
    if (pieces[bestAt]?.sentence === piece.sentence) features["other best in sentence"] = 1;
    if (i === bestAt + 1) features["after best"] = 1;
    if (i === bestAt - 1) features["before best"] = 1;
    if (i > bestAt && isContinuing(piece.text)) features["continues best"] = 1;
    if (asked.request.keepsRest) features["other best, rest kept"] = 1;
    if (asked.request.isWhole) features["other best, whole"] = 1;
    if (asked.words.kept.length > 0) features["other best, some kept"] = 1;
    return features;
  });
}

function roleFeatures(role: Role, match: Match, most: number): Named {
  if (most === 0) return {};
  if (match[role] === 0) return { [`not ${role}`]: 1 };
  return { [`any ${role}`]: 1, ...(match[role] === most ? { [`best ${role}`]: 1 } : {}) };
}

function formFeatures(text: string, { isLast }: { isLast: boolean }): Named {
  const words = tokensOf(text).map(({ word }) => word);
  const [first, second] = words.filter((word) => !ADDING.has(word));
  return {
    [`begins w ${first}`]: 1,
    [`begins w ${first} ${second}`]: 1,
    [`words ${Math.min(4, words.length)}`]: 1,
    [`telling ${Math.min(3, tellingWords(text).size)}`]: 1,
    ...Object.fromEntries(words.flatMap((word) => (WANTING.has(word) ? [[`has w ${word}`, 1]] : []))),
    ...(isLast ? { last: 1 } : {}),
  };
}

function privacyFeatures(degrees: readonly number[], i: number): Named {
  const most = Math.max(...degrees);
  if (most <= 0) return {};
  if (degrees[i] !== most) return { "below private": 1 };
  return { "top private": 1, ...(degrees.filter((degree) => degree === most).length === 1 ? { "sole private": 1 } : {}) };
}

/** What each clause but the first shows of being one statement with the clause before it, so that both go or both stay. */
export function chainFeatures({ request, similarity }: Asked, { pieces }: Candidate): Named[] {
  return pieces.slice(1).map((piece, i) => {
    const before = pieces[i];
    const isSameSentence = before?.sentence === piece.sentence;
    const tokens = tokensOf(piece.text);
    const first = tokens[0]?.word ?? "";
    const subject = tokens.find(({ word }) => !ADDING.has(word))?.name ?? "none";
    const continues = isContinuing(piece.text);
    return {
      chain: 1,
      [isSameSentence ? "chain same sentence" : "chain other sentence"]: 1,
      ...(continues ? { "chain continuing": 1 } : {}),
      ...(continues && isSameSentence ? { "chain continuing same": 1 } : {}),
      ...(JOINING.has(first) ? { [`chain ${first}`]: 1 } : {}),
      [`chain subj ${subject}`]: 1,
      "chain sim": Math.max(0, similarity?.(before?.text ?? "", [piece.text])[0] ?? 0),
      ...(request.isWhole ? { "chain whole": 1 } : {}),
      ...(request.keepsRest || request.kept.length > 0 ? { "chain kept": 1 } : {}),
    };
  });
}

const JOINING: ReadonlySet<string> = new Set("and but so cos because who which that".split(" "));
