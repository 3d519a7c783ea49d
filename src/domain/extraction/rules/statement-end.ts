import type { Part } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { fillersIn } from "#core/language/frames";
import type { WordClass } from "#core/language/pack";
import { alternatives, anyScript, starts } from "#core/language/patterns";
import type { Plain } from "#core/language/sentences";
import { hasSubject, leadsOf } from "#core/language/shared-subject";
import { classOf } from "#core/language/word-classes";
import { anyCase } from "#core/text/any-case";
import { fold } from "#core/text/normalize";
import { matchForm } from "./match-form.ts";

/** Another statement of the speaker, in text without punctuation. */
const PRONOUN_INSIDE = new RegExp(anyCase(anyScript(` (?=${alternatives(({ forms }) => forms?.pronoun)})`)));
const SUBJECT = starts(`(?:${alternatives(({ subjects }) => subjects)})(?=$|[^\\p{L}]|(?<='))`);
const CONJUNCTION = starts(`(?:${alternatives(({ spaced, conjunctions }) => (spaced ? conjunctions : undefined))})\\b`);
const AND = starts(`(?:${alternatives(({ forms }) => forms?.relationships?.and)})(?= )`);
/** Words with which a clause is no part of the statement before it. */
const BEGINS: ReadonlySet<WordClass | null> = new Set([
  ...(["me", "us", "you", "third", "ask", "order"] as const),
  ...(["thanks", "be", "have", "if", "say", "not", "health", "like", "kin", "pet"] as const),
]);
const WORD = /\p{Script=Han}|[\p{L}\p{N}'’-]+/gu;
/** So many words may continue a value ("in Bern, Switzerland"); what is to be remembered may be longer. */
const VALUE_WORDS = 4;
const LEADS_ON = /^[,、，]?\s*$/u;

type Statement = {
  plain: Plain;
  /** Its clause, and those after it in its sentence. */
  clauses: readonly Part[];
  /** Where the words end that its form needs. */
  known: number;
  isRemembered: boolean;
};

/** Where a statement ends in its sentence: after the words that its form needs, and the clauses that continue them. */
export function endOfStatement({ plain, clauses, known, isRemembered }: Statement): number {
  const [first, ...others] = clauses;
  let end = first?.until ?? known;
  const leads = leadsBefore(first?.text ?? "");
  for (const next of others) {
    const leadsOn = next.standing === "own" && LEADS_ON.test(plain.text.slice(end, next.from));
    if (next.from > known && !(leadsOn && continues(next, { isRemembered, leads }))) break;
    end = next.until;
  }
  const other = isRemembered ? null : PRONOUN_INSIDE.exec(plain.text.slice(known, end));
  return other === null ? end : known + other.index;
}

/** What a statement begins with, as it may stand before the predicate after it ("I live in Rome and | work as a cook"). */
export function leadsBefore(statement: string): string[] {
  const { subject, copular } = leadsOf(statement.slice(fillersIn(lowerCase(statement))));
  return [subject, copular].filter((lead) => lead !== null && lead !== "") as string[];
}

function continues({ text }: Part, { isRemembered, leads }: { isRemembered: boolean; leads: readonly string[] }): boolean {
  const lower = lowerCase(text);
  const rest = lower.slice(fillersIn(lower));
  const words = rest.match(WORD) ?? [];
  if ([words[0], lower.match(WORD)?.[0]].some((word) => BEGINS.has(classOf(fold(word ?? "")))) || SUBJECT.test(rest))
    return false;
  const isForm = (said: string) => matchForm(said, { greeted: false, first: false }) !== null;
  const predicate = text.slice(text.length - rest.length);
  if (isForm(text) || (!hasSubject(predicate) && leads.some((lead) => isForm(`${lead}${predicate}`)))) return false;
  if (isRemembered) return true;
  const hasTime = words.some((word) => /^\p{N}/u.test(word) || classOf(fold(word)) === "time");
  return words.length <= VALUE_WORDS && (hasTime || AND.test(lower) || !CONJUNCTION.test(lower));
}
