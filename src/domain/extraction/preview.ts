import type { Ctx, Settings } from "#context";
import { AppError } from "#core/errors";
import { toIso } from "#core/fields";
import { nameKey } from "#core/text/normalize";
import { defaultPrivacy, judgeMemory } from "#domain/memories";
import type { ChatModel } from "#ports/chat-model";
import { type Answered, askAboutPart, loadSurroundings } from "./ask-about-part.ts";
import { type Part, partsOf } from "./batch-episodes.ts";
import type { ExtractionCounts } from "./extraction-counts.ts";
import { loadPeople } from "./load-people.ts";
import { isSpeaker, modelStatement, namesIn, takenAlready } from "./model-statement.ts";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";
import type { ExtractView } from "./schemas.ts";
import { lifetimeOf, type Statement, toMemoryDraft } from "./to-memory-draft.ts";

export type Previewed = ExtractView["memories"][number];

type PreviewFrom = {
  episode: EpisodeToRead;
  speaker: Participant;
  settings: Settings;
  now: number;
  message: number;
  people: readonly string[];
};

/** A statement as it would be stored, and whether it would be. */
export function toPreview(said: Statement, from: PreviewFrom): Previewed {
  const { episode, speaker, settings, now } = from;
  const draft = toMemoryDraft(said, { episode, speaker, now, threshold: settings.extractionThreshold });
  const stored = typeof draft === "string" ? null : draft;
  const lifetime = lifetimeOf(said);
  const at = Math.min(said.at, now);
  const waits = stored !== null && judgeMemory({ ...said, metadata: {} }, settings).status === "pending";
  const ownership = said.isOfGroup && episode.place.kind === "group" ? "group" : "personal";
  const amongOthers = isAmongOthers(episode.place, speaker);
  const privacy = defaultPrivacy(said, { ownership, amongOthers });
  const isOff = !settings.enabled || settings.extraction === "off";
  const reason = typeof draft === "string" ? draft : isOff ? "off" : waits ? "pending" : null;
  return {
    source: said.source,
    category: said.category,
    type: said.type,
    content: said.content,
    key: stored?.key ?? said.key,
    confidence: said.confidence,
    sensitivity: said.sensitivity === "public" ? privacy.sensitivity : said.sensitivity,
    portable: said.portable && privacy.portable,
    ownership,
    scopeType: stored?.scopeType ?? null,
    scopeId: stored?.scopeId ?? null,
    userId: speaker.externalId,
    people: [...from.people],
    message: from.message,
    validFrom: toIso(at),
    expiresAt: lifetime === null ? null : toIso(at + lifetime),
    wouldStore: stored !== null && !isOff,
    reason,
  };
}

/** Whether somebody else takes part in the session now. */
function isAmongOthers({ kind, people }: Place, { userId }: Participant): boolean {
  return kind === "group" && people.some((other) => other.takesPart && other.userId !== userId);
}

type PreviewCtx = Ctx<"db" | "now" | "newId">;

type Modelled = Pick<ExtractView, "memories" | "people" | "entities"> & {
  counts: ExtractionCounts;
  dropped: Map<string, number>;
  /** Why the model's answer to the last failed part could not be used. */
  failure: { outcome: "unusable" | "failed"; reason: string } | null;
};

type Asked = { episode: EpisodeToRead; settings: Settings; ruled: readonly Previewed[] };

/**
 * What the model would add to what the rules extracted. If it fails, the answer says so and has the rules' part. Stored memories and
 * persons are looked up for the acting user's own words only.
 */
export async function previewModel(
  ctx: PreviewCtx,
  model: ChatModel,
  asked: Asked,
): Promise<Pick<ExtractView, "memories" | "people" | "entities" | "model">> {
  const { place } = asked.episode;
  const run = { place, episodes: [asked.episode] };
  const modelled: Modelled = { memories: [], people: [], entities: [], counts: new Map(), dropped: new Map(), failure: null };
  const { own } = await loadSurroundings(ctx, run, asked.episode.by === null ? [] : [asked.episode.by]);
  for (const part of partsOf(run, [])) {
    try {
      const showsKnown = part.speaker.userId === asked.episode.by;
      const known = showsKnown ? (own.get(part.speaker.userId) ?? []) : [];
      const { counts } = modelled;
      const { instructions } = asked.settings;
      const answered = await askAboutPart(ctx, model, { part, place, own: known, counts, instructions, showsKnown });
      await addAnswer(ctx, modelled, { ...asked, part, place, answered });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      modelled.failure = { outcome: "failed", reason: error.message };
    }
  }
  const { memories, people, entities } = modelled;
  return { memories, people, entities, model: toModelView(modelled) };
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
  const wanted = { speaker, place, names: namesIn(part, outcome) };
  const { peopleByName } = await loadPeople(ctx, wanted, { creates: false, finds: speaker.userId === episode.by });
  for (const { name, aliases, relationship } of people)
    modelled.people.push({ name, aliases, relationship, personId: peopleByName.get(nameKey(name)) ?? null });
  const own = ruled.filter(({ userId, wouldStore }) => wouldStore && userId === speaker.externalId);
  for (const memory of memories) {
    const at = part.spoken.get(memory.message)?.message.occurredAt ?? ctx.now();
    const statement = modelStatement(memory, { at, place, speaker, peopleByName, known });
    const named = memory.subjects.filter((name) => !isSpeaker(name, speaker));
    const shown = toPreview(statement, { episode, speaker, settings, now: ctx.now(), message: memory.message, people: named });
    const before = takenAlready(memory, own);
    modelled.memories.push(before === undefined ? shown : { ...shown, wouldStore: false, reason: "known" });
    // What the rules took is stored with the type and the end that the model reads.
    if (before !== undefined && shown.wouldStore) Object.assign(before, { type: shown.type, expiresAt: shown.expiresAt });
  }
  if (place.project !== null) modelled.entities.push(...outcome.entities.map(({ type, name, notes }) => ({ type, name, notes })));
}

function toModelView({ counts, dropped, failure }: Modelled): ExtractView["model"] {
  return {
    outcome: failure?.outcome ?? "taken",
    reason: failure?.reason ?? null,
    calls: counts.get("calls") ?? 0,
    inputTokens: counts.get("inputTokens") ?? 0,
    outputTokens: counts.get("outputTokens") ?? 0,
    dropped: Object.fromEntries(dropped),
  };
}
