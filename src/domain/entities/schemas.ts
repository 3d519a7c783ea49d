import { z } from "zod";
import { Cursor, ExternalId, named, UserId, wholeNumber } from "#core/fields";
import { MAX_NAME, MAX_NOTES, MAX_TYPE } from "./names.ts";

const MAX_QUERY_CHARACTERS = 20_000;
export const MAX_RETAGGED = 100;

const EntityId = z.string().max(80).describe("ent_…");

const place = {
  userId: UserId.optional(),
  sessionId: ExternalId.optional().describe("The session in which the answer will be read"),
  projectId: ExternalId.optional().describe("The viewer's project, where there is no session yet"),
};

const Type = named(z.string().min(1).max(MAX_TYPE), "A type needs a letter or a digit.").describe(
  "The kind of thing, in the app's own words: project, tool, place, organisation, product, … Stored in lower case",
);

const Name = named(z.string().min(1).max(MAX_NAME), "A name needs a letter or a digit.");

const cursor = Cursor.optional();
const limit = wholeNumber({ min: 1, max: 100 }).default(20);

export const EntityInput = z
  .strictObject({
    userId: UserId.optional(),
    projectId: ExternalId.describe("The project whose entity it is; the user belongs to it"),
    type: Type,
    name: Name,
    notes: z.string().max(MAX_NOTES).nullable().optional().describe("Notes about it, added to the existing ones"),
  })
  .meta({ id: "EntityInput" });

export const EntityChange = z
  .strictObject({
    userId: UserId.optional(),
    type: Type.optional(),
    name: Name.optional(),
    notes: z.string().max(MAX_NOTES).nullable().optional().describe("Replaces the notes; null removes them"),
  })
  .meta({ id: "EntityChange" });

export const EntityView = z
  .object({
    id: z.string(),
    projectId: ExternalId,
    type: z.string(),
    name: z.string(),
    notes: z.string().nullable(),
    mentionCount: z
      .number()
      .int()
      .describe("Episodes that mentioned it while they were in the project, including those of sessions that moved since"),
    firstSeenAt: z.iso.datetime().describe("When it was first mentioned, in conversation time"),
    lastSeenAt: z.iso.datetime(),
    version: z.number().int(),
    indexed: z.object({ text: z.boolean(), vector: z.boolean() }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Entity" });

export const SavedEntityView = EntityView.extend({
  created: z.boolean().describe("false when the project had an entity of this type and name"),
}).meta({ id: "SavedEntity" });

export const EntityPlaceInput = z.strictObject(place);

export const EntityListInput = z.strictObject({
  ...place,
  type: Type.optional().describe("Only entities of this type"),
  text: z.string().min(1).max(500).optional().describe("Only entities with all of these words in their name, type or notes"),
  cursor,
  limit,
});

export const MentionListInput = z.strictObject({ ...place, cursor, limit });

export const MentionView = z
  .object({
    episodeId: z.string(),
    sessionId: ExternalId,
    at: z.iso.datetime().describe("When it was said, in conversation time"),
  })
  .meta({ id: "EntityMention" });

export const WriterInput = z.strictObject({ userId: UserId.optional() });

export const RetagOneInput = z
  .strictObject({
    userId: UserId.optional(),
    projectId: ExternalId.describe("Where it moves; the user belongs to both projects"),
  })
  .meta({ id: "RetagEntity" });

export const RetagManyInput = z
  .strictObject({
    userId: UserId.optional(),
    fromProjectId: ExternalId,
    toProjectId: ExternalId,
    ids: z
      .array(EntityId)
      .min(1)
      .max(MAX_RETAGGED)
      .optional()
      .describe("Entities of the first project; when absent, the last mentioned ones, as many as one call moves"),
  })
  .meta({ id: "RetagEntities" });

const Retagged = z.object({
  id: z.string(),
  mergedInto: z
    .string()
    .nullable()
    .describe("The existing entity with the same type and name, which now has its mentions and notes"),
});

export const RetaggedView = Retagged.extend({ entity: EntityView }).meta({ id: "RetaggedEntity" });

export const RetaggedManyView = z
  .object({
    items: z.array(Retagged),
    remaining: z.boolean().describe("Whether the same call would move more: it moves 100 entities, or those of 20,000 mentions"),
  })
  .meta({ id: "RetaggedEntities" });

export const EntitySearchInput = z
  .strictObject({
    query: z.string().max(MAX_QUERY_CHARACTERS).describe("A question or some words; when empty, the last mentioned entities"),
    ...place,
    types: z.array(Type).min(1).max(20).optional().describe("Only entities of these types"),
    limit: z.number().int().min(1).max(100).default(10),
    explain: z.boolean().default(false),
  })
  .meta({ id: "EntitySearchInput" });

const Ranked = z.object({ rank: z.number().int(), score: z.number() });

export const EntityHitView = EntityView.extend({
  score: z.number(),
  explain: z
    .object({
      channels: z.record(z.string(), Ranked).describe("Rank and score in each channel that found it"),
      namesIt: z.boolean().describe("Whether the question has all words of its name, which raises its text score"),
      visibleBy: z.string().describe("The rule that made it visible to the viewer"),
    })
    .optional(),
}).meta({ id: "EntityHit" });

export const EntitySearchView = z
  .object({
    hits: z.array(EntityHitView),
    degraded: z.array(
      z.object({ channel: z.enum(["text", "semantic"]), reason: z.enum(["failed", "timeout", "misconfigured"]) }),
    ),
    queryEmbedding: z.enum(["cached", "computed", "unused"]),
  })
  .meta({ id: "EntitySearch" });

export type EntityInput = z.infer<typeof EntityInput>;
export type EntityChange = z.infer<typeof EntityChange>;
export type EntityView = z.infer<typeof EntityView>;
export type SavedEntityView = z.infer<typeof SavedEntityView>;
export type EntityPlaceInput = z.infer<typeof EntityPlaceInput>;
export type EntityListInput = z.infer<typeof EntityListInput>;
export type MentionListInput = z.infer<typeof MentionListInput>;
export type MentionView = z.infer<typeof MentionView>;
export type WriterInput = z.infer<typeof WriterInput>;
export type RetagOneInput = z.infer<typeof RetagOneInput>;
export type RetagManyInput = z.infer<typeof RetagManyInput>;
export type RetaggedView = z.infer<typeof RetaggedView>;
export type RetaggedManyView = z.infer<typeof RetaggedManyView>;
export type EntitySearchInput = z.infer<typeof EntitySearchInput>;
export type EntityHitView = z.infer<typeof EntityHitView>;
export type EntitySearchView = z.infer<typeof EntitySearchView>;
