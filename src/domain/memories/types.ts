/** A memory's type decides how long it lives; its class is what lists and searches also filter by. */
export const MEMORY_TYPES = [
  "preference",
  "identity",
  "relationship",
  "knowledge",
  "procedural",
  "context",
  "event",
  "task",
  "observation",
] as const;

export type MemoryType = (typeof MEMORY_TYPES)[number];

export const MEMORY_CLASSES = ["factual", "semantic", "procedural", "episodic"] as const;

export type MemoryClass = (typeof MEMORY_CLASSES)[number];

/** What a memory is that names no type. */
export const DEFAULT_TYPE: MemoryType = "knowledge";

const CLASS_OF: Record<MemoryType, MemoryClass> = {
  preference: "factual",
  identity: "factual",
  relationship: "factual",
  knowledge: "semantic",
  procedural: "procedural",
  context: "episodic",
  event: "episodic",
  task: "episodic",
  observation: "episodic",
};

/** Days that an ephemeral memory lives; null for the long-lived. */
const LIFETIME_DAYS: Record<MemoryType, number | null> = {
  preference: null,
  identity: null,
  relationship: null,
  knowledge: null,
  procedural: null,
  context: 7,
  event: 30,
  task: 14,
  observation: 3,
};

const DAY_MS = 86_400_000;

export function classOf(type: MemoryType): MemoryClass {
  return CLASS_OF[type];
}

export function typesOf(cls: MemoryClass): MemoryType[] {
  return MEMORY_TYPES.filter((type) => CLASS_OF[type] === cls);
}

/** Milliseconds that a memory of this type lives, or null for ever. */
export function lifetimeMs(type: MemoryType): number | null {
  const days = LIFETIME_DAYS[type];
  return days === null ? null : days * DAY_MS;
}

export function isMemoryType(value: string): value is MemoryType {
  return MEMORY_TYPES.some((type) => type === value);
}
