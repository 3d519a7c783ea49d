import type { Ctx, Settings } from "#context";
import { AppError } from "#core/errors";
import { nameKey } from "#core/text/normalize";
import type { ChatModel } from "#ports/chat-model";
import { type Answered, askAboutPart } from "./ask-about-part.ts";
import { type Part, partsOf } from "./batch-episodes.ts";
import type { ExtractionCounts } from "./extraction-counts.ts";
import { loadPeople } from "./load-people.ts";
import { lookAround } from "./look-around.ts";
import { isSpeaker, modelledStatement } from "./model-statement.ts";
import { type Previewed, toPreview } from "./preview-memory.ts";
import type { EpisodeToRead, Place } from "./read-episodes.ts";
import { takenAlready } from "./says-the-same.ts";
import type { ExtractView } from "./schemas.ts";

type PreviewCtx = Ctx<"db" | "now" | "newId">;

export type Modelled = Pick<ExtractView, "memories" | "people" | "entities"> & {
  counts: ExtractionCounts;
  dropped: Map<string, number>;
  /** Why nothing came of a part, and whether a later try may help. */
  failure: { outcome: "unusable" | "failed"; reason: string } | null;
};

type Asked = { episode: EpisodeToRead; settings: Settings; ruled: readonly Previewed[] };

/** What the model would add to what rules took. Its failure is told, and leaves what rules took. What is stored counts for the acting user's own part only. */
export async function preview(ctx: PreviewCtx, model: ChatModel, asked: Asked): Promise<Modelled> {
  const { place } = asked.episode;
  const run = { place, episodes: [asked.episode] };
  const modelled: Modelled = { memories: [], people: [], entities: [], counts: new Map(), dropped: new Map(), failure: null };
  const { own } = await lookAround(ctx, run, asked.episode.by === null ? [] : [asked.episode.by]);
  for (const part of partsOf(run, [])) {
    try {
      const showsKnown = part.speaker.userId === asked.episode.by;
      const known = showsKnown ? (own.get(part.speaker.userId) ?? []) : [];
      const answered = await askAboutPart(ctx, model, { part, place, own: known, counts: modelled.counts, showsKnown });
      await addAnswer(ctx, modelled, { ...asked, part, place, answered });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      modelled.failure = { outcome: "failed", reason: error.message };
    }
  }
  return modelled;
}

async function addAnswer(
  ctx: PreviewCtx,
  modelled: Modelled,
  of: Asked & { part: Part; place: Place; answered: Answered },
): Promise<void> {
  const { part, place, answered, episode, settings, ruled } = of;
  const { outcome, known } = answered;
  if (outcome.kind !== "taken") {
    modelled.failure = { outcome: "unusable", reason: outcome.reason };
    return;
  }
  const { speaker } = part;
  for (const { reason, count } of outcome.dropped) modelled.dropped.set(reason, (modelled.dropped.get(reason) ?? 0) + count);
  const memories = outcome.memories.filter(({ message }) => part.spoken.has(message));
  const people = outcome.people.filter(({ message, name }) => part.spoken.has(message) && !isSpeaker(name, speaker));
  const subjects = memories.flatMap((memory) => memory.subjects).filter((name) => !isSpeaker(name, speaker));
  const names = [...people, ...subjects.map((name) => ({ name, relationship: null }))];
  const finds = speaker.userId === episode.by;
  const { peopleByName } = await loadPeople(ctx, { speaker, place, names }, { makes: false, finds });
  for (const { name, aliases, relationship } of people)
    modelled.people.push({ name, aliases, relationship, personId: peopleByName.get(nameKey(name)) ?? null });
  const own = ruled.filter(({ userId }) => userId === speaker.externalId);
  for (const memory of memories) {
    const at = part.spoken.get(memory.message)?.message.occurredAt ?? ctx.now();
    const statement = modelledStatement(memory, { at, place, speaker, peopleByName, known });
    const named = memory.subjects.filter((name) => !isSpeaker(name, speaker));
    const shown = toPreview(statement, { episode, speaker, settings, now: ctx.now(), message: memory.message, people: named });
    const isKnown = takenAlready(memory, own) !== undefined;
    modelled.memories.push(isKnown ? { ...shown, wouldStore: false, reason: "known" } : shown);
  }
  if (place.project !== null) modelled.entities.push(...outcome.entities.map(({ type, name, notes }) => ({ type, name, notes })));
}

export function modelOf({ counts, dropped, failure }: Modelled): ExtractView["model"] {
  return {
    outcome: failure?.outcome ?? "taken",
    reason: failure?.reason ?? null,
    calls: counts.get("calls") ?? 0,
    inputTokens: counts.get("inputTokens") ?? 0,
    outputTokens: counts.get("outputTokens") ?? 0,
    dropped: Object.fromEntries(dropped),
  };
}
