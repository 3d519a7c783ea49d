import type { EntitySearchView } from "#domain/entities";
import { peopleIn, type SeenMemory } from "#domain/memories";
import { type HitView, hitKey, type Searched } from "#domain/retrieval";
import { isOwnReason } from "#domain/visibility";
import type { Arrangeable } from "./line.ts";
import type { ItemView } from "./schemas.ts";
import type { Candidate, Party } from "./write-block.ts";

/** What may go into a block, and the fields of it that the answer shows beside the block. */
export type FoundItem = Candidate & Pick<Arrangeable, "isOfOther" | "behind" | "likeness"> & { view: Omit<ItemView, "citation"> };

export type Place = Pick<Searched, "pool" | "memories" | "speakers" | "groups" | "likeness" | "offsets"> & {
  /** Whether procedural memories are written as instructions. */
  skillsEnabled: boolean;
};

const THE_USER: Party = { role: "the user" };

/** Passages, memories and passages of documents that were found, best first. */
export function fromHits(hits: readonly HitView[], place: Place): FoundItem[] {
  return hits.map((hit) => {
    if (hit.kind === "chunk") return toItem(viewOf(hit, null), { likeness: place.likeness.get(hitKey(hit)) ?? null });
    const memory = place.memories.get(hit.id);
    return memory === undefined ? fromPassage(hit, place) : fromMemory(hit, memory, place);
  });
}

/** Entities that were found, best first. */
export function fromEntities(hits: EntitySearchView["hits"]): FoundItem[] {
  return hits.map(({ id, type, name, notes, lastSeenAt, score, explain }) => {
    const text = notes === null ? name : `${name}: ${notes}`;
    const { channels = {}, visibleBy = "" } = explain ?? {};
    const view: Shown = {
      kind: "entity",
      part: "recalled",
      id,
      content: text,
      document: null,
      occurredAt: lastSeenAt,
      role: null,
      speaker: null,
      sessionId: null,
      score,
      older: null,
    };
    return toItem({ ...view, ...(explain === undefined ? {} : { explain: { channels, factors: [], visibleBy } }) }, { type });
  });
}

type Shown = FoundItem["view"];

/** An item with the data beside its view. */
function toItem(view: Shown, more: Partial<Omit<FoundItem, "view">>): FoundItem {
  const { kind, id, content: text, occurredAt } = view;
  const nothing = {
    type: null,
    saidBy: null,
    notedBy: null,
    about: [],
    episodeId: null,
    isInstruction: false,
    isOfOther: false,
    behind: null,
    isOlder: false,
    likeness: null,
    document: view.document,
  };
  return { kind, id, text, occurredAt, ...nothing, ...more, view };
}

/** A hit's view, without its citation. */
function viewOf(hit: HitView, speaker: string | null): Shown {
  const { kind, id, content, occurredAt, message, document: file, passage, sessionId, score, older, explain } = hit;
  const document = file === null ? null : { ...file, ...passage };
  const role = message?.role ?? null;
  const view: Shown = { kind, part: "recalled", id, content, document, occurredAt, role, speaker, sessionId, score, older };
  if (explain === undefined) return view;
  return { ...view, explain: { channels: explain.channels, factors: explain.factors, visibleBy: explain.visibleBy } };
}

/** Merges two rankings on one scale. Each keeps its own order, except that of two neighbours with equal scores the newer comes first. */
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
  const isPrivate = place.pool === "user" && (hit.sessionId === null || !place.groups.has(hit.sessionId));
  const said: Party =
    user === undefined
      ? partyOf(message?.role ?? "user", { label: speaker, isPrivate })
      : user.isViewer && isPrivate
        ? THE_USER
        : { name: user.name };
  const isOfOther = user === undefined ? speaker !== null : !user.isViewer;
  return toItem(viewOf(hit, user?.name ?? null), {
    saidBy: said,
    offset: place.offsets.get(hitKey(hit)) ?? null,
    episodeId: hit.id,
    isOfOther,
    ...olderOf(hit),
    likeness: place.likeness.get(hitKey(hit)) ?? null,
  });
}

/**
 * Whoever is not known is called by their role: in a project or a group, "user" may be any of several people. A label identifies nobody, so
 * it is shown as one, and what a user is said to have said under it is not said by the user.
 */
function partyOf(role: string, { label, isPrivate }: { label: string | null; isPrivate: boolean }): Party {
  if (role === "user" && label !== null) return { role: "", label };
  if (role === "user") return isPrivate ? THE_USER : { role: "a user" };
  return { role: role === "assistant" ? "the assistant" : role, ...(label === null ? {} : { label }) };
}

function fromMemory(hit: HitView, memory: SeenMemory, place: Place): FoundItem {
  const item = memoryItem(viewOf(hit, null), memory, { place, episodeId: hit.memory?.learnedIn?.episodeId ?? null });
  return { ...item, ...olderOf(hit) };
}

function olderOf({ older }: HitView): Pick<FoundItem, "behind" | "isOlder"> {
  return { behind: older?.by ?? null, isOlder: older !== null };
}

/** The item of a memory, with its people as the reader may know them. */
export function memoryItem(
  view: Omit<Shown, "speaker" | "document">,
  memory: SeenMemory,
  { place, episodeId }: { place: Place; episodeId: string | null },
): FoundItem {
  const { about, saidBy, notedBy } = peopleIn(memory, memory.visibilityReason);
  const shownAs = ({ name, isReader }: { name: string; isReader: boolean }) =>
    !memory.isGroup && isReader ? THE_USER : { name };
  // A person who refers to themselves is named once.
  const others = about.length === 1 && about[0]?.id === saidBy?.id ? [] : about;
  return toItem(
    { ...view, document: null, speaker: saidBy?.name ?? null },
    {
      type: memory.type,
      offset: memory.validOffset,
      saidBy: saidBy === null ? null : shownAs(saidBy),
      notedBy: notedBy === null ? null : typeof notedBy === "string" ? { role: notedBy } : { name: notedBy.name },
      about: others.map(shownAs),
      episodeId,
      likeness: place.likeness.get(view.id) ?? null,
      isInstruction: place.skillsEnabled && memory.type === "procedural" && isAskedFor(memory, saidBy),
    },
  );
}

/** Only memories that the viewer stated, their group's and the tenant's are instructions; what others say about the viewer is not. */
function isAskedFor({ visibilityReason }: SeenMemory, saidBy: { isReader: boolean } | null): boolean {
  if (visibilityReason === "cross_context") return false;
  return !isOwnReason(visibilityReason) || saidBy === null || saidBy.isReader;
}
