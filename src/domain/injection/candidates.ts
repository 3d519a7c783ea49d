import type { SeenMemory } from "#domain/memories";
import { peopleIn } from "#domain/memories";
import type { HitView, Searched } from "#domain/retrieval";
import type { Candidate } from "./write-block.ts";

export type HitCandidate = Candidate & { hit: HitView; speaker: string | null };

type Place = Pick<Searched, "pool" | "memories"> & {
  /** Whether procedural memories are to be followed. */
  skillsEnabled: boolean;
  includeGroups: boolean;
};

const THE_USER = "the user";

/** What was found as lines of a block could tell it, best first and of equals the newer. */
export function toCandidates(hits: readonly HitView[], place: Place): HitCandidate[] {
  return newestOfEquals(hits).map((hit) => {
    const memory = place.memories.get(hit.id);
    return memory === undefined ? ofPassage(hit, place) : ofMemory(hit, memory, place);
  });
}

/** Search has its own order, which is kept: only neighbours of one score change places. */
function newestOfEquals(hits: readonly HitView[]): HitView[] {
  let run = 0;
  return hits
    .map((hit, i) => {
      if (hit.score !== hits[i - 1]?.score) run = i;
      return { hit, run };
    })
    .sort((a, b) => a.run - b.run || Date.parse(b.hit.occurredAt) - Date.parse(a.hit.occurredAt))
    .map(({ hit }) => hit);
}

function ofPassage(hit: HitView, place: Place): HitCandidate {
  const speaker = hit.message?.speaker ?? null;
  return {
    ...common(hit),
    speaker,
    type: null,
    saidBy: speaker ?? bearerOf(hit.message?.role ?? "user", place),
    about: [],
    episodeId: hit.id,
    isInstruction: false,
  };
}

/** Who bears a role: in a project or a group, a user may be any of several. */
function bearerOf(role: string, { pool, includeGroups }: Place): string {
  if (role === "user") return pool === "user" && !includeGroups ? THE_USER : "a user";
  return role === "assistant" ? "the assistant" : role;
}

function ofMemory(hit: HitView, memory: SeenMemory, { skillsEnabled }: Place): HitCandidate {
  const { about, saidBy } = peopleIn(memory, memory.arrival);
  const isPrivate = memory.isGroup !== 1;
  const nameOf = (person: { name: string; isReader: boolean }) => (isPrivate && person.isReader ? THE_USER : person.name);
  // Who speaks of themselves is named once.
  const others = about.length === 1 && about[0]?.id === saidBy?.id ? [] : about;
  const isOwnWish = memory.arrival !== "cross_context" && (memory.arrival !== "own" || saidBy === null || saidBy.isReader);
  return {
    ...common(hit),
    speaker: saidBy?.name ?? null,
    type: memory.type,
    saidBy: saidBy === null ? null : nameOf(saidBy),
    about: others.map(nameOf),
    episodeId: hit.memory?.learnedIn?.episodeId ?? null,
    isInstruction: skillsEnabled && memory.type === "procedural" && isOwnWish,
  };
}

function common(hit: HitView): Pick<HitCandidate, "hit" | "kind" | "id" | "text" | "occurredAt"> {
  const { kind, id, text, occurredAt } = hit;
  return { hit, kind, id, text, occurredAt };
}
