import type { Ctx, Placement, Settings } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { inTime } from "#core/in-time";
import { asksToForget } from "#core/language/forget-requests";
import { mayRead, requirePermission } from "#core/permission";
import { answerQuestion } from "#domain/facts";
import { getSettings, getSettingsEvenStale } from "#domain/settings";
import { type BuiltContext, buildContext } from "./build-context.ts";
import { findPlace, type Place, type PlaceRef } from "./find-place.ts";
import { type Insertion, takesSystemRole } from "./inject.ts";
import { type ChatTurn, isByAsker, questionIn, saidByAsker, textOf } from "./read-turns.ts";
import { isSideRequest } from "./side-requests.ts";

/** Time limit for everything of memory that a reply waits for; what takes longer is left out. */
export const MEMORY_BUDGET_MS = 1_500;

/** Shorter, so that there is time left to load what the other channels find. */
const CHANNEL_LIMIT_MS = 800;

type CompletionCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

export type NamedPlace = PlaceRef & { workspaceId: string | undefined };

export type Completion = {
  /** The user and the place, read only if memory is on; throws if the client named them wrongly. */
  readPlace: () => NamedPlace;
  /** The model by the upstream's name. */
  model: string;
  messages: readonly ChatTurn[];
  /** Whether a question may be answered without a model: the client wants no JSON, no tool call and no audio. */
  takesPlainAnswer: boolean;
  /** The request's `metadata`, as the client sent them. */
  metadata: unknown;
  /** Where memory goes in this request; the tenant's setting if undefined. */
  placement: Placement | undefined;
};

/** What memory did for this completion, for the client. */
export type MemoryOutcome =
  | { kind: "off" }
  /** A chat app asks for itself; see `isSideRequest`. */
  | { kind: "side-request" }
  | { kind: "none" }
  | { kind: "injected"; items: number; tokens: number }
  | { kind: "answered"; topic: string | null }
  | { kind: "skipped"; reason: "timeout" | "failed" | "permission" };

export type CompletionPlan = {
  memory: MemoryOutcome;
  /** The answer, if no model needs to be asked. An answer that is not `found` says that nothing is stored, and is not stored itself. */
  answer: { text: string; found: boolean } | null;
  /** The block to put into the conversation. */
  insertion: Insertion | null;
  /** Where the exchange is stored; null if it is not. */
  place: Place | null;
};

/**
 * Whether the conversation ends with a request to forget something, which is followed before the reply. A chat app's request for itself has
 * words of the conversation in it, and asks nothing.
 */
export function endsWithRequest(
  { messages, metadata }: Pick<Completion, "messages" | "metadata">,
  settings: Pick<Settings, "extraction" | "enabled">,
  { sideRequests }: { sideRequests: boolean },
): boolean {
  const last = messages.at(-1);
  if (!sideRequests && isSideRequest(messages, metadata)) return false;
  if (last?.role !== "user" || settings.extraction === "off" || !settings.enabled) return false;
  return asksToForget(textOf(last));
}

/**
 * Decides what to do before the next reply: answer from facts, or ask a model with what is known put into the conversation. A chat
 * never fails because of memory: what fails or is late is left out, and the outcome reports it. Only a place that the user has no access to
 * is an error. With `sideRequests`, memory is used for what looks like a chat app's request for itself, too.
 *
 * @throws forbidden without the permission to write.
 * @throws not_found for a session or project that the user has no access to.
 * @throws conflict for a session that is not in the named project.
 */
export async function decideCompletion(
  ctx: CompletionCtx,
  completion: Completion,
  wanted: { memory: boolean; sideRequests: boolean },
): Promise<CompletionPlan> {
  requirePermission(ctx.actor, "write");
  const settings = await getSettingsEvenStale(ctx);
  if (!settings.enabled || !wanted.memory) return { memory: { kind: "off" }, answer: null, insertion: null, place: null };
  if (!wanted.sideRequests && isSideRequest(completion.messages, completion.metadata))
    return { memory: { kind: "side-request" }, answer: null, insertion: null, place: null };
  const named = completion.readPlace();
  // Access is checked again when the exchange is stored.
  let place: Place = { ...placeOf(named), kind: null };
  const found = (known: Place) => {
    place = known;
  };
  let recordUse = () => {};
  const built = (context: BuiltContext) => {
    recordUse = context.recordUse;
  };
  const recalled = await inTime(recall(ctx, { ...completion, named }, { found, built }), MEMORY_BUDGET_MS);
  if (recalled.ok) {
    recordUse();
    return recalled.value;
  }
  if (recalled.reason === "failed") {
    if (recalled.error instanceof AppError && MISTAKES.has(recalled.error.code)) throw recalled.error;
    ctx.log("proxy.memory_failed", { requestId: ctx.requestId, ...describeError(recalled.error) });
  }
  return { memory: { kind: "skipped", reason: recalled.reason }, answer: null, insertion: null, place };
}

const MISTAKES: ReadonlySet<string> = new Set(["not_found", "conflict", "unprocessable"]);

type Progress = { found: (place: Place) => void; built: (context: BuiltContext) => void };

type Recall = Completion & { named: NamedPlace };

async function recall(ctx: CompletionCtx, completion: Recall, { found, built }: Progress): Promise<CompletionPlan> {
  const { named } = completion;
  const { place, messages, names } = await findPlace(ctx, placeOf(named), completion.messages);
  found(place);
  if (!mayRead(ctx.actor)) return { memory: { kind: "skipped", reason: "permission" }, answer: null, insertion: null, place };
  // If the last user message is somebody else's, "my" in it does not mean the acting user.
  const last = messages.findLast(({ role }) => role === "user");
  const viewerAsks = last === undefined || isByAsker(last, names);
  const where = {
    userId: place.userId,
    sessionId: place.kind === null ? undefined : place.sessionId,
    projectId: place.projectId,
  };
  const { models, extraction, placement } = await getSettings(ctx);
  // Without extraction, facts are less complete than the conversation that a model reads.
  const question = completion.takesPlainAnswer && extraction !== "off" && viewerAsks ? questionIn(messages) : null;
  const known = question === null ? null : await answerQuestion(ctx, { ...where, question }, saidByAsker(messages, names));
  if (known?.routed === true && known.text !== null) {
    const answer = { text: known.text, found: known.found };
    return { memory: { kind: "answered", topic: known.topic }, answer, insertion: null, place };
  }
  const wanted = {
    ...where,
    messages,
    workspaceId: named.workspaceId,
    includeGroups: false,
    profile: true,
    limit: MAX_ITEMS,
    explain: false,
  };
  const shown = await buildContext(ctx, wanted, { channelLimitMs: CHANNEL_LIMIT_MS, viewerAsks });
  built(shown);
  const { context } = shown;
  if (context.block === "") return { memory: { kind: "none" }, answer: null, insertion: null, place };
  const memory: MemoryOutcome = { kind: "injected", items: context.items.length, tokens: context.tokens.used };
  const insertion: Insertion = {
    block: context.block,
    placement: completion.placement ?? placement,
    takesSystemRole: takesSystemRole({ model: completion.model, ...models }),
  };
  return { memory, answer: null, insertion, place };
}

const MAX_ITEMS = 20;

function placeOf({ userId, sessionId, projectId }: PlaceRef): PlaceRef {
  return { userId, sessionId, projectId };
}
