import { stripQuotedText } from "#core/language/quoted-text";
import { type Plain, plainOf, sentencesOf, trailingIn } from "#core/language/sentences";
import { sensitivityOf, stricter } from "#core/safety/sensitivity";
import { fold } from "#core/text/normalize";
import { beginsList } from "#domain/facts";
import { CLAUSE_UNITS, type Clause, clausesOf } from "./clauses.ts";
import { closesScope, isAsking, isElsewhere, isJoking, REQUEST, stopsHere } from "./frames.ts";
import { type Form, matchForm, matchWithoutSubject } from "./match-form.ts";
import { isOfListener, isOrder } from "./orders.ts";
import { IN_PASSING, isRole, peopleOf } from "./relationships.ts";
import { type SpokenMessage, SURE, type TakenMemory, TYPE_OF } from "./rule.ts";

/** UTF-16 units over all messages that are read, the last ones. */
export const MAX_READ_UNITS = 65_536;
const MAX_CONTENT_UNITS = 500;
const GREETING = /^(?:hi|hey|hello|hiya|good (?:morning|afternoon|evening)|nice to meet|greetings)\b/iu;
const OF_GROUP =
  /^(?:we|we're|we've|we'll|weve|our|us|remind us|don't let us|wir|unser\p{L}*|nosotr[oa]s|nuestr\p{L}+|hemos|vamos|tenemos|elegimos|decidimos|nous|notre|nos|on (?:a|va|doit|ne|est|se|y)|我们|咱们)(?=$|[^\p{L}])|^我们|^咱们/iu;
type Stated = Omit<TakenMemory, "messageIndex">;

/**
 * What one speaker said about themselves, by rules, in time proportional to the text. Only messages of role `user` are read, of them the
 * last 64 Ki units, without injected memory, quotations, code and quoted mail.
 */
export function takeMemories(messages: readonly SpokenMessage[]): TakenMemory[] {
  const taken: TakenMemory[] = [];
  let left = MAX_READ_UNITS;
  for (let messageIndex = messages.length - 1; messageIndex >= 0 && left > 0; messageIndex--) {
    const message = messages[messageIndex];
    if (message === undefined || message.role !== "user") continue;
    const from = Math.max(0, message.text.length - left);
    left -= message.text.length - from;
    taken.unshift(...readMessage(message.text, from).map((stated) => ({ ...stated, messageIndex })));
  }
  return withoutRepetition(taken);
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
  const stripped = `${" ".repeat(from)}${stripQuotedText(text).slice(from)}`;
  const greeted = GREETING.test(stripped.slice(from).trimStart());
  const stated: Stated[] = [];
  let previous = 0;
  let beginning = "";
  for (const { start, end, isQuestion, goesOn } of sentencesOf(stripped)) {
    const plain = plainOf(stripped, start, end);
    if (!goesOn) beginning = plain.text;
    else if (isAsking(beginning) || isElsewhere(beginning)) continue;
    if (stopsHere(plain.text)) break;
    if (isJoking(plain.text)) {
      stated.length =
        /^[^\p{L}\p{N}]{0,20}(?:[\p{L}'’]{1,30} ){0,3}(?:kidding|jk|joking|joke|scherz|broma|plaisante|rigole|not really)/iu.test(
          plain.text,
        )
          ? previous
          : stated.length;
      continue;
    }
    previous = stated.length;
    stated.push(...readSentence(text, plain, isQuestion, greeted));
  }
  return stated;
}

function readSentence(text: string, plain: Plain, isQuestion: boolean, greeted: boolean): Stated[] {
  const polite = REQUEST.exec(plain.text)?.[0].length ?? 0;
  const asked: Plain = { text: plain.text.slice(polite), at: plain.at.slice(polite) };
  if (polite === 0 && isAsking(asked.text)) return [];
  if (isElsewhere(asked.text)) return [];
  const first = matchForm(asked.text.slice(0, CLAUSE_UNITS), greeted);
  const clauses = clausesOf(asked.text, first?.known ?? 0, (rest) => matchForm(rest) !== null);
  const own = isQuestion && polite === 0 ? clauses.slice(0, -1) : clauses;
  const stated: Stated[] = [];
  let closed = false;
  for (const clause of own) {
    closed = closed && !clause.reopens;
    if (closed) continue;
    const words = `${clause.subject}${asked.text.slice(clause.start, Math.min(clause.end, clause.start + CLAUSE_UNITS))}`;
    const said = words.slice(0, words.length - trailingIn(words));
    const form = matchForm(said, greeted) ?? (clause.start === 0 ? matchWithoutSubject(said) : null);
    if (form === null && closesScope(words)) closed = true;
    else stated.push(...(form === null ? [] : [toStated(text, asked, clause, form)]), ...inPassing(text, asked, clause, form));
  }
  const held = stated.filter((each) => !isOrder(each) && !isOfListener(each) && !isList(each, text));
  return held.length === 0 ? [] : withSensitivityOfSentence(held, asked);
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

function toStated(text: string, plain: Plain, clause: Clause, form: Form): Stated {
  const start = Math.max(0, form.start - clause.subject.length) + clause.start;
  const said = cut(text, plain, start, clause.end);
  const content =
    form.rule.implied === undefined ? `${clause.subject}${said.content}` : implying(form.rule.implied, said.content);
  const rule = form.within ?? form.rule;
  const key = typeof rule.key === "function" ? rule.key(form.groups ?? {}) : (rule.key ?? null);
  return {
    ...{ ...said, content, key },
    category: form.rule.category,
    type: TYPE_OF[rule.category],
    confidence: form.rule.confidence,
    people: peopleOf(form.groups, content),
    isOfGroup: OF_GROUP.test(content),
    sensitivity: sensitivityOf(content),
  };
}

function implying(subject: string, said: string): string {
  return `${subject}${said.charAt(0).toLowerCase()}${said.slice(1)}`;
}

/** Persons and pets named beside the statement; a rule for relationships names them itself. */
function inPassing(text: string, plain: Plain, clause: Clause, form: Form | null): Stated[] {
  if ((form?.within ?? form?.rule)?.category === "relationship") return [];
  const words = plain.text.slice(clause.start, Math.min(clause.end, clause.start + CLAUSE_UNITS));
  return IN_PASSING.flatMap((pattern) =>
    [...words.matchAll(pattern)]
      .filter(({ groups }) => isRole(groups?.role ?? ""))
      .map((match) => {
        const said = cut(text, plain, clause.start + match.index, clause.start + match.index + match[0].length);
        return {
          ...{ ...said, key: null, isOfGroup: false },
          category: "relationship" as const,
          type: TYPE_OF.relationship,
          confidence: SURE.usual,
          people: peopleOf(match.groups, said.content),
          sensitivity: sensitivityOf(said.content),
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
