import { analyse } from "#core/text/analyse";
import type { Span } from "#core/text/redacted";
import { STOP_WORDS } from "#core/text/stop-words";
import { lowerCase } from "./folded.ts";
import type { ForgetWords } from "./forget-words.ts";
import type { LanguagePack } from "./pack.ts";
import { PACKS } from "./packs.ts";
import { sourceOf } from "./patterns.ts";
import { QUOTED, stripQuotedText } from "./quoted-text.ts";
import { plainOf, sentencesOf } from "./sentences.ts";
import { tokensOf } from "./tokens.ts";
import { namesClass } from "./word-classes.ts";

/** A sentence that asks for something to be forgotten. */
export type ForgetRequest = Span & {
  /** What it names, by the words of the index: each part ("my sister", "the treatment") has to be known. None for the message before. */
  parts: readonly (readonly string[])[];
  /** The words of what may stay. */
  kept: readonly string[];
  /** It means everything that has its words. */
  isAll: boolean;
  /** It could be an edit of a text or a list that is being worked on. */
  mayEdit: boolean;
  /** It names the thing alone, so that all its words have to be found. */
  needsAll: boolean;
  /** The code of its language. */
  language: string;
};

/** Whether a message or a sentence asks for something to be forgotten. */
export function asksToForget(message: string): boolean {
  return readForgetRequests(message).length > 0;
}

/** What is stated without its name: a medicine is an illness's, an amount is money's. */
export type Subject = "medicine" | "health" | "money" | "belief";

/** What a word names in general: illnesses, money, or what somebody believes and loves. */
export function subjectOf(word: string): Subject | null {
  return SUBJECTS.find((subject) => LANGUAGES.some((language) => language[subject].has(word))) ?? null;
}

/** Other words by which what a word names is stated. */
export function alikeTo(word: string): string[] {
  return LANGUAGES.flatMap(({ alike }) => alike.filter((group) => group.has(word)).flatMap((group) => [...group]));
}

/** Whether a message names a piece of a text, a list, a file or a program, in the language with this code. */
export function namesPiece(message: string, code: string): boolean {
  const text = lowerCase(message);
  return LANGUAGES.some((language) => language.code === code && language.pieces.test(text));
}

/** Whether a message brings a text, a list, a file or a program to be worked on: it names one, and is no statement about the speaker. */
export function isOfWork(message: string, code: string): boolean {
  const names = tokensOf(message).map(({ name }) => name);
  const isOrder = names.slice(0, 4).includes("order");
  if (!namesPiece(message, code)) return isOrder && names.includes("text");
  return isOrder || !names.slice(0, 3).some((name) => name === "me" || name === "us");
}

/** Longer messages are texts to work on. */
const MAX_UNITS = 2_000;
const MAX_REASON_WORDS = 8;
const LISTED_WORDS = 4;
const FRAGMENT_WORDS = 8;
const SUBJECTS = ["medicine", "health", "money", "belief"] as const satisfies readonly Subject[];

const KINDS = ["forgets", "stores", "deletes", "drops"] as const;
type Kind = (typeof KINDS)[number];

const LANGUAGES = PACKS.flatMap((pack) => (pack.forget === undefined ? [] : [compile(pack, pack.forget)]));
type Language = ReturnType<typeof compile>;

function compile(pack: LanguagePack, words: ForgetWords) {
  const word = (text: string) => (pack.spaced ? `(?<!\\p{L})(?:${sourceOf(text)})(?!\\p{L})` : `(?:${sourceOf(text)})`);
  const anywhere = (text: string) => new RegExp(sourceOf(text));
  const atStart = (text: string) => new RegExp(`^(?:${sourceOf(text)})`);
  const index = (text: string) => new Set(pack.spaced ? analyse(text) : text.split(" "));
  const before = pack.spaced ? `\\s(?=${word(words.breaks)})` : `(?=${sourceOf(words.breaks)})`;
  return {
    code: pack.code,
    lead: new RegExp(`${word(`${words.lead}|${words.polite}`)}\\s{0,9}`, "yu"),
    polite: new RegExp(word(words.polite), "u"),
    orders: KINDS.flatMap((kind) => words[kind].map((text) => ({ kind, pattern: new RegExp(`(?:${sourceOf(text)})`, "y") }))),
    said: anywhere(words.said),
    regrets: anywhere(words.regrets),
    about: anywhere(words.about),
    thing: anywhere(words.thing),
    instead: anywhere(words.instead),
    pieces: anywhere(words.pieces),
    places: new RegExp(`${word(words.places)}\\s{0,2}(?:[\\p{L}']{1,20} ){0,2}(?:${sourceOf(words.pieces)})`, "u"),
    last: atStart(words.last),
    own: atStart(words.own),
    not: anywhere(words.not),
    worldly: anywhere(words.worldly),
    data: anywhere(words.data),
    definite: atStart(words.definite),
    bare: atStart(words.bare),
    ownInside: new RegExp(`(?<!\\p{L})(?:${sourceOf(words.own)})`, "u"),
    goesOn: atStart(words.goesOn),
    reasons: atStart(words.reasons),
    points: new RegExp(`^${word(words.points)}`, "u"),
    keeps: words.keeps.map(atStart),
    joins: new RegExp(`[,;，；、&]|${pack.spaced ? `\\s${word(words.joins)}\\s` : sourceOf(words.joins)}`, "u"),
    clauseEnd: new RegExp(
      `[,，](?!\\d|\\s{0,3}(?:${sourceOf(words.together ?? "(?!)")}))|[;；()（）…—–!?。！？]|[.:：](?!\\d)|\\s-{1,3}\\s|${before}`,
      "u",
    ),
    spaced: pack.spaced,
    runsOn: words.runsOn === undefined ? null : new RegExp(`(?<=\\S\\s)${word(words.runsOn)}`, "u"),
    vague: index(words.vague),
    medicine: index(words.medicine),
    health: index(words.health),
    money: index(words.money),
    belief: index(words.belief),
    alike: words.alike.map(index),
  };
}

