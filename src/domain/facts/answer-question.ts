import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { toNormalizedText } from "#core/language/folded";
import { requirePermission } from "#core/permission";
import { read, runBatch } from "#db/client";
import { text } from "#db/row";
import { FACT } from "#db/schema/facts";
import { getSettings } from "#domain/settings";
import { countUsage } from "#domain/usage";
import { requirePlace, type ViewerRef, viewerCte } from "#domain/visibility";
import { NOT_ROUTED, NOT_STORED_VIEW, toAnswer, toListAnswer } from "./answer-view.ts";
import { askLists } from "./asked-list.ts";
import { candidates, findPlace } from "./candidates.ts";
import { type Candidate, type Chosen, chooseList } from "./choose-list.ts";
import { recordTopics } from "./fact-statements.ts";
import { findKnown, findSpoken, speaksOf, termsOf, termsOfTopic } from "./find-spoken.ts";
import type { ReplayedList } from "./kept-list.ts";
import type { ListAnswer } from "./list-answer.ts";
import { findListTurns, turnsRead } from "./list-messages.ts";
import { mayAskLists, namedList } from "./list-question.ts";
import { byRank, HERE, saidOf, topicOfList, turnsNow } from "./lists-now.ts";
import { viewerAt } from "./place.ts";
import { type ListTurn, replayLists } from "./replay-lists.ts";
import { type Route, routeQuestion } from "./route-question.ts";
import { mayHaveLists } from "./said-facts.ts";
import { type ListSaid, listSaid, type SaidHere } from "./said-here.ts";
import type { AnswerInput, AnswerView } from "./schemas.ts";
import { talkIn } from "./talk-words.ts";
import type { TopicIndex } from "./topics.ts";
import { topicIndexOf } from "./topics-of.ts";

type AnswerCtx = Ctx<"db" | "now" | "caches" | "defer">;

const ANSWERING = { ...FACT.of(sql`f`, "kind", "rank", "createdAt"), value: text(sql`f.value`) };

const NOTHING_SAID: SaidHere = { before: [], now: [] };

/**
 * Answers a question about a list that the user stated, from what they may see in this place, in one round trip and without a model: from
 * stored facts, and from lists as the user's messages left them. Messages of the current conversation count too: those newer than everything
 * stored come first, the others after it. Where a list may have changed in a way that was not understood, and where the user may see
 * something else about the topic, the question is not routed. Any other question is not routed and reads nothing, but must name its user too.
 * @throws not_found for a session or project that the user has no access to.
 */
export async function answerQuestion(ctx: AnswerCtx, input: AnswerInput, said: SaidHere = NOTHING_SAID): Promise<AnswerView> {
  requirePermission(ctx.actor, "read");
  const viewer = { ...viewerAt(ctx, input), sessionMayBeNew: true };
  const topicIndex = await topicIndexOf(ctx);
  const route = routeQuestion(input.question, topicIndex);
  if ((route === null && !mayAskLists(input.question)) || !(await getSettings(ctx)).enabled) return NOT_ROUTED;
  const terms = termsAsked(route, input.question);
  const {
    place,
    facts,
    turns,
    spoken,
    known: memories,
  } = await read(ctx, {
    place: findPlace(viewer, route?.topic ?? null),
    facts: route === null ? null : candidates(ctx, viewer, { topic: route.topic, columns: ANSWERING }),
    turns: findListTurns(ctx, viewer),
    spoken: terms.length === 0 ? null : findSpoken(ctx, viewer, terms),
    known: terms.length === 0 ? null : findKnown(ctx, viewer, terms),
  });
  if (place.length === 0) await requirePlace(ctx, viewer);
  const { turns: known, unreadUntil } = turnsRead(turns);
  const messages = turnsNow(known, [...said.before, ...said.now], { now: ctx.now(), question: input.question });
  const asked: Asking = {
    question: input.question,
    place: place[0] ?? null,
    lists: replayLists(messages, topicIndex),
    messages,
    unreadUntil,
    topicIndex,
    isSpokenOf:
      spoken.length > 0 ||
      memories.length > 0 ||
      [...said.before, ...said.now].some((text) => text !== input.question && speaksOf(text, terms)),
  };
  const answer = route === null ? fromLists(asked, terms) : fromFacts(asked, { route, said, facts });
  if (!answer.routed) return answer;
  ctx.defer(async () => {
    if (route !== null && route.topic !== null && input.sessionId !== undefined) await recordAsked(ctx, viewer, route.topic);
    await countUsage(ctx, { answers: 1, answersFound: answer.found ? 1 : 0 });
  });
  return answer;
}

type Asking = {
  question: string;
  place: { topic: string | null; topicAt: number | null; pool: "user" | "project" | "session" } | null;
  lists: readonly ReplayedList[];
  messages: readonly ListTurn[];
  /** Until when there may be messages about lists that were not read; null if all were. */
  unreadUntil: number | null;
  topicIndex: TopicIndex;
  /** Whether something that the user may see speaks of the topic. */
  isSpokenOf: boolean;
};

/** The words for what is asked, by which other talk about it is found. */
function termsAsked(route: Route | null, question: string): string[] {
  if (route !== null) return route.topic === null ? [] : termsOfTopic(route.topic);
  return termsOf(namedList(question) ?? "");
}

