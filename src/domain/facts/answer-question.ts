import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { requirePermission } from "#core/permission";
import { runBatch } from "#domain/audit";
import { getSettings } from "#domain/settings";
import { countUsage } from "#domain/usage";
import { type ViewerRef, viewerCte } from "#domain/visibility";
import { answerText } from "./answer-text.ts";
import { candidates, standing } from "./candidates.ts";
import { atRank, type Candidate, type Chosen, chooseList } from "./choose-list.ts";
import { noteTopics } from "./fact-statements.ts";
import { speaksOfOwn } from "./own-words.ts";
import { noSuchPlace, viewerAt } from "./place.ts";
import { type Route, routeQuestion } from "./route-question.ts";
import type { AnswerInput, AnswerView } from "./schemas.ts";
import { bookOf } from "./topics-of.ts";

type AnswerCtx = Ctx<"db" | "now" | "caches" | "defer">;

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
 * Answers a question that asks for a rank or a list, from what the user said where they may hear it, in one round trip and without a model; what is not
 * stored is said not to be. Any other question is not routed, and costs nothing. 404 for a session or project in which the user has no part.
 */
export async function answerQuestion(ctx: AnswerCtx, input: AnswerInput): Promise<AnswerView> {
  requirePermission(ctx.actor, "read");
  const route = routeQuestion(input.question, await bookOf(ctx));
  if (route === null || !(await getSettings(ctx)).enabled) return NOT_ROUTED;
  const viewer = viewerAt(ctx, input);
  const columns = sql`f.kind as kind, f.rank as rank, f.value as value, f.created_at as createdAt`;
  const [place, found] = await runBatch(ctx, [
    standing(ctx, viewer, route.topic),
    candidates(ctx, viewer, { topic: route.topic, columns }),
  ]);
  const [stands] = (place?.rows ?? []) as { topic: string | null }[];
  const refusal = stands === undefined ? noSuchPlace(input) : null;
  if (refusal !== null) throw refusal;
  const topic = route.topic ?? stands?.topic ?? null;
  // "And the third?" where nobody has spoken of a topic asks of something else that was said.
  if (topic === null && !speaksOfOwn(input.question)) return NOT_ROUTED;
  const answer = toAnswer(route, {
    topic,
    list: chooseList((found?.rows ?? []) as Candidate[]),
  });
  ctx.defer(async () => {
    if (route.topic !== null && input.sessionId !== undefined) await noteAsked(ctx, viewer, route.topic);
    await countUsage(ctx, { answers: 1, answersFound: answer.found ? 1 : 0 });
  });
  return answer;
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

/** What was asked about is what "and the third?" means next. */
async function noteAsked(ctx: Ctx<"db" | "now">, viewer: ViewerRef, topic: string): Promise<void> {
  await runBatch(ctx, [
    noteTopics(ctx, {
      with: sql`with ${viewerCte(viewer)}`,
      from: sql`(select user_id, session_id from viewer where session_id is not null and pool <> 'none') v`,
      sessionId: sql`v.session_id`,
      userId: sql`v.user_id`,
      topic: sql`${topic}`,
      at: sql`${ctx.now()}`,
    }),
  ]);
}
