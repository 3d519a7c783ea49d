import { z } from "zod";
import { Cursor, ExternalId, HAS_TEXT, Moment, queryFlag, UserId, wholeNumber } from "#core/fields";

const MAX_FACTS = 100;
const MAX_NOUNS = 100;
/** The limit of a message: an app may send each message as a question. */
const MAX_QUESTION_CHARACTERS = 64_000;

const Topic = z
  .string()
  .min(1)
  .max(100)
  .describe("A topic's key, or a noun that names it: favorite_colors, color, Farben. An unknown noun becomes a new key");
const Kind = z.enum(["ranked", "single"]);
export const MAX_VALUE_CHARACTERS = 500;

/** The most ranks of a list that are stored. */
export const MAX_RANK = 50;

const Rank = wholeNumber({ min: 1, max: MAX_RANK });

const Place = {
  userId: UserId.optional(),
  sessionId: ExternalId.optional().describe("The session, by the app's id"),
  projectId: ExternalId.optional().describe("The project, by the app's id"),
};

const FactFields = {
  topic: Topic,
  kind: Kind.optional().describe("ranked, one of several by rank; single, the only one. By default ranked if there is a rank"),
  rank: z.number().int().min(1).max(MAX_RANK).optional(),
  value: z.string().max(MAX_VALUE_CHARACTERS).regex(HAS_TEXT, "A value needs some text."),
  createdAt: Moment.optional().describe(
    "When it was said; now when absent. The newer value wins, in whichever order they arrive",
  ),
  sourceMessageId: ExternalId.optional().describe("The app's id of the message that said it"),
};

export const FactInput = z.strictObject(FactFields).meta({ id: "FactInput" });

/** One fact, or up to 100 of one place in one batch. */
export const AssertInput = z
  .union([
    z.strictObject({ ...Place, ...FactFields }).meta({ id: "AssertOne" }),
    z.strictObject({ ...Place, facts: z.array(FactInput).min(1).max(MAX_FACTS) }).meta({ id: "AssertMany" }),
  ])
  .meta({ id: "AssertInput" });

const moment = z.iso.datetime();

export const AssertedView = z
  .object({
    topic: z.string().describe("The topic's key"),
    kind: Kind,
    rank: z.number().int().nullable(),
    written: z.boolean().describe("false: a value of the same time or newer was stored already, and is kept"),
    value: z.string().nullable().describe("The current value; null if it was removed"),
    createdAt: moment.nullable().describe("When that was said, or removed"),
  })
  .meta({ id: "AssertedFact" });

export const AssertedManyView = z.object({ items: z.array(AssertedView) }).meta({ id: "AssertedFacts" });

export const FactView = z
  .object({
    topic: z.string().describe("The topic's key"),
    label: z.string().describe("The topic in words"),
    kind: Kind,
    rank: z.number().int().nullable().describe("From 1; null for a single one"),
    value: z.string(),
    standing: z
      .enum(["stated", "changed", "unsure"])
      .describe(
        "stated: as it was said; changed: what a later message made of it; unsure: a later message may have changed it. What messages added to a list is in answers only",
      ),
    scope: z.enum(["session", "project", "user"]).describe("What it is stored with: a session, a project, or the user"),
    sessionId: ExternalId.nullable(),
    projectId: ExternalId.nullable().describe("Of a fact that is stored with a project; a session's facts move with the session"),
    sourceMessageId: ExternalId.nullable(),
    episodeId: z.string().nullable().describe("The episode in which it was said, if it still exists"),
    createdAt: moment.describe("When it was said"),
    storedAt: moment,
  })
  .meta({ id: "Fact" });

/** The reader's place, as in a query. */
export const FactPlaceInput = z.strictObject(Place);

export const FactListInput = FactPlaceInput.extend({
  topic: Topic.optional(),
  rank: Rank.optional(),
  kind: Kind.optional(),
  everywhere: queryFlag().default(false).describe("Also what the user said in their other private sessions, outside projects"),
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export const FactParams = z.object({
  topic: Topic,
  rank: z.union([z.literal("last"), Rank]).describe("From 1, or last: the highest rank that is stored"),
});

export const RetractInput = FactPlaceInput.extend({ topic: Topic, rank: Rank.optional(), kind: Kind.optional() });

export const RetractedView = z
  .object({ topic: z.string(), retracted: z.number().int().describe("How many facts were removed") })
  .meta({ id: "RetractedFacts" });

export const AnswerInput = z
  .strictObject({ ...Place, question: z.string().min(1).max(MAX_QUESTION_CHARACTERS) })
  .meta({ id: "AnswerInput" });

export const AnswerView = z
  .object({
    routed: z
      .boolean()
      .describe("Whether it is a question about facts: then no model is needed, whether or not a fact was found"),
    found: z.boolean(),
    text: z.string().nullable().describe("The answer as a sentence"),
    topic: z.string().nullable(),
    topicAssumed: z.boolean().describe("Whether the question named no topic, and the session's last one was used"),
    ask: z
      .enum(["rank", "list", "count", "member"])
      .nullable()
      .describe("What was asked for: one place of a list, the list, how many it has, or whether something is on it"),
    rank: z.number().int().nullable().describe("The rank that was asked for; for the last one, its number"),
    values: z.array(z.object({ rank: z.number().int(), value: z.string() })),
    scope: z
      .enum(["session", "project", "user"])
      .nullable()
      .describe("Whose list answered: the session's own, another one of its project, or the user's"),
  })
  .meta({ id: "AnswerView" });

/** Languages whose singulars and plurals are known. */
export const LANGUAGES = ["en", "de", "es", "fr", "zh"] as const;

export const TopicKey = z
  .string()
  .max(80)
  .regex(/^[a-z0-9][a-z0-9_]*$/, "A key has small letters a to z, digits and underscores.");

const NounInput = z.strictObject({
  noun: z.string().trim().min(1).max(60).regex(HAS_TEXT).describe("Singular or plural, in upper or lower case"),
  language: z.enum(LANGUAGES).nullable().optional().describe("null for any"),
});

export const TopicInput = z.strictObject({ nouns: z.array(NounInput).min(1).max(MAX_NOUNS) }).meta({ id: "TopicInput" });

export const TopicView = z
  .object({
    key: z.string(),
    label: z.string().describe("The topic in words"),
    builtIn: z.boolean(),
    nouns: z
      .array(z.object({ noun: z.string(), language: z.string().nullable() }))
      .describe("The tenant's own nouns, for a built-in topic those that the tenant added"),
    updatedAt: moment.nullable().describe("null for a built-in topic to which nothing was added"),
  })
  .meta({ id: "Topic" });

export const TopicListInput = z.strictObject({
  cursor: Cursor.optional(),
  limit: wholeNumber({ min: 1, max: 100 }).default(20),
});

export type FactInput = z.infer<typeof FactInput>;
export type AssertInput = z.infer<typeof AssertInput>;
export type AssertedView = z.infer<typeof AssertedView>;
export type FactView = z.infer<typeof FactView>;
export type FactPlaceInput = z.infer<typeof FactPlaceInput>;
export type FactListInput = z.infer<typeof FactListInput>;
export type FactParams = z.infer<typeof FactParams>;
export type RetractInput = z.infer<typeof RetractInput>;
export type RetractedView = z.infer<typeof RetractedView>;
export type AnswerInput = z.infer<typeof AnswerInput>;
export type AnswerView = z.infer<typeof AnswerView>;
export type TopicInput = z.infer<typeof TopicInput>;
export type TopicView = z.infer<typeof TopicView>;
export type TopicListInput = z.infer<typeof TopicListInput>;
