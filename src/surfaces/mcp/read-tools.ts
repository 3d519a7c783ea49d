import { z } from "zod";
import { Moment } from "#core/fields";
import { isPublicId } from "#core/ids";
import { AnswerInput, answerQuestion } from "#domain/facts";
import { answerContext, ContextInput } from "#domain/injection";
import { getMemory } from "#domain/memories";
import { listPeople, PersonListInput, PersonName } from "#domain/people";
import { getChunk, SearchInput, search } from "#domain/retrieval";
import { getEpisodeFrom } from "#domain/sessions";
import { chunkDocument, type Document, episodeDocument, memoryDocument, toResult } from "./shown.ts";
import { inputOf, present, tool } from "./tool.ts";

/** `idempotentHint` has a meaning only for tools that change something. */
const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

/** The content is the JSON of the result, because ChatGPT's connectors read it from there. */
const searchTool = tool({
  description:
    "Find memories, past messages of the user, and passages of documents. Use it for one thing that was said before, and again with other words if nothing fits; not for what is in this conversation.",
  annotations: { title: "Search memory", ...READS },
  input: z.strictObject({
    query: SearchInput.shape.query.describe("A question or words; empty: the newest"),
    types: SearchInput.shape.types.describe("Memories of these types only"),
    about: SearchInput.shape.about.describe("Memories about these people (per_…) only"),
    from: Moment.optional().describe("Said at or after"),
    to: Moment.optional().describe("Said before"),
    limit: SearchInput.shape.limit,
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        url: z.string(),
        text: z.string(),
        kind: z.string(),
        type: z.string().optional(),
        speaker: z.string().optional(),
        path: z.string().optional(),
        page: z.number().optional(),
        occurredAt: z.string(),
        older: z.boolean().optional().describe("A newer statement has replaced a part of what it says"),
      }),
    ),
  }),
  run: async ({ ctx, place, origin }, input) => {
    // As in a context: a private reader sees the groups that they take part in.
    const { hits } = await search(ctx, inputOf(SearchInput, { ...input, ...place(), includeGroups: true }));
    const structured = { results: hits.map((hit) => toResult(hit, origin)) };
    return { structured, text: JSON.stringify(structured) };
  },
});

const fetchTool = tool({
  description: "Read a result of search or context in full, by its id.",
  annotations: { title: "Read from memory", ...READS },
  input: z.strictObject({ id: z.string().min(1).max(80).describe("mem_…, epi_… or chk_…") }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.unknown()),
  }),
  run: async ({ ctx, place, origin }, { id }) => {
    const read = async (): Promise<Document> => {
      if (isPublicId("episode", id)) return episodeDocument(await getEpisodeFrom(ctx, id, place()), origin);
      if (isPublicId("chunk", id)) return chunkDocument(await getChunk(ctx, id, place()), origin);
      return memoryDocument(await getMemory(ctx, id, { ...place(), sessionMayBeNew: true }), origin);
    };
    const structured = await read();
    return { structured, text: JSON.stringify(structured) };
  },
});

const contextTool = tool({
  description:
    "Get what is worth knowing before a reply, as one block: who the user is, and what the message calls for. Use it when a conversation or topic begins; to look for one thing use search.",
  annotations: { title: "Get context", ...READS },
  input: z.strictObject({
    query: z.string().max(20_000).describe("The user's message"),
    maxTokens: ContextInput.shape.maxTokens.describe("Budget of the block"),
  }),
  output: z.object({
    block: z.string(),
    answer: z.string().optional(),
    items: z.array(z.object({ citation: z.string(), id: z.string(), kind: z.string() })),
  }),
  run: async ({ ctx, place }, input) => {
    const { block, answer, items } = await answerContext(ctx, inputOf(ContextInput, { ...input, ...place() }));
    const structured = {
      block,
      ...present({ answer: answer?.text }),
      items: items.map(({ citation, id, kind }) => ({ citation, id, kind })),
    };
    const text = [block, structured.answer].filter((part) => part !== undefined && part !== "").join("\n");
    return { structured, text: text === "" ? "Nothing is known about this." : text };
  },
});

const answerTool = tool({
  description:
    "Answer a question about a list that the user stated (“what is second on my packing list?”), exactly as stored. If routed is false, use search.",
  annotations: { title: "Answer from lists", ...READS },
  input: z.strictObject({ question: AnswerInput.shape.question }),
  output: z.object({
    routed: z.boolean(),
    found: z.boolean(),
    text: z.string().optional(),
  }),
  run: async ({ ctx, place }, { question }) => {
    const { userId, sessionId, projectId } = place();
    const { routed, found, text } = await answerQuestion(ctx, { question, userId, sessionId, projectId });
    return { structured: { routed, found, ...present({ text }) }, text: text ?? "Not a question about a list. Use search." };
  },
});

const peopleTool = tool({
  description: "List people whom the user knows, or find one by name, for the ids that about and subjects take.",
  annotations: { title: "List people", ...READS },
  input: z.strictObject({
    name: PersonName.optional().describe("A name or alias"),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({
    people: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        aliases: z.array(z.string()),
        relationship: z.string().optional(),
        notes: z.string().optional(),
      }),
    ),
  }),
  run: async ({ ctx, place }, input) => {
    const { items } = await listPeople(ctx, inputOf(PersonListInput, { ...input, userId: place().userId }));
    const people = items.map(({ id, name, aliases, relationship, notes }) => ({
      ...{ id, name, aliases },
      ...present({ relationship, notes }),
    }));
    const lines = items.map(({ id, name, relationship }) => `${id} ${name}${relationship === null ? "" : `, ${relationship}`}`);
    return { structured: { people }, text: lines.length === 0 ? "Nobody was found." : lines.join("\n") };
  },
});

export const READ_TOOLS = { search: searchTool, fetch: fetchTool, context: contextTool, answer: answerTool, people: peopleTool };
