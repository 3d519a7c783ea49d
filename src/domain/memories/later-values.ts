import { statedKeys } from "./defaults.ts";
import type { SeenMemory } from "./rows.ts";

type Stating = Pick<
  SeenMemory,
  "publicId" | "key" | "metadata" | "validFrom" | "ownerExternalId" | "sessionExternalId" | "workspaceId"
>;

/**
 * Of memories that give a value of a key, those of which another of them gives a later one, by their public ids, each with that one. A memory that says
 * more than the value has no key and is not replaced: the rest of it holds.
 */
export function laterValues<Memory extends Stating>(memories: readonly Memory[]): Map<string, Memory> {
  const nameOf = ({ ownerExternalId, sessionExternalId, workspaceId }: Memory, key: string) =>
    JSON.stringify([ownerExternalId, sessionExternalId, workspaceId, key]);
  const latest = new Map<string, Memory>();
  for (const memory of memories)
    for (const key of statedKeys(memory)) {
      const name = nameOf(memory, key);
      if (memory.validFrom > (latest.get(name)?.validFrom ?? -Infinity)) latest.set(name, memory);
    }
  return new Map(
    memories.flatMap((memory) => {
      const later = statedKeys(memory)
        .map((key) => latest.get(nameOf(memory, key)))
        .find((other) => other !== undefined && other.validFrom > memory.validFrom);
      return later === undefined ? [] : [[memory.publicId, later] as const];
    }),
  );
}
