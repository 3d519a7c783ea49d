import { isRecord } from "#core/is-record";
import type { ReplyFormat } from "#surfaces/proxy/reply-reader";

/** The text of the first choice. */
export const COMPLETION_REPLY: ReplyFormat = {
  textOf: (reply) => contentIn(firstChoice(reply)?.message),
  createEventReader: () => (event) => contentIn(firstChoice(event)?.delta),
};

function firstChoice(reply: unknown): Record<string, unknown> | undefined {
  if (!isRecord(reply) || !Array.isArray(reply.choices)) return undefined;
  return reply.choices.filter(isRecord).find(({ index }) => index === 0 || index === undefined);
}

/** Some servers send the text as parts. A spoken reply has it as the transcript. */
function contentIn(message: unknown): string {
  if (!isRecord(message)) return "";
  const { content, audio } = message;
  if (typeof content === "string" && content !== "") return content;
  if (!Array.isArray(content)) return isRecord(audio) && typeof audio.transcript === "string" ? audio.transcript : "";
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}
