import { type MessageNode, pathOf } from "./message-path.ts";
import { readTime } from "./read-time.ts";
import { recordOf, textOf } from "./values.ts";

type Message = Readonly<Record<string, unknown>>;

/** `places`: of messages in the export's list. */
export type Ordered = { places: number[]; branches: number; notes: string[] };

/** The parent of a first message is a UUID that begins with zeros. */
const NO_PARENT = /^0{8}-/;

/**
 * The messages that Claude's app shows, the first one first: of edited ones, the branch that ends in the current leaf, or in the latest one
 * where the export names none. Older exports name no parents, and are in the order of time.
 */
export function orderOf(raws: readonly unknown[], leaf: string | null, now: number): Ordered {
  const messages = raws.map(recordOf);
  const times = timesOf(messages, now);
  const inOrder = messages.map((_, i) => i).toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const ids = messages.map(({ uuid }) => textOf(uuid));
  const isTree = messages.some(({ parent_message_uuid: parent }) => textOf(parent) !== null);
  // Without an id of its own, a message has no place in a tree.
  if (!isTree || new Set(ids).size < ids.length || ids.includes(null)) return { places: inOrder, branches: 0, notes: [] };
  const placeOf = new Map(ids.map((id, i) => [id ?? "", i]));
  const nodes = new Map<string, MessageNode>();
  const notes: string[] = [];
  let before: string | null = null;
  for (const i of inOrder) {
    const id = ids[i] ?? "";
    const named = textOf(messages[i]?.parent_message_uuid);
    const parent = named === null || NO_PARENT.test(named) ? null : named;
    // Only the UUID of zeros says that nothing is before a message.
    const isLost = named === null ? before !== null : parent !== null && !placeOf.has(parent);
    if (isLost && before !== null && notes.length === 0) notes.push(LOST);
    nodes.set(id, { parent: isLost ? before : parent, children: [], time: times[i] ?? 0, isMessage: true });
    before = id;
  }
  const path = pathOf(nodes, leaf ?? latestLeafOf(nodes), { isPiece: false });
  return { places: path.nodes.flatMap((id) => placeOf.get(id) ?? []), branches: path.branches, notes: [...notes, ...path.notes] };
}

const LOST = "Some of its messages do not say what they follow, or it is missing: they follow the message before them in time.";

/** A message without a time has that of the message before it. */
function timesOf(messages: readonly Message[], now: number): number[] {
  let latest = 0;
  return messages.map(({ created_at: at }) => {
    latest = readTime(at, now) ?? latest;
    return latest;
  });
}

/** The last one in time that no message follows. */
function latestLeafOf(nodes: ReadonlyMap<string, MessageNode>): string | null {
  const inner = new Set([...nodes.values()].map(({ parent }) => parent));
  return [...nodes.keys()].filter((id) => !inner.has(id)).at(-1) ?? null;
}
