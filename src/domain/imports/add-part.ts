import type { Ctx } from "#context";
import { conflict } from "#core/errors";
import { requirePermission } from "#core/permission";
import { runBatch } from "#db/client";
import { bringForward, releaseRanges } from "#domain/jobs";
import type { AppendCtx } from "#domain/sessions";
import type { NamedUser } from "#domain/tenants";
import { addLines } from "./add-lines.ts";
import { type ConversationToStore, titleOf, toStore } from "./conversation-to-store.ts";
import { countStatement } from "./count-part.ts";
import type { ImportCtx } from "./edgewise/import-lines.ts";
import { findErased } from "./find-erased.ts";
import { findOwned } from "./find-import.ts";
import { findMessages, findSessions, type KnownMessages, type Sessions, underStoredId } from "./find-known.ts";
import { type Placed, parsePart } from "./parse-part.ts";
import type { ImportPlatform, Parsed } from "./parsed.ts";
import type { ImportItem, ImportPartInput, ImportPartView } from "./schemas.ts";
import { countLeftOut, noStatistics, type Statistics } from "./statistics.ts";
import { reasonOf, type Storing, storeConversation } from "./store-conversation.ts";
import { takeProjects } from "./take-projects.ts";
import type { ImportRow } from "./view.ts";

type PartCtx = AppendCtx & ImportCtx & Ctx<"files" | "wait">;

/** Messages that one part may hold: an invocation may make a thousand statements. */
export const MAX_MESSAGES = 4_000;

/**
 * Stores the conversations of a part, each whole, and answers what became of each. Sent again, it adds nothing: messages are known by
 * their ids in the export.
 *
 * @throws not_found for an import that is not the user's.
 * @throws conflict for one that has ended.
 * @throws unprocessable for the content of another platform.
 */
export async function addPart(ctx: PartCtx, id: string, part: ImportPartInput): Promise<ImportPartView> {
  requirePermission(ctx.actor, "write");
  const { found, user } = await findOwned(ctx, { id, userId: part.userId });
  if (found.status !== "open")
    throw conflict("This import has ended, so that a part of it adds nothing. Start another one (POST /v1/imports).");
  if (found.platform === "edgewise" || user === null) return await addLines(ctx, { found, user, part });
  const { conversations, activitiesLeftOut } = parsePart(found.platform, part, ctx.now());
  const statistics = { ...noStatistics(), activitiesLeftOut };
  const items = await takeConversations(ctx, conversations, {
    found,
    platform: found.platform,
    user,
    statistics,
    isPiece: part.isPiece === true,
  });
  const projects = await takeProjects(ctx, part.projects ?? [], {
    ...{ user, projectId: found.projectExternalId, isDry: found.dryRun, statistics },
    from: part.position ?? 0,
  });
  const all = [...items, ...projects];
  await runBatch(ctx, [countStatement(ctx, found, { statistics, items: all })]);
  return { items: all, statistics, rows: {}, problems: [] };
}

type Taking = { found: ImportRow; platform: ImportPlatform; user: NamedUser; statistics: Statistics; isPiece: boolean };
/** `toStore`: null for one that is broken, empty or too long. */
type Prepared = { placed: Placed; toStore: ConversationToStore | null };

async function takeConversations(ctx: PartCtx, placed: readonly Placed[], taking: Taking): Promise<ImportItem[]> {
  const { found, platform, user } = taking;
  const at = { platform, owner: user.externalId, now: ctx.now() };
  const read: Prepared[] = [];
  for (const one of placed) {
    const { parsed } = one;
    read.push({ placed: one, toStore: parsed.kind === "conversation" ? await toStore(ctx, parsed, at) : null });
    // Reading the words of a part takes long: others are let in after each conversation.
    await ctx.wait(0);
  }
  const sessions = await findSessions(ctx, conversationsOf(read), user);
  const prepared = read.map(({ placed: place, toStore: own }) => ({
    placed: place,
    toStore: own === null ? null : underStoredId(own, sessions),
  }));
  const candidates = conversationsOf(prepared);
  const messages = await findMessages(ctx, candidates, sessions);
  const erased = await findErased(
    ctx,
    "session",
    candidates.flatMap(({ externalId, base }) => [externalId, base]),
  );
  const jobId = ctx.newId("job");
  const storing: Storing = {
    importId: found.publicId,
    platform,
    user,
    projectId: found.projectExternalId,
    extraction: found.extraction,
    jobId,
  };
  const decided = decideAll(prepared, { sessions, messages, erased });
  const items: ImportItem[] = [];
  const carrying = { storing, sessions, isDry: found.dryRun, statistics: taking.statistics, isPiece: taking.isPiece };
  for (let from = 0; from < decided.length; from += AT_ONCE) {
    const group = decided.slice(from, from + AT_ONCE);
    items.push(...(await Promise.all(group.map(({ one, decision }) => carryOut(ctx, one, { ...carrying, decision })))));
  }
  if (!found.dryRun && items.some(({ messages }) => messages > 0)) {
    await runBatch(ctx, [releaseRanges(ctx, jobId)]);
    ctx.defer(() => bringForward(ctx, ctx.tenantId));
  }
  return items;
}

function conversationsOf(prepared: readonly Prepared[]): ConversationToStore[] {
  return prepared.flatMap(({ toStore: conversation }) => conversation ?? []);
}

