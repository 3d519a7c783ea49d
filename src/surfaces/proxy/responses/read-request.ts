import { z } from "@hono/zod-openapi";
import { isRecord } from "#core/is-record";
import type { BlockTurn } from "#domain/injection";
import { type ModelRequest, wantsPlainText } from "#surfaces/proxy/model-request";
import { passedOn, placeFields } from "#surfaces/proxy/place";
import { type Edit, prepended } from "#surfaces/proxy/to-upstream";
import { turnsIn } from "./read-input.ts";
import { RESPONSE_REPLY } from "./read-reply.ts";
import { toEvents, toResponse } from "./write-response.ts";

const Item = z.looseObject({ type: z.string().max(100).nullish(), role: z.string().min(1).max(40).optional() }).meta({
  id: "ResponseItem",
  description: "A message, a tool call, its output, or anything else that OpenAI's Responses API takes",
});

export const ResponseBody = z
  .looseObject({
    input: z
      .union([z.string(), z.array(Item)])
      .optional()
      .describe("What the user says, or the items of the conversation"),
    instructions: passedOn("string", "Memory is put before them"),
    model: passedOn("string", "The model server's name for a model, or the tenant's own"),
    stream: passedOn("boolean", "As server-sent events"),
    store: passedOn("boolean", "Whether the model server keeps the response"),
    previous_response_id: passedOn("string", "A response that the model server keeps and this one follows; for server keys"),
    conversation: z.unknown().optional().describe("A conversation that the model server keeps; for server keys"),
    ...placeFields,
  })
  .meta({
    id: "ResponseInput",
    description: "A request to OpenAI's Responses API; every field is passed to the tenant's model server unchanged",
  });

export type ResponseBody = z.infer<typeof ResponseBody>;

export function readResponse(body: ResponseBody): ModelRequest {
  return {
    path: "/responses",
    body,
    messages: turnsIn(body),
    continues: earlierPart(body) ?? "",
    takesPlainAnswer: takesPlainAnswer(body),
    insertBlock: (block) => insertBlock(body, block),
    reply: RESPONSE_REPLY,
    writeAnswer: ({ requestId, created, text }) => {
      const answer = { id: requestId, created, model: String(body.model), text };
      return body.stream === true ? { events: toEvents(answer, body) } : { whole: toResponse(answer, body) };
    },
  };
}

/** The id of what the model server keeps of the conversation; undefined if the request has all of it. */
function earlierPart({ previous_response_id: previous, conversation }: ResponseBody): string | undefined {
  const id = isRecord(conversation) ? conversation.id : conversation;
  return [previous, id].find((name) => typeof name === "string");
}

/**
 * Whether plain text may answer. The model server does not know an answer of ours, so the next request could not refer to it: only a
 * request whose client keeps the conversation itself, with `store: false`, is answered.
 */
export function takesPlainAnswer(body: ResponseBody): boolean {
  const { text, store, background, prompt } = body;
  const isAlone = earlierPart(body) === undefined && store === false && prompt == null && (background ?? false) === false;
  const isPlain = text == null || isRecord(text);
  return isAlone && isPlain && wantsPlainText(body, isRecord(text) ? text.format : null);
}

/**
 * Memory stands in `instructions`, which the model server does not keep for the next request. It is the first item of the input if the
 * model takes no system messages, or if a stored prompt has instructions of its own.
 */
function insertBlock({ instructions, prompt }: ResponseBody, { role, content }: BlockTurn): Edit {
  const isText = instructions == null || typeof instructions === "string";
  if (role === "system" && isText && prompt == null)
    return {
      name: "instructions",
      write: (json) => {
        const isNone = json === null || json === "null";
        return isNone ? JSON.stringify(content) : `${JSON.stringify(`${content}\n\n`).slice(0, -1)}${json.slice(1)}`;
      },
    };
  return { name: "input", write: (json) => prepended(asList(json), { role, content }) };
}

/** The items of an input, which may be a text. */
function asList(json: string | null): string {
  if (json === null) return "[]";
  return json.startsWith("[") ? json : `[{"role":"user","content":${json}}]`;
}