/** "Is" and "has", which also ask. */
const IS = ["be", "ask", "have"] as const;
const SEGMENTS = new Intl.Segmenter("zh", { granularity: "word" });
const MARKS_BEFORE = /^[^\p{L}\p{N}]+/u;
const DIGIT = /\d/u;
const PICTURE = /\p{Extended_Pictographic}/u;

type Sentence = Span & { text: string; isQuestion: boolean };
/** What a sentence asks for; `isAsked`: with "please" or of the assistant, `isOfYou`: of the assistant; `isNamedBefore`: it points back at what should not have been said. */
type Reading = {
  kind: Kind;
  object: string;
  isAsked: boolean;
  isOfYou: boolean;
  isNamedBefore: boolean;
  kept: string;
  after: string[];
};

/**
 * The requests to forget something in a user's message: sentences that order or ask to forget, delete or not to keep what they name, or point
 * back at what was named just before. The rest of the message may say anything but something new of what is named.
 */
export function readForgetRequests(message: string): ForgetRequest[] {
  if (message.length > MAX_UNITS) return [];
  const stripped = stripQuotedText(message);
  const sentences = sentencesOf(stripped).map(({ start, end, isQuestion }) => {
    const { text } = plainOf(stripped, start, end);
    return { start, end, isQuestion, text: lowerCase(text).trim() };
  });
  for (const language of LANGUAGES) {
    const requests = requestsOf(language, sentences);
    if (requests.length > 0) return requests;
  }
  return [];
}

function requestsOf(language: Language, sentences: readonly Sentence[]): ForgetRequest[] {
  const read = sentences.map((sentence, at) => ({
    sentence,
    at,
    readings: readSentence(language, sentence, sentences.slice(Math.max(0, at - SENTENCES_BEFORE), at)),
  }));
  const asking = new Set(read.flatMap(({ sentence, readings }) => (readings.length === 0 ? [] : [sentence])));
  const kept = sentences.map((sentence) => (asking.has(sentence) ? "" : (keptIn(language, sentence.text) ?? ""))).join(" ");
  return read.flatMap(({ sentence, at, readings }) => {
    const next = sentences.slice(at + 1).filter((other) => !asking.has(other));
    const before = sentences.slice(0, at).filter((other) => !asking.has(other));
    return readings.flatMap((reading) => requestOf(language, { sentence, reading, before, next, kept }) ?? []);
  });
}

/** Sentences before a request that may name what "it" is. */
const SENTENCES_BEFORE = 2;

type Asking = { sentence: Sentence; reading: Reading; before: readonly Sentence[]; next: readonly Sentence[]; kept: string };

