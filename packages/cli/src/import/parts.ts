import { PART_LIMITS, piecesOf } from "./pieces.ts";
import type { Platform } from "./platform.ts";
import { slim } from "./slim.ts";
import { fieldsOf } from "./values.ts";

/** What one call sends. `position`: the place of its first conversation in the export. */
export type Part =
  | { kind: "conversations"; conversations: unknown[]; position: number; isPiece: boolean }
  | { kind: "activities"; activities: unknown[] }
  | { kind: "projects"; projects: unknown[]; position: number };

/** A conversation that no part can hold, or that cannot be written as JSON again. */
export type Refused = { title: string; reason: string };

type Filled = { part: Part } | { refused: Refused };

/** Fills parts with conversations in their order. */
export async function* conversationParts(platform: Platform, items: AsyncIterable<unknown>): AsyncGenerator<Filled> {
  let open = empty(0);
  let position = -1;
  const taken = (): Filled[] =>
    open.list.length === 0
      ? []
      : [{ part: { kind: "conversations", conversations: open.list, position: open.position, isPiece: false } }];
  for await (const item of items) {
    position += 1;
    const pieces = attempt(() => piecesOf(platform, slim(platform, item), position));
    if (pieces === null) {
      yield* taken();
      open = empty(position + 1);
      yield { refused: { title: titleOf(item), reason: "It is nested too deeply to be sent." } };
      continue;
    }
    const [only, ...more] = pieces;
    if (only === undefined) continue;
    const isLarge = more.length > 0 || only.bytes > PART_LIMITS.bytes;
    const isFull =
      open.bytes + only.bytes > PART_LIMITS.bytes ||
      open.messages + only.messages > PART_LIMITS.messages ||
      open.list.length >= PART_LIMITS.items;
    if (isLarge || isFull || open.list.length === 0) {
      yield* taken();
      open = empty(position);
    }
    if (isLarge) {
      for (const piece of pieces) {
        if (piece.bytes > MAX_PART_BYTES)
          yield { refused: { title: titleOf(item), reason: "A message of it is too large to be sent." } };
        else yield { part: { kind: "conversations", conversations: [piece.item], position, isPiece: piece.isPiece } };
      }
      continue;
    }
    open.list.push(only.item);
    open.bytes += only.bytes;
    open.messages += only.messages;
  }
  yield* taken();
}

type Open = { list: unknown[]; bytes: number; messages: number; position: number };

const empty = (position: number): Open => ({ list: [], bytes: 0, messages: 0, position });

/** The service's limit for a body, less the rest of the body. */
const MAX_PART_BYTES = 7_900_000;
/** As the service draws the borders of Gemini's conversations. */
const SILENCE_MS = 30 * 60_000;

/** Fills parts with activities of Gemini, which are in the order of time; a part ends where a conversation does. */
export async function* activityParts(items: AsyncIterable<unknown>): AsyncGenerator<Filled> {
  let open: unknown[] = [];
  let [bytes, border] = [0, 0];
  for await (const item of items) {
    const activity = attempt(() => slim("gemini", item));
    const size = attempt(() => Buffer.byteLength(JSON.stringify(activity))) ?? MAX_PART_BYTES;
    if (size >= MAX_PART_BYTES) {
      yield { refused: { title: titleOf(item), reason: "It is too large to be sent." } };
      continue;
    }
    if (open.length > 0 && isSilence(open.at(-1), activity)) border = open.length;
    if (open.length >= PART_LIMITS.activities || bytes + size > PART_LIMITS.bytes) {
      // Without any silence, a conversation is cut.
      const end = border > 0 ? border : open.length;
      yield { part: { kind: "activities", activities: open.slice(0, end) } };
      open = open.slice(end);
      bytes = Buffer.byteLength(JSON.stringify(open));
      border = 0;
    }
    open.push(activity);
    bytes += size;
  }
  if (open.length > 0) yield { part: { kind: "activities", activities: open } };
}

function isSilence(before: unknown, after: unknown): boolean {
  const [one, other] = [before, after].map((activity) => Date.parse(String(fieldsOf(activity).time)));
  return Math.abs(Number(one) - Number(other)) >= SILENCE_MS;
}

/** Claude's projects: their names and documents, one in a part. */
export async function* projectParts(items: AsyncIterable<unknown>): AsyncGenerator<Filled> {
  let position = -1;
  for await (const item of items) {
    position += 1;
    const size = attempt(() => Buffer.byteLength(JSON.stringify(item))) ?? MAX_PART_BYTES;
    if (size >= MAX_PART_BYTES) yield { refused: { title: titleOf(item), reason: "The project is too large to be sent." } };
    else yield { part: { kind: "projects", projects: [item], position } };
  }
}

function titleOf(item: unknown): string {
  const { title, name } = fieldsOf(item);
  return String(title ?? name ?? "Untitled").slice(0, 200);
}

/** Null if it cannot be done: a text of a thousand brackets is valid JSON, and too deep for a program that writes it again. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
