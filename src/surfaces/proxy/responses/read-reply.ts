import { isRecord } from "#core/is-record";
import type { ReplyFormat } from "#surfaces/proxy/reply-reader";

/** The texts of the assistant's messages, each on lines of its own. */
export const RESPONSE_REPLY: ReplyFormat = {
  textOf,
  createEventReader() {
    let lastItem: unknown;
    return (event, soFar) => {
      if (!isRecord(event)) return "";
      const { type, delta, output_index: item, response } = event;
      if (DELTAS.includes(type) && typeof delta === "string") {
        const isNext = soFar !== "" && item !== lastItem;
        lastItem = item;
        return isNext ? `\n${delta}` : delta;
      }
      // Some servers send no deltas.
      return soFar === "" && ENDS.includes(type) ? textOf(response) : "";
    };
  },
};

/** What a spoken reply says comes as its transcript. */
const DELTAS: readonly unknown[] = [
  "response.output_text.delta",
  "response.audio.transcript.delta",
  "response.output_audio_transcript.delta",
];
const ENDS: readonly unknown[] = ["response.completed", "response.incomplete", "response.failed"];

function textOf(reply: unknown): string {
  if (!isRecord(reply) || !Array.isArray(reply.output)) return "";
  const messages = reply.output.filter(isRecord).filter(({ type, role }) => type === "message" && role === "assistant");
  return messages
    .map(({ content }) => textIn(content))
    .filter((text) => text !== "")
    .join("\n");
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const texts = content.filter(isRecord).map(({ type, text, transcript }) => {
    if (type === "output_text") return text;
    return type === "output_audio" ? transcript : "";
  });
  return texts.filter((text) => typeof text === "string").join("");
}
