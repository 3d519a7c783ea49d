import { listOf, recordOf, textOf } from "./values.ts";

export type Path = {
  /** Ids of nodes, the first one first. */
  nodes: string[];
  /** Nodes with a message that are on no path to the last one. */
  branches: number;
  /** What was wrong with the tree, in our own words. */
  notes: string[];
};

type Mapping = Readonly<Record<string, unknown>>;

/**
 * The way from the first node to the one that the app shows last, by the nodes' parents. A tree that is broken gives what can be ordered:
 * without a last node, its latest leaf is the last; a cycle and a missing parent end the way.
 */
export function pathOf(mapping: Mapping, current: string | null, { isPiece }: { isPiece: boolean }): Path {
  const ids = Object.keys(mapping);
  const notes: string[] = [];
  const isNamed = current !== null && Object.hasOwn(mapping, current);
  const last = isNamed ? current : latestLeaf(mapping, ids);
  if (last === null) return { nodes: [], branches: 0, notes: ids.length === 0 ? [] : ["Its messages form no tree."] };
  if (!isNamed) notes.push("Its last message is not named: the latest was taken.");
  if (!isPiece && ids.length > 1 && ids.every((id) => parentOf(mapping, id) === null) && !hasChildren(mapping, ids))
    return {
      nodes: byTime(mapping, ids),
      branches: 0,
      notes: [...notes, "Its messages name no parents: they were ordered by time."],
    };
  const nodes: string[] = [];
  const seen = new Set<string>();
  for (let id: string | null = last; id !== null; id = parentOf(mapping, id)) {
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

function parentOf(mapping: Mapping, id: string): string | null {
  return textOf(recordOf(mapping[id]).parent);
}

function hasChildren(mapping: Mapping, ids: readonly string[]): boolean {
  return ids.some((id) => listOf(recordOf(mapping[id]).children).length > 0);
}

function timeOf(mapping: Mapping, id: string): number {
  const time = Number(recordOf(recordOf(mapping[id]).message).create_time);
  return Number.isFinite(time) ? time : 0;
}

function byTime(mapping: Mapping, ids: readonly string[]): string[] {
  return ids.toSorted((a, b) => timeOf(mapping, a) - timeOf(mapping, b));
}

/** The node that no other has as its parent, and of several the one that was made last; in a circle, the latest of all. */
function latestLeaf(mapping: Mapping, ids: readonly string[]): string | null {
  const parents = new Set(ids.map((id) => parentOf(mapping, id)));
  const leaves = ids.filter((id) => !parents.has(id));
  return byTime(mapping, leaves.length > 0 ? leaves : ids).at(-1) ?? null;
}
