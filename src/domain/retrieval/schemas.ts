import { z } from "zod";
import { ExternalId, Moment, SPAN, UserId } from "#core/fields";
import { MEMORY_CLASSES, MEMORY_TYPES, MemoryView } from "#domain/memories";

const MAX_QUERY_CHARACTERS = 20_000;

export const Strategy = z
  .enum(["hybrid", "text", "semantic", "recent", "exact"])
  .describe("hybrid: every channel, fused; text: words; semantic: vectors; recent (also called exact): by time");

export const SearchInput = z
  .strictObject({
    query: z.string().max(MAX_QUERY_CHARACTERS).describe("A question or some words; an empty one asks for what is recent"),
    userId: UserId.optional(),
    sessionId: ExternalId.optional().describe("The session in which the answer will be read; it decides what may be found"),
    projectId: ExternalId.optional().describe("The viewer's project, where there is no session yet"),
    includeGroups: z
      .boolean()
      .default(false)
      .describe("In private and outside projects: also the groups that the user takes part in"),
    kinds: z
      .array(z.enum(["episode", "memory", "chunk"]))
      .min(1)
      .optional()
      .describe(
        "All when absent; memories only when a filter of theirs is named. chunk: passages of documents, which `from`, `to` and what is recent leave out",
      ),
    types: z.array(z.enum(MEMORY_TYPES)).min(1).optional().describe("Only memories of these types"),
    classes: z.array(z.enum(MEMORY_CLASSES)).min(1).optional().describe("Only memories of these classes"),
    about: z
      .array(z.string().max(80))
      .min(1)
      .max(10)
      .optional()
      .describe("Only memories about one of these persons (per_…), from anybody"),
    workspaceId: ExternalId.optional().describe("The workspace of the query; without it, only memories that have none"),
    scopeType: z.string().min(1).max(40).optional().describe("global: memories of that scope or none; any other: exactly that"),
    scopeId: ExternalId.optional(),
    reach: z
      .enum(["session", "user", "tenant"])
      .default("tenant")
      .describe("Memories of the session; of the user too; or all that the viewer may see"),
    asOf: Moment.optional().describe(
      "What was valid, and what had been said, at that time; documents that have not changed since",
    ),
    strategy: Strategy.optional().describe("The tenant's setting when absent"),
    from: Moment.optional().describe("Only what was said at or after"),
    to: Moment.optional().describe("Only what was said before"),
    limit: z.number().int().min(1).max(100).default(10),
    maxTokens: z
      .number()
      .int()
      .min(1)
      .max(8000)
      .optional()
      .describe("Hits are taken in rank order while they fit; the first always is taken. The tenant's setting when absent"),
    adjust: z
      .boolean()
      .default(true)
      .describe("Adjusts scores by small factors for time, speaker and the like; `explain` names them"),
    cut: z
      .boolean()
      .default(false)
      .describe("Leaves out memories that the query probably does not need; the answer may be empty"),
    explain: z.boolean().default(false),
  })
  .refine(...SPAN)
  .meta({ id: "SearchInput" });

const Channel = z.enum(["text", "semantic", "recent"]);

export const DocumentView = z
  .object({
    sourceId: ExternalId,
    source: z.string().describe("Its name"),
    fileId: z.string(),
    path: z.string().describe("Within the source"),
    title: z.string().nullable(),
    page: z.number().int().nullable().describe("From 1; null for files without pages"),
    headings: z.array(z.string()).describe("Those above the passage, the outermost first"),
  })
  .meta({ id: "HitDocument" });

export const OlderView = z
  .object({ by: z.string().nullable().describe("The memory with the current value; null where that was forgotten") })
  .nullable()
  .describe("A newer statement has replaced all or a part of what it says; null for what is not known to be older");

export const HitView = z
  .object({
    id: z.string().describe("The episode, the memory, or the passage of a document (chk_…)"),
    kind: z.enum(["episode", "memory", "chunk"]),
    citation: z.string().describe("How a model may cite it: [M1] is the first hit"),
    content: z.string().describe("The passage that was found, or the memory"),
    older: OlderView,
    passage: z
      .object({ start: z.number().int(), end: z.number().int() })
      .describe("Where in the message's content, or in the text of the file, in UTF-16 code units"),
    message: z
      .object({
        index: z.number().int(),
        messageId: ExternalId.nullable(),
        role: z.string(),
        userId: ExternalId.nullable().describe("The user who said it, by the app's id, where that was named"),
        speaker: z.string().nullable().describe("A name to show: the message's label, else the name of that user"),
      })
      .nullable()
      .describe("Of an episode: the message that holds the passage"),
    memory: z.union([MemoryView, z.null()]).describe("Of a memory: all of it"),
    document: z.union([DocumentView, z.null()]).describe("Of a passage of a document: where it stands"),
    sessionId: ExternalId.nullable().describe(
      "An episode's session; for a memory, the session where it was learned, if the viewer may enter it",
    ),
    projectId: ExternalId.nullable().describe(
      "The project of the session or the document, if everybody who reads the answer belongs to it",
    ),
    occurredAt: z.iso.datetime().describe("Of a document: when it changed last"),
    score: z.number(),
    indexed: z.object({ text: z.boolean(), vector: z.boolean() }),
    explain: z
      .object({
        channels: z.record(Channel, z.object({ rank: z.number().int(), score: z.number() }).optional()),
        factors: z.array(z.object({ name: z.string(), value: z.number() })).describe("What the text score was multiplied by"),
        visibleBy: z.string().describe("The rule that made it visible to the viewer"),
        similar: z.number().int().describe("Near-duplicates of this hit that were left out"),
        tokens: z.number().int(),
      })
      .optional(),
  })
  .meta({ id: "Hit" });

export const SearchView = z
  .object({
    hits: z.array(HitView),
    strategy: z
      .enum(["hybrid", "text", "semantic", "recent"])
      .describe("recent also where semantic found nothing, unless `cut` was asked for"),
    degraded: z
      .array(z.object({ channel: Channel, reason: z.enum(["failed", "timeout", "misconfigured"]) }))
      .describe("Channels that were left out of this answer"),
    tokens: z.object({ used: z.number().int(), budget: z.number().int(), estimated: z.literal(true) }),
    explain: z
      .object({
        viewer: z
          .object({ pool: z.string(), rule: z.string() })
          .describe("What is visible from the viewer's place, and the rule that says so"),
        terms: z.array(z.object({ term: z.string(), found: z.number().int() })),
        queryEmbedding: z.enum(["cached", "computed", "unused"]),
        leftOut: z
          .array(
            z.object({
              id: z.string(),
              passage: z.object({ start: z.number().int(), end: z.number().int() }),
              message: z.object({ index: z.number().int() }).nullable(),
              why: z.enum(["replaced"]),
              by: z.string().nullable().describe("The memory with the current value; null where that was forgotten"),
            }),
          )
          .describe("Passages that were found and held back, because all that they say has been replaced"),
      })
      .optional(),
  })
  .meta({ id: "SearchAnswer" });

export type SearchInput = z.infer<typeof SearchInput>;
export type HitView = z.infer<typeof HitView>;
export type SearchView = z.infer<typeof SearchView>;
export type ChannelName = z.infer<typeof Channel>;
