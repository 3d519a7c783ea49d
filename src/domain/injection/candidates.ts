import type { FoundEntities } from "#domain/entities";
import { peopleIn, type SeenMemory } from "#domain/memories";
import type { HitView, Searched } from "#domain/retrieval";
import type { ItemView } from "./schemas.ts";
import type { Candidate, Party } from "./write-block.ts";

/** What may go into a block, and what of it the answer shows beside the block. */
export type FoundItem = Candidate & { view: Omit<ItemView, "citation"> };

type Place = Pick<Searched, "pool" | "memories" | "speakers"> & {
  /** Whether procedural memories are to be followed. */
  skillsEnabled: boolean;
  includeGroups: boolean;
};

const THE_USER: Party = { role: "the user" };

/** Passages and memories that were found, best first. */
export function fromHits(hits: readonly HitView[], place: Place): FoundItem[] {
  return hits.map((hit) => {
    const memory = place.memories.get(hit.id);
    return memory === undefined ? fromPassage(hit, place) : fromMemory(hit, memory, place);
  });
}

/** Entities that were found, best first. */
export function fromEntities(hits: FoundEntities["hits"]): FoundItem[] {
  return hits.map(({ id, type, name, notes, lastSeenAt, score, explain }) => {
    const text = notes === null ? name : `${name}: ${notes}`;
    const { channels = {}, visibleBy = "" } = explain ?? {};
    return {
      ...{
        kind: "entity",
        id,
        text,
        occurredAt: lastSeenAt,
        type,
        saidBy: null,
        notedBy: null,
        about: [],
        episodeId: null,
        isInstruction: false,
      },
      view: {
        ...{ kind: "entity", id, content: text, occurredAt: lastSeenAt, role: null, speaker: null, sessionId: null, score },
        ...(explain === undefined ? {} : { explain: { channels, factors: [], visibleBy } }),
      },
    };
  });
}

/** Two rankings on one scale as one. Each keeps its own order, but for neighbours of one score, of which the newer comes first. */
export function merged(some: readonly FoundItem[], others: readonly FoundItem[]): FoundItem[] {
  const all: FoundItem[] = [];
  for (let i = 0, j = 0; i < some.length || j < others.length; ) {
    const [one, other] = [some[i], others[j]];
    const next = other === undefined || (one !== undefined && one.view.score >= other.view.score) ? one : other;
    if (next === undefined) break;
    all.push(next);
    if (next === one) i += 1;
    else j += 1;
  }
  return newestOfEquals(all);
}

function newestOfEquals(items: readonly FoundItem[]): FoundItem[] {
  let run = 0;
  return items
    .map((item, i) => {
      if (item.view.score !== items[i - 1]?.view.score) run = i;
      return { item, run };
    })
    .sort((a, b) => a.run - b.run || Date.parse(b.item.occurredAt) - Date.parse(a.item.occurredAt))
    .map(({ item }) => item);
}

function fromPassage(hit: HitView, place: Place): FoundItem {
  const { message } = hit;
  const speaker = message?.speaker ?? null;
  const user = message?.userId == null ? undefined : place.speakers.get(message.userId);
  // Who is known to have said it goes by their own name, whatever the label says.
  const label: Party = speaker === null ? bearerOf(message?.role ?? "user", place) : { name: speaker };
  const said: Party = user === undefined ? label : user.isViewer && isPrivate(place) ? THE_USER : { name: user.name };
  return {
    ...common(hit, user?.name ?? speaker),
    type: null,
    saidBy: said,
    notedBy: null,
    about: [],
    episodeId: hit.id,
    isInstruction: false,
  };
}

/** Whether only the viewer reads the answer, from what is their own. */
function isPrivate({ pool, includeGroups }: Place): boolean {
  return pool === "user" && !includeGroups;
}

/** Who bears a role: in a project or a group, a user may be any of several. */
function bearerOf(role: string, place: Place): Party {
  if (role === "user") return isPrivate(place) ? THE_USER : { role: "a user" };
  return { role: role === "assistant" ? "the assistant" : role };
}

function fromMemory(hit: HitView, memory: SeenMemory, { skillsEnabled }: Place): FoundItem {
  const { about, saidBy, notedBy } = peopleIn(memory, memory.visibilityReason);
  const partyOf = ({ name, isReader }: { name: string; isReader: boolean }) =>
    memory.isGroup !== 1 && isReader ? THE_USER : { name };
  // Who speaks of themselves is named once.
  const others = about.length === 1 && about[0]?.id === saidBy?.id ? [] : about;
  return {
    ...common(hit, saidBy?.name ?? null),
    type: memory.type,
    saidBy: saidBy === null ? null : partyOf(saidBy),
    notedBy: notedBy === null ? null : typeof notedBy === "string" ? { role: notedBy } : { name: notedBy.name },
    about: others.map(partyOf),
    episodeId: hit.memory?.learnedIn?.episodeId ?? null,
    isInstruction: skillsEnabled && memory.type === "procedural" && isAskedFor(memory, saidBy),
  };
}

/** What others say of the viewer's ways is no wish of theirs: only what is their own and their own words, their group's, or the tenant's. */
function isAskedFor({ visibilityReason }: SeenMemory, saidBy: { isReader: boolean } | null): boolean {
  if (visibilityReason === "cross_context") return false;
  return visibilityReason !== "own" || saidBy === null || saidBy.isReader;
}

function common(hit: HitView, speaker: string | null): Pick<FoundItem, "kind" | "id" | "text" | "occurredAt" | "view"> {
  const { kind, id, content, occurredAt, message, sessionId, score, explain } = hit;
  return {
    ...{ kind, id, text: content, occurredAt },
    view: {
      ...{ kind, id, content, occurredAt, role: message?.role ?? null, speaker, sessionId, score },
      ...(explain === undefined
        ? {}
        : { explain: { channels: explain.channels, factors: explain.factors, visibleBy: explain.visibleBy } }),
    },
  };
}
