import type { Platform } from "./platform.ts";
import { type Fields, fieldsOf, listOf } from "./values.ts";

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
  const all = withIds(platform, messageList(platform, item));
  const shown = platform === "claude" ? branchOf(all, conversation.current_leaf_message_uuid) : all;
  const groups = groupsOf(shown, (message) => [message, isUser(message)]);
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
  if (typeof current !== "string" || !Object.hasOwn(mapping, current)) return Object.keys(mapping);
  const parentOf = (id: string) => fieldsOf(mapping[id]).parent;
  return [...wayFrom(current, parentOf)].filter((id) => Object.hasOwn(mapping, id)).reverse();
}

function wayFrom(last: string, parentOf: (id: string) => unknown): Set<string> {
  const way = new Set<string>();
  for (let id: unknown = last; typeof id === "string" && !way.has(id); id = parentOf(id)) way.add(id);
  return way;
}

/**
 * Of Claude's messages those that its app shows, as the service chooses them, which of a piece cannot see the other branches: all where no
 * two follow the same one.
 */
function branchOf(messages: readonly unknown[], leaf: unknown): readonly unknown[] {
  const byId = new Map(messages.map((message) => [String(fieldsOf(message).uuid), fieldsOf(message)]));
  const parents = [...byId.values()]
    .map(({ parent_message_uuid: parent }) => parent)
    .filter((parent) => typeof parent === "string");
  if (byId.size < messages.length || new Set(parents).size === parents.length) return messages;
  const inner = new Set(parents);
  const leaves = [...byId].filter(([id]) => !inner.has(id)).toSorted(([, a], [, b]) => timeOf(a) - timeOf(b));
  const last = typeof leaf === "string" && byId.has(leaf) ? leaf : leaves.at(-1)?.[0];
  if (last === undefined) return messages;
  const way = wayFrom(last, (id) => byId.get(id)?.parent_message_uuid);
  const first = byId.get([...way].findLast((id) => byId.has(id)) ?? "");
  // What the first one follows is missing or not said: the service takes what was said before it.
  const isWhole = String(first?.parent_message_uuid ?? "").startsWith(NO_PARENT);
  return isWhole ? messages.filter((message) => way.has(String(fieldsOf(message).uuid))) : messages;
}

/** The parent of a first message is a UUID that begins so. */
const NO_PARENT = "00000000-";

function timeOf({ created_at: at }: Fields): number {
  return Date.parse(String(at)) || 0;
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