/** Conversations that are stored at the same time: each waits for the database most of the time. */
const AT_ONCE = 4;

/** `done`: messages of conversations before it in the part, as an export may name a conversation twice. */
function decideAll(
  prepared: readonly Prepared[],
  stored: Pick<Before, "sessions" | "messages" | "erased">,
): { one: Prepared; decision: Decision }[] {
  const done = new Set<string>();
  let room = MAX_MESSAGES;
  return prepared.map((one) => {
    const decision = decide(one, { ...stored, done, room });
    room -= decision.fresh.length;
    if (one.toStore !== null) for (const { id } of decision.fresh) done.add(keyOf(one.toStore.externalId, id));
    return { one, decision };
  });
}

type Decision = {
  outcome: ImportItem["outcome"];
  reason: string | null;
  fresh: ConversationToStore["messages"];
  isNew: boolean;
};

type Before = {
  sessions: Sessions;
  messages: KnownMessages;
  erased: ReadonlySet<string>;
  done: ReadonlySet<string>;
  room: number;
};

/** What becomes of a conversation. */
function decide({ placed: { parsed }, toStore: conversation }: Prepared, before: Before): Decision {
  const none = (outcome: Decision["outcome"], reason: string | null): Decision => ({ outcome, reason, fresh: [], isNew: false });
  if (parsed.kind === "broken" || conversation === null)
    return none("failed", parsed.kind === "broken" ? parsed.reason : "It could not be read.");
  const { externalId, messages } = conversation;
  if (isErased(conversation, before)) return none("erased", "It was erased here.");
  if (messages.length === 0) return none("empty", "It has no message of the user or the assistant.");
  const session = before.sessions.stored.get(externalId);
  if (session?.isOwner === false) return none("failed", "The id of its session is in use, for a group or by another user.");
  if (session?.mayEnter === false) return none("failed", "It was imported before, and the user may no longer enter its session.");
  const stored = before.messages.get(externalId);
  const fresh = messages.filter(({ id }) => stored?.has(id) !== true && !before.done.has(keyOf(externalId, id)));
  if (fresh.length === 0) return none("known", null);
  if (fresh.length > before.room)
    return none("failed", `A part may hold ${MAX_MESSAGES} messages. Send the conversation in several pieces.`);
  const isNew = session === undefined && fresh.length === messages.length;
  return { outcome: isNew ? "stored" : "grown", reason: null, fresh, isNew };
}

/** What an earlier version's id stands for may have been the user's: it does not come back, unless they have the conversation now. */
function isErased({ externalId, base }: ConversationToStore, { sessions, erased }: Before): boolean {
  return erased.has(externalId) || (erased.has(base) && !sessions.stored.has(externalId));
}

type Carrying = {
  decision: Decision;
  storing: Storing;
  sessions: Sessions;
  isDry: boolean;
  statistics: Statistics;
  isPiece: boolean;
};

async function carryOut(ctx: PartCtx, { placed, toStore: conversation }: Prepared, carrying: Carrying): Promise<ImportItem> {
  const { storing, isDry, statistics, isPiece } = carrying;
  let { decision } = carrying;
  if (conversation !== null && decision.fresh.length > 0 && !isDry) {
    try {
      await storeConversation(ctx, { ...conversation, messages: decision.fresh }, { ...storing, isNew: decision.isNew });
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null) throw error;
      decision = { outcome: "failed", reason, fresh: [], isNew: false };
    }
  }
  const { outcome, reason, fresh } = decision;
  const isRead = outcome === "stored" || outcome === "grown" || outcome === "known";
  const messagesKnown = isRead && conversation !== null ? conversation.messages.length - fresh.length : 0;
  // A later piece is of a conversation that is counted already.
  if (outcome !== "skipped" && !(isPiece && isRead)) statistics[outcome] += 1;
  if (isRead && !isPiece && isElsewhere(conversation, carrying)) statistics.elsewhere += 1;
  statistics.messages += fresh.length;
  statistics.messagesKnown += messagesKnown;
  if (placed.parsed.kind === "conversation") countLeftOut(statistics, placed.parsed.leftOut);
  return {
    position: placed.position,
    title: titleOf(placed.parsed.title),
    sessionId: conversation?.externalId ?? null,
    outcome,
    messages: fresh.length,
    messagesKnown,
    reason,
    notes: notesOf(placed.parsed),
  };
}

/** Whether its session is there, and not in the project of the import. */
function isElsewhere(conversation: ConversationToStore | null, { sessions, storing }: Carrying): boolean {
  const session = conversation === null ? undefined : sessions.stored.get(conversation.externalId);
  return session !== undefined && storing.projectId !== null && session.projectExternalId !== storing.projectId;
}

function notesOf(parsed: Parsed): string[] {
  if (parsed.kind === "broken") return [];
  const { notes, messages } = parsed;
  const isTimed = messages.some(({ at }) => at !== null);
  return isTimed && messages.some(({ at }) => at === null) ? [...notes, NO_TIME] : notes;
}

const NO_TIME = "Some of its messages have no time, or one that cannot be meant: that of the message before was taken.";

function keyOf(externalId: string, messageId: string): string {
  return JSON.stringify([externalId, messageId]);
}
