import { keyOf } from "#core/rank/ranking";
import { analyse } from "#core/text/analyse";
import { STOP_WORDS } from "#core/text/stop-words";
import { SUMMARY_SOURCE } from "#db/schema/memories";
import type { Replaced } from "./find-successors.ts";
import type { RankedHit } from "./hit.ts";

/** A passage states what was replaced if it has this share of its words. */
const STATES = 0.8;
/** A passage whose statement has no current value says more if less than this share of its own words is in the statement. */
const SAYS_NO_MORE = 0.6;

type EpisodeHit = Extract<RankedHit, { kind: "episode" }>;
type MemoryHit = Extract<RankedHit, { kind: "memory" }>;
type CurrentMemory = Pick<MemoryHit, "id" | "kind" | "text" | "memory">;

export type WithCurrent = {
  hits: RankedHit[];
  /** Of passages that are shown behind the memory that replaced a part of them: the passage's episode, and the memory by its public id. */
  behind: ReadonlyMap<string, string>;
};

/**
 * The current value in the place of a passage whose statement it replaced, or before it if the passage says anything else. A statement that was
 * replaced by something that was forgotten since leaves no value, and its passage goes as well.
 */
export function putCurrent(
  ranked: readonly RankedHit[],
  { replaced, current }: { replaced: readonly Replaced[]; current: readonly CurrentMemory[] },
): WithCurrent {
  const byEpisode = Map.groupBy(replaced, ({ episodeId }) => episodeId);
  const memories = new Map(current.map((memory) => [memory.id, memory]));
  const ownHits = new Map(ranked.flatMap((hit) => (hit.kind === "memory" ? [[hit.id, hit] as const] : [])));
  const behind = new Map<string, string>();
  const hits = new Map<string, RankedHit>();
  const add = (hit: RankedHit) => {
    if (!hits.has(keyOf(hit))) hits.set(keyOf(hit), hit);
  };
  for (const found of ranked) {
    if (found.kind === "chunk") {
      add(found);
      continue;
    }
    const hit = withoutReplaced(found, byEpisode);
    if (hit === null) continue;
    const old = hit.kind === "episode" ? statedIn(hit, byEpisode.get(hit.episodeId) ?? []) : [];
    const successors = old.flatMap(({ currentId }) => memories.get(currentId) ?? []);
    for (const memory of successors) {
      add({
        ...(ownHits.get(memory.id) ?? unfound(hit, memory)),
        score: Math.max(hit.score, ownHits.get(memory.id)?.score ?? 0),
      });
      if (hit.kind === "episode") behind.set(hit.episodeId, memory.memory.publicId);
    }
    const isReplaced = old.some(({ currentId, isGone }) => isGone || memories.has(currentId));
    // Behind its current value a passage may show the rest of what it says; without one it would show the old value as the present.
    const said = shareStatedBy(hit, old);
    if (!isReplaced || said < (successors.length > 0 ? 1 : SAYS_NO_MORE)) add(hit);
  }
  return { hits: [...hits.values()], behind };
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

/** The share of a passage's words that are in the statements that were replaced. */
function shareStatedBy(hit: RankedHit, old: readonly Replaced[]): number {
  return shareIn(wordsOf(hit.text), new Set(old.flatMap(({ content }) => [...wordsOf(content)])));
}

function wordsOf(text: string): Set<string> {
  return new Set(analyse(text).filter((word) => !STOP_WORDS.has(word)));
}

function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 1;
  return [...words].filter((word) => others.has(word)).length / words.size;
}
