import { fold } from "#core/text/fold";
import { CLAUSE_UNITS, type Clause, clausesOf } from "./clauses.ts";
import { closesScope, isAsking, isElsewhere, isJoking, REQUEST, stopsHere } from "./foreign-text.ts";
import { maskForeign } from "./mask-foreign.ts";
import { type Form, matchForm } from "./match-form.ts";
import { IN_PASSING, isRole, peopleOf } from "./relationships.ts";
import { SURE, TYPE_OF } from "./rule.ts";
import { sensitivityOf } from "./sensitivity.ts";
import { sentencesOf } from "./sentences.ts";
import type { SpokenMessage, TakenMemory } from "./taken.ts";

export type { SpokenMessage, TakenMemory } from "./taken.ts";

/** Only the end of a longer talk is read: UTF-16 units over all messages. */
export const MAX_READ_UNITS = 65_536;
const MAX_CONTENT_UNITS = 500;
const GREETING = /^(?:hi|hey|hello|hiya|good (?:morning|afternoon|evening)|nice to meet|greetings)\b/iu;
const OF_GROUP =
  /^(?:we|we're|we've|we'll|weve|our|us|remind us|don't let us|wir|unser\p{L}*|nosotr[oa]s|nuestr\p{L}+|hemos|vamos|tenemos|elegimos|decidimos|nous|notre|nos|on (?:a|va|doit|ne|est|se|y)|我们|咱们)(?=$|[^\p{L}])|^我们|^咱们/iu;
