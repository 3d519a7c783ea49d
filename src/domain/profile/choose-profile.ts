import { laterValues, type SeenMemory } from "#domain/memories";
import { isOwnReason } from "#domain/visibility";

/** What of a profile a memory is. `wishes`: how the assistant should answer, as the viewer asked for it. */
export type Section = "wishes" | "identity" | "preferences" | "people" | "current";

/** In the order in which a profile is read. */
export const SECTIONS: readonly Section[] = ["wishes", "identity", "preferences", "people", "current"];

/** What may be wrong without an entry: any answer, advice, or nothing. */
export type Limits = "answers" | "advice" | null;

/** `newer`: the memory that gives a newer value of a part of what it says, by its public id. */
export type ProfileEntry = { memory: SeenMemory; section: Section; weight: number; limits: Limits; newer: string | null };

type Traits = Pick<
  SeenMemory,
  | "type"
  | "key"
  | "pinned"
  | "confidence"
  | "seenCount"
  | "expiresAt"
  | "sensitivity"
  | "hasSubject"
  | "isSubject"
  | "hasStated"
  | "isOwner"
  | "validFrom"
  | "visibilityReason"
  | "statedBy"
>;

/** How lasting what a memory of a type says is. */
const LASTING: Record<SeenMemory["type"], number> = {
  ...{ procedural: 1, identity: 1, preference: 0.9, relationship: 0.8 },
  ...{ knowledge: 0.55, task: 0.65, event: 0.5, context: 0.5, observation: 0.1 },
};

const DAY_MS = 86_400_000;
/** Of two values of which neither has replaced the other, the newer one weighs more. */
const HALF_LIFE_DAYS = 365;

/**
 * How much a memory belongs to what is always worth knowing: how lasting its kind is, whether it fills a slot that everybody has one of (its
 * key), how sure it is, how often it was said, whether it ends, and whether it is about the viewer.
 */
export function stability(memory: Traits, now: number): number {
  const slot = memory.key === null ? 1 : 1.5;
  const ends = memory.expiresAt === null ? 1 : 0.8;
  // What is kept from others, such as an allergy, limits what may be recommended.
  const care = memory.sensitivity === "sensitive" ? 1.15 : 1;
  const said = 1 + 0.15 * Math.log2(memory.seenCount);
  const ofOthers = memory.hasSubject && !memory.isSubject && memory.type !== "relationship" ? 0.6 : 1;
  const age = Math.max(0, now - memory.validFrom) / DAY_MS;
  const recent = 0.7 + 0.3 * 2 ** (-age / HALF_LIFE_DAYS);
  const pinned = memory.pinned ? 2 : 1;
  return LASTING[memory.type] * slot * ends * care * said * ofOthers * recent * pinned * memory.confidence;
}

/** Null for what belongs to no profile: ways of working that others ask for are nobody's own wish. */
export function sectionOf(memory: Traits): Section | null {
  switch (memory.type) {
    case "procedural":
      return isOwn(memory) ? "wishes" : null;
    case "preference":
      return "preferences";
    case "relationship":
      return "people";
    case "identity":
      return "identity";
    case "observation":
      return null;
    default:
      return memory.key?.startsWith("identity:") === true ? "identity" : "current";
  }
}

/** Wishes, what was pinned and what they do not eat limit any answer; what lasts and is kept from others, such as an illness, limits advice. */
export function limitsOf({ key, pinned, sensitivity }: Pick<Traits, "key" | "pinned" | "sensitivity">, section: Section): Limits {
  if (section === "wishes" || pinned || key?.endsWith(":diet") === true) return "answers";
  return sensitivity === "sensitive" && (section === "identity" || section === "preferences") ? "advice" : null;
}

/** Stated by the viewer, or stored for them without saying by whom. */
function isOwn({ statedBy, visibilityReason }: Traits): boolean {
  return statedBy === null ? isOwnReason(visibilityReason) : statedBy.isReader;
}

/** The profile, what is worth most first. */
export function chooseProfile(memories: readonly SeenMemory[], now: number): ProfileEntry[] {
  const later = laterValues(memories);
  return memories
    .flatMap((memory) => {
      const section = sectionOf(memory);
      return section === null
        ? []
        : [
            {
              ...{ memory, section },
              weight: stability(memory, now),
              limits: limitsOf(memory, section),
              newer: later.get(memory.publicId)?.publicId ?? null,
            },
          ];
    })
    .sort((a, b) => b.weight - a.weight || b.memory.validFrom - a.memory.validFrom || b.memory.id - a.memory.id);
}
