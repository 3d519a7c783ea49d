import { randomOf } from "#scripts/random-of";
import type { UpdatePair } from "#test/score-update";
import { LANGUAGES, type Language, type Part } from "./parts.ts";

/** Sentences that say two to four things each, of which a later one replaces one; the same seed makes the same ones. */
export function coordinatedPairs(count: number, seed: number): UpdatePair[] {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const pairs = new Map<string, UpdatePair>();
  while (pairs.size < count) {
    const language = LANGUAGES[pairs.size % LANGUAGES.length] as Language;
    const chosen = choose(language, pick, pick([2, 2, 3, 4]));
    const first = sentenceOf(language, chosen, pick);
    const changeable = chosen.filter(({ later }) => later !== null);
    const changed = pick(changeable);
    const later = pick(changed.later ?? []);
    const others = chosen.filter((part) => part !== changed);
    // What replaces a part of work replaces the other too.
    const stays = others.filter(({ about }) => !(WORK.has(about) && WORK.has(changed.about))).map(({ needle }) => needle);
    if (stays.length === 0) continue;
    pairs.set(`${first} ${later}`, { first, later, stays, replaced: [changed.needle] });
  }
  return [...pairs.values()];
}

const WORK: ReadonlySet<string> = new Set(["work", "occupation"]);
/** Behind what something else may be attached. */
const HOLDS: ReadonlySet<string> = new Set([...WORK, "home", "diet"]);

/** Whether a part says something more inside the clause of another. */
function isBeside(part: Part): part is Extract<Part, { attached: string } | { modifier: string }> {
  return "attached" in part || "modifier" in part;
}

type Pick = <T>(list: readonly T[]) => T;

/** Different things of which at least one may change; what is attached stands behind another. */
function choose({ parts }: Language, pick: Pick, count: number): Part[] {
  const changeable = pick(parts.filter(({ later }) => later !== null));
  const chosen = [changeable];
  while (chosen.length < count) {
    const part = pick(parts);
    if (!chosen.some(({ about }) => about === part.about)) chosen.push(part);
  }
  const standing = chosen.filter((part) => !isBeside(part));
  const beside = chosen.find(isBeside);
  const holders = standing.filter((part) =>
    beside !== undefined && "modifier" in beside ? part.about === "occupation" : HOLDS.has(part.about),
  );
  const at = holders.length === 0 ? -1 : standing.indexOf(pick(holders));
  const attached = at < 0 || beside === undefined ? [] : [beside];
  return [...standing.slice(0, at + 1), ...attached, ...standing.slice(at + 1)];
}

function sentenceOf(language: Language, parts: readonly Part[], pick: Pick): string {
  const { subject, subjectIs, joints, comma, stop } = language;
  const lower = (text: string) =>
    text.startsWith("I") && language.code === "en" ? text : text.charAt(0).toLowerCase() + text.slice(1);
  const space = language.code === "zh" ? "" : " ";
  let [text, before] = ["", ""];
  for (const [i, part] of parts.entries()) {
    if (isBeside(part)) {
      text = "attached" in part ? `${text}${space}${part.attached}` : modified(text, part.modifier, language);
      continue;
    }
    const group = "i" in part ? "i" : "am" in part ? "am" : "own";
    const [lead, words] = "i" in part ? [subject, part.i] : "am" in part ? [subjectIs, part.am] : ["", part.own];
    const isLast = !parts.slice(i + 1).some((other) => !isBeside(other));
    const joint = text === "" ? "" : pick(isLast ? [...joints, stop] : [comma, comma, pick(joints)]);
    const sharesSubject = group === before && group !== "own" && joint !== stop && pick([true, true, false]);
    const said = sharesSubject ? words : `${lead}${words}`;
    text += joint + (joint === stop || text === "" ? said.charAt(0).toUpperCase() + said.slice(1) : lower(said));
    before = group;
  }
  return text + pick([stop.trim(), stop.trim(), ""]);
}

/** Chinese occupations have two characters. */
function modified(text: string, modifier: string, { code, modifies }: Language): string {
  if (code === "zh") return `${text.slice(0, -2)}${modifier}${text.slice(-2)}`;
  if (modifies === "behind") return `${text} ${modifier}`;
  const noun = text.lastIndexOf(" ") + 1;
  return `${text.slice(0, noun)}${modifier} ${text.slice(noun)}`;
}
