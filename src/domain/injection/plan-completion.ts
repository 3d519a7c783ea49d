import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { requirePermission } from "#core/permission";
import { answerQuestion } from "#domain/facts";
import { getSettings } from "#domain/settings";
import { type BuiltContext, buildContext } from "./build-context.ts";
import { findPlace, type Place, type PlaceRef } from "./find-place.ts";
import { inTime } from "./in-time.ts";
import { type ChatTurn, injectBlock } from "./inject.ts";
import { textOf } from "./read-turns.ts";

/** For everything that a reply waits for; what is not there by then is left out. */
export const MEMORY_BUDGET_MS = 1_500;

/** Less, so that there is time left to load what the other channels find. */
const CHANNEL_LIMIT_MS = 800;

type PlanCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

export type Completion = PlaceRef & {
  workspaceId: string | undefined;
  /** As the upstream calls it. */
  model: string;
  messages: readonly ChatTurn[];
  /** Whether a question may be answered without a model: nobody waits for JSON, for a tool call or for sound. */
  takesPlainAnswer: boolean;
};

/** What became of memory; the client is told. */
export type MemoryNote =
  | { kind: "off" }
  | { kind: "none" }
  | { kind: "injected"; items: number; tokens: number }
  | { kind: "answered"; topic: string | null }
  | { kind: "skipped"; reason: "timeout" | "failed" | "permission" };

export type Plan = {
  memory: MemoryNote;
  /** The answer, if no model need be asked. */
  answer: string | null;
  /** The conversation with what is known; the very same array when nothing was put before it. */
  messages: readonly ChatTurn[];
  /** Where the exchange is stored; null when it is not. */
  place: Place | null;
};

/**
 * What to do with a conversation before its next reply: answer from facts, or ask a model with what is worth knowing put ahead. Memory is
 * never why a chat fails: what fails or is late is left out and said so. A place in which the user has no part is the caller's mistake,
 * and an error: 404 or 409.
 */
export async function planCompletion(ctx: PlanCtx, completion: Completion, wanted: { memory: boolean }): Promise<Plan> {
  requirePermission(ctx.actor, "write");
  const settings = await getSettings(ctx);
  const { messages } = completion;
  if (!settings.enabled || !wanted.memory) return { memory: { kind: "off" }, answer: null, messages, place: null };
  // Until it is found, a session is taken for a private one; whether it may be entered is decided again when the exchange is stored.
  let place: Place = { ...placeOf(completion), kind: null };
  const found = (known: Place) => {
    place = known;
  };
  let noteTold = () => {};
  const built = (context: BuiltContext) => {
    noteTold = context.noteTold;
  };
  const planned = await inTime(recall(ctx, completion, { found, built }), MEMORY_BUDGET_MS);
  if (planned.ok) {
    noteTold();
    return planned.value;
  }
  if (planned.reason === "failed") {
    if (planned.error instanceof AppError && MISTAKES.has(planned.error.code)) throw planned.error;
    ctx.log("proxy.memory_failed", { requestId: ctx.requestId, ...describeError(planned.error) });
  }
  return { memory: { kind: "skipped", reason: planned.reason }, answer: null, messages, place };
}

const MISTAKES: ReadonlySet<string> = new Set(["not_found", "conflict"]);

type Progress = { found: (place: Place) => void; built: (context: BuiltContext) => void };

async function recall(ctx: PlanCtx, completion: Completion, { found, built }: Progress): Promise<Plan> {
  const { messages } = completion;
  const place = await findPlace(ctx, placeOf(completion));
  found(place);
  if (ctx.actor.kind === "key" && !ctx.actor.permissions.includes("read"))
    return { memory: { kind: "skipped", reason: "permission" }, answer: null, messages, place };
  const where = {
    userId: place.userId,
    sessionId: place.kind === null ? undefined : place.sessionId,
    projectId: place.projectId,
  };
  const question = completion.takesPlainAnswer ? questionIn(messages) : null;
  const known = question === null ? null : await answerQuestion(ctx, { ...where, question });
  if (known?.routed === true && known.text !== null)
    return { memory: { kind: "answered", topic: known.topic }, answer: known.text, messages, place };
  const wanted = {
    ...where,
    messages,
    workspaceId: completion.workspaceId,
    includeGroups: false,
    limit: MAX_ITEMS,
    explain: false,
  };
  const told = await buildContext(ctx, wanted, { channelLimitMs: CHANNEL_LIMIT_MS });
  built(told);
  const { context } = told;
  if (context.items.length === 0) return { memory: { kind: "none" }, answer: null, messages, place };
  const { models } = await getSettings(ctx);
  const memory: MemoryNote = { kind: "injected", items: context.items.length, tokens: context.tokens.used };
  const injected = injectBlock(messages, context.block, { model: completion.model, ...models });
  return { memory, answer: null, messages: injected, place };
}

const MAX_ITEMS = 20;

function placeOf({ userId, sessionId, projectId }: PlaceRef): PlaceRef {
  return { userId, sessionId, projectId };
}

/** What the user asks, if the conversation ends with words of theirs and nothing else. */
function questionIn(messages: readonly ChatTurn[]): string | null {
  const last = messages.at(-1);
  if (last === undefined || last.role !== "user") return null;
  const isPlain = typeof last.content === "string" || (Array.isArray(last.content) && last.content.every(isText));
  const text = textOf(last);
  return isPlain && text !== "" ? text : null;
}

function isText(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && part.type === "text";
}
