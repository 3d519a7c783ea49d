import type { ForgetRequest, Piece } from "#core/language/forget-requests";
import { tokensOf } from "#core/language/tokens";
import type { Named } from "#core/linear/named";
import { sensitivityOf } from "#core/safety/sensitivity";
import { isNear, isVague, topicOf } from "./match-topic.ts";
import { tellingWords } from "./words-of.ts";

/** A message that a request may mean, or the statements of the message that asks. */
export type Candidate = {
  text: string;
  pieces: readonly Piece[];
  /** 0 for the message that asks, 1 for the latest before it. */
  back: number;
  isHere: boolean;
};

/** How each text resembles a query by what its words mean, from -1 to 1. */
export type Similarity = (query: string, texts: readonly string[]) => readonly number[];

const ROLES = ["named", "beside", "around", "kept"] as const;
type Role = (typeof ROLES)[number];

/** The words of a request by what they say of it, and their weights: rare among the candidates is telling. */
export type Asked = {
  request: ForgetRequest;
  parts: Part[];
  words: Record<Role, string[]>;
  weight: (word: string) => number;
  classes: Set<string>;
  /** How many messages before it may be meant. */
  candidates: number;
  /** Missing where no embedder can say. */
  similarity: Similarity | undefined;
};

type Part = { words: string[]; about: string[]; role: string };

/** What each part of a request says of the text that has words of it. */
function partsOf({ parts }: ForgetRequest): Part[] {
  const firstAsking = parts.findIndex(({ role }) => role === "asks");
  return parts.map(({ text, role }, i) => ({
    words: [...tellingWords(text)].filter((word) => !isVague(word)),
    role,
    about: [
      role,
      ...(firstAsking < 0 ? [`at ${Math.min(2, i)}`] : [`${role} ${Math.sign(i - firstAsking)}`]),
      ...(i === parts.length - 1 && i > 0 ? ["last"] : []),
      ...new Set(tokensOf(text).map(({ word }) => `w ${word}`)),
    ],
  }));
}

/** What the parts of the request that share words with a text say of it. */
function partFeatures({ parts, weight }: Asked, text: string, prefix: string): Named {
  const said = tellingWords(text);
  const features: Named = {};
  for (const { words, about } of parts) {
    const most = words.reduce((max, word) => (isIn(word, said) ? Math.max(max, weight(word)) : max), 0);
    if (most === 0) continue;
    for (const name of about) features[`${prefix} ${name}`] = Math.max(features[`${prefix} ${name}`] ?? 0, most);
  }
  return features;
}

export function askedOf(
  request: ForgetRequest,
  candidates: readonly { text: string }[],
  similarity: Similarity | undefined,
): Asked {
  const { named, beside, around, kept } = topicOf(request);
  const texts = candidates.map(({ text }) => tellingWords(text));
  const weights = new Map<string, number>();
  const weight = (word: string) => {
    const known = weights.get(word);
    if (known !== undefined) return known;
    const found = texts.filter((text) => isIn(word, text)).length;
    const made = found === 0 ? 0.5 : 1 / found;
    weights.set(word, made);
    return made;
  };
  return {
    request,
    parts: partsOf(request),
    words: { named, beside, around, kept: kept.flat() },
    weight,
    classes: classesOf(`${request.object} ${request.beside} ${request.around}`),
    candidates: candidates.length,
    similarity,
  };
}

/** How each text resembles what the request names, and what stands beside it. */
function similarTo({ request, similarity }: Asked, texts: readonly string[]): number[] {
  const query = [request.object, request.beside, request.around].join(" ");
  return [...(similarity?.(query, texts) ?? texts.map(() => 0))];
}

function isIn(word: string, text: ReadonlySet<string>): boolean {
  return text.has(word) || [...text].some((other) => isNear(word, other));
}

/** Words for a place among what was said, with the word for what is counted. */
const WEIGHT_OF_COUNT = 4;
const COUNTED =
  "(?:things?|ones?|bits?|parts?|messages?|msgs?|sentences?|lines?|halves|half|satz|sache|nachricht|cosa|mensaje|frase|chose|phrase|message)";
