import type { MemoryWorld, Standing } from "./memory-model.ts";
import { type Row, record, type Tally } from "./memory-tally.ts";
import { decisionOf, described, mayEnter, memoryFacts } from "./memory-world.ts";

/** The fields of a memory's view beside its content. */
export type View = {
  id: string;
  ownerId: string | null;
  sessionId: string | null;
  metadata: Record<string, unknown>;
  subjects: string[];
  statedBy: string | null;
  learnedIn: { sessionId: string } | null;
  contradicts: string[];
};

type Shown = { world: MemoryWorld; tally: Tally; standing: Standing; row: Row; rows: readonly Row[] };

/**
 * A view that may be shown names whom it is about, and no more of others than may be known: of what comes from elsewhere neither
 * owner, session nor metadata, and who said it only to who was there; where it was learned only to who may enter there; and of
 * what contradicts it only what is visible itself.
 */
export function compareView({ world, tally, standing, row, rows }: Shown, means: string, view: View): void {
  const { tenant, memory } = row;
  const user = tenant.users.get(standing.user);
  const { rule } = decisionOf(world, standing, row);
  const isForeign = rule === "cross_context";
  const learnedIn = memory.learnedIn;
  const isOpen = user !== undefined && learnedIn !== null && mayEnter(world, tenant, user, learnedIn);
  const contradictions = rows.filter(({ memory: other }) => memory.contradicts === other || other.contradicts === memory);
  const due = {
    ownerId: isForeign ? null : (memory.owner?.name ?? null),
    sessionId: isForeign ? null : (memory.session?.name ?? null),
    metadata: isForeign ? {} : { of: memory.content },
    subjects: [...memory.subjects].map(({ publicId }) => publicId).toSorted(),
    statedBy: isSpeakerDisclosed({ world, standing, row }) ? (memory.statedBy?.publicId ?? null) : null,
    learnedIn: isOpen ? learnedIn.name : null,
    contradicts: contradictions
      .filter((other) => decisionOf(world, standing, other).visible)
      .map((other) => other.memory.publicId)
      .toSorted(),
  };
  const shown = {
    ownerId: view.ownerId,
    sessionId: view.sessionId,
    metadata: view.metadata,
    subjects: view.subjects.toSorted(),
    statedBy: view.statedBy,
    learnedIn: view.learnedIn?.sessionId ?? null,
    contradicts: view.contradicts.toSorted(),
  };
  for (const [name, value] of Object.entries(due)) {
    const [expected, found] = [partsOf(value), partsOf(Reflect.get(shown, name))];
    const isLeak = found.some((part) => !expected.includes(part));
    if (!isLeak && found.length === expected.length) continue;
    record(
      tally,
      isLeak ? "leaks" : "denials",
      `${means} ${rule}: ${name} is ${found}, not ${expected}, to ${described(standing)}`,
    );
  }
}

/** Who said what comes from elsewhere is told to whom was there, and to themselves. */
export function isSpeakerDisclosed({ world, standing, row }: Pick<Shown, "world" | "standing" | "row">): boolean {
  const { tenant, memory } = row;
  const user = tenant.users.get(standing.user);
  if (decisionOf(world, standing, row).rule !== "cross_context") return true;
  return user !== undefined && (memoryFacts(tenant, memory).presentUserIds.includes(user.id) || memory.statedBy?.user === user);
}

/** The single values in an answer. */
function partsOf(value: unknown): string[] {
  if (value === null) return [];
  return typeof value === "object" ? Object.values(value).map(String) : [String(value)];
}
