import type { Ctx } from "#context";
import { toMillis } from "#core/fields";
import { offsetIn } from "#core/local-time";
import { requirePermission } from "#core/permission";
import { estimateTokens } from "#core/text/estimate-tokens";
import { FENCE_CLOSE, FENCE_OPEN, withoutMemory } from "#core/text/memory-fence";
import type { SearchOptions } from "#domain/retrieval";
import { getSettings } from "#domain/settings";
import { actingUser } from "#domain/tenants";
import { countUsage } from "#domain/usage";
import { type Arranged, arrange, SMALL_BUDGET } from "./arrange.ts";
import { readAsked } from "./asked.ts";
import type { FoundItem } from "./candidates.ts";
import { findAnswer } from "./find-answer.ts";
import { findKnown, type Known } from "./find-known.ts";
import { limiting } from "./profile-part.ts";
import { type ChatTurn, latestTexts, queryOf, shortened } from "./read-turns.ts";
import type { ConsideredItem, ContextInput, ContextView } from "./schemas.ts";
import { type Block, type Clock, writeBlock } from "./write-block.ts";

type ContextCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

/** The input, with messages of any shape. */
export type ContextQuery = Omit<ContextInput, "messages"> & { messages?: readonly ChatTurn[] | undefined };

/** The share of the budget for procedural memories that the search did not find. */
const SHARE_OF_SKILLS = 0.25;

/** How long the block says that something was forgotten: for the reply to the message that asked for it, and the next few. */
const JUST_NOW_MS = 600_000;
const FORGOT =
  "On the user's request, something that they had said was forgotten just now; it can be undone in the app. Confirm it if they ask, and do not repeat it.";

/** A context without the answer of facts. */
type BlockView = Omit<ContextView, "answer">;

/** A context that may be ready too late to be used. */
export type BuiltContext = {
  context: BlockView;
  /** Records, after the response, that the context was used: in the tenant's counts, and in its memories. */
  recordUse: () => void;
};

/**
 * `buildContext` for a request, which always uses the context, together with the answer that facts give to its question, so that one call
 * before a reply is enough. Throws as `buildContext`.
 */
export async function answerContext(ctx: ContextCtx, input: ContextInput): Promise<ContextView> {
  const [{ context, recordUse }, answer] = await Promise.all([buildContext(ctx, input), findAnswer(ctx, input)]);
  recordUse();
  return { ...context, answer };
}

/**
 * Builds the block of relevant knowledge to put before the conversation. It is found by `searchFor`, so it contains nothing that the viewer
 * may not see, and nothing of other projects. Two sequential round trips to D1. For an unknown user it is empty.
 *
 * @throws forbidden without the permission to read.
 * @throws not_found for a session of others, and for a project that the user has no access to. A session that is not stored yet is a new
 * private one of theirs.
 *
 * @example
 * const { context, recordUse } = await buildContext(ctx, { ...input, messages: [{ role: "user", content: "Where do I live?" }] });
 * if (inTime) recordUse();
 */
export async function buildContext(
  ctx: ContextCtx,
  input: ContextQuery,
  { channelLimitMs, viewerAsks }: Pick<SearchOptions, "channelLimitMs" | "viewerAsks"> = {},
): Promise<BuiltContext> {
  requirePermission(ctx.actor, "read");
  const { externalId: userId } = actingUser(ctx, input.userId);
  const { enabled, skillsEnabled, maxTokens } = await getSettings(ctx);
  const budget = input.maxTokens ?? maxTokens;
  if (!enabled || budget === 0) return { context: nothing(budget, enabled ? "on" : "off"), recordUse: () => undefined };
  const { messages = [], ...wanted } = input;
  const query = input.messages === undefined ? shortened(withoutMemory(input.query ?? "")) : queryOf(messages);
  const known = await findKnown(ctx, { ...wanted, userId, query, skillsEnabled, channelLimitMs, viewerAsks });
  const { items: found, latest, isWhole: isShortTalk } = known;
  const { items, leftOut } = arrange({ found, latest, isShortTalk, query, maxTokens: budget });
  const note = known.forgot.some(({ forgottenAt }) => Date.parse(forgottenAt) >= ctx.now() - JUST_NOW_MS) ? FORGOT : "";
  const ranked = [...skillsWithin(known, SHARE_OF_SKILLS * budget), ...items];
  const bounds = {
    clock: clockOf(ctx, { asOf: input.asOf, timeZone: known.timeZone }),
    limit: input.limit,
    conversation: latestTexts(messages),
    profile: budget < SMALL_BUDGET ? limiting(known.profile, readAsked(query)) : known.profile,
  };
  const noted =
    note === "" ? null : withNote(writeBlock(ranked, { ...bounds, maxTokens: budget - estimateTokens(`${note}\n`) }), note);
  const block = noted !== null && noted.tokens <= budget ? noted : writeBlock(ranked, { ...bounds, maxTokens: budget });
  const recordUse = () => {
    known.recall(block.items.map(({ id }) => id));
    const contextsWithItems = block.items.length > 0 ? 1 : 0;
    ctx.defer(() => countUsage(ctx, { contexts: 1, contextsWithItems, tokensInjected: block.tokens }));
  };
  return { context: toView(block, { known, query, budget, explains: input.explain, leftOut }), recordUse };
}

