import { listOf, recordOf, textOf } from "./values.ts";

export type Path = {
  /** Ids of nodes, the first one first. */
  nodes: string[];
  /** Nodes with a message that are not on the way to the last one. */
  branches: number;
  /** What was wrong with the tree, in our own words. */
  notes: string[];
};

type Mapping = Readonly<Record<string, unknown>>;

/**
 * The way from the first node to the one that the app shows last, by the nodes' parents. A tree that is broken gives what can be ordered:
 * without a last node, its latest leaf is the last; a cycle and a missing parent end the way; nodes without parents are found by their
 * parents' lists of children, else ordered by time.
 */
export function pathOf(mapping: Mapping, current: string | null, { isPiece }: { isPiece: boolean }): Path {
  const ids = Object.keys(mapping);
  const parents = parentsIn(mapping, ids);
  const notes: string[] = [];
  const isNamed = current !== null && Object.hasOwn(mapping, current);
  const last = isNamed ? current : latestLeaf(mapping, ids, parents);
  if (last === null) return { nodes: [], branches: 0, notes: [] };
  if (!isNamed) notes.push("Its last message is not named: the latest was taken.");
  if (ids.length > 1 && parents.size === 0)
    return {
      nodes: byTime(mapping, ids),
      branches: 0,
      notes: [...notes, "Its messages name no parents: they were ordered by time."],
    };
  const nodes: string[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = last; id !== undefined; id = parents.get(id)) {
    if (seen.has(id)) {
      notes.push("Its messages follow each other in a circle: it was cut where the circle closes.");
      break;
    }
    if (!Object.hasOwn(mapping, id)) {
      if (!isPiece) notes.push("A message is missing: what was before it is left out.");
      break;
    }
    seen.add(id);
    nodes.push(id);
  }
  const others = ids.filter((id) => !seen.has(id) && recordOf(recordOf(mapping[id]).message).author !== undefined);
  return { nodes: nodes.reverse(), branches: others.length, notes };
}

/** The parent of each node that has one: as it says, else the first node that names it as a child. */
function parentsIn(mapping: Mapping, ids: readonly string[]): Map<string, string> {
  const parents = new Map<string, string>();
  for (const id of ids) {
    for (const child of listOf(recordOf(mapping[id]).children))
      if (typeof child === "string" && !parents.has(child)) parents.set(child, id);
  }
  for (const id of ids) {
    const own = textOf(recordOf(mapping[id]).parent);
    if (own !== null) parents.set(id, own);
  }
  return parents;
}

function timeOf(mapping: Mapping, id: string): number {
  const time = Number(recordOf(recordOf(mapping[id]).message).create_time);
  return Number.isFinite(time) ? time : 0;
}

function byTime(mapping: Mapping, ids: readonly string[]): string[] {
  return ids.toSorted((a, b) => timeOf(mapping, a) - timeOf(mapping, b));
}

/** The node that no other has as its parent, and of several the one that was made last; in a circle, the latest of all. */
function latestLeaf(mapping: Mapping, ids: readonly string[], parents: ReadonlyMap<string, string>): string | null {
  const inner = new Set(parents.values());
  const leaves = ids.filter((id) => !inner.has(id));
  return byTime(mapping, leaves.length > 0 ? leaves : ids).at(-1) ?? null;
}
