import { z } from "zod";
import { ExternalId, exactlyOneOf, Moment, UserId } from "#core/fields";
import { MessageContent, OPENAI_FIELDS, saysAnything } from "#core/message-content";
import { AnswerView } from "#domain/facts";
import { DocumentView, OlderView, SearchView, Strategy } from "#domain/retrieval";

const MAX_QUERY_CHARACTERS = 20_000;
const MAX_MESSAGES = 2_000;
const KINDS = ["memory", "episode", "entity", "chunk"] as const;

/** Fields that no model server knows are taken out: the messages are read, and not passed on. */
const Message = z
  .object({
    role: z.string().max(40).describe("user, assistant, system, tool, …"),
    content: MessageContent.optional().describe(
      "A text, or parts of which those with a text count. Only an assistant's message that calls tools may lack it",
    ),
    ...OPENAI_FIELDS,
  })
  .refine(saysAnything, {
    path: ["content"],
    error: "A message needs `content`: a text, or a list of parts.",
  })
  .meta({ id: "ContextMessage", description: "A message as chat completions know it; other fields are ignored" });

export const ContextInput = z
  .strictObject({
    query: z.string().max(MAX_QUERY_CHARACTERS).optional().describe("What to search for; an empty query returns recent items"),
    messages: z
      .array(Message)
      .min(1)
      .max(MAX_MESSAGES)
      .optional()
      .describe(
        "The conversation so far, instead of a query: its last user message is the query, and items that repeat the conversation are left out",
      ),
    userId: UserId.optional(),
    sessionId: ExternalId.optional().describe(
      "The session in which the answer will be read; it decides what may be shown. One that is not stored yet is a new private one",
    ),
    projectId: ExternalId.optional().describe("The viewer's project, where there is no session yet"),
    workspaceId: ExternalId.optional().describe("The workspace of the query; without it, only memories that have none"),
    scopeType: z.string().min(1).max(40).optional().describe("global: memories of that scope or none; any other: exactly that"),
    scopeId: ExternalId.optional(),
    includeGroups: z
      .boolean()
      .default(true)
      .describe(
        "In private and outside projects: also what was said in the groups that the user takes part in; false leaves it out",
      ),
    kinds: z
      .array(z.enum(KINDS))
      .min(1)
      .optional()
      .describe(
        "All when absent; entities there are in projects only, and chunk (passages of documents) in a project or, outside projects, of the tenant's library",
      ),
    profile: z
      .boolean()
      .default(true)
      .describe(
        "Whether what is always worth knowing of the user is in the block, in a fifth of the budget; not for a time in the past",
      ),
    strategy: Strategy.optional().describe("The tenant's setting when absent"),
    maxTokens: z
      .number()
      .int()
      .min(1)
      .max(16_000)
      .optional()
      .describe(
        "The budget of the whole block, in estimated tokens; one item is always taken. The tenant's setting when absent; a setting of 0 means no block",
      ),
    limit: z.number().int().min(1).max(100).default(20).describe("Items at most, of what is recalled and of the profile"),
    asOf: Moment.optional().describe("What was valid, and what had been said, at that time"),
    explain: z.boolean().default(false),
  })
  .refine(({ query, messages }) => (query === undefined) !== (messages === undefined), {
    path: ["query"],
    message: "Either a query or messages.",
  })
  .meta({ id: "ContextInput", ...exactlyOneOf("query", "messages") });