/** The block with a note, which stands last in its fence. */
function withNote(block: Block<FoundItem>, note: string): Block<FoundItem> {
  const text =
    block.text === ""
      ? [FENCE_OPEN, note, FENCE_CLOSE].join("\n")
      : block.text.replace(FENCE_CLOSE, () => `${note}\n${FENCE_CLOSE}`);
  return { ...block, text, tokens: estimateTokens(text) };
}

/** Now, where the user is; for a time in the past that time, where its offset says. */
function clockOf(ctx: Ctx<"now">, { asOf, timeZone }: { asOf: string | undefined; timeZone: string | null }): Clock {
  return asOf === undefined
    ? { at: ctx.now(), zone: { offset: null, timeZone } }
    : { at: toMillis(asOf), zone: { offset: offsetIn(asOf), timeZone } };
}

function nothing(budget: number, memory: "on" | "off"): BlockView {
  return { block: "", items: [], forgot: [], tokens: { used: 0, budget, estimated: true }, memory, degraded: [] };
}

/** The newest procedural memories that fit into their share. Those that the search found are left out: they keep their rank. */
function skillsWithin({ skills, items }: Known, maxTokens: number): FoundItem[] {
  const ranked = new Set(items.map(({ id }) => id));
  let left = maxTokens;
  return skills.filter(({ id, text }) => {
    const tokens = estimateTokens(text);
    if (ranked.has(id) || tokens > left) return false;
    left -= tokens;
    return true;
  });
}

function toView(
  block: Block<FoundItem>,
  {
    known,
    query,
    budget,
    explains,
    leftOut,
  }: { known: Known; query: string; budget: number; explains: boolean; leftOut: Arranged<FoundItem>["leftOut"] },
): BlockView {
  return {
    block: block.text,
    items: block.items.map(({ view }, i) => ({ citation: `[M${i + 1}]`, ...view })),
    forgot: known.forgot,
    tokens: { used: block.tokens, budget, estimated: true },
    memory: "on",
    degraded: known.degraded,
    ...(explains
      ? {
          explain: {
            ...{ query, search: known.explain, considered: consideredOf(known) },
            leftOut: [...block.leftOut, ...leftOut, ...known.heldBack.map((id) => ({ id, why: "replaced" as const }))],
          },
        }
      : {}),
  };
}

function consideredOf({ items, latest, profile, isWhole }: Known): NonNullable<ContextView["explain"]>["considered"] {
  return {
    found: items.map((item) => toConsidered(item, null)),
    latest: latest.map((item) => toConsidered(item, null)),
    profile: profile.map((item) => toConsidered(item, item.limits)),
    isShortTalk: isWhole,
  };
}

function toConsidered(item: FoundItem, limits: ConsideredItem["limits"]): ConsideredItem {
  const { kind, id, text, type, occurredAt, episodeId, isInstruction, isOfOther, behind, likeness, view } = item;
  const { role, score, sessionId } = view;
  const said = { kind, id, text, type, occurredAt, episodeId, isInstruction, isOfOther, behind, likeness };
  return { ...said, limits, view: { role, score, sessionId } };
}
