import { type Fit, fitOf, fitting } from "./fit-list.ts";
import type { ReplayedList } from "./kept-list.ts";
import { answerOf, asksWhetherListed, type ListAnswer } from "./list-answer.ts";
import { mayAskLists, type Question, questionOf } from "./list-question.ts";

/** The list that a question asks of, and its answer. `assumed`: the question did not name it. */
export type Asked = { list: ReplayedList; answer: ListAnswer; assumed: boolean };

/**
 * What a question asks of the lists of a speaker, the one spoken of last first. Null if it asks something else, if it could mean two lists,
 * and if the list may have changed in a way that was not understood.
 */
export function askLists(message: string, lists: readonly ReplayedList[], session: number | null): Asked | null {
  const question = questionOf(message);
  if (question === null || !mayAskLists(message)) return null;
  const fitting = lists.flatMap((list) => {
    const fit = fitOf(question, list);
    return fit === null ? [] : [{ list, fit, score: scoreOf(fit) }];
  });
  const best = fitting.toSorted((a, b) => b.score - a.score || b.list.touched - a.list.touched)[0];
  if (best === undefined) return neverListed(question, lists[0], session);
  if (best.score === 0) {
    // Without a word for a list it can only mean the one that this chat spoke of last.
    const [recent] = lists;
    if (recent === undefined || recent !== best.list || (session !== null && recent.session !== session)) return null;
    if (lists.some((list) => list !== recent && list.session === recent.session)) return null;
  }
  const answer = answerOf(question, best.list, best.fit);
  return answer === null ? null : { list: best.list, answer, assumed: best.score === 0 };
}

/** "Did I say to pack a lamp": no, if the list is sure and nothing in it is called so. */
function neverListed(question: Question, list: ReplayedList | undefined, session: number | null): Asked | null {
  if (
    list === undefined ||
    (session !== null && list.session !== session) ||
    list.unsure ||
    list.items.some(({ unsure }) => unsure)
  )
    return null;
  const found = fitting(question, list);
  const asks = asksWhetherListed(question, list);
  if (!asks || found.mentions.length > 0 || found.topic + found.kin === 0 || found.unknown.length > MAX_NAME_WORDS) return null;
  return { list, answer: { ask: "member", yes: false }, assumed: false };
}

const MAX_NAME_WORDS = 2;

/** Items and names count more than kindred words. */
function scoreOf({ topic, kin, mentions }: Fit): number {
  return 3 * topic + kin + 3 * mentions.length;
}
