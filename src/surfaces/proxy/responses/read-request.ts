import { z } from "@hono/zod-openapi";
import { isRecord } from "#core/is-record";
import { type ChatTurn, type Insertion, placeBlock } from "#domain/injection";
import { changeText, changeTurns } from "#surfaces/proxy/change-turns";
import { type ModelRequest, wantsPlainText } from "#surfaces/proxy/model-request";
import { passedOn, placeFields } from "#surfaces/proxy/place";
import { type Edit, setMember } from "#surfaces/proxy/to-upstream";
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
    instructions: passedOn("string", "Memory is put at their end"),
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
    insertBlock: (insertion) => insertBlock(body, insertion),
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
 * Memory stands at the end of `instructions`, which the model server does not keep for the next request, or of the first system item, if
 * the client has its instructions there. It is an item of its own if a stored prompt has instructions.
 */
function insertBlock({ instructions, prompt, input }: ResponseBody, insertion: Insertion): Edit[] {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : (input ?? []);
  const turns = items.map(({ role = "", content }): ChatTurn => ({ role, content }));
  const own = typeof instructions === "string" ? instructions : "";
  const changes = placeBlock(turns, insertion, own);
  const [change] = changes;
  if (insertion.takesSystemRole && change?.kind !== "prepend") {
    const isEmpty = (instructions ?? "") === "";
    const goesThere = own !== "" || (change?.kind === "insert" && isEmpty && prompt == null);
    if (goesThere)
      return [
        { name: "instructions", write: (json) => changeText(json, { kind: "append", at: 0, text: insertion.block }, TYPE) },
      ];
  }
  const isText = typeof input === "string" && changes.length === 1 && change?.kind === "prepend";
  const write = (json: string | null) => (isText ? changeText(json, change, TYPE) : changeTurns(asList(json), changes, TYPE));
  return [{ name: "input", write }, ...(insertion.takesSystemRole || own === "" ? [] : [setMember("instructions", null)])];
}

const TYPE = "input_text";

/** The items of an input, which may be a text. */
function asList(json: string | null): string {
  if (json === null) return "[]";
  return json.startsWith("[") ? json : `[{"role":"user","content":${json}}]`;
}
