import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError, conflict, notFound } from "#core/errors";
import { toIso } from "#core/fields";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import type { SecretKind } from "#core/safety/find-secrets";
import { type Query, read, type Statement, select } from "#db/client";
import { failUnless, isLostRace, isUniqueViolation } from "#db/guard";
import { flag, integer, nullable, type RowOf, row, text } from "#db/row";
import { SESSION } from "#db/schema/sessions";
import { type AuditEntry, commit } from "#domain/audit";
import { readSaid, type SaidInAppend, type SaidMessage } from "#domain/facts";
import { dispatch } from "#domain/jobs";
import { actingUser, type NamedUser, type UserRef, userIdOf } from "#domain/tenants";
import { isOwnSessionOfOther, mayEnter } from "#domain/visibility";
import { CHUNKS_PER_SESSION } from "./chunk-id.ts";
import { findOwnProject } from "./find-project.ts";
import { findStored, findUnnamed, type Slot, type UserIdOf, withoutStored } from "./known-messages.ts";
import { openSession } from "./open-session.ts";
import {
  appendStatements,
  type EpisodeDraft,
  parseEpisodesInput,
  redactEpisode,
  refuseLater,
  refuseTooLong,
} from "./parse-episodes-input.ts";
import { findSpeakers, hasLabels, namedIn, readSpeakers, type Speakers, speakersIn } from "./said-by.ts";
import type { AppendedView, AppendInput, EpisodeInput } from "./schemas.ts";

export type AppendCtx = Ctx<"db" | "now" | "newId" | "jobs" | "defer" | "embedder" | "caches" | "wait" | "random">;

/**
 * Stores episodes at the end of a session, all or none, in two round trips: one read, one batch. A missing session is opened in the same
 * batch, in the project that the call names, so that no message is ever stored outside it. Messages whose `messageId` the session has are
 * not stored again, nor are the messages stored with them. Secrets are redacted first, so that nothing is derived from them.
 *
 * @throws invalid_input for a time more than a day from now.
 * @throws not_found for a session or a project that the user does not belong to.
 * @throws conflict for a `messageId` that is stored with another text, a project that the session is not in, a full session, and if
 * concurrent calls keep changing the session.
 * @throws unprocessable for a message that names a user who does not take part in the session, or whose label is another participant's
 * name.
 * @throws payload_too_large for an episode that exceeds the size of a row.
 * @example
 * await appendEpisodes(ctx, "chat-7", { userId: "alice", messages: [{ role: "user", text: "I moved to Graz.", messageId: "m1" }] });
 */
export async function appendEpisodes(ctx: AppendCtx, externalId: string, input: AppendInput): Promise<AppendedView[]> {
  requirePermission(ctx.actor, "write");
  const given = "episodes" in input ? input.episodes : [{ messages: input.messages, occurredAt: input.occurredAt }];
  refuseLater(given, { now: ctx.now(), many: "episodes" in input });
  const redacted = given.map(redactEpisode);
  const episodes = redacted.map(({ episode }) => episode);
  const speakers = namedIn(episodes);
  // A caller that is bound to one user may name nobody else.
  for (const userId of speakers) actingUser(ctx, userId);
  const asked = {
    externalId,
    user: actingUser(ctx, input.userId),
    speakers,
    projectExternalId: input.projectId ?? null,
    many: "episodes" in input,
    episodes,
    redacted: redacted.map(({ kinds }) => kinds),
  };
  return await append(ctx, { ...asked, imported: null });
}

/** The same for a request that has been checked. */
export async function append(ctx: AppendCtx, asked: Asked): Promise<AppendedView[]> {
  const message = "This session is being changed by others at the same moment. Try again.";
  return await retryLostRace(ctx, message, () => tryAppend(ctx, asked));
}

/** How an import stores episodes: they are processed by its own job, behind others, and one audit row stands for a whole conversation. */
export type Imported = {
  /** Of a session that is opened. */
  title: string | null;
  /** Whether rules or a model will read them. */
  isRead: boolean;
  /** Whether the import is still there: with its user it is erased, who would be made anew. */
  isThere: SQL;
  /** The statement that adds the stored passages to the import's job; it writes a row if and only if `from` has one. */
  enqueue: (stored: { from: SQL; payload: SQL }) => Statement;
  /** Of the conversation; null for its later batches. */
  audit: Pick<AuditEntry, "action" | "detail"> | null;
};

