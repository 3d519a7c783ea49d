import { toNormalizedText } from "#core/language/folded";
import { isCertain, LEAST_CERTAINTY, oddsOfAnswer, oddsOfList } from "./answer-odds.ts";
import { asks } from "./asks.ts";
import { type Fit, fitting, isExplained } from "./fit-list.ts";
import type { ReplayedList } from "./kept-list.ts";
import { answerOf, answerTo, asksWhetherListed, type ListAnswer } from "./list-answer.ts";
import { mayAskLists, type Question, questionOf } from "./list-question.ts";
import type { QuestionForm } from "./question-forms.ts";
import { formOf, type QuestionModel } from "./question-model.ts";
import { sameStem, wordsIn } from "./talk-words.ts";

/** The list that a question asks of, and its answer. `assumed`: the question did not name it. */
export type Asked = { list: ReplayedList; answer: ListAnswer; assumed: boolean; odds: number; agreed: boolean };

/** The stems of what was said in the chat of a list. */
export type SaidOf = (list: ReplayedList) => ReadonlySet<string>;

/**
 * What a question asks of the lists of a speaker, the one spoken of last first. Null if it asks something else, if it could mean two lists,
 * and if the list may have changed in a way that was not understood.
 */
export function askLists(
  message: string,
  lists: readonly ReplayedList[],
  session: number | null,
  { said = NOTHING_SAID, certain = true, model }: { said?: SaidOf; certain?: boolean; model?: QuestionModel } = {},
): Asked | null {
  const question = questionOf(message);
  if (question === null || !mayAskLists(message)) return null;
  const fits = lists
    .filter((list) => !isOfAnother(list, question))
    .map((list): Fitting => ({ list, fit: fitting(question, list, said(list)) }));
  const asked = fits.flatMap(({ list, fit }): (Fitting & { reading: Reading; score: number })[] => {
    const score = scoreOf(fit);
    // Without a word for a list it can only mean the one that this chat spoke of last, and no other errand.
    const isOther = fit.roles.includes("foreign") && !fit.roles.includes("said");
    if (score === 0 && (isOther || !isOnlyRecent(list, lists, session))) return [];
    const reading = readingOf(question, list, { fit, model });
    return reading === null ? [] : [{ list, fit, reading, score }];
  });
  const [best] = asked.toSorted((a, b) => b.score - a.score || b.list.touched - a.list.touched);
  if (best === undefined) return null;
  const { list, fit, reading, score } = best;
  const answer = reading.denies ? denialOf({ list, fit }, fits) : reading.answer;
  if (answer === null) return null;
  const odds = reading.denies ? 1 : oddsOfAnswer(answer, { list, fit });
  const agreed = reading.denies || isAgreed(answer, { question, list, said, model });
  if (certain && !isCertain(answer, odds, { agreed })) return null;
  return { list, answer, assumed: score === 0, odds, agreed };
}

