import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { read, runBatch } from "#db/client";
import { text } from "#db/row";
import { FACT } from "#db/schema/facts";
import { getSettings } from "#domain/settings";
import { countUsage } from "#domain/usage";
import { requirePlace, type ViewerRef, viewerCte } from "#domain/visibility";
import { candidates, findPlace } from "./candidates.ts";
import { atRank, type Candidate, type Chosen, chooseList } from "./choose-list.ts";
import { recordTopics } from "./fact-statements.ts";
import { viewerAt } from "./place.ts";
import { type Route, routeQuestion } from "./route-question.ts";
import { mayHaveLists } from "./said-facts.ts";
import { type ListSaid, listSaid, type SaidHere } from "./said-here.ts";
import type { AnswerInput, AnswerView } from "./schemas.ts";
import { labelOf, type TopicIndex } from "./topics.ts";
import { topicIndexOf } from "./topics-of.ts";

type AnswerCtx = Ctx<"db" | "now" | "caches" | "defer">;

const ANSWERING = { ...FACT.of(sql`f`, "kind", "rank", "createdAt"), value: text(sql`f.value`) };

const NOTHING_SAID: SaidHere = { before: [], now: [] };

const NOT_ROUTED: AnswerView = {
  routed: false,
  found: false,
  text: null,
  topic: null,
  topicAssumed: false,
  ask: null,
  rank: null,
  values: [],
  scope: null,
};

/**
 * Answers a question about a rank or a list, from facts that the user stated and may see in this place, in one round trip and without a
 * model. If nothing is stored, the answer says so. Messages of the current conversation count too: those newer than everything stored come
 * first, the others after it. Any other question is not routed and reads nothing, but must name its user too.
 * @throws not_found for a session or project that the user has no access to.
 */
export async function answerQuestion(ctx: AnswerCtx, input: AnswerInput, said: SaidHere = NOTHING_SAID): Promise<AnswerView> {
  requirePermission(ctx.actor, "read");
  const viewer = { ...viewerAt(ctx, input), sessionMayBeNew: true };
  const topicIndex = await topicIndexOf(ctx);
  const route = routeQuestion(input.question, topicIndex);
  if (route === null || !(await getSettings(ctx)).enabled) return NOT_ROUTED;
  const {
    place: [place],
    facts,
  } = await read(ctx, {
    place: findPlace(viewer, route.topic),
    facts: candidates(ctx, viewer, { topic: route.topic, columns: ANSWERING }),
  });
  if (place === undefined) await requirePlace(ctx, viewer);
  const spoken = listsSaid(said, { asked: route.topic, stored: place?.topic ?? null, topicIndex });
  const { topic } = spoken;
  // "And the third?" without a previous topic refers to something else.
  if (topic === null && !mayHaveLists(input.question)) return NOT_ROUTED;
  const stored = topic === (route.topic ?? place?.topic) ? chooseList(facts) : null;
  const answer = firstFound(route, { topic, lists: listsFor(route, { ...spoken, stored }) });
  ctx.defer(async () => {
    if (route.topic !== null && input.sessionId !== undefined) await recordAsked(ctx, viewer, route.topic);
    await countUsage(ctx, { answers: 1, answersFound: answer.found ? 1 : 0 });
  });
  return answer;
}

type Spoken = { topic: string | null; now: ListSaid | null; all: ListSaid | null };

/** Topics are looked up in this order: the current message, the session's last topic, the rest of the conversation. */
function listsSaid(said: SaidHere, of: { asked: string | null; stored: string | null; topicIndex: TopicIndex }): Spoken {
  const now = listSaid(said.now, { topic: of.asked, topicIndex: of.topicIndex });
  const topic = of.asked ?? now?.topic ?? of.stored;
  const all = listSaid([...said.before, ...said.now], { topic, topicIndex: of.topicIndex });
  return { topic: topic ?? all?.topic ?? null, now, all };
}

/** Ranks of two lists are never mixed: a part of a list answers only for a rank. */
function listsFor(route: Route, { now, all, stored }: Spoken & { stored: Chosen<Candidate> | null }): Chosen<Candidate>[] {
  if (now?.whole === true) return [now.list];
  return [route.ask === "rank" ? now?.list : null, stored, all?.list].flatMap((list) => list ?? []);
}

function firstFound(route: Route, { topic, lists }: { topic: string | null; lists: readonly Chosen<Candidate>[] }): AnswerView {
  const answers = lists.map((list) => toAnswer(route, { topic, list }));
  return answers.find(({ found }) => found) ?? toAnswer(route, { topic, list: null });
}

function toAnswer(route: Route, { topic, list }: { topic: string | null; list: Chosen<Candidate> | null }): AnswerView {
  const all = list?.facts ?? [];
  const one = route.ask === "rank" ? atRank(all, route.rank) : undefined;
  const facts = route.ask === "list" ? all : one === undefined ? [] : [one];
  const values = facts.map(({ rank, value }) => ({ rank: Math.max(rank, 1), value }));
  const found = values.length > 0;
  const topicAssumed = route.topic === null && topic !== null;
  const askedRank = route.ask === "rank" && route.rank !== "last" ? route.rank : null;
  return {
    routed: true,
    found,
    text: answerText({ ask: route.ask, values, assumed: topicAssumed ? topic : null }),
    topic,
    topicAssumed,
    ask: route.ask,
    rank: askedRank ?? (route.ask === "rank" ? (values[0]?.rank ?? null) : null),
    values,
    scope: found ? (list?.scope ?? null) : null,
  };
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

/** The text of an answer when nothing is stored; clients may compare with it. */
export const NOT_STORED = "I don't have that stored yet.";

/** The reply: the value, or the list by rank. It names the topic that was `assumed` because the question named none. */
export function answerText(answer: {
  ask: "rank" | "list";
  values: readonly { rank: number; value: string }[];
  assumed: string | null;
}): string {
  const [first] = answer.values;
  if (first === undefined) return NOT_STORED;
  const said = answer.ask === "rank" ? first.value : answer.values.map(({ rank, value }) => `${rank}) ${value}`).join(", ");
  const sentence = /[.!?。！？]$/u.test(said) ? said : `${said}.`;
  return answer.assumed === null ? sentence : `From your ${labelOf(answer.assumed)}: ${sentence}`;
}