export type Asked = {
  externalId: string;
  user: NamedUser;
  projectExternalId: string | null;
  /** Users that messages name as their speakers, by the app's ids. */
  speakers: readonly string[];
  many: boolean;
  /** Without their secrets, and the kinds of secrets that each had. */
  episodes: readonly EpisodeInput[];
  redacted: readonly SecretKind[][];
  imported: Imported | null;
};

async function tryAppend(request: AppendCtx, asked: Asked): Promise<AppendedView[] | "lost"> {
  // One timestamp for the whole call, so that the answer has the time that is stored.
  const at = request.now();
  const ctx: AppendCtx = { ...request, now: () => at };
  const messageIds = asked.episodes.flatMap((episode) => episode.messages.flatMap((message) => message.messageId ?? []));
  const place = { sessionExternalId: asked.externalId, acting: asked.user };
  const named = { userIds: asked.speakers, hasLabels: hasLabels(asked.episodes) };
  const found = await read(ctx, {
    session: findTarget(ctx, asked),
    named: findStored(ctx, asked.externalId, messageIds),
    unnamed: findUnnamed(ctx, asked.externalId, asked.episodes),
    speakers: named.hasLabels || named.userIds.length > 0 ? findSpeakers(ctx, place, named) : null,
    project:
      asked.projectExternalId === null ? null : findOwnProject(ctx, { externalId: asked.projectExternalId, user: asked.user }),
  });
  const [session] = found.session;
  if (asked.projectExternalId !== null && found.project.length === 0) throw notFound("project");
  if (session !== undefined) requireEntry(session, asked);
  else if (isOwnSessionOfOther(asked)) throw notFound("session");

  const speakers = speakersIn(ctx, found.speakers, place);
  const pathOf = (index: number) => (asked.many ? `episodes[${index}].` : "");
  const known = {
    named: found.named,
    unnamed: found.unnamed.map((message) => (message.userId === session?.userId ? { ...message, userId: null } : message)),
    userIdOf: idOfNamed(speakers, asked.user),
  };
  const decision = withoutStored(asked.episodes, known, pathOf);
  const drafts = parseEpisodesInput(decision.fresh, {
    now: ctx.now(),
    newId: () => ctx.newId("episode"),
    userIdOf: readSpeakers(asked.episodes, { speakers, pathOf }),
  });
  if (drafts.length > 0) {
    refuseTooLong(drafts);
    const said =
      asked.imported?.isRead === false
        ? null
        : await readSaid(ctx, drafts.flatMap(saidIn), { hasLists: session?.hasLists ?? false });
    const outcome = await storeEpisodes(ctx, { asked, session, drafts, said });
    if (outcome === "lost") return "lost";
  }
  return decision.slots.map((slot, i) => {
    const draft = slot.fresh === null ? undefined : drafts[slot.fresh];
    return { ...toAppended(ctx, slot, draft), redacted: asked.redacted[i] ?? [], forgot: [] };
  });
}

/** From `sessions s left join users u`, the acting user. */
const TARGET = row({
  ...SESSION.of(sql`s`, "id", "spaceId", "projectId", "nextSeq"),
  projectExternalId: nullable(text(sql`(select p.external_id from projects p where p.id = s.project_id)`)),
  /** Null for a user who does not exist. */
  userId: nullable(integer(sql`u.id`)),
  mayEnter: flag(mayEnter(sql`u`, sql`s`)),
  hasLists: flag(sql`exists (select 1 from list_messages l where l.session_id = s.id)`),
});

/** What an append must know of its session. */
type Target = RowOf<typeof TARGET>;

/** The session of that name in the tenant, whoever the caller is; `mayEnter` says whether the user may write there. */
function findTarget(ctx: Ctx<"db">, asked: Asked): Query<Target> {
  return select(TARGET)`
    from sessions s left join users u on u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, asked.user)}
    where s.tenant_id = ${ctx.tenantId} and s.external_id = ${asked.externalId}`;
}

/** The other users that a message names, whether or not they may be named. No user has the id 0. */
function idOfNamed({ named }: Speakers, { externalId }: NamedUser): UserIdOf {
  return ({ userId }) => (userId === undefined || userId === externalId ? null : (named.get(userId)?.userId ?? 0));
}

/** What users stated in an episode, for its facts. Messages that are nobody's statement are left out. */
function saidIn({ messages, offset }: EpisodeDraft): SaidMessage[] {
  return messages.flatMap((message, ordinal) =>
    message.userId === undefined ? [] : [{ ...message, userId: message.userId, offset, ordinal }],
  );
}

/** Whether the user may enter the session row `s`; null for a user who does not exist. */
function userMayEnter(ctx: Ctx, user: UserRef): SQL {
  return sql`(select ${mayEnter(sql`u`, sql`s`)} from users u where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, user)})`;
}

