import { z } from "@hono/zod-openapi";
import { isRecord } from "#core/is-record";
import { placeBlock } from "#domain/injection";
import { changeTurns } from "#surfaces/proxy/change-turns";
import { isFree, type ModelRequest, wantsPlainText } from "#surfaces/proxy/model-request";
import { passedOn, placeFields } from "#surfaces/proxy/place";
import { COMPLETION_REPLY } from "./read-reply.ts";
import { toCompletion, toEvents } from "./write-completion.ts";

const Turn = z
  .looseObject({ role: z.string().min(1).max(40), content: z.unknown().optional() })
  .meta({ id: "ChatMessage", description: "As OpenAI's chat completions know it" });

export const CompletionBody = z
  .looseObject({
    messages: z.array(Turn).min(1),
    model: passedOn("string", "The model server's name for a model, or the tenant's own"),
    stream: passedOn("boolean", "As server-sent events"),
    n: passedOn("integer", "How many choices"),
    ...placeFields,
  })
  .meta({
    id: "ChatCompletionInput",
    description: "OpenAI's chat completion; every field is passed to the tenant's model server unchanged",
  });

export type CompletionBody = z.infer<typeof CompletionBody>;

export function readCompletion(body: CompletionBody): ModelRequest {
  return {
    path: "/chat/completions",
    body,
    messages: body.messages,
    continues: "",
    takesPlainAnswer: takesPlainAnswer(body),
    insertBlock: (insertion) => {
      const changes = placeBlock(body.messages, insertion);
      return [{ name: "messages", write: (json) => changeTurns(json ?? "[]", changes, "text") }];
    },
    reply: COMPLETION_REPLY,
    writeAnswer: ({ requestId, created, text }) => {
      const answer = { id: `chatcmpl-${requestId}`, created, model: String(body.model), text, n: choicesOf(body) ?? 1 };
      return body.stream === true ? { events: toEvents(answer, wantsUsage(body)) } : { whole: toCompletion(answer) };
    },
  };
}

/**
 * Whether plain text may answer: the request asks for no JSON, no tool call and no audio, and contains nothing that the model server would
 * refuse.
 */
export function takesPlainAnswer(body: CompletionBody): boolean {
  const { response_format: format, function_call: call, modalities } = body;
  const wantsAudio = Array.isArray(modalities) && modalities.includes("audio");
  return wantsPlainText(body, format) && isFree(call) && !wantsAudio && choicesOf(body) !== null;
}

const MAX_CHOICES = 128;

/** How many choices the request asks for; null for an invalid number. */
export function choicesOf({ n }: CompletionBody): number | null {
  if (n == null) return 1;
  return typeof n === "number" && Number.isInteger(n) && n >= 1 && n <= MAX_CHOICES ? n : null;
}

export function wantsUsage(body: CompletionBody): boolean {
  return isRecord(body.stream_options) && body.stream_options.include_usage === true;
}