const ItemView = z
  .object({
    citation: z.string().describe("The label of its line in the block, by which the model is asked to cite it"),
    kind: z.enum(KINDS),
    part: z.enum(["recalled", "profile"]).describe("recalled for this question, or always worth knowing of the user"),
    id: z.string().describe("The memory, the episode, the entity, or the passage of a document"),
    content: z.string(),
    document: z
      .union([DocumentView.extend({ start: z.number().int(), end: z.number().int() }).meta({ id: "ContextDocument" }), z.null()])
      .describe("Of a passage of a document: where it stands; its offsets in the text of the file, in UTF-16 code units"),
    occurredAt: z.iso.datetime().describe("When it was said, since when it holds, or when the document changed last"),
    role: z.string().nullable().describe("Of an episode: the role of the message"),
    speaker: z.string().nullable().describe("Who said it, if that may be shown"),
    sessionId: ExternalId.nullable().describe("Where it was said, if the viewer may enter"),
    score: z.number(),
    older: OlderView,
    explain: z
      .object({
        channels: z.record(z.string(), z.object({ rank: z.number().int(), score: z.number() }).optional()),
        factors: z.array(z.object({ name: z.string(), value: z.number() })),
        visibleBy: z.string().describe("The rule that made it visible to the viewer"),
      })
      .optional(),
  })
  .meta({ id: "ContextItem" });

const ConsideredItem = z
  .object({
    kind: z.enum(KINDS),
    id: z.string(),
    text: z.string(),
    type: z.string().nullable(),
    occurredAt: z.iso.datetime(),
    episodeId: z.string().nullable(),
    isInstruction: z.boolean(),
    isOfOther: z.boolean().describe("Whether it is a message that names somebody else than the user as its speaker"),
    behind: z.string().nullable().describe("The memory with the current value of what it says, which stands before it"),
    likeness: z.number().nullable().describe("The cosine of its vector and the question's; null where it is not known"),
    limits: z
      .enum(["answers", "advice"])
      .nullable()
      .describe("Of the profile: what may be wrong without it, so that a small budget shows it too"),
    view: z.object({ role: z.string().nullable(), score: z.number(), sessionId: ExternalId.nullable() }),
  })
  .meta({ id: "ConsideredItem", description: "What the order of an item depends on" });

const [channel, reason] = [z.enum(["text", "semantic", "recent", "entities"]), z.enum(["failed", "timeout", "misconfigured"])];

export const ContextView = z
  .object({
    block: z
      .string()
      .describe(
        "What to put at the end of the first system message, or before the conversation as one; empty when nothing is known",
      ),
    items: z.array(ItemView).describe("In the order of the block"),
    answer: AnswerView.nullable().describe(
      "What POST /v1/answer says to the question, if it is one about facts: then no model is needed. null if it is not",
    ),
    forgot: z
      .array(z.object({ id: z.string(), forgottenAt: z.iso.datetime() }))
      .describe("What the user asked to be forgotten in this session within a day: ids to undo it by, never the words"),
    tokens: z.object({ used: z.number().int(), budget: z.number().int(), estimated: z.literal(true) }),
    memory: z.enum(["on", "off"]).describe("off: memory is disabled in the tenant's settings, and nothing was searched"),
    degraded: z.array(z.object({ channel, reason })).describe("What was left out of this answer because it failed"),
    explain: z
      .object({
        query: z.string().describe("What was looked for"),
        search: SearchView.shape.explain,
        considered: z
          .object({
            found: z.array(ConsideredItem).describe("What the search found, best first"),
            latest: z.array(ConsideredItem).describe("The newest passages that it did not find"),
            profile: z.array(ConsideredItem),
            isShortTalk: z.boolean().describe("Whether these are all that was ever said"),
          })
          .describe("What the order of the block was chosen from"),
        leftOut: z
          .array(
            z.object({
              id: z.string(),
              why: z.enum(["budget", "limit", "repeated", "in_conversation", "says_nothing", "weaker", "replaced"]),
            }),
          )
          .describe("What was found and is not in the block"),
      })
      .optional(),
  })
  .meta({ id: "Context" });

export type ContextInput = z.infer<typeof ContextInput>;
export type ContextView = z.infer<typeof ContextView>;
export type ConsideredItem = z.infer<typeof ConsideredItem>;
export type ItemView = z.infer<typeof ItemView>;
