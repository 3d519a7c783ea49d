import { z } from "zod";
import { asRule, atLeastOneOf, HAS_TEXT } from "./fields.ts";
import { withoutReasoning } from "./text/reasoning.ts";

const MAX_PARTS = 1_000;
const MAX_LABEL_CHARACTERS = 200;
const NO_TEXT = "A message needs some text.";
const NO_CONTENT = "A message needs `content`: a text, or a list of parts with texts.";

const passedOver = (description: string) => z.unknown().optional().describe(description);

/**
 * The fields that OpenAI's chat completions have in a message beside `role` and `content`, so that a message can be sent as it came. A test
 * compares them with the types of the `openai` package.
 */
export const OPENAI_FIELDS = {
  name: z.string().nullish().describe("As OpenAI has it: of a user or an assistant, what `speaker` is if there is none"),
  refusal: passedOver("As OpenAI has it: what the message says if it has no content"),
  audio: passedOver("As OpenAI has it: its transcript is what the message says if it has no content"),
  annotations: passedOver("As OpenAI has it; not stored"),
  tool_calls: passedOver("As OpenAI has it; not stored"),
  tool_call_id: passedOver("As OpenAI has it; not stored"),
  function_call: passedOver("As OpenAI has it; not stored"),
};

/** What a message may consist of when it has no content. */
const INSTEAD_OF_CONTENT = ["refusal", "audio", "tool_calls", "function_call"] as const;

/**
 * A part of a message as OpenAI's chat completions write it. The texts are read; all else, such as images, is left out. The fields are
 * listed for types: an interface is not assignable to an object of any fields.
 */
const ContentPart = z.object({
  type: z.string().max(40),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.unknown().optional(),
  input_audio: z.unknown().optional(),
  file: z.unknown().optional(),
});

export const MessageContent = z.union([z.string(), z.array(ContentPart).max(MAX_PARTS), z.null()]);

const SpeakerLabel = z
  .string()
  .min(1)
  .max(MAX_LABEL_CHARACTERS)
  .describe(
    "A name to show, which identifies nobody: another participant's name from the app or id is refused. With a server key and without userId, a label other than one of the acting user's names means that the message counts as nobody's statement",
  );

/** OpenAI's newer and older names of roles, and ours for them. */
const ROLES = {
  user: "user",
  assistant: "assistant",
  system: "system",
  tool: "tool",
  developer: "system",
  function: "tool",
} as const;

/** The roles that are stored. */
export type StoredRole = (typeof ROLES)[keyof typeof ROLES];

/** The fields of a message that is stored, for an object that `readMessage` transforms. */
export function messageFields(maxCharacters: number) {
  return {
    role: z
      .enum(["user", "assistant", "system", "tool", "developer", "function"])
      .describe("developer is stored as system, and function as tool"),
    content: z
      .union([z.string().max(maxCharacters), z.array(ContentPart).max(MAX_PARTS), z.null()])
      .optional()
      .describe(
        "What it says: a text, or OpenAI's content parts, of which the texts are kept, each on lines of its own. A message that calls tools may have none",
      ),
    text: z
      .string()
      .max(maxCharacters)
      .optional()
      .meta({ deprecated: true, description: "Another name for `content`. Send one of them" }),
    speaker: SpeakerLabel.optional(),
    ...OPENAI_FIELDS,
  };
}

/** For `.meta()` of such an object: one of these is required. */
export const REQUIRES_CONTENT = atLeastOneOf("content", "text", ...INSTEAD_OF_CONTENT);

type OpenAiField = keyof typeof OPENAI_FIELDS;
type Written = { [K in OpenAiField]?: unknown } & {
  role: keyof typeof ROLES;
  content?: unknown;
  text?: string | undefined;
  speaker?: string | undefined;
};
type Dropped = "annotations" | "tool_calls" | "tool_call_id" | "function_call";
type Read<T extends Written> = Omit<Omit<T, Exclude<keyof Written, Dropped>>, Dropped> & {
  role: StoredRole;
  content: string;
  speaker?: string;
};

/**
 * For an object with `messageFields`: the message in the form that is stored, with `content` as one text, which may be empty. What a model
 * thought before its answer is no part of what it said.
 */
export function readMessage(maxCharacters: number) {
  return <T extends Written>(message: T, check: z.RefinementCtx): Read<T> => {
    const { role, content, text: alias, speaker, name, refusal, audio, ...rest } = message;
    const { annotations: _, tool_calls: __, tool_call_id: ___, function_call: ____, ...own } = rest;
    const refuse = (problem: { message: string; params?: object }) => {
      check.addIssue({ code: "custom", path: ["content"], ...problem });
      return z.NEVER;
    };
    if (alias !== undefined && content != null && alias !== textOfParts(content))
      return refuse(asRule("`content` and `text` are two names of one field, and they differ. Send `content` alone."));
    const written = content == null && alias !== undefined ? alias : content;
    if (!saysAnything({ ...message, content: written }))
      return refuse(isBare(message) ? { message: NO_CONTENT } : asRule(written == null ? NO_CONTENT : NO_TEXT));
    const whole = whatIsSaid({ content: written, refusal, audio });
    const text = role === "assistant" ? withoutReasoning(whole) : whole;
    if (text.length > maxCharacters)
      return refuse(asRule(`The texts of the parts may have ${maxCharacters} characters together.`));
    const label = speaker ?? (role === "user" || role === "assistant" ? labelIn(name) : undefined);
    return { ...own, ...(label === undefined ? {} : { speaker: label }), role: ROLES[role], content: text };
  };
}

/** Whether a message has nothing of what `REQUIRES_CONTENT` asks for. */
function isBare(message: Written): boolean {
  return (["content", "text", ...INSTEAD_OF_CONTENT] as const).every((field) => message[field] === undefined);
}

/** OpenAI's `name` as a label; undefined for none. */
function labelIn(name: unknown): string | undefined {
  return typeof name === "string" && name.trim() !== "" ? name.slice(0, MAX_LABEL_CHARACTERS).toWellFormed() : undefined;
}

/** The text of a message; if its content has none, that of its refusal or of what was spoken. */
function whatIsSaid({ content, refusal, audio }: { content?: unknown; refusal?: unknown; audio?: unknown }): string {
  const said = textOfParts(content);
  const transcript = typeof audio === "object" && audio !== null && "transcript" in audio ? audio.transcript : null;
  const others = [refusal, transcript].filter((text) => typeof text === "string");
  return [said, ...others].find((text) => HAS_TEXT.test(text)) ?? said;
}

/**
 * Whether a message of a chat is one: of a user, a text or a part that is no text; of others, any content that is not absent, or what may
 * stand in its place.
 */
export function saysAnything(message: { role: string } & { [K in OpenAiField]?: unknown } & { content?: unknown }): boolean {
  const { role, content } = message;
  if (role !== "user")
    return content !== undefined ? !isEmptyList(content) : INSTEAD_OF_CONTENT.some((field) => message[field] != null);
  if (typeof content === "string") return HAS_TEXT.test(content);
  return Array.isArray(content) && content.some((part) => !isText(part) || textOfPart(part).some((text) => HAS_TEXT.test(text)));
}

function isEmptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0;
}

function isText(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && part.type === "text";
}

/** The text of a message's content; of parts, their texts and refusals, each on its own lines. Other parts are left out. */
export function textOfParts(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap(textOfPart).join("\n") : "";
}

function textOfPart(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  if ("text" in part && typeof part.text === "string") return [part.text];
  return "refusal" in part && typeof part.refusal === "string" ? [part.refusal] : [];
}
