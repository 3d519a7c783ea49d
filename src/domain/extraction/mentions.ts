import { alternatives } from "#core/language/patterns";
import { classOf } from "#core/language/word-classes";
import { fold, nameKey } from "#core/text/normalize";
import type { Place } from "./read-episodes.ts";

type Token = { written: string; key: string };

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu;
const CAPITAL = /^\p{Lu}/u;
const CASED = /\p{Ll}|\p{Lu}/u;
/** Before a noun: "the max", "im Mai", "my mark". */
const DETERMINER = new RegExp(`^(?:${alternatives(({ names }) => names?.notAfter)})$`, "u");
/** After a name at the beginning: a verb of which it is the subject. */
const VERB = new RegExp(`^(?:${alternatives(({ names }) => names?.verbs)})$`, "u");

/**
 * The names of participants of a group that a text mentions: "@id", and names where a name stands. A word that is also a name ("drew", "max",
 * "May") counts with a capital letter inside a sentence, or at the beginning with a verb after it ("rhys does deliveries"): a wrong subject
 * could see what it must not see. "My sister Sue" is left to the rules, which know relationships.
 */
export function mentionsIn(content: string, { people }: Pick<Place, "people">): string[] {
  const ids = new Set((content.match(/@\S+/gu) ?? []).flatMap((id) => [id, id.replace(/[.,;:!?)]/gu, "")]));
  const tokens = [...content.matchAll(WORD)].map(
    ({ 0: written }): Token => ({ written, key: nameKey(written.replace(/['’]s$/u, "")) }),
  );
  return people.flatMap((person) => {
    if (ids.has(`@${person.externalId}`)) return [`@${person.externalId}`];
    const names = person.names.filter((name) => isNamed(nameKey(name).split(" "), tokens));
    // Of "Lee" and "Lee Ann", the longer one is meant.
    const isLonger = (name: string) =>
      people.some(
        (other) =>
          other !== person && other.names.some((long) => isLongerName(long, name) && isNamed(nameKey(long).split(" "), tokens)),
      );
    return names.filter((name) => !isLonger(name));
  });
}

function isLongerName(long: string, name: string): boolean {
  return ` ${nameKey(long)} `.includes(` ${nameKey(name)} `) && nameKey(long) !== nameKey(name);
}

function isNamed(name: readonly string[], tokens: readonly Token[]): boolean {
  if (name[0] === undefined || name[0] === "") return false;
  return tokens.some(
    (_, at) => name.every((part, i) => tokens[at + i]?.key === part) && standsAsName(tokens, at, at + name.length),
  );
}

function standsAsName(tokens: readonly Token[], at: number, until: number): boolean {
  const { written } = tokens[at] ?? { written: "" };
  const last = tokens[until - 1]?.written ?? "";
  if (!CASED.test(written)) return true;
  if (at === 0) return /['’]s$/u.test(last) || VERB.test((tokens[until]?.written ?? "").toLowerCase());
  const before = fold(tokens[at - 1]?.written ?? "");
  if (!CAPITAL.test(written) || DETERMINER.test(before)) return false;
  return classOf(before) !== "kin" && classOf(fold(written)) !== "time";
}
