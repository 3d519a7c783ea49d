import { nameKey } from "#core/text/normalize";
import { isIdLike } from "./person-name.ts";
import type { ModelAsk, ModelMemory } from "./types.ts";

/** What the model is shown, and the labels ("user 1") in it by the ids that they stand for. */
export type Labelled = { shown: ModelAsk; labels: ReadonlyMap<string, string> };

/** Puts labels in the place of names that are only an app's id: a model takes an id for a name and makes statements about it. */
export function labelNames(ask: ModelAsk): Labelled {
  const named = [...ask.transcript.flatMap(({ speaker }) => speaker ?? []), ...ask.people];
  const ids = [
    ...new Set([...named, ...ask.known.flatMap(({ about, stated }) => [...about, ...(stated === null ? [] : [stated])])]),
  ];
  const names = new Set(ids.map(nameKey));
  const free = Array.from({ length: ids.length * 2 }, (_, i) => `user ${i + 1}`).filter((label) => !names.has(nameKey(label)));
  const labels = new Map(ids.filter(isIdLike).map((id, i) => [id, free[i] ?? id] as const));
  const labelOf = (name: string) => labels.get(name) ?? name;
  const shown: ModelAsk = {
    ...ask,
    transcript: ask.transcript.map((message) =>
      message.speaker === null ? message : { ...message, speaker: labelOf(message.speaker) },
    ),
    people: ask.people.map(labelOf),
    known: ask.known.map(({ about, stated, ...memory }) => ({
      ...memory,
      about: about.map(labelOf),
      stated: stated === null ? null : labelOf(stated),
    })),
  };
  return { shown, labels };
}

/**
 * A memory with the ids that its labels stand for as subjects; null if its text needs a label or an id to say who is meant. "user 1 is a
 * nurse" of user 1's own words becomes "Is a nurse".
 */
export function unlabelled(memory: ModelMemory, { shown, labels }: Labelled): ModelMemory | null {
  if (labels.size === 0) return memory;
  const author = shown.transcript.find(({ index }) => index === memory.message)?.speaker ?? null;
  const isLabel = author !== null && [...labels.values()].includes(author);
  const isByLabel = isLabel && memory.content.toLowerCase().startsWith(`${author.toLowerCase()} `);
  const content = isByLabel ? capitalised(memory.content.slice(author.length).trim()) : memory.content;
  const words = ` ${nameKey(content)} `;
  if ([...labels].flat().some((name) => words.includes(` ${nameKey(name)} `))) return null;
  const ids = new Map([...labels].map(([id, label]) => [nameKey(label), id]));
  return { ...memory, content, subjects: memory.subjects.map((name) => ids.get(nameKey(name)) ?? name) };
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