/** The answer of a list of any kind; that there is none, if the question surely names a list and nobody speaks of its topic. */
function fromLists(asked: Asking, terms: readonly string[]): AnswerView {
  const found = askLists(asked.question, asked.lists, HERE, { said: saidOf(asked.messages) });
  if (found !== null) return ofList(asked, found);
  const mayMeanOther = asked.lists.some(({ session }) => session === HERE) && !namesKindOfList(asked.question);
  return terms.length > 0 && !asked.isSpokenOf && !mayMeanOther ? NOT_STORED_VIEW : NOT_ROUTED;
}

/** "My reading list" is no packing list; "the shortlist", "the list for tonight" may be any list of this chat. */
function namesKindOfList(question: string): boolean {
  const normalized = toNormalizedText(question);
  return talkIn(normalized).themes.some((theme) => normalized.search(theme) >= 0);
}

function ofList({ topicIndex, place }: Asking, found: { list: ReplayedList; answer: ListAnswer; assumed: boolean }): AnswerView {
  const { list, answer, assumed } = found;
  const scope = list.session === HERE ? "session" : place?.pool === "project" ? "project" : "user";
  return toListAnswer(answer, { list, topic: topicOfList(list, topicIndex), assumed, scope });
}

type OfFacts = { route: Route; said: SaidHere; facts: readonly Candidate[] };

/** The answer of facts; of the list that the user's messages left, where they changed it later or only that is known. */
function fromFacts(asked: Asking, { route, said, facts }: OfFacts): AnswerView {
  const { question, place, lists, topicIndex } = asked;
  const [recent] = lists;
  const isLater = recent?.session === HERE && recent.touchedAt > (place?.topicAt ?? 0);
  if (route.topic === null && isLater) {
    const answer = byRank(recent, route);
    return answer === null || answer.values.length === 0 ? NOT_ROUTED : ofList(asked, { list: recent, answer, assumed: true });
  }
  const spoken = listsSaid(said, { asked: route.topic, stored: place?.topic ?? null, topicIndex });
  const { topic } = spoken;
  // "And the third?" without a previous topic refers to something else.
  if (topic === null && !mayHaveLists(question)) return NOT_ROUTED;
  const kept = topic === null ? undefined : lists.find((list) => topicOfList(list, topicIndex) === topic);
  const stored = topic === (route.topic ?? place?.topic) ? chooseList(facts) : null;
  const statedAt = Math.max(0, ...(stored?.facts.map(({ createdAt }) => createdAt) ?? []));
  const of = { route, assumed: route.topic === null };
  if (kept?.edited === true && kept.touchedAt >= statedAt) return ofKept(asked, kept, of);
  // Edits are not written to facts: one that was not read may have changed what is stored.
  const isUnread = stored !== null && asked.unreadUntil !== null && statedAt <= asked.unreadUntil;
  if (isUnread && spoken.now?.whole !== true) return NOT_ROUTED;
  const answer = firstFound(route, { topic, lists: listsFor(route, { ...spoken, stored }) });
  if (answer.found || stored !== null) return answer;
  if (kept !== undefined) return ofKept(asked, kept, of);
  return asked.isSpokenOf ? NOT_ROUTED : answer;
}

function ofKept(asked: Asking, list: ReplayedList, { route, assumed }: { route: Route; assumed: boolean }): AnswerView {
  const answer = byRank(list, route);
  return answer === null ? NOT_ROUTED : ofList(asked, { list, answer, assumed });
}

type Spoken = { topic: string | null; now: ListSaid | null; all: ListSaid | null };

/** Topics are looked up in this order: the current message, the session's last topic, the rest of the conversation. */
function listsSaid(said: SaidHere, of: { asked: string | null; stored: string | null; topicIndex: TopicIndex }): Spoken {
  const now = listSaid(said.now, { topic: of.asked, topicIndex: of.topicIndex });
  const topic = of.asked ?? now?.topic ?? of.stored;
  const all = listSaid([...said.before, ...said.now], { topic, topicIndex: of.topicIndex });
  return { topic: topic ?? all?.topic ?? null, now, all };
}

/**
 * Ranks of two lists are never mixed: a part of a list answers only for a rank. What this conversation says comes before what is stored of
 * another.
 */
function listsFor(route: Route, { now, all, stored }: Spoken & { stored: Chosen<Candidate> | null }): Chosen<Candidate>[] {
  if (now?.whole === true) return [now.list];
  const whole = stored?.scope === "session" ? [stored, all?.list] : [all?.list, stored];
  return [route.ask === "rank" ? now?.list : null, ...whole].flatMap((list) => list ?? []);
}

function firstFound(route: Route, { topic, lists }: { topic: string | null; lists: readonly Chosen<Candidate>[] }): AnswerView {
  const answers = lists.map((list) => toAnswer(route, { topic, list }));
  return answers.find(({ found }) => found) ?? toAnswer(route, { topic, list: null });
}

/** The topic of this question is what "and the third?" means next. */
async function recordAsked(ctx: Ctx<"db" | "now">, viewer: ViewerRef, topic: string): Promise<void> {
  await runBatch(ctx, [
    recordTopics(ctx, {
      with: sql`with ${viewerCte(viewer)}`,
      from: sql`(select user_id, session_id from viewer where session_id is not null and pool <> 'none') v`,
      sessionId: sql`v.session_id`,
      userId: sql`v.user_id`,
      topic: sql`${topic}`,
      at: sql`${ctx.now()}`,
    }),
  ]);
}