/**
 * @throws not_found for a user who has no access to the session.
 * @throws conflict for a project that it is not in: the client must move the session or leave the project out.
 */
function requireEntry(session: Target, asked: Asked): void {
  if (!session.mayEnter) throw notFound("session");
  if (asked.projectExternalId !== null && asked.projectExternalId !== session.projectExternalId) {
    throw conflict("This session is not in that project. Move the session first, or leave projectId out.");
  }
}

async function storeEpisodes(
  ctx: AppendCtx,
  decision: { asked: Asked; session: Target | undefined; drafts: readonly EpisodeDraft[]; said: SaidInAppend | null },
): Promise<"stored" | "lost"> {
  const { asked, session, drafts, said } = decision;
  const opening =
    session === undefined
      ? openSession(ctx, {
          externalId: asked.externalId,
          kind: "private",
          owner: asked.user,
          projectExternalId: asked.projectExternalId,
          title: asked.imported?.title ?? null,
          participants: [],
        })
      : null;
  const total = drafts.reduce((sum, draft) => sum + draft.chunks.length, 0);
  if ((session?.nextSeq ?? 0) + total > CHUNKS_PER_SESSION) throw conflict("This session is full. Go on in a new one.");
  // The session, unchanged since it was read and still open to the user, or created by this batch; otherwise nothing is written.
  const unchanged =
    opening === null
      ? sql`s.project_id is ${session?.projectId ?? null} and ${userMayEnter(ctx, asked.user)}`
      : sql`s.public_id = ${opening.publicId}`;
  const jobId = ctx.newId("job");
  const { insert, others } = appendStatements(ctx, {
    externalId: asked.externalId,
    session,
    drafts,
    said,
    total,
    unchanged,
    jobId,
    imported: asked.imported,
  });
  try {
    const results = await commit(ctx, {
      statements: [
        ...(asked.imported === null ? [] : [failUnless(ctx.db, asked.imported.isThere)]),
        ...(opening?.statements ?? []),
        insert,
        ...others,
      ],
      audit: auditOf(ctx, { asked, opening, drafts, total }),
    });
    if (results.changes(insert) === 0) return "lost";
  } catch (error) {
    // A message id or a session was stored concurrently between our read and our batch, which then wrote nothing.
    if (isUniqueViolation(error)) return "lost";
    if (asked.imported !== null && isLostRace(error)) throw notFound("import");
    throw error;
  }
  if (asked.imported === null) dispatch(ctx, [jobId]);
  return "stored";
}

/** The job's row, or the audit row of the new session, exists if and only if the episodes do. */
const IF_STORED = sql`changes() > 0`;

function auditOf(
  ctx: Ctx,
  stored: { asked: Asked; opening: { audit: AuditEntry } | null; drafts: readonly EpisodeDraft[]; total: number },
): AuditEntry[] {
  const { asked, opening, drafts, total } = stored;
  const userId = userIdOf(ctx.tenantId, asked.user);
  if (asked.imported !== null) {
    const { audit } = asked.imported;
    const objectId = sql`(select public_id from sessions where tenant_id = ${ctx.tenantId} and external_id = ${asked.externalId})`;
    return audit === null ? [] : [{ ...audit, objectId, userId, when: IF_STORED }];
  }
  const detail = { episodes: drafts.length, chunks: total };
  return [
    ...(opening === null ? [] : [opening.audit]),
    { action: "episodes.appended", objectId: drafts[0]?.id ?? "", userId, detail, when: IF_STORED },
  ];
}

function toAppended(
  ctx: Ctx<"now" | "embedder">,
  { created, known, skippedMessageIds }: Slot,
  draft: EpisodeDraft | undefined,
): Omit<AppendedView, "redacted" | "forgot"> {
  if (draft !== undefined) {
    return {
      id: draft.id,
      created,
      messages: draft.messages.map((message, index) => ({ index, messageId: message.messageId })),
      skippedMessageIds,
      occurredAt: toIso(draft.occurredAt),
      createdAt: toIso(ctx.now()),
      indexed: { text: true, vector: false },
    };
  }
  if (known === undefined) throw new AppError("internal", "An episode was neither stored nor known.");
  return {
    id: known.publicId,
    created: false,
    messages: known.messageIds.map((messageId, index) => ({ index, messageId })),
    skippedMessageIds,
    occurredAt: toIso(known.occurredAt),
    createdAt: toIso(known.createdAt),
    indexed: { text: true, vector: known.vectorModel === ctx.embedder.model },
  };
}
