import { z } from "zod";
import { asRule, Cursor, ExternalId, HAS_TEXT, listOf, Moment, queryFlag, SPAN, UserId, wholeNumber } from "#core/fields";
import { MEMORY_CLASSES, MEMORY_TYPES } from "./defaults.ts";

export const MAX_CONTENT_CHARACTERS = 4_000;
export const MAX_METADATA_BYTES = 8_192;
export const MAX_METADATA_DEPTH = 20;
const MAX_SUBJECTS = 20;
const MAX_BATCH = 100;
/** One decision may need a dozen statements, and one request may run a thousand at most. */
const MAX_DECISIONS = 50;
/** Deeper pages need the cursor, which costs the same at any depth. */
const MAX_OFFSET = 10_000;

const PersonId = z.string().max(80).describe("A person, per_…");
const MemoryId = z.string().max(80).describe("A memory, mem_…");
const WorkspaceId = ExternalId.describe("A team or area inside the user's memory, by the app's id");
const ScopeType = ExternalId.max(40).describe("global, track, project, paper, or the app's own");
const ScopeId = ExternalId.describe("Which one of its type; not for global");
const Sensitivity = z.enum(["public", "personal", "sensitive"]);
const Type = z.enum(MEMORY_TYPES);
/** A custom record: zod's own silently drops the name `__proto__`. */
const Metadata = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "Invalid input: expected object",
  )
  .meta({ type: "object", additionalProperties: true });

/** The fields of a memory beside its words. A value that breaks a rule (an unknown type, say) is `unprocessable`. */
export const About = {
  type: z
    .string()
    .max(40)
    .meta({ enum: [...MEMORY_TYPES] })
    .optional()
    .describe("Decides how long it lives; knowledge when absent"),
  key: ExternalId.optional().describe("The app's stable name: the same key in the same space is changed in place"),
  workspaceId: WorkspaceId.nullable().optional().describe("Visible only to queries that name this workspace"),
  scopeType: ScopeType.nullable().optional(),
  scopeId: ScopeId.nullable().optional(),
  confidence: z.number().min(0).max(1).optional().describe("Below 0.6 it waits for review; 1 when absent"),
  sensitivity: Sensitivity.optional().describe(
    "Who may see it. When absent: decided by its words, and personal if it is learned in private or no session is named",
  ),
  portable: z
    .boolean()
    .optional()
    .describe(
      "Whether it may be recalled outside the place where it was learned. When absent: not if it was learned in private, or is only about the moment",
    ),
  pinned: z.boolean().optional().describe("Never evicted by the cap or by retention"),
  expiresAt: Moment.nullable().optional().describe("When it is forgotten; by its type when absent, null for never"),
  metadata: Metadata.optional().describe(`At most ${MAX_METADATA_BYTES} bytes as JSON`),
  subjects: z
    .array(PersonId)
    .max(MAX_SUBJECTS)
    .optional()
    .describe(
      "Whom it is about. When absent, a user who refers to themselves: in the first person, or as a preference or identity",
    ),
  validFrom: Moment.optional().describe("Since when it holds; now when absent"),
};

const Content = z.string().max(MAX_CONTENT_CHARACTERS).regex(HAS_TEXT, "A memory needs some text.");

export const MemoryDraftInput = z
  .strictObject({
    content: Content,
    ...About,
    ownerId: ExternalId.optional().describe("Makes it personal: its owner, who must be the user of the request"),
    sessionId: ExternalId.optional().describe("Makes it a group memory: its group session"),
    shared: z
      .boolean()
      .optional()
      .describe("Makes it shared by the whole tenant: public, and written by a server key that names no user"),
    statedBy: PersonId.optional().describe(
      "The person who said it: the user's own (the default), or that of a user who took part in the session of learnedIn when it was learned",
    ),
    learnedIn: z
      .strictObject({ sessionId: ExternalId, episodeId: z.string().max(80).optional() })
      .optional()
      .describe("Where it was said: those who took part then may see it again"),
    supersedes: MemoryId.optional().describe("A memory that this one replaces"),
    contradicts: MemoryId.optional().describe("A memory of another user that says the opposite: both are kept"),
  })
  .meta({ id: "MemoryInput" });

/** One memory, or up to 100 in one batch, all or none. Personal, unless `sessionId` or `shared` says otherwise. */
export const RememberInput = z
  .union([
    MemoryDraftInput.extend({ userId: UserId.optional() }).meta({ id: "RememberOne" }),
    z
      .strictObject({ userId: UserId.optional(), memories: z.array(MemoryDraftInput).min(1).max(MAX_BATCH) })
      .meta({ id: "RememberMany" }),
  ])
  .meta({ id: "RememberInput" });

