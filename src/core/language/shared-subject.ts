import { fold } from "#core/text/normalize";
import { STOP_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import { alternatives, anyScript, starts } from "./patterns.ts";
import { firstSubjectOf } from "./subject.ts";
import { classOf, hanClassAt } from "./word-classes.ts";

const shared = (name: "pronoun" | "copula" | "states") =>
  starts(`(?:${alternatives((pack) => pack.shared?.[name])})(?=$|[^\\p{L}]|(?<=['’]))`);
const [PRONOUN, COPULA, STATE] = [shared("pronoun"), shared("copula"), shared("states")];
const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu;
const CONTRACTED = /['’](?:m|re)$/iu;
const HAN_UNITS = 4;
const between = (spaced: boolean) =>
  alternatives((pack) => (pack.spaced === spaced ? `${pack.conjunctions}|${pack.joins ?? "(?!)"}` : undefined));
/** Between two predicates of one subject. */
const BETWEEN = new RegExp(anyScript(`^(?:[\\s,，、;；–-]|\\b(?:${between(true)})(?=[\\s,])|${between(false)})*$`), "iu");
const VERBS: ReadonlySet<string | null> = new Set(["have", "be", "like", "home", "work"]);
const NEGATED_VERB = /(?:n't|n’t|cannot)$/iu;

/** What a statement of the speaker begins with, as it stands before another predicate: the subject, and the subject with its form of "to be". */
export type Leads = { subject: string | null; copular: string | null };

const NO_LEADS: Leads = { subject: null, copular: null };

/** The leads of a statement that begins with its speaker. */
export function leadsOf(statement: string): Leads {
  const han = hanClassAt([...statement.slice(0, HAN_UNITS)], 0);
  if (han !== null) {
    const subject = [...statement].slice(0, han.length).join("");
    return han.name === "me" || han.name === "us" ? { subject, copular: `${subject}是` } : NO_LEADS;
  }
  const [first = "", second = ""] = statement.match(WORD) ?? [];
  // A language may leave the pronoun out.
  if (COPULA.test(lowerCase(first))) return { subject: "", copular: `${first} ` };
  const pronoun = PRONOUN.exec(first.replace(CONTRACTED, ""))?.[0];
  if (pronoun === undefined) return NO_LEADS;
  const subject = /['’]$/u.test(pronoun) ? `${pronoun.slice(0, -1)}e ` : `${pronoun} `;
  if (CONTRACTED.test(first)) return { subject, copular: `${first} ` };
  return { subject, copular: COPULA.test(lowerCase(second)) ? `${pronoun} ${second} ` : null };
}

type Span = { start: number; end: number };

/**
 * The subject that a statement shares with the one before it in its sentence, as it has to stand before it ("I'm vegetarian and | allergic to nuts");
 * empty where it has one of its own, or its first word does not show what is left out.
 */
export function sharedSubject(text: string, { start, end }: Span, before: readonly Span[]): string {
  const leader = before.find((one) => one.end <= start && BETWEEN.test(text.slice(one.end, start)));
  const said = text.slice(start, end);
  if (leader === undefined || hasSubject(said)) return "";
  const { subject, copular } = leadsOf(text.slice(leader.start, leader.end));
  if (subject === null) return "";
  if (/^\p{Script=Han}/u.test(said)) return subject;
  const [own = ""] = said.match(WORD) ?? [];
  const isState = STATE.test(lowerCase(own));
  const isVerb = !isState && (VERBS.has(classOf(fold(own))) || NEGATED_VERB.test(own));
  if (copular === null) return isState || (!isVerb && STOP_WORDS.has(fold(own))) ? "" : subject;
  if (isState || (subject !== "" && !isVerb && STOP_WORDS.has(fold(own)))) return copular;
  return isVerb ? subject : "";
}

/** Whether a predicate has a subject of its own among its first words. */
export function hasSubject(predicate: string): boolean {
  return firstSubjectOf(predicate.split(" ", 2).join(" ")) !== null;
}
