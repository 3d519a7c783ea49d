import { z } from "zod";
import { Cursor, ExternalId, Moment, UserId, wholeNumber } from "#core/fields";
import { messageFields, REQUIRES_CONTENT, readMessage } from "#core/message-content";

export const MAX_MESSAGE_CHARACTERS = 64_000;
const MAX_MESSAGES = 50;
const MAX_EPISODES = 100;
const MAX_PARTICIPANTS = 100;

const ProjectId = ExternalId.describe("A project, by the app's id");

export const ProjectInput = z
  .strictObject({
    userId: UserId.optional(),
    name: z.string().min(1).max(200).optional(),
    ownMemories: z
      .boolean()
      .optional()
      .describe(
        "Whether what lastingly holds of its users (identity, preferences, relationships, standing wishes) comes into the project from outside. true for a new project; absent leaves it as it is",
      ),
  })
  .meta({ id: "ProjectInput" });

export const ProjectView = z
  .object({
    id: ExternalId,
    name: z.string(),
    ownerId: ExternalId.describe("The owner, by the app's id"),
    memberIds: z.array(ExternalId).describe("Members beside the owner, by the app's ids"),
    ownMemories: z.boolean().describe("Whether what lastingly holds of its users comes into the project from outside"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Project" });

export const SessionInput = z
  .strictObject({
    userId: UserId.optional().describe(
      "The acting user. When absent, the first of the participants acts, if a server key names them",
    ),
    kind: z.enum(["private", "group"]).optional().describe("private: one user and the assistant. Never changes."),
    projectId: ProjectId.nullable()
      .optional()
      .describe("Moves the session: a project, or null for none. Absent leaves it where it is."),
    title: z.string().max(500).nullable().optional(),
    participants: z
      .array(ExternalId)
      .min(1)
      .max(MAX_PARTICIPANTS)
      .optional()
      .describe("Of a group: all participants from now on. A user who is not named leaves it."),
  })
  .meta({ id: "SessionInput" });

export const SessionView = z
  .object({
    id: ExternalId,
    kind: z.enum(["private", "group"]),
    projectId: ExternalId.nullable().describe("Its project; null for a user who does not belong to it"),
    title: z.string().nullable(),
    participants: z.array(ExternalId).describe("The current participants; a private session has one user"),
    lastAt: z.iso.datetime().nullable().describe("Conversation time of the latest message; null before the first"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Session" });

const MessageInput = z
  .strictObject({
    ...messageFields(MAX_MESSAGE_CHARACTERS),
    userId: ExternalId.optional().describe(
      "The speaker, by the app's id: a user who takes part in the session, or did when it was said. For messages with the role user only",
    ),
    messageId: ExternalId.optional().describe("The app's id of the message: a message that is sent twice is stored once"),
    occurredAt: Moment.optional().describe("When it was said; now when absent"),
  })
  .meta({ id: "MessageInput", ...REQUIRES_CONTENT })
  .transform(readMessage(MAX_MESSAGE_CHARACTERS));

const EpisodeFields = {
  messages: z.array(MessageInput).min(1).max(MAX_MESSAGES),
  occurredAt: Moment.optional(),
};

export const EpisodeInput = z.strictObject(EpisodeFields).meta({ id: "EpisodeInput" });

const Opening = {
  userId: UserId.optional(),
  projectId: ProjectId.optional().describe("The project in which the session opens, if this call creates it"),
};

/** One episode, or up to 100 in one batch; a missing session or user is created. */
export const AppendInput = z
  .union([
    z.strictObject({ ...Opening, ...EpisodeFields }).meta({ id: "AppendOne" }),
    z.strictObject({ ...Opening, episodes: z.array(EpisodeInput).min(1).max(MAX_EPISODES) }).meta({ id: "AppendMany" }),
  ])
  .meta({ id: "AppendInput" });

const Indexed = z
  .object({ text: z.boolean(), vector: z.boolean().describe("Whether the vectors of the model in use are stored") })
  .meta({ id: "Indexed" });

export const ForgotView = z
  .object({
    id: z.string().describe("By which it can be undone: POST /v1/forgettings/{id}/undo"),
    memories: z.number().int(),
    facts: z.number().int().describe("Values of lists that the same words stated"),
    passages: z.number().int().describe("How many stretches of words were hidden"),
    undoUntil: z.iso.datetime().describe("When what was forgotten is deleted for good"),
  })
  .meta({ id: "Forgot", description: "What was forgotten because a message asked for it: counts and times, never the words" });

export const AppendedView = z
  .object({
    id: z.string(),
    created: z.boolean().describe("false when every message was already stored: then this is the episode that holds the first"),
    messages: z.array(z.object({ index: z.number().int(), messageId: ExternalId.nullable() })),
    skippedMessageIds: z.array(ExternalId).describe("Messages that were stored before and are not stored again"),
    forgot: z.array(ForgotView).describe("What its messages explicitly asked to be forgotten, and is hidden now"),
    redacted: z.array(z.string()).describe("Kinds of secrets that were found, each of which is stored as [redacted:kind] only"),
    occurredAt: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    indexed: Indexed,
  })
  .meta({ id: "AppendedEpisode" });

export const AppendedManyView = z.object({ items: z.array(AppendedView) }).meta({ id: "AppendedEpisodes" });

export const EpisodeView = z
  .object({
    id: z.string(),
    sessionId: ExternalId,
    messages: z.array(
      z.object({
        index: z.number().int(),
        role: z.enum(["user", "assistant", "system", "tool"]),
        userId: ExternalId.nullable().describe("The user who said it, by the app's id, where that was named"),
        speaker: z.string().nullable().describe("A name to show, which identifies nobody"),
        content: z.string(),
        messageId: ExternalId.nullable(),
        occurredAt: z.iso.datetime(),
      }),
    ),
    occurredAt: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    indexed: Indexed,
  })
  .meta({ id: "Episode" });

/** Where a reader of one session is: in the session itself or, as a member, in its project. */
export const PlaceInput = z.strictObject({
  userId: UserId.optional(),
  projectId: ProjectId.optional().describe("Read as a member of this project, without taking part in the session"),
});

const cursor = Cursor.optional();
const limit = wholeNumber({ min: 1, max: 100 }).default(20);

export const HistoryInput = PlaceInput.extend({ cursor, limit, order: z.enum(["asc", "desc"]).default("asc") });
export const SessionListInput = z.strictObject({
  userId: UserId.optional(),
  projectId: ProjectId.optional().describe("Only this project's sessions"),
  cursor,
  limit,
});
export const ProjectListInput = z.strictObject({ userId: UserId.optional(), cursor, limit });

export type ProjectInput = z.infer<typeof ProjectInput>;
export type ProjectView = z.infer<typeof ProjectView>;
export type SessionInput = z.infer<typeof SessionInput>;
export type SessionView = z.infer<typeof SessionView>;
export type EpisodeInput = z.infer<typeof EpisodeInput>;
export type AppendInput = z.infer<typeof AppendInput>;
export type ForgotView = z.infer<typeof ForgotView>;
export type AppendedView = z.infer<typeof AppendedView>;
export type EpisodeView = z.infer<typeof EpisodeView>;
export type PlaceInput = z.infer<typeof PlaceInput>;
export type HistoryInput = z.infer<typeof HistoryInput>;
export type SessionListInput = z.infer<typeof SessionListInput>;
export type ProjectListInput = z.infer<typeof ProjectListInput>;