export const ReviseInput = z
  .strictObject({ userId: UserId.optional(), content: Content.optional(), ...About, key: ExternalId.nullable().optional() })
  .meta({ id: "MemoryChange" });

/** The reader's place, and what they ask for. */
const Place = {
  userId: UserId.optional(),
  sessionId: ExternalId.optional().describe("The session in which the answer will be read"),
  projectId: ExternalId.optional().describe("The user's project, where there is no session yet"),
  workspaceId: WorkspaceId.optional().describe("The workspace of the query; without it, only memories that have none"),
  scopeType: ScopeType.optional().describe("global: what has that scope or none; any other: exactly that"),
  scopeId: ScopeId.optional(),
  asOf: Moment.optional().describe("What was valid at that time, superseded since or not"),
};

export const MemoryPlaceInput = z.strictObject(Place);

/** The writer's place: they cannot change a memory that they cannot see from there. */
export const WriterPlaceInput = z.strictObject({
  userId: UserId.optional(),
  sessionId: ExternalId.optional().describe("The group session that the request is made in, for a memory of the group"),
  workspaceId: WorkspaceId.optional().describe("The memory's workspace, if it has one"),
});

export const MemoryListInput = z
  .strictObject({
    ...Place,
    reach: z
      .enum(["session", "user", "tenant"])
      .default("tenant")
      .describe("session: what belongs to the session; user: the user's own too; tenant: everything that they may see"),
    type: listOf(MEMORY_TYPES).optional().describe("One or more, separated by commas"),
    class: listOf(MEMORY_CLASSES).optional().describe("One or more, separated by commas"),
    status: z
      .enum(["approved", "pending", "rejected"])
      .default("approved")
      .describe("pending and rejected: the review queue, for the owner or a key with admin"),
    ownership: listOf(["personal", "group", "shared"]).optional(),
    ownerId: ExternalId.optional().describe("Of this owner: only the reader themselves, because other owners are not disclosed"),
    others: queryFlag().optional().describe("Leaves out the reader's own memories"),
    learnedIn: ExternalId.optional().describe("Learned in this session"),
    person: PersonId.optional().describe("About this person, from anybody"),
    text: z.string().min(1).max(500).optional().describe("Holds all of these words"),
    key: ExternalId.optional().describe("Has this key"),
    from: Moment.optional().describe("Stored at or after"),
    to: Moment.optional().describe("Stored before"),
    cursor: Cursor.optional().describe("Instead of page and offset"),
    limit: wholeNumber({ min: 1, max: 100 }).default(20),
    page: wholeNumber({ min: 1, max: MAX_OFFSET + 1 })
      .optional()
      .describe("From 1; a cursor is cheaper"),
    offset: wholeNumber({ min: 0, max: MAX_OFFSET }).optional().describe("Wins over page"),
    stats: queryFlag()
      .optional()
      .describe("Whether to count all matches, one row read for each; when absent, on the first page only"),
  })
  .refine(
    ({ cursor, page, offset }) => cursor === undefined || (page === undefined && offset === undefined),
    asRule("Either a cursor, or a page or an offset.", "cursor"),
  )
  .refine(
    ({ page, limit }) => page === undefined || (page - 1) * limit <= MAX_OFFSET,
    asRule(`Beyond ${MAX_OFFSET} memories, use the cursor.`, "page"),
  )
  .refine(...SPAN);

export const MemoryView = z
  .object({
    id: z.string(),
    ownership: z.enum(["personal", "group", "shared"]),
    ownerId: ExternalId.nullable().describe("Of a personal memory, by the app's id; returned to the owner only"),
    sessionId: ExternalId.nullable().describe("Of a group memory: its session"),
    type: Type,
    class: z.enum(MEMORY_CLASSES),
    content: z.string(),
    key: z.string().nullable(),
    workspaceId: z.string().nullable(),
    scopeType: z.string().nullable(),
    scopeId: z.string().nullable(),
    confidence: z.number(),
    sensitivity: Sensitivity,
    portable: z.boolean(),
    pinned: z.boolean(),
    status: z.enum(["approved", "pending", "rejected"]),
    piiRisk: z.number().int().describe("0 to 3"),
    metadata: z.record(z.string(), z.unknown()).describe("Empty for a memory that comes from another owner or group"),
    subjects: z.array(z.string()).describe("Persons whom it is about"),
    statedBy: z.string().nullable().describe("The person who said it"),
    learnedIn: z
      .object({ sessionId: ExternalId, episodeId: z.string().nullable() })
      .nullable()
      .describe("Where it was said; null where the reader may not enter"),
    validFrom: z.iso.datetime(),
    validTo: z.iso.datetime().nullable(),
    supersededBy: z.string().nullable(),
    contradicts: z.array(z.string()).describe("Memories that say the opposite, as far as the reader may see them"),
    expiresAt: z.iso.datetime().nullable(),
    seen: z.object({ count: z.number().int(), lastAt: z.iso.datetime() }).describe("How often it was said"),
    version: z.number().int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    indexed: z.object({ text: z.boolean(), vector: z.boolean() }),
  })
  .meta({ id: "Memory" });

