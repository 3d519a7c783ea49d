import { type Part, type ReadSentence, readSentences } from "#core/language/clause-reader";
import { lowerCase } from "#core/language/folded";
import { fillersIn, requestIn } from "#core/language/frames";
import { alternatives, starts } from "#core/language/patterns";
import { type Plain, trailingIn } from "#core/language/sentences";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { fold } from "#core/text/normalize";
import { beginsList } from "#domain/facts";
import { type Form, matchForm } from "./match-form.ts";
import { isOrder } from "./orders.ts";
import { ANY_IN_PASSING, IN_PASSING, isRole, peopleOf } from "./relationships.ts";
import { type SpokenMessage, SURE, type TakenMemory } from "./rule.ts";
import { endOfStatement, PRONOUN } from "./statement-end.ts";

/** UTF-16 units over all messages that are read, the last ones. */
export const MAX_READ_UNITS = 65_536;
const MAX_CONTENT_UNITS = 500;
/** How much of a statement is read: no form needs more. */
const STATEMENT_UNITS = 700;
/** Shorter than any statement in letters of ASCII. */
const SAYS_NOTHING = /^[\0-\x7f]{0,3}$/;
const GREETING = starts(alternatives(({ forms }) => forms?.greeting));
const OF_GROUP = starts(alternatives(({ forms }) => forms?.group));

type Stated = Omit<TakenMemory, "messageIndex">;

/**
 * What one speaker said about themselves for sure, by rules, in time proportional to the text. Only messages of role `user` are read, of
 * them the last 64 Ki units, without injected memory, quotations, code and quoted mail.
 */
export function takeMemories(messages: readonly SpokenMessage[]): TakenMemory[] {
  const taken = lastUnits(messages).flatMap(({ text, from, messageIndex }) =>
    readMessage(text, from).map((stated) => ({ ...stated, messageIndex })),
  );
  return withoutRepetition(taken);
}

/** The messages of role `user` of which the last 64 Ki units are a part, in order, and from where each is read. */
export function lastUnits(messages: readonly SpokenMessage[]): { text: string; from: number; messageIndex: number }[] {
  let left = MAX_READ_UNITS;
  const read = [...messages.entries()].reverse().flatMap(([messageIndex, { role, text }]) => {
    if (role !== "user" || left <= 0) return [];
    const from = Math.max(0, text.length - left);
    left -= text.length - from;
    return [{ text, from, messageIndex }];
  });
  return read.reverse();
}

