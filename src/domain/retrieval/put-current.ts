import { saysOneThing } from "#core/language/one-thing";
import { keyOf } from "#core/rank/ranking";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import { SUMMARY_SOURCE } from "#db/schema/memories";
import { laterValues } from "#domain/memories";
import type { Replaced } from "./find-successors.ts";
import type { RankedHit } from "./hit.ts";

/** A passage states what was replaced if it has this share of its words. */
const STATES = 0.8;

type EpisodeHit = Extract<RankedHit, { kind: "episode" }>;
type MemoryHit = Extract<RankedHit, { kind: "memory" }>;
type CurrentMemory = Pick<MemoryHit, "id" | "kind" | "text" | "memory">;

export type WithCurrent = {
  hits: RankedHit[];
  /** Hits that are left out because all that they say has been replaced. */
  heldBack: { hit: RankedHit; by: string | null }[];
};

/**
 * The current value in the place of a passage that says nothing but what was replaced. What says anything else, or is not sure to say nothing else, stays behind
 * the current value and is marked as older.
 */
export function putCurrent(
  ranked: readonly RankedHit[],
  { replaced, current }: { replaced: readonly Replaced[]; current: readonly CurrentMemory[] },
): WithCurrent {
  const byEpisode = Map.groupBy(replaced, ({ episodeId }) => episodeId);
  const parts = Map.groupBy(
    replaced.filter(({ isPart }) => isPart),
    ({ memoryId }) => memoryId,
  );
  const memories = new Map(current.map((memory) => [memory.id, memory]));
  const ownHits = new Map(ranked.flatMap((hit) => (hit.kind === "memory" ? [[hit.id, hit] as const] : [])));
  const later = laterValues(ranked.flatMap((hit) => (hit.kind === "memory" ? hit.memory : [])));
  const heldBack: WithCurrent["heldBack"] = [];
  const hits = new Map<string, RankedHit>();
  const add = (hit: RankedHit) => {
    if (!hits.has(keyOf(hit))) hits.set(keyOf(hit), hit);
  };
  const addCurrent = (hit: RankedHit, memory: CurrentMemory) => {
    const own = ownHits.get(memory.id);
    add({ ...(own ?? unfound(hit, memory)), score: Math.max(hit.score, own?.score ?? 0) });
  };
  for (const found of ranked) {
    const hit = found.kind === "chunk" ? found : withoutReplaced(found, byEpisode);
    if (hit === null) continue;
    const old =
      hit.kind === "chunk"
        ? []
        : hit.kind === "memory"
          ? (parts.get(hit.id) ?? [])
          : statedIn(hit, byEpisode.get(hit.episodeId) ?? []);
    const successors = old.flatMap(({ currentId, isGone }) => (isGone ? [] : (memories.get(currentId) ?? [])));
    const laterId = hit.kind === "memory" ? later.get(hit.memory.publicId)?.id : undefined;
    const newer = laterId === undefined ? undefined : ownHits.get(laterId);
    for (const memory of [...successors, ...(newer === undefined ? [] : [newer])]) addCurrent(hit, memory);
    const by = (successors[0] ?? newer)?.memory.publicId ?? null;
    const isOlder = by !== null || old.some(({ isGone }) => isGone);
    if (isOlder && hit.kind === "episode" && saysNothingElse(hit, old)) heldBack.push({ hit, by });
    else add(isOlder ? { ...hit, older: { by } } : hit);
  }
  return { hits: [...hits.values()], heldBack };
}

/** Whether a passage surely says nothing but what was replaced as a whole. */
function saysNothingElse(hit: EpisodeHit, old: readonly Replaced[]): boolean {
  if (old.some(({ isPart }) => isPart)) return false;
  const words = new Set(old.flatMap(({ content }) => analyse(content)));
  const left = analyse(hit.text).filter((word) => !words.has(word) && !STOP_WORDS.has(word));
  return left.length === 0 && saysOneThing(hit.text);
}

/** A summary without the lines that state what was replaced since it was written; null if none is left. Any other hit as it is. */
function withoutReplaced(hit: RankedHit, byEpisode: ReadonlyMap<string, readonly Replaced[]>): RankedHit | null {
  if (hit.kind !== "memory" || byEpisode.size === 0 || hit.memory.metadata.source !== SUMMARY_SOURCE) return hit;
  const { episodes } = hit.memory.metadata;
  const cited = Array.isArray(episodes) ? episodes : [];
  const old = cited.flatMap((id) => byEpisode.get(String(id)) ?? []).map(({ content }) => wordsOf(content));
  const [title = "", ...lines] = hit.text.split("\n");
  const left = lines.filter((line) => !old.some((words) => shareIn(words, wordsOf(line)) >= STATES));
  if (left.length === lines.length) return hit;
  const text = [title, ...left].join("\n");
  return left.length === 0 ? null : { ...hit, text, memory: { ...hit.memory, content: text } };
}

/** The current memory with the rank of the passage that led to it. */
function unfound({ factors, channels }: RankedHit, memory: CurrentMemory): MemoryHit {
  return { ...memory, score: 0, factors, channels, similar: 0 };
}

function statedIn(hit: EpisodeHit, replaced: readonly Replaced[]): Replaced[] {
  if (replaced.length === 0 || hit.role !== "user") return [];
  const words = wordsOf(hit.text);
  return replaced.filter(({ content }) => shareIn(wordsOf(content), words) >= STATES);
}

function wordsOf(text: string): Set<string> {
  return new Set(analyse(text).filter((word) => !STOP_WORDS.has(word)));
}

function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 1;
  return [...words].filter((word) => others.has(word)).length / words.size;
}