/** The answer to a writer: the memory as they may see it. Values of an existing memory that they may not see are left out. */
export const RememberedView = MemoryView.extend({
  created: z.boolean().describe("false when a memory with the same words or key existed: then this is that memory"),
}).meta({ id: "RememberedMemory" });

export const RememberedManyView = z.object({ items: z.array(RememberedView) }).meta({ id: "RememberedMemories" });

export const MemoryPageView = z
  .object({
    items: z.array(MemoryView),
    nextCursor: z.string().nullable(),
    page: z.number().int().optional().describe("When a page or an offset was asked for"),
    stats: z
      .object({ total: z.number().int(), byType: z.partialRecord(Type, z.number().int()) })
      .optional()
      .describe("Counts of the memories that the reader may see and that match the filters"),
  })
  .meta({ id: "MemoryPage" });

export const VersionView = z
  .object({
    version: z.number().int(),
    content: z.string(),
    type: Type,
    key: z.string().nullable(),
    confidence: z.number(),
    sensitivity: Sensitivity,
    metadata: z.record(z.string(), z.unknown()),
    replacedAt: z.iso.datetime(),
  })
  .meta({ id: "MemoryVersion" });

export const HistoryView = z
  .object({
    memory: MemoryView,
    versions: z.array(VersionView).describe("Its earlier versions, newest first, as far as the reader may see them"),
    supersedes: z.array(MemoryView).describe("Memories that it replaced, the latest first"),
  })
  .meta({ id: "MemoryHistory" });

const Edits = { ...About, content: Content.optional() };

export const ApproveInput = z
  .strictObject({ userId: UserId.optional(), ...Edits })
  .meta({ id: "ApproveInput", description: "The named fields are changed before the memory is approved" });

export const RejectInput = z.strictObject({ userId: UserId.optional() }).meta({ id: "RejectInput" });

export const ReviewListInput = z.strictObject({
  userId: UserId.optional().describe("Whose queue; a server key with admin that names nobody sees the whole tenant's"),
  status: z.enum(["pending", "rejected"]).default("pending"),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export const ReviewInput = z
  .strictObject({
    userId: UserId.optional(),
    decisions: z
      .array(
        z.discriminatedUnion("action", [
          z.strictObject({ id: MemoryId, action: z.literal("approve"), ...Edits }),
          z.strictObject({ id: MemoryId, action: z.literal("reject") }),
        ]),
      )
      .min(1)
      .max(MAX_DECISIONS),
  })
  .meta({ id: "ReviewInput" });

export const ReviewedView = z
  .object({
    items: z.array(
      z.object({
        id: z.string(),
        outcome: z.enum(["approved", "rejected", "refused"]),
        problem: z.object({ code: z.string(), detail: z.string() }).optional().describe("Why it was refused"),
      }),
    ),
  })
  .meta({ id: "Reviewed" });

export type MemoryDraftInput = z.infer<typeof MemoryDraftInput>;
export type RememberInput = z.infer<typeof RememberInput>;
export type ReviseInput = z.infer<typeof ReviseInput>;
export type WriterPlaceInput = z.infer<typeof WriterPlaceInput>;
export type MemoryPlaceInput = z.infer<typeof MemoryPlaceInput>;
export type MemoryListInput = z.infer<typeof MemoryListInput>;
export type MemoryView = z.infer<typeof MemoryView>;
export type RememberedView = z.infer<typeof RememberedView>;
export type MemoryPageView = z.infer<typeof MemoryPageView>;
export type HistoryView = z.infer<typeof HistoryView>;
export type VersionView = z.infer<typeof VersionView>;
export type ApproveInput = z.infer<typeof ApproveInput>;
export type RejectInput = z.infer<typeof RejectInput>;
export type ReviewListInput = z.infer<typeof ReviewListInput>;
export type ReviewInput = z.infer<typeof ReviewInput>;
export type ReviewedView = z.infer<typeof ReviewedView>;