/** The first of those with the same words; white space, case and accents make no difference. */
function withoutRepetition(taken: readonly TakenMemory[]): TakenMemory[] {
  const seen = new Set<string>();
  return taken.filter(({ category, content }) => {
    const key = `${category} ${fold(content)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function readMessage(text: string, from: number): Stated[] {
  const sentences = readSentences(text, from);
  const greeted = GREETING.test(sentences[0]?.plain.text ?? "");
  return sentences.flatMap((sentence) => {
    const stated = readSentence(text, sentence, greeted).filter((each) => !isOrder(each) && !isList(each, text));
    return stated.length === 0 ? [] : withSensitivityOfSentence(stated, sentence.plain);
  });
}

function readSentence(text: string, { plain, clauses, isQuestion }: ReadSentence, greeted: boolean): Stated[] {
  const stated: Stated[] = [];
  let read = 0;
  let pronoun = "";
  for (const [i, clause] of clauses.entries()) {
    const polite = requestIn(lowerCase(clause.text));
    if (clause.standing !== "own" || SAYS_NOTHING.test(clause.text) || (isQuestion && polite === 0 && i === clauses.length - 1))
      continue;
    const isRead = clause.from < read;
    const found = isRead
      ? null
      : formAt(plain, { from: clause.from + polite, until: clause.until }, { greeted, first: i === 0, pronoun });
    if (found !== null) {
      const known = found.at + found.form.known - found.subject.length;
      read = endOfStatement({ plain, clauses: clauses.slice(i), known, isRemembered: found.form.category === "remember" });
      stated.push(toStated(text, plain, { ...found, until: read }));
      pronoun = PRONOUN.exec(stated.at(-1)?.content ?? "")?.[0] ?? "";
    }
    if (
      (found?.form.within ?? found?.form)?.category !== "relationship" &&
      !(isRead && stated.at(-1)?.category === "relationship")
    )
      stated.push(...inPassing(text, plain, clause));
  }
  return stated;
}

type Found = {
  form: Form /** Where the words that were matched begin in the sentence. */;
  at: number /** What was put before them. */;
  subject: string;
};

/** The form of a statement that begins with a clause: to the end of its sentence, else of the clause. */
function formAt(
  { text }: Plain,
  { from, until }: { from: number; until: number },
  { pronoun, ...allowed }: { greeted: boolean; first: boolean; pronoun: string },
): Found | null {
  for (const end of [Math.min(text.length, from + STATEMENT_UNITS), until]) {
    const words = text.slice(from, end);
    const said = words.slice(0, words.length - trailingIn(words));
    const form = matchForm(said, allowed);
    if (form !== null) return { form, at: from, subject: "" };
    const lead = fillersIn(lowerCase(said));
    const shared =
      pronoun === "" || lead === 0 ? null : matchForm(`${pronoun} ${said.slice(lead)}`, { greeted: false, first: false });
    if (shared !== null) return { form: shared, at: from + lead, subject: `${pronoun} ` };
  }
  return null;
}

/** Ranked lists of favourites are stored as facts; a memory would lose their ranks. */
function isList({ key, start }: Stated, text: string): boolean {
  return key?.startsWith("preference:favorite_") === true && beginsList(text.slice(start));
}

/** The rest of the sentence may be sensitive, and then all of it is ("my husband Tom hits me"). */
function withSensitivityOfSentence(stated: readonly Stated[], { text, at }: Plain): Stated[] {
  const from = at[0] ?? 0;
  const isStated = new Uint8Array((at.at(-1) ?? from) - from + 1);
  for (const { start, end } of stated) isStated.fill(1, Math.max(0, start - from), Math.max(0, end - from));
  const around = sensitivityOf(
    [...at.entries()].map(([i, unit]) => (isStated[unit - from] === 1 ? " " : text.charAt(i))).join(""),
  );
  return stated.map((each) => ({ ...each, sensitivity: stricter(each.sensitivity, around) }));
}

const TYPE_OF = {
  preference: "preference",
  identity: "identity",
  relationship: "relationship",
  task: "task",
  remember: "knowledge",
} as const;

function toStated(text: string, plain: Plain, { form, at, subject, until }: Found & { until: number }): Stated {
  const said = cut(text, plain, at + Math.max(0, form.start - subject.length), until);
  const content = form.implied === "" ? `${subject}${said.content}` : implying(form.implied, said.content);
  return {
    ...{ ...said, content, key: form.key, category: form.category, confidence: form.confidence },
    type: TYPE_OF[(form.within ?? form).category],
    people: peopleOf(form),
    isOfGroup: OF_GROUP.test(content),
    sensitivity: sensitivityOf(content),
  };
}

function implying(subject: string, said: string): string {
  return `${subject}${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}

/** Persons and pets named in a clause; a form for relationships names them itself. */
function inPassing(text: string, plain: Plain, { from, until }: Part): Stated[] {
  const words = plain.text.slice(from, from + STATEMENT_UNITS);
  if (!ANY_IN_PASSING.test(words)) return [];
  return IN_PASSING.flatMap((pattern) =>
    [...words.matchAll(pattern)]
      .filter(({ index, groups }) => from + index < until && isRole(groups?.role ?? ""))
      .map((match) => {
        const said = cut(text, plain, from + match.index, from + match.index + match[0].length);
        return {
          ...{ ...said, key: null, isOfGroup: false, confidence: SURE.usual, people: peopleOf(match) },
          ...{ category: "relationship" as const, type: "relationship" as const, sensitivity: sensitivityOf(said.content) },
        };
      }),
  );
}

/** The words as they were written, without trailing fillers, at most 500 units, whole words. */
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