const ORDINALS = [
  ["first|1st|erste[ns]?|primer[oa]?|première|premier", "一"],
  ["second|2nd|zweite[ns]?|segund[oa]|deuxième|seconde", "二"],
  ["third|3rd|dritte[ns]?|tercer[oa]?|troisième", "三"],
].map(([spaced, han]) => new RegExp(`(?<!\\p{L})(?:${spaced}) ${COUNTED}(?!\\p{L})|第${han}[条句个件段]`, "u"));

/** The place, from 0, of what a request counts: "the second thing I wrote"; -1 if it counts nothing. */
export function ordinalIn({ parts }: ForgetRequest): number {
  return ORDINALS.findIndex((pattern) => parts.some(({ text }) => pattern.test(text)));
}

/** A clause that neither asks nor orders anything. */
export function isStatement({ text, isQuestion }: Piece): boolean {
  const first = tokensOf(text)[0]?.name;
  return !isQuestion && first !== "ask" && first !== "order";
}

type Match = Record<Role, number>;

/** How much of the request's words a text has, by role. */
function matchOf({ words, weight }: Asked, text: string): Match {
  const said = tellingWords(text);
  const of = (role: Role) => words[role].reduce((sum, word) => sum + (isIn(word, said) ? weight(word) : 0), 0);
  return { named: of("named"), beside: of("beside"), around: of("around"), kept: of("kept") };
}

/** Classes of words that say what something is about. */
const SUBJECTS: ReadonlySet<string> = new Set(["kin", "pet", "health", "work", "home", "time", "number", "text"]);

function classesOf(text: string): Set<string> {
  return new Set(tokensOf(text).flatMap(({ name }) => (SUBJECTS.has(name) ? [name] : [])));
}

function kindFeatures(text: string): Named {
  const tokens = tokensOf(text);
  const names = new Set(tokens.map(({ name }) => name));
  const first = tokens[0]?.name ?? "";
  const features: Named = { [`is ${sensitivityOf(text)}`]: 1 };
  if (first === "ask" || first === "order") features[`begins ${first}`] = 1;
  for (const name of [
    "me",
    "us",
    "you",
    "third",
    "kin",
    "health",
    "work",
    "ask",
    "order",
    "text",
    "number",
    "like",
    "Name",
    "be",
    "have",
  ])
    if (names.has(name)) features[`has ${name}`] = 1;
  return features;
}

