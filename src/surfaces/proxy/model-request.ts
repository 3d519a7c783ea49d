import { isRecord } from "#core/is-record";
import type { ChatTurn, Insertion } from "#domain/injection";
import type { PlaceFields } from "./place.ts";
import type { ReplyFormat } from "./reply-reader.ts";
import type { Edit } from "./to-upstream.ts";

/** A request for the next reply of a conversation, by one of OpenAI's APIs, as far as it is read and changed here. */
export type ModelRequest = {
  /** Below the model server's base. */
  path: "/chat/completions" | "/responses";
  body: PlaceFields & { model?: unknown; stream?: unknown };
  messages: readonly ChatTurn[];
  /** The id of the conversation's earlier part, if the model server keeps it; "" if `messages` is all of it. */
  continues: string;
  /** Whether facts may answer instead of a model: see `wantsPlainText`. */
  takesPlainAnswer: boolean;
  /** The changes of the body that put memory into the conversation. */
  insertBlock: (insertion: Insertion) => Edit[];
  reply: ReplyFormat;
  /** An answer from facts in the form of a model's; with `stream`, as server-sent events. */
  writeAnswer: (answer: Answer) => { whole: object } | { events: string };
};

/** An answer from facts. */
export type Answer = {
  requestId: string;
  /** Unix seconds. */
  created: number;
  text: string;
};

/** Fields of several model servers that request something other than plain text. */
const FORMS = [
  "format",
  "grammar",
  "json_schema",
  "guided_json",
  "guided_regex",
  "guided_choice",
  "guided_grammar",
  "structured_outputs",
];

/** Whether plain text may answer: no JSON, grammar or tool call is requested, and the model and `stream` have a valid type. */
export function wantsPlainText(body: Record<string, unknown>, format: unknown): boolean {
  const wantsText = format == null || (isRecord(format) && format.type === "text");
  const hasForm = FORMS.some((name) => body[name] != null && body[name] !== "");
  const isSound = typeof body.model === "string" && body.model !== "" && isFlag(body.stream);
  return wantsText && !hasForm && isFree(body.tool_choice) && isSound;
}

/** Whether the model may answer without a tool. */
export function isFree(choice: unknown): boolean {
  return choice == null || choice === "auto" || choice === "none";
}

function isFlag(value: unknown): boolean {
  return value == null || typeof value === "boolean";
}
