import { z } from "zod";
import { breaksRule } from "#core/errors";
import { Moment } from "#core/fields";
import { mayRead } from "#core/permission";
import { ForgetMatchingInput, forgetMatching, forgetMemory, previewForgetting } from "#domain/forgetting";
import { MemoryDraftInput, type MemoryView, RememberInput, ReviseInput, remember, revise } from "#domain/memories";
import { inputOf, type McpRequest, present, tool } from "./tool.ts";

const WRITES = { readOnlyHint: false, openWorldHint: false };

/** `status` is stored content: a key without the permission to read does not get it. */
const Written = z.object({ id: z.string(), status: z.string().optional() });

function written({ ctx }: McpRequest, { id, status }: MemoryView): z.infer<typeof Written> {
  return { id, ...(mayRead(ctx.actor) ? { status } : {}) };
}

const WAITS = " It waits for review, and is not found until it is approved.";

const rememberTool = tool({
  description:
    "Store one lasting statement: a preference, a fact about the user, a decision, whatever they ask to be remembered. Not for small talk, guesses or secrets. To correct a memory use update.",
  annotations: { title: "Remember", ...WRITES, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    content: MemoryDraftInput.shape.content.describe("Clear without the conversation, in the user's language"),
    type: MemoryDraftInput.shape.type.describe("context, event, task and observation expire"),
    key: MemoryDraftInput.shape.key.describe("Stable name such as identity:home; its new value replaces the old"),
    subjects: MemoryDraftInput.shape.subjects.describe("People (per_…) whom it is about"),
    expiresAt: Moment.optional().describe("By type when absent"),
    forGroup: z.boolean().default(false).describe("Everybody in this group session sees it"),
  }),
  output: Written.extend({ created: z.boolean() }),
  run: async (request, { forGroup, ...memory }) => {
    const { userId, workspaceId, sessionId } = request.place();
    const home = forGroup ? { sessionId: groupOf(sessionId) } : {};
    const [stored] = await remember(request.ctx, inputOf(RememberInput, { ...memory, ...home, userId, workspaceId }));
    if (stored === undefined) throw new Error("A memory was stored, and none returned.");
    const { id, created } = stored;
    const shown = written(request, stored);
    const outcome = created ? `Remembered: ${id}.` : `Remembered in ${id}, which existed already.`;
    return { structured: { ...shown, created }, text: `${outcome}${shown.status === "pending" ? WAITS : ""}` };
  },
});

function groupOf(sessionId: string | undefined): string {
  if (sessionId !== undefined) return sessionId;
  throw breaksRule("forGroup", "There is no group here: the client names its session with the header x-edgewise-session.");
}

const updateTool = tool({
  description: "Correct a memory that search or fetch returned. Named fields change; the old version is kept.",
  annotations: { title: "Update a memory", ...WRITES, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    id: z.string().min(1).max(80).describe("mem_…"),
    content: ReviseInput.shape.content,
    key: MemoryDraftInput.shape.key.describe("Stable name"),
    expiresAt: Moment.optional(),
  }),
  output: Written,
  run: async (request, { id: memoryId, ...change }) => {
    const { userId, sessionId, workspaceId } = request.place();
    const named = { memoryId, versions: null, place: { userId, sessionId, workspaceId, sessionMayBeNew: true } };
    const structured = written(request, await revise(request.ctx, named, inputOf(ReviseInput, change)));
    const waits = structured.status === "pending" ? WAITS : "";
    return { structured, text: `Updated: ${memoryId}.${waits}` };
  },
});

const forgetTool = tool({
  description:
    "Forget what the user wants gone, and the words that it was learned from: one memory by id, at once; or their own by types and age, 20 a call, which is a dry run to show the user, unless dryRun is false.",
  annotations: { title: "Forget", ...WRITES, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({
    id: z.string().min(1).max(80).optional().describe("mem_…"),
    types: ForgetMatchingInput.shape.types,
    olderThanDays: ForgetMatchingInput.shape.olderThanDays.describe("0: any age"),
    dryRun: z.boolean().optional().describe("true: lists only"),
  }),
  output: z.object({
    dryRun: z.boolean(),
    matched: z.number(),
    forgotten: z.number(),
    memories: z.array(z.object({ id: z.string(), type: z.string(), content: z.string() })).optional(),
    undoUntil: z.string().optional(),
  }),
  run: async (request, { id, types, olderThanDays, dryRun }) => {
    const structured =
      id === undefined
        ? await forgetMany(request, { types, olderThanDays, dryRun })
        : await forgetOne(request, { id, hasFilter: types !== undefined || olderThanDays !== undefined, dryRun });
    return { structured, text: saying(structured) };
  },
});

type Forgotten = { dryRun: boolean; matched: number; forgotten: number; memories?: Listed[]; undoUntil?: string };
type Listed = Pick<MemoryView, "id" | "type" | "content">;

async function forgetOne(
  { ctx, place }: McpRequest,
  { id, hasFilter, dryRun = false }: { id: string; hasFilter: boolean; dryRun: boolean | undefined },
): Promise<Forgotten> {
  if (hasFilter) throw breaksRule("id", "Name the id alone, or types and olderThanDays without it.");
  const { userId, sessionId, projectId, workspaceId } = place();
  if (dryRun) {
    const memory = await previewForgetting(ctx, id, { userId, sessionId, projectId, workspaceId });
    return { dryRun, matched: 1, forgotten: 0, memories: [listed(memory)] };
  }
  const from = { userId, sessionId, workspaceId, sessionMayBeNew: true };
  const { memories, undoUntil } = await forgetMemory(ctx, id, { ...from, keepSource: "false" });
  // How many memories the same words told is stored content.
  return { dryRun, matched: 1, forgotten: mayRead(ctx.actor) ? memories : 1, undoUntil };
}

type Filter = { types: MemoryView["type"][] | undefined; olderThanDays: number | undefined; dryRun: boolean | undefined };

async function forgetMany({ ctx, place }: McpRequest, filter: Filter): Promise<Forgotten> {
  const { memories, undoUntil, ...counts } = await forgetMatching(ctx, inputOf(ForgetMatchingInput, { ...filter, ...place() }));
  return { ...counts, memories: memories.map(listed), ...present({ undoUntil }) };
}

function listed({ id, type, content }: MemoryView): Listed {
  return { id, type, content };
}

function saying({ dryRun, matched, forgotten, memories = [], undoUntil }: Forgotten): string {
  const lines = memories.map(({ id, type, content }) => `${id} (${type}) ${content}`);
  if (!dryRun) return `Forgotten: ${forgotten}.${undoUntil === undefined ? "" : ` It can be undone until ${undoUntil}.`}`;
  return [`Dry run, nothing was forgotten. ${matched} match, the newest ${memories.length}:`, ...lines].join("\n");
}

export const WRITE_TOOLS = { remember: rememberTool, update: updateTool, forget: forgetTool };