/** What each candidate shows of being meant. */
export function messageFeatures(asked: Asked, candidates: readonly Candidate[]): Named[] {
  // The message that asks has all words of the request itself.
  const matches = candidates.map(({ text, back }) => matchOf(asked, back === 0 ? "" : text));
  const clauseBest = candidates.map(({ pieces, back }) =>
    back === 0
      ? 0
      : Math.max(
          0,
          ...pieces.map(({ text }) => {
            const { named, beside, around, kept } = matchOf(asked, text);
            return named + 0.5 * beside + 0.3 * around - kept;
          }),
        ),
  );
  const most = (role: Role) => Math.max(0, ...matches.map((match) => match[role]));
  const best = { named: most("named"), beside: most("beside"), around: most("around"), kept: most("kept") };
  const bestClause = Math.max(0, ...clauseBest);
  const isNowhere = best.named + best.beside + best.around === 0;
  const privates = candidates.map(({ text }) => ["public", "personal", "sensitive"].indexOf(sensitivityOf(text)));
  const mostPrivate = Math.max(...privates);
  const likenesses = similarTo(
    asked,
    candidates.map(({ text, back }) => (back === 0 ? "" : text)),
  );
  const similar = Math.max(0, ...likenesses);
  const found = candidates.map(({ text, back }) => {
    const said = tellingWords(back === 0 ? "" : text);
    const sum = (roles: readonly string[]) =>
      asked.parts.reduce(
        (all, { role, words }) =>
          all +
          (roles.includes(role) ? words.filter((word) => isIn(word, said)).reduce((w, word) => w + asked.weight(word), 0) : 0),
        0,
      );
    return { goes: sum(["asks", "states"]), asks: sum(["asks"]), keeps: sum(["keeps"]) };
  });
  const isOnly = (i: number, of: "goes" | "asks" | "keeps") =>
    (found[i]?.[of] ?? 0) > 0 && found.every((one, j) => i === j || one[of] === 0);
  const states = candidates.map(({ pieces }) => pieces.some(isStatement));
  const statedBefore = candidates.some(({ back }, i) => back > 0 && states[i]);
  const latest = candidates.findIndex(({ back }, i) => back > 0 && states[i]);
  const oldest = Math.max(...candidates.map(({ back }) => back));
  const ordinal = ordinalIn(asked.request);
  return candidates.map((candidate, i) => {
    const { text, pieces, back, isHere } = candidate;
    const match = matches[i] as Match;
    const features: Named = back === 0 ? {} : kindFeatures(text);
    for (const role of ROLES) {
      features[role] = Math.min(2, match[role]);
      if (match[role] > 0) features[`any ${role}`] = 1;
      if (match[role] > 0 && match[role] === best[role]) features[`best ${role}`] = 1;
    }
    if ((clauseBest[i] ?? 0) > 0) features["a clause"] = 1;
    if ((clauseBest[i] ?? 0) > 0 && clauseBest[i] === bestClause) features["best clause"] = 1;
    if (match.kept > 0 && match.named + match.beside + match.around <= match.kept) features["kept more"] = 1;
    if (back === 0) {
      features.own = 1;
      if (asked.request.own.length > 0) features["own by rules"] = 1;
      if (asked.request.isBare) features["own bare"] = 1;
      if (asked.request.refers) features["own refers"] = 1;
      if (sensitivityOf(pieces.map((piece) => piece.text).join(" ")) !== "public") features["own private"] = 1;
      if (!states[i]) features["own states nothing"] = 1;
      else if (!statedBefore) features["own alone states"] = 1;
      features["own stated"] = Math.min(4, pieces.length) / 4;
      if (best.named > 0) features["own and named"] = 1;
      if (isNowhere) features["own and nowhere"] = 1;
    } else {
      features[`back ${Math.min(4, back)}`] = 1;
      if (isNowhere) features[`nowhere back ${Math.min(4, back)}`] = 1;
      if (asked.request.isBare) features[`bare back ${Math.min(4, back)}`] = 1;
      if (back === oldest) features.first = 1;
      if (ordinal >= 0 && isHere && back === oldest - ordinal) features.counted = WEIGHT_OF_COUNT;
      if (back === oldest && FIRST.test(asked.request.around + asked.request.object + asked.request.beside))
        features["first asked"] = 1;
    }
    if (i === latest) features["latest statement"] = 1;
    if (i === latest && isNowhere) features["latest statement nowhere"] = 1;
    if (pieces.every(({ isQuestion }) => isQuestion)) features.question = 1;
    if (back > 0 && !states[i]) features["states nothing"] = 1;
    if (!isHere) features.elsewhere = 1;
    if (privates[i] === mostPrivate && mostPrivate > 0) features["most private"] = 1;
    if (privates[i] === mostPrivate && mostPrivate > 0 && isNowhere) features["most private nowhere"] = 1;
    const shared = [...classesOf(text)].filter((name) => asked.classes.has(name));
    for (const name of shared) features[`both ${name}`] = 1;
    if (shared.length > 0) features["both any"] = 1;
    if (back > 0) Object.assign(features, partFeatures(asked, text, "part"));
    else if (found.some(({ goes }) => goes > 0)) features["own, others match"] = 1;
    if (back > 0)
      for (const way of ["goes", "asks", "keeps"] as const) {
        if (isOnly(i, way)) features[`only ${way}`] = 2;
        else if (found.some((_, j) => j !== i && isOnly(j, way))) features[`other only ${way}`] = 1;
      }
    const likeness = back === 0 ? 0 : (likenesses[i] ?? 0);
    features.similar = likeness;
    if (likeness > 0 && likeness === similar) features["most similar"] = 1;
    return features;
  });
}

const FIRST =
  /\b(?:first|1st|start|beginning|opening|zuerst|erste|anfang|primero|primera|principio|premier|première|début|第一|开头)\b|第一|开头/u;

/** The highest value of each feature among all but one; in time linear in their number. */
function withoutOne(all: readonly Named[]): (i: number) => Named {
  const best = new Map<string, { value: number; at: number; second: number }>();
  for (const [at, features] of all.entries())
    for (const [name, value] of Object.entries(features)) {
      const known = best.get(name);
      if (known === undefined) best.set(name, { value, at, second: 0 });
      else if (value > known.value) best.set(name, { value, at, second: known.value });
      else known.second = Math.max(known.second, value);
    }
  return (i) => {
    const features: Named = {};
    for (const [name, { value, at, second }] of best) {
      const left = at === i ? second : value;
      if (left > 0) features[name] = left;
    }
    return features;
  };
}

