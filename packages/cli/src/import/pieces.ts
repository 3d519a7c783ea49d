import type { Platform } from "./platform.ts";
import { fieldsOf, listOf } from "./values.ts";

/** What one part may hold; the service takes a little more. */
export const PART_LIMITS = { bytes: 1_500_000, items: 40, messages: 1_500, activities: 900 } as const;

/** A conversation, or a later piece of one that is too large for a part. */
export type Piece = { item: unknown; bytes: number; messages: number; isPiece: boolean };

/**
 * A conversation as it is sent: whole where it fits into a part, else in pieces that follow each other, each of which begins where the user
 * speaks. The service appends them to one session.
 */
export function piecesOf(platform: Platform, item: unknown, position: number): Piece[] {
  const messages = messagesIn(platform, item);
  const bytes = sizeOf(item);
  if (messages <= PART_LIMITS.messages && bytes <= PART_LIMITS.bytes) return [{ item, bytes, messages, isPiece: false }];
  const pieces = cut(platform, item, position);
  return pieces.map((piece, i) => ({
    item: piece,
    bytes: sizeOf(piece),
    messages: messagesIn(platform, piece),
    isPiece: i > 0,
  }));
}

function sizeOf(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(item) ?? "");
}

function messagesIn(platform: Platform, item: unknown): number {
  if (platform === "chatgpt") return Object.keys(fieldsOf(fieldsOf(item).mapping)).length;
  return messageList(platform, item).length;
}

function messageList(platform: Platform, item: unknown): readonly unknown[] {
  if (Array.isArray(item)) return item;
  return listOf(platform === "claude" ? fieldsOf(item).chat_messages : fieldsOf(item).messages);
}

function cut(platform: Platform, item: unknown, position: number): unknown[] {
  const conversation = fieldsOf(item);
  if (platform === "chatgpt") {
    const mapping = fieldsOf(conversation.mapping);
    return groupsOf(wayTo(mapping, conversation.current_node), (id) => [mapping[id], isUserNode(mapping[id])]).map((ids) => ({
      ...conversation,
      current_node: ids.at(-1),
      mapping: Object.fromEntries(ids.map((id) => [id, mapping[id]])),
    }));
  }
  const field = platform === "claude" ? "chat_messages" : "messages";
  const groups = groupsOf(withIds(platform, messageList(platform, item)), (message) => [message, isUser(message)]);
  const id = platform === "openai" ? (conversation.id ?? idOf(item, position)) : undefined;
  return groups.map((group) => ({ ...conversation, ...(id === undefined ? {} : { id }), [field]: group }));
}

/** What stands for the id of a conversation without one, as the service makes it: its place and its first words. */
function idOf(item: unknown, position: number): string {
  const first = messageList("openai", item)
    .map(fieldsOf)
    .find(({ role }) => role === "user" || role === "assistant");
  return JSON.stringify([position, typeof first?.content === "string" ? first.content : ""]);
}

/** A message without an id is known by its place in the whole conversation, which its piece does not show. */
function withIds(platform: Platform, messages: readonly unknown[]): unknown[] {
  const name = platform === "claude" ? "uuid" : "id";
  return messages.map((message, i) => {
    const fields = fieldsOf(message);
    return typeof fields[name] === "string" && fields[name] !== "" ? message : { ...fields, [name]: `message ${i}` };
  });
}

function isUser(message: unknown): boolean {
  const { sender, role } = fieldsOf(message);
  return sender === "human" || role === "user";
}

function isUserNode(node: unknown): boolean {
  return fieldsOf(fieldsOf(fieldsOf(node).message).author).role === "user";
}

/** The nodes that the app shows, the first one first; all of them, in the order of the file, if their last is not named. */
function wayTo(mapping: Readonly<Record<string, unknown>>, current: unknown): string[] {
  const ids = Object.keys(mapping);
  if (typeof current !== "string" || !Object.hasOwn(mapping, current)) return ids;
  const way = new Set<string>();
  for (let id: unknown = current; typeof id === "string" && Object.hasOwn(mapping, id) && !way.has(id); ) {
    way.add(id);
    id = fieldsOf(mapping[id]).parent;
  }
  return [...way].reverse();
}

/** Groups that fit into a part. From half of one on, a new group begins where the user speaks. */
function groupsOf<T>(list: readonly T[], look: (one: T) => [content: unknown, isUser: boolean]): T[][] {
  const groups: T[][] = [[]];
  let bytes = 0;
  for (const one of list) {
    const [content, isBorder] = look(one);
    const size = sizeOf(content);
    const group = groups.at(-1) ?? [];
    const share = Math.max((bytes + size) / PART_LIMITS.bytes, (group.length + 1) / PART_LIMITS.messages);
    if (group.length > 0 && (share > 1 || (share > 0.5 && isBorder))) {
      groups.push([one]);
      bytes = size;
    } else {
      groups.at(-1)?.push(one);
      bytes += size;
    }
  }
  return groups;
}