function requestOf(language: Language, { sentence, reading, before, next, kept }: Asking): ForgetRequest | null {
  const { kind, object, isAsked, isOfYou, isNamedBefore } = reading;
  const said = language.said.exec(object);
  const meansLast = language.last.test(object);
  const isAbout = language.about.test(object);
  const head = (said === null ? object : object.slice(0, said.index)).replace(language.thing, " ");
  if (
    object.includes(QUOTED) ||
    (kind !== "forgets" && /["“”„«»「]/u.test(object)) ||
    (said === null && language.places.test(object))
  )
    return null;
  if ((kind === "deletes" || kind === "drops") && said === null && !isNamedBefore && language.pieces.test(head)) return null;
  const isInside = kind !== "drops" && !(kind === "forgets" && sentence.isQuestion);
  const isOwn = language.own.test(object) || language.bare.test(object) || (isInside && language.ownInside.test(object));
  // A question is asked of nothing that was named before it.
  const isTold = said !== null || (isNamedBefore && !(kind === "forgets" && sentence.isQuestion));
  const isThing = language.thing.test(object);
  const isBare = !isTold && !meansLast && !isAbout && !isThing;
  if (isBare && kind === "stores" && language.worldly.test(object)) return null;
  if (
    isBare &&
    kind === "forgets" &&
    !isAsked &&
    ((sentence.isQuestion && reading.after.length === 0) || reading.after.some((text) => goesElsewhere(language, text)))
  )
    return null;
  const mayMean = {
    stores: true,
    // "Can you forget how to swim?" asks about forgetting.
    forgets: isTold || meansLast || isAbout || isOwn || isThing || (isAsked && !sentence.isQuestion),
    deletes: isTold || meansLast || isAbout || isOwn || isThing || language.definite.test(object),
    // Words that are mostly of lists, texts and things.
    drops:
      (said !== null && !meansLast) || ((isThing || isNamedBefore) && isOfYou) || (isOwn && isDatum(language, object)) || isAbout,
  }[kind];
  if (!mayMean) return null;
  const parts = partsOf(language, object);
  if (parts.length === 0 && !meansLast) return null;
  const named = new Set(parts.flat());
  const [after] = next;
  const later = [...reading.after, ...(after === undefined || after.isQuestion ? [] : [after.text])];
  if (later.some((text) => (kind !== "stores" || DIGIT.test(text)) && saysNew(language, text, named))) return null;
  if ([...before, ...next].some(({ text, isQuestion }) => !isQuestion && isValueOf(language, text, named))) return null;
  const { start, end } = sentence;
  return {
    ...{ start, end, parts, language: language.code },
    kept: namingWords(language, `${reading.kept} ${kept}`),
    isAll: isAbout,
    mayEdit: !isTold && !meansLast && (kind === "deletes" || kind === "drops"),
    needsAll: !isTold && !isThing && !isOwn && !isAbout && kind !== "stores",
  };
}

/** Whether it names nothing but what is written down of somebody: "my address", not "my name from the lease". */
function isDatum({ data, places, pieces }: Language, object: string): boolean {
  return data.test(object) && !places.test(object) && !pieces.test(object) && object.split(" ").length <= LISTED_WORDS;
}

/** "…, I want the best one": it is no longer of interest. */
function goesElsewhere(language: Language, text: string): boolean {
  if (isReason(language, text) || keptIn(language, text) !== null) return false;
  return namingWords(language, text).length > 0 || namesClass(text, "me");
}

function partsOf(language: Language, object: string): string[][] {
  return object
    .split(language.joins)
    .map((part) => namingWords(language, part.replace(language.polite, " ")))
    .filter((words) => words.length > 0);
}

/** The words of a text that say what it is about, as the index has them. */
function namingWords({ vague, spaced }: Language, text: string): string[] {
  const words = [...new Set(spaced ? analyse(text) : segmentsOf(text))];
  const naming = words.filter((word) => !STOP_WORDS.has(word) && !vague.has(word) && !PICTURE.test(word));
  if (spaced) return naming;
  // A single character says too little where a word stands beside it.
  const long = naming.filter((word) => word.length > 1);
  if (long.length > 0 || naming.length === 0) return long;
  return naming.length > 1 || subjectOf(naming[0] ?? "") !== null ? [naming.join("")] : [];
}

/** The words of a text without spaces, by the dictionary. */
function segmentsOf(text: string): string[] {
  return [...SEGMENTS.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** Whether what follows a request says what is true in place of what it names: "…, it's October". */
function saysNew(language: Language, text: string, named: ReadonlySet<string>): boolean {
  const words = namingWords(language, text);
  if (words.length === 0 || keptIn(language, text) !== null || isReason(language, text)) return false;
  return language.points.test(text) || isValueOf(language, text, named);
}

/** Whether a sentence says what the named thing is: "my address is 9 Elm St". */
function isValueOf(language: Language, text: string, named: ReadonlySet<string>): boolean {
  if (keptIn(language, text) !== null || language.regrets.test(text)) return false;
  const words = language.spaced ? text.split(/\s+/u) : segmentsOf(text);
  return words.some((word, i) => {
    if (!namingWords(language, word).some((one) => named.has(one))) return false;
    return IS.some((name) => namesClass(words[i + 1] ?? "", name)) || (i < 2 && DIGIT.test(text));
  });
}

/** The requests of a sentence. */
function readSentence(language: Language, { text }: Sentence, before: readonly Sentence[]): Reading[] {
  if (language.instead.test(text)) return [];
  const readings: Reading[] = [];
  const topics = before.map((sentence) => sentence.text);
  let isOpen = false;
  for (const part of text.split(language.clauseEnd)) {
    const clause = part.trim().replace(MARKS_BEFORE, "");
    if (clause === "") continue;
    const order = orderIn(language, clause);
    const last = readings.at(-1);
    if (order !== null) {
      const isPointing = namingWords(language, order.object).length === 0 && !language.last.test(order.object);
      const topic = isPointing ? topicOf(language, topics) : null;
      readings.push({
        ...order,
        object: topic ?? order.object,
        isAsked: order.isAsked || language.polite.test(text),
        isNamedBefore: topic !== null,
      });
      isOpen = true;
    } else if (last === undefined) topics.push(clause);
    else if (isOpen && !isReason(language, clause) && goesOn(language, last.object, clause))
      last.object = last.object === "" ? clause : `${last.object}, ${clause}`;
    else {
      isOpen = false;
      const kept = keptIn(language, clause);
      if (kept === null) last.after.push(clause);
      else last.kept += ` ${kept}`;
    }
  }
  return readings;
}

/** What "it" is: the latest that is said to have been told, or should not have been, or is only named ("The long story."). */
function topicOf(language: Language, topics: readonly string[]): string | null {
  const named = topics.filter((text) => namingWords(language, text).length > 0 && !text.includes(QUOTED));
  const latest = named.at(-1);
  if (latest === undefined) return null;
  const told = named.findLast(
    (text) => language.said.test(text) || language.regrets.test(text) || language.thing.test(text) || language.bare.test(text),
  );
  const topic = told ?? (isFragment(language, latest) ? latest : null);
  if (topic === null) return null;
  const object = topic.slice(language.thing.exec(topic)?.index).replace(language.regrets, " ");
  return language.pieces.test(object.replace(language.thing, " ")) ? null : object;
}

/** The request that a clause begins with, behind fillers and politeness. */
function orderIn(language: Language, clause: string): Reading | null {
  const { lead, orders, runsOn } = language;
  const places = leadsIn(lead, clause);
  for (const { kind, pattern } of orders) {
    const found = places.map((at) => matchAt(pattern, clause, at)).find((match) => match !== null);
    if (found === undefined || found === null) continue;
    if (kind !== "stores" && deniedIn(found, language)) return null;
    const { object: named = "", more = "" } = found.groups ?? {};
    const around = found[0].replace(named, " ");
    const whole = `${named.trim().slice(leadsIn(lead, named.trim()).at(-1))} ${more}`.trim();
    const end = runsOn === null ? -1 : whole.search(runsOn);
    const object = end < 0 ? whole : whole.slice(0, end);
    const isAsked = namesClass(around, "you") || namesClass(around, "me");
    return { kind, object, isAsked, isOfYou: isAsked, isNamedBefore: false, kept: "", after: end < 0 ? [] : [whole.slice(end)] };
  }
  return null;
}

/** Whether the clause of a request says the opposite; what is told of may be denied: "forget that I'm not …". */
function deniedIn({ 0: whole, groups }: RegExpExecArray, { not, bare, said }: Language): boolean {
  const object = (groups?.object ?? "").trim();
  return not.test(bare.test(object) || said.test(object) ? whole.replace(object, " ") : whole);
}

/** Where the fillers and politeness end that a text begins with: after each of them. */
function leadsIn(lead: RegExp, text: string): number[] {
  const places = [0];
  for (lead.lastIndex = 0; lead.test(text); lead.lastIndex = places.at(-1) ?? 0) places.push(lead.lastIndex);
  return places;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function keptIn({ keeps }: Language, clause: string): string | null {
  const found = keeps.map((pattern) => pattern.exec(clause)).find((match) => match !== null);
  return found === undefined ? null : (found?.groups?.kept ?? "");
}

/** A clause that says why, or what may happen if not. */
function isReason(language: Language, clause: string): boolean {
  return language.reasons.test(clause) && namingWords(language, clause).length <= MAX_REASON_WORDS;
}

/** "…, was ich dir über sie gesagt habe", or one more thing. */
function goesOn(language: Language, object: string, clause: string): boolean {
  const isJoined = language.joins.test(` ${clause}`.slice(0, clause.indexOf(" ") + 2));
  const isOpen = namingWords(language, object).length === 0 || isJoined;
  return (isOpen && language.goesOn.test(clause)) || ((isJoined || language.own.test(clause)) && isListed(language, clause));
}

/** One more thing: "my code" after "my address". */
function isListed(language: Language, clause: string): boolean {
  return (
    clause.split(" ").length <= LISTED_WORDS &&
    keptIn(language, clause) === null &&
    !namesClass(clause, "third") &&
    isFragment(language, clause)
  );
}

/** A clause that only names something: "the lawyer and the hearing". */
function isFragment(language: Language, clause: string): boolean {
  if (namingWords(language, clause).length === 0 || clause.split(" ").length > FRAGMENT_WORDS) return false;
  return !([...IS, "me", "us"] as const).some((name) => namesClass(clause, name));
}