/** What each clause of a message that is meant shows of being meant itself. */
export function pieceFeatures(asked: Asked, { pieces, back }: Candidate): Named[] {
  const matches = pieces.map(({ text }) => matchOf(asked, text));
  const total = matches.map(({ named, beside, around, kept }) => named + 0.5 * beside + 0.3 * around - kept);
  const best = Math.max(0, ...total);
  const bestAt = total.indexOf(best);
  const isNowhere = matches.every(({ named, beside, around }) => named + beside + around === 0);
  const keeps = matches.some(({ kept }) => kept > 0);
  const bestOf = (role: Role) => Math.max(...matches.map((match) => match[role]));
  const sentences = new Set(pieces.map(({ sentence }) => sentence)).size;
  const others = withoutOne(pieces.map(({ text }) => partFeatures(asked, text, "other")));
  const ordinal = asked.candidates === 1 && sentences + pieces.length > 2 ? ordinalIn(asked.request) : -1;
  return pieces.map((piece, i) => {
    const match = matches[i] as Match;
    const features: Named = { ...kindFeatures(piece.text), bias: 1 };
    for (const role of ROLES) {
      if (match[role] > 0) features[`any ${role}`] = 1;
      if (match[role] > 0 && match[role] === bestOf(role)) features[`best ${role}`] = 1;
      if (match[role] === 0 && bestOf(role) > 0) features[`not ${role}`] = 1;
    }
    Object.assign(features, partFeatures(asked, piece.text, "part"));
    Object.assign(features, others(i));
    const before = pieces[i - 1];
    if (before !== undefined && before.sentence === piece.sentence && isContinuing(piece.text))
      Object.assign(features, partFeatures(asked, before.text, "before"));
    if (ordinal >= 0)
      features[piece.sentence === ordinal || (sentences === 1 && i === ordinal) ? "counted" : "not counted"] = WEIGHT_OF_COUNT;
    if (pieces.length === 1) features.alone = 1;
    if (isNowhere) features.nowhere = 1;
    if (isNowhere && keeps) features["nowhere but kept"] = 1;
    if ((total[i] ?? 0) < 0) features["kept more"] = 1;
    if (i === bestAt && best > 0) features.best = 1;
    if (best > 0 && i !== bestAt) {
      features["other best"] = 1;
      if (pieces[bestAt]?.sentence === piece.sentence) features["other best in sentence"] = 1;
      if (i === bestAt + 1) features["after best"] = 1;
      if (i === bestAt - 1) features["before best"] = 1;
      if (i > bestAt && isContinuing(piece.text)) features["continues best"] = 1;
      if (asked.request.keepsRest) features["other best, rest kept"] = 1;
      if (asked.request.isWhole) features["other best, whole"] = 1;
      if (asked.words.kept.length > 0) features["other best, some kept"] = 1;
    }
    if (asked.request.keepsRest) features["rest kept"] = 1;
    if (asked.request.isWhole) features.whole = 1;
    if (asked.words.kept.length > 0) features["some kept"] = 1;
    if (asked.request.isBare) features.bare = 1;
    features[`pieces ${Math.min(4, pieces.length)}`] = 1;
    features[`sentences ${Math.min(3, sentences)}`] = 1;
    features[i === 0 ? "first" : "later"] = 1;
    if (back === 0) features.own = 1;
    if (back === 0 && i === pieces.length - 1) features["own last"] = 1;
    if (piece.isQuestion) features.question = 1;
    return features;
  });
}

/** A clause without a subject of its own. */
const CONTINUING_WORDS = 6;
const SUBJECT: ReadonlySet<string> = new Set(["me", "us", "you", "third", "be", "have", "kin"]);

export function isContinuing(clause: string): boolean {
  // Without spaces between words, a comma ends a sentence as often as not.
  if (/\p{Script=Han}/u.test(clause)) return false;
  const tokens = tokensOf(clause);
  return tokens.length <= CONTINUING_WORDS && !tokens.some(({ name }) => SUBJECT.has(name));
}