/** In English: "my brother's shopping list" is not mine, unless the question names whose it is. */
const OWNED = /(?<owner>\p{L}{1,40})['’]s (?:\p{L}{1,40} ){0,3}(?:list|to-?do)s?$/u;

function isOfAnother({ head, talk }: ReplayedList, { text }: Question): boolean {
  const owner = OWNED.exec(toNormalizedText(head).trim())?.groups?.owner;
  return (
    owner !== undefined && !wordsIn(text, talk).some(({ stem }) => wordsIn(owner, talk).some((word) => sameStem(word.stem, stem)))
  );
}

type Agreeing = { question: Question; list: ReplayedList; said: SaidOf; model: QuestionModel | undefined };

/** Whether the list as rules alone leave it gives the same answer. */
function isAgreed(answer: ListAnswer, { question, list, said, model }: Agreeing): boolean {
  const { ruled } = list;
  if (ruled === null) return true;
  const fit = fitting(question, ruled, said(ruled));
  const reading = readingOf(question, ruled, { fit, model });
  if (reading === null || reading.denies || reading.answer === null) return false;
  return oddsOfAnswer(reading.answer, { list: ruled, fit }) > 0 && JSON.stringify(reading.answer) === JSON.stringify(answer);
}

const NOTHING_SAID: SaidOf = () => new Set();

type Fitting = { list: ReplayedList; fit: Fit };

function isOnlyRecent(list: ReplayedList, lists: readonly ReplayedList[], session: number | null): boolean {
  if (list !== lists[0] || (session !== null && list.session !== session)) return false;
  return !lists.some((other) => other !== list && other.session === list.session);
}

/** `denies`: it asks whether something is listed that no item is called. The answer is null if the list has none that is sure. */
type Reading = { denies: false; answer: ListAnswer | null } | { denies: true };

/** From here on the learned model decides about the form of a question; below it, the rules. Chosen on authors whose questions it had not seen. */
const LEAST_ODDS = 0.6;
/** Where a question has words that nothing said of the list explains, it may ask something else: "what do I still need for pancakes". */
const LEAST_ODDS_UNEXPLAINED = 0.95;

/** How a question is read for a list; null if it asks nothing of it. */
function readingOf(
  question: Question,
  list: ReplayedList,
  { fit, model }: { fit: Fit; model: QuestionModel | undefined },
): Reading | null {
  const isPlain = isExplained(question, list, fit);
  const ruled = isPlain ? answerOf(question, list, fit) : null;
  const rule = ruled?.ask ?? (isPlain ? "none" : "unexplained");
  const { form, odds } = formOf(question, list, { fit, rule, model });
  const isAsked = ruled !== null || (!question.exclaims && hasWordsOfAsking(question, list));
  const decided = isAsked && odds >= leastOdds(question, { list, fit, form }) ? form : null;
  const isListed = asksWhetherListed(question, list) && fit.topic + fit.kin > 0;
  if (fit.mentions.length === 0 && (isListed || decided === "member")) return { denies: true };
  if (fit.mentions.length === 0 && decided === "deed") return null;
  if (decided !== null && decided !== "nothing" && ruled?.ask !== "rank") {
    const isSame = ruled !== null && isOfForm(ruled, decided);
    return { denies: false, answer: isSame ? ruled : answerTo(decided, question, list, fit) };
  }
  return isPlain ? { denies: false, answer: ruled } : null;
}

/** Where words of a question are not explained, it has to be surer that it asks of the list; an amount is only that of the list if all are. */
function leastOdds({ text }: Question, { list: { talk }, fit, form }: Fitting & { form: QuestionForm }): number {
  if (form === "nothing") return LEAST_ODDS;
  const asksOfItem = form === "member" || form === "deed";
  if (asksOfItem && (talk.has("howMuch", text) || talk.has("howMany", text))) return Number.POSITIVE_INFINITY;
  if (fit.unknown.length === 0 || (asksOfItem && fit.mentions.length === 0)) return LEAST_ODDS;
  return form === "count" ? Number.POSITIVE_INFINITY : LEAST_ODDS_UNEXPLAINED;
}

/** Whether a message asks, by its mark or by the words with which it, or a part of it, begins: an order changes a list. */
function hasWordsOfAsking({ text, asksByMark }: Question, { talk }: ReplayedList): boolean {
  return asksByMark || text.split(/[,，] ?/u).some((part) => asks(part, talk));
}

function isOfForm({ ask }: ListAnswer, form: QuestionForm): boolean {
  return (form === "place" && ask === "rank") || (form === "count" && ask === "count");
}

const MAX_NAME_WORDS = 2;

/** "Did I say to pack a lamp": no, if the list is sure, and nothing that was said of it, and of no other list, is called so. */
function denialOf({ list, fit }: Fitting, fits: readonly Fitting[]): ListAnswer | null {
  const { unknown, roles } = fit;
  if ([list, list.ruled].some((each) => each !== null && (each.unsure || each.items.some(({ unsure }) => unsure)))) return null;
  if (oddsOfList(list) < LEAST_CERTAINTY) return null;
  if (roles.includes("said") || fits.some((other) => other.fit.mentions.length > 0)) return null;
  // "Suncream" may be the "sun cream" that is listed.
  const asked = unknown.join("");
  if (list.items.some(({ value }) => lettersOf(value).includes(asked))) return null;
  return unknown.length === 0 || unknown.length > MAX_NAME_WORDS ? null : { ask: "member", yes: false };
}

function lettersOf(text: string): string {
  return toNormalizedText(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/** Items and names count more than kindred words. */
function scoreOf({ topic, kin, mentions }: Fit): number {
  return 4 * topic + kin + 3 * mentions.length;
}
