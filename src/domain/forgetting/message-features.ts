import type { Named } from "#core/linear/named";
import { sensitivityOf } from "#core/safety/sensitivity";
import {
  type Asked,
  type Candidate,
  classesOf,
  isIn,
  isStatement,
  kindFeatures,
  type Match,
  matchOf,
  ordinalIn,
  ROLES,
  type Role,
  WEIGHT_OF_COUNT,
} from "./asked.ts";
import { tellingWords } from "./words-of.ts";

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

/** How each text resembles what the request names, and what stands beside it. */
function similarTo({ request, similarity }: Asked, texts: readonly string[]): number[] {
  const query = [request.object, request.beside, request.around].join(" ");
  return [...(similarity?.(query, texts) ?? texts.map(() => 0))];
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
