import { z } from "zod";
import { asRule, atLeastOneOf, HAS_TEXT } from "./fields.ts";
import { withoutReasoning } from "./text/reasoning.ts";

const MAX_PARTS = 1_000;
const NO_TEXT = "A message needs some text.";

/** A part of a message as OpenAI's chat completions write it. Only `text` is read; other parts, such as images, are left out. */
export const ContentPart = z.looseObject({ type: z.string().max(40), text: z.string().optional() });

/** The fields for a message's content, for an object that `readContent` transforms. */
export function contentFields(maxCharacters: number) {
  const text = z.string().max(maxCharacters).regex(HAS_TEXT, NO_TEXT);
  return {
    content: z
      .union([text, z.array(ContentPart).min(1).max(MAX_PARTS)])
      .optional()
      .describe("What it says: a text, or OpenAI's content parts, of which the texts are kept, each on lines of its own"),
    text: text.optional().meta({ deprecated: true, description: "Another name for `content`. Send one of them" }),
  };
}

export const SpeakerLabel = z
  .string()
  .min(1)
  .max(200)
  .describe(
    "A name to show. Without userId, a label other than one of the acting user's names means that the message counts as nobody's statement",
  );

/** For `.meta()` of such an object: one of the two names is required. */
export const REQUIRES_CONTENT = atLeastOneOf("content", "text");

type Written = {
  role?: string;
  content?: string | readonly z.infer<typeof ContentPart>[] | undefined;
  text?: string | undefined;
};

/**
 * For an object with `contentFields`: the same message with `content` as one text and without `text`. What a model thought before its
 * answer is no part of what it said: of a reply that was cut while it thought, "" is left.
 */
export function readContent(maxCharacters: number) {
  return <T extends Written>(message: T, check: z.RefinementCtx): Omit<T, "content" | "text"> & { content: string } => {
    const { content: written, text: alias, ...rest } = message;
    const whole = written === undefined ? alias : textOfParts(written);
    const content = message.role === "assistant" && whole !== undefined ? withoutReasoning(whole) : whole;
    const refuse = (problem: { message: string; params?: object }) => {
      check.addIssue({ code: "custom", path: ["content"], ...problem });
      return z.NEVER;
    };
    if (content === undefined) return refuse({ message: "A message needs `content`: a text, or a list of parts with texts." });
    if (alias !== undefined && alias !== whole)
      return refuse(asRule("`content` and `text` are two names of one field, and they differ. Send `content` alone."));
    if (whole === undefined || !HAS_TEXT.test(whole)) return refuse(asRule(NO_TEXT));
    if (content.length > maxCharacters)
      return refuse(asRule(`The texts of the parts may have ${maxCharacters} characters together.`));
    return { ...rest, content };
  };
}

/** For a list of such messages: those that say something. */
export function withoutSilent<T extends { content: string }>(messages: T[], check: z.RefinementCtx): T[] {
  const speaking = messages.filter(({ content }) => HAS_TEXT.test(content));
  if (speaking.length === 0) check.addIssue({ code: "custom", ...asRule(NO_TEXT) });
  return speaking;
}

/** Whether a message says anything: a text, or a part that is no empty text. */
export function hasContent({ content }: { content?: unknown }): boolean {
  if (typeof content === "string") return HAS_TEXT.test(content);
  return Array.isArray(content) && content.some((part) => !isText(part) || textOfPart(part).some((text) => HAS_TEXT.test(text)));
}

function isText(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && part.type === "text";
}

/** The text of a message's content; of parts, their texts, each on its own lines. Other parts are left out. */
export function textOfParts(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap(textOfPart).join("\n") : "";
}

function textOfPart(part: unknown): string[] {
  if (typeof part === "string") return [part];
  return typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? [part.text] : [];
}
