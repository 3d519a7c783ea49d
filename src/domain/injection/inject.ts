import type { Placement } from "#context";
import { textOfParts } from "#core/message-content";
import type { ChatTurn } from "./read-turns.ts";

type Model = { model: string; withoutSystemRole: readonly string[] };

/** The block, and where it goes in the conversation. */
export type Insertion = { block: string; placement: Placement; takesSystemRole: boolean };

/**
 * A change of a conversation's messages, by their positions before any change. `append` adds a text to the end of a message, `prepend`
 * before its text: of a message of parts, before the part with that index. `insert` adds a message before all others.
 */
export type TurnChange =
  | { kind: "append"; at: number; text: string }
  | { kind: "prepend"; at: number; part: number; text: string }
  | { kind: "remove"; at: number }
  | { kind: "insert"; role: "system" | "user"; text: string };

/**
 * The changes that put the block into the conversation: at the end of the client's first system or developer message, because many models
 * take one, at the beginning; or before the text of the last user message, so that everything before it stays the same from one request to
 * the next. A model that refuses the system role has the client's own system texts, among them `instructions`, in its first user message.
 */
export function placeBlock(
  turns: readonly ChatTurn[],
  { block, placement, takesSystemRole }: Insertion,
  instructions = "",
): TurnChange[] {
  const latest = turns.findLastIndex(isUser);
  const isLatest = placement === "latest" && latest !== -1;
  if (takesSystemRole) {
    if (isLatest) return [prepend(turns, latest, [block])];
    const first = turns.findIndex((turn) => isInstruction(turn) && takesText(turn));
    return [first === -1 ? { kind: "insert", role: "system", text: block } : { kind: "append", at: first, text: block }];
  }
  const own = [instructions, ...turns.filter(isInstruction).map(({ content }) => textOfParts(content))];
  const texts = own.filter((text) => text.trim() !== "");
  const removed = turns.flatMap((turn, at): TurnChange[] => (isInstruction(turn) ? [{ kind: "remove", at }] : []));
  const first = turns.findIndex(isUser);
  if (first === -1) return [...removed, { kind: "insert", role: "user", text: [...texts, block].join(PARTED) }];
  if (!isLatest || first === latest) return [...removed, prepend(turns, first, [...texts, block])];
  return [...removed, ...(texts.length > 0 ? [prepend(turns, first, texts)] : []), prepend(turns, latest, [block])];
}

/** Between texts that become one. */
export const PARTED = "\n\n";

function prepend(turns: readonly ChatTurn[], at: number, texts: readonly string[]): TurnChange {
  const content = turns[at]?.content;
  const part = Array.isArray(content) ? content.findIndex((each) => textOfParts([each]) !== "") : 0;
  return { kind: "prepend", at, part: Array.isArray(content) && part === -1 ? content.length : part, text: texts.join(PARTED) };
}

function isInstruction({ role }: ChatTurn): boolean {
  return role === "system" || role === "developer";
}

function isUser(turn: ChatTurn): boolean {
  return turn.role === "user" && takesText(turn);
}

/** Whether a text can be added to the message. */
function takesText({ content }: ChatTurn): boolean {
  return content == null || typeof content === "string" || Array.isArray(content);
}

/**
 * Whether the model takes system messages. A name in the list is a provider or a model. A model is refused if a name equals one of the
 * parts of its name between slashes, optionally followed by a tag, a date or a version and its suffix. So `o1` matches o1, openai/o1 and
 * o1-2024-12-17, but not o1-pro, which is another model; `glm` matches glm-4.6 and glm-4.5-air; `zai` matches every model of zai/. Models
 * that are not listed take system messages.
 */
export function takesSystemRole({ model, withoutSystemRole }: Model): boolean {
  const parts = model
    .toLowerCase()
    .split("/")
    .map((part) => part.trim());
  return !withoutSystemRole.some((name) => parts.some((part) => isNamed(part, name.toLowerCase())));
}

/** What may follow a name: `-2024-12-17`, `-4.6`, `4v-plus`, `-latest`, `:free`, `@20241217`. */
const VERSION = /^(?:-?v?\d[\d.]*[a-z]?(?:-[\w.]+)*)?(?:-latest)?(?:[:@].*)?$/u;
const MORE_DIGITS = /\d[\d.]/u;

function isNamed(part: string, name: string): boolean {
  if (name === "" || !part.startsWith(name)) return false;
  const isOtherNumber = MORE_DIGITS.test(part.slice(name.length - 1, name.length + 1));
  return !isOtherNumber && VERSION.test(part.slice(name.length));
}
