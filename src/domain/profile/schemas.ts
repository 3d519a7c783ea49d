import { z } from "zod";
import { ExternalId, queryFlag } from "#core/fields";
import { MEMORY_TYPES } from "#domain/memories";
import { SECTIONS } from "./choose-profile.ts";

/** The viewer's place, as in a query. */
export const ProfileInput = z.strictObject({
  sessionId: ExternalId.optional().describe("The session in which the answer will be read; it decides what may be shown"),
  projectId: ExternalId.optional().describe("The user's project, where there is no session yet"),
  workspaceId: ExternalId.optional().describe("The workspace of the query; without it, only memories that have none"),
  prose: queryFlag()
    .default(false)
    .describe(
      "Waits until the chat model has written the prose, if there is none yet; without it, the prose is written for the next call",
    ),
});

const moment = z.iso.datetime();

const ReplacedView = z.object({
  content: z.string(),
  from: moment.nullable().describe("Since when it held, if that is known"),
  to: moment.nullable().describe("Until when"),
});

const ProfileEntryView = z
  .object({
    id: z.string().describe("The memory: changing or deleting it changes the profile"),
    section: z.enum(SECTIONS).describe("wishes: how the user wants to be answered; current: goals, and what is going on"),
    type: z.enum(MEMORY_TYPES),
    key: z.string().nullable(),
    content: z.string(),
    since: moment.describe("When it was said, or since when it holds"),
    sinceDay: z.iso.date().describe("The day of that where it was said, else in the user's zone"),
    source: z
      .object({ sessionId: ExternalId, episodeId: z.string().nullable() })
      .nullable()
      .describe("Where it was said, if the user may enter; null also for what the app stored itself"),
    statedBy: z.string().nullable().describe("The name of who said it, if that may be shown"),
    seen: z.number().int().describe("How often it was said"),
    older: z
      .object({ by: z.string() })
      .nullable()
      .describe("Of an entry that says more than one thing: the memory that gives a newer value of a part of it"),
    replaced: z.array(ReplacedView).describe("What held before, the latest first"),
  })
  .meta({ id: "ProfileEntry" });

export const ProfileView = z
  .object({
    entries: z.array(ProfileEntryView).describe("By section, what is worth most first"),
    prose: z
      .string()
      .nullable()
      .describe(
        "The same in sentences, written by the chat model; null without one, while memory is off, and until it is written",
      ),
    tokens: z.object({ used: z.number().int(), estimated: z.literal(true) }).describe("Of the contents of all entries"),
  })
  .meta({ id: "Profile" });

export type ProfileInput = z.infer<typeof ProfileInput>;
export type ProfileView = z.infer<typeof ProfileView>;
export type ProfileEntryView = z.infer<typeof ProfileEntryView>;