/** What trails a statement and is none of it. */
const TRAILING =
  /(?:[\s,;:.!?…)("“*_~、，。！；-]|\p{Extended_Pictographic}|[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]|[:;]-?[)(dp]$)+$/iu;
const FILLER =
  /,? (?:please|pls|plz|thanks|thank you|thx|tbh|btw|lol|haha|though|sorry|fyi|imo|you know|obviously|definitely|of course|for sure|bitte|danke|por favor|gracias|merci|s'il te plaît)$/iu;

type Told = Omit<TakenMemory, "messageIndex">;

/**
 * What one speaker said of themselves, by rule: no model, no clock, work in proportion to the text. Only messages of role `user` are read, of them
 * the last 64 Ki units, without injected memory, quotations, code and quoted mail.
 */
export function takeMemories(messages: readonly SpokenMessage[]): TakenMemory[] {
  const taken: TakenMemory[] = [];
  let left = MAX_READ_UNITS;
  for (let messageIndex = messages.length - 1; messageIndex >= 0 && left > 0; messageIndex--) {
    const message = messages[messageIndex];
    if (message === undefined || message.role !== "user") continue;
    const from = Math.max(0, message.text.length - left);
    left -= message.text.length - from;
    taken.unshift(...readMessage(message.text, from).map((told) => ({ ...told, messageIndex })));
  }
  return withoutRepetition(taken);
}

/** The first of those that say the same; white space, case and accents make no difference. */
function withoutRepetition(taken: readonly TakenMemory[]): TakenMemory[] {
  const seen = new Set<string>();
  return taken.filter(({ category, content }) => {
    const key = `${category} ${fold(content)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function readMessage(text: string, from: number): Told[] {
  const masked = `${" ".repeat(from)}${maskForeign(text).slice(from)}`;
  const greeted = GREETING.test(masked.slice(from).trimStart());
  const told: Told[] = [];
  let previous = 0;
  for (const { start, end, isQuestion } of sentencesOf(masked)) {
    const plain = plainOf(masked, start, end);
    if (stopsHere(plain.text)) break;
    if (isJoking(plain.text)) {
      told.length = /^\W*(?:[\p{L}'’]+ ){0,3}(?:kidding|jk|joking|joke|scherz|broma|plaisante|rigole|not really)/iu.test(
        plain.text,
      )
        ? previous
        : told.length;
      continue;
    }
    previous = told.length;
    told.push(...readSentence(text, plain, isQuestion, greeted));
  }
  return told;
}

type Plain = { text: string; at: number[] };

/** The sentence with white space collapsed and plain apostrophes, and for each of its units where it stands. */
function plainOf(masked: string, start: number, end: number): Plain {
  const at: number[] = [];
  const units: string[] = [];
  for (let i = start; i < end; i++) {
    const unit = masked.charAt(i);
    const isBlank = /\s/u.test(unit);
    if (isBlank && units.at(-1) === " ") continue;
    units.push(isBlank ? " " : unit === "’" || unit === "´" || unit === "ʼ" ? "'" : unit);
    at.push(i);
  }
  return { text: units.join(""), at };
}

function readSentence(text: string, plain: Plain, isQuestion: boolean, greeted: boolean): Told[] {
  const polite = REQUEST.exec(plain.text)?.[0].length ?? 0;
  const asked: Plain = { text: plain.text.slice(polite), at: plain.at.slice(polite) };
  if (polite === 0 && isAsking(asked.text)) return [];
  if (isElsewhere(asked.text)) return [];
  const first = matchForm(asked.text.slice(0, CLAUSE_UNITS), greeted);
  const clauses = clausesOf(asked.text, first?.known ?? 0, (rest) => matchForm(rest) !== null);
  const own = isQuestion && polite === 0 ? clauses.slice(0, -1) : clauses;
  const told: Told[] = [];
  let closed = false;
  for (const clause of own) {
    closed = closed && !clause.reopens;
    if (closed) continue;
    const words = `${clause.subject}${asked.text.slice(clause.start, Math.min(clause.end, clause.start + CLAUSE_UNITS))}`;
    const form = matchForm(words.slice(0, words.length - trailingIn(words)), greeted);
    if (form === null && closesScope(words)) closed = true;
    else told.push(...(form === null ? [] : [tell(text, asked, clause, form)]), ...inPassing(text, asked, clause, form));
  }
  return told;
}

function tell(text: string, plain: Plain, clause: Clause, form: Form): Told {
  const start = Math.max(0, form.start - clause.subject.length) + clause.start;
  const said = cut(text, plain, start, clause.end);
  const content = `${clause.subject}${said.content}`;
  const rule = form.within ?? form.rule;
  const key = typeof rule.key === "function" ? rule.key(form.groups ?? {}) : (rule.key ?? null);
  return {
    category: form.rule.category,
    type: form.within === null ? TYPE_OF[form.rule.category] : TYPE_OF[form.within.category],
    content,
    confidence: form.rule.confidence,
    key,
    people: peopleOf(form.groups, content),
    isOfGroup: OF_GROUP.test(content),
    sensitivity: sensitivityOf(content),
    start: said.start,
    end: said.end,
  };
}

/** People and animals named beside what the clause says; a relationship that is stated names them itself. */
function inPassing(text: string, plain: Plain, clause: Clause, form: Form | null): Told[] {
  if ((form?.within ?? form?.rule)?.category === "relationship") return [];
  const words = plain.text.slice(clause.start, Math.min(clause.end, clause.start + CLAUSE_UNITS));
  return IN_PASSING.flatMap((pattern) =>
    [...words.matchAll(pattern)]
      .filter(({ groups }) => isRole(groups?.role ?? ""))
      .map((match) => {
        const said = cut(text, plain, clause.start + match.index, clause.start + match.index + match[0].length);
        const people = peopleOf(match.groups, said.content);
        return {
          category: "relationship" as const,
          type: TYPE_OF.relationship,
          content: said.content,
          confidence: SURE.usual,
          key: null,
          people,
          isOfGroup: false,
          sensitivity: sensitivityOf(said.content),
          start: said.start,
          end: said.end,
        };
      }),
  );
}

/** The words as they were given, without what trails them, at most 500 units, whole words. */
function cut(text: string, plain: Plain, start: number, end: number): { content: string; start: number; end: number } {
  const said = plain.text.slice(start, end);
  let length = said.length - trailingIn(said);
  if (length > MAX_CONTENT_UNITS) {
    const space = plain.text.lastIndexOf(" ", start + MAX_CONTENT_UNITS);
    length = space > start ? space - start : MAX_CONTENT_UNITS;
  }
  const from = plain.at[start] ?? 0;
  const until = (plain.at[start + length - 1] ?? from) + 1;
  return { content: text.slice(from, until).replace(/\s+/gu, " "), start: from, end: until };
}

/** How many units at the end say nothing. */
function trailingIn(words: string): number {
  let length = words.length;
  for (let before = -1; before !== length; ) {
    before = length;
    length -= FILLER.exec(words.slice(Math.max(0, length - 40), length))?.[0].length ?? 0;
    length -= TRAILING.exec(words.slice(Math.max(0, length - 60), length))?.[0].length ?? 0;
  }
  return words.length - length;
}
