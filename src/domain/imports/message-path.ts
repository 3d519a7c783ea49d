/** A message of a conversation whose messages name the one before them, so that edited ones form branches. */
export type MessageNode = {
  parent: string | null;
  children: readonly string[];
  /** When it was made, in any unit; 0 if that is not known. */
  time: number;
  /** Roots and the like hold no message. */
  isMessage: boolean;
};

export type Path = {
  /** Ids of nodes, the first one first. */
  nodes: string[];
  /** Nodes with a message that are not on the way to the last one. */
  branches: number;
  /** What was wrong with the tree, in our own words. */
  notes: string[];
};

type Nodes = ReadonlyMap<string, MessageNode>;

/**
 * The way from the first node to the one that the app shows last, by the nodes' parents. A tree that is broken gives what can be ordered:
 * without a last node, its latest leaf is the last; a cycle and a missing parent end the way; nodes without parents are found by their
 * parents' lists of children, else ordered by time.
 */
export function pathOf(nodes: Nodes, current: string | null, { isPiece }: { isPiece: boolean }): Path {
  const ids = [...nodes.keys()];
  const parents = parentsIn(nodes);
  const notes: string[] = [];
  const isNamed = current !== null && nodes.has(current);
  const last = isNamed ? current : latestLeaf(nodes, parents);
  if (last === null) return { nodes: [], branches: 0, notes: [] };
  if (!isNamed) notes.push("Its last message is not named: the latest was taken.");
  if (ids.length > 1 && parents.size === 0)
    return {
      nodes: byTime(nodes, ids),
      branches: 0,
      notes: [...notes, "Its messages name no parents: they were ordered by time."],
    };
  const way: string[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = last; id !== undefined; id = parents.get(id)) {
    if (seen.has(id)) {
      notes.push("Its messages follow each other in a circle: it was cut where the circle closes.");
      break;
    }
    if (!nodes.has(id)) {
      if (!isPiece) notes.push("A message is missing: what was before it is left out.");
      break;
    }
    seen.add(id);
    way.push(id);
  }
  const others = ids.filter((id) => !seen.has(id) && nodes.get(id)?.isMessage === true);
  return { nodes: way.reverse(), branches: others.length, notes };
}

/** The parent of each node that has one: as it says, else the first node that names it as a child. */
function parentsIn(nodes: Nodes): Map<string, string> {
  const parents = new Map<string, string>();
  for (const [id, { children }] of nodes) for (const child of children) if (!parents.has(child)) parents.set(child, id);
  for (const [id, { parent }] of nodes) if (parent !== null) parents.set(id, parent);
  return parents;
}

function byTime(nodes: Nodes, ids: readonly string[]): string[] {
  const timeOf = (id: string) => nodes.get(id)?.time ?? 0;
  return ids.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** The node that no other has as its parent, and of several the one that was made last; in a circle, the latest of all. */
function latestLeaf(nodes: Nodes, parents: ReadonlyMap<string, string>): string | null {
  const inner = new Set(parents.values());
  const ids = [...nodes.keys()];
  const leaves = ids.filter((id) => !inner.has(id));
  return byTime(nodes, leaves.length > 0 ? leaves : ids).at(-1) ?? null;
}
