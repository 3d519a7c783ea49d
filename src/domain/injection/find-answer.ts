import type { Ctx } from "#context";
import { withoutMemory } from "#core/text/memory-fence";
import { type AnswerView, answerQuestion } from "#domain/facts";
import { actingUser } from "#domain/tenants";
import { type ChatTurn, isByAsker, questionIn, saidByAsker } from "./read-turns.ts";

type Asked = {
  userId?: string | undefined;
  sessionId?: string | undefined;
  projectId?: string | undefined;
  query?: string | undefined;
  messages?: readonly ChatTurn[] | undefined;
  asOf?: string | undefined;
};

/**
 * The answer from facts that `answerQuestion` gives to the query, or to the message with which the conversation ends. Null if that is no
 * question about facts, if its label names somebody else than the acting user, or about a time in the past: facts have no history.
 */
export async function findAnswer(
  ctx: Ctx<"db" | "now" | "caches" | "defer">,
  { userId, sessionId, projectId, query, messages = [], asOf }: Asked,
): Promise<AnswerView | null> {
  if (asOf !== undefined) return null;
  const names = [actingUser(ctx, userId).externalId];
  const last = messages.at(-1);
  const isTheirs = last === undefined || isByAsker(last, names);
  const question = query === undefined ? questionIn(messages) : withoutMemory(query).trim();
  if (question === null || question === "" || !isTheirs) return null;
  const answer = await answerQuestion(ctx, { userId, sessionId, projectId, question }, saidByAsker(messages, names));
  return answer.routed ? answer : null;
}
