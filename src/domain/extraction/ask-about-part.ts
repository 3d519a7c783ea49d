import type { Ctx } from "#context";
import { countUsage } from "#domain/usage";
import type { ChatModel } from "#ports/chat-model";
import type { Part } from "./batch-episodes.ts";
import { count, type ExtractionCounts } from "./extraction-counts.ts";
import { findReplaceable, mostReplaceable, type Replaceable } from "./find-replaceable.ts";
import { mayBeMeant } from "./load-people.ts";
import { type Known, spokenOf } from "./look-around.ts";
import { askModel, type KnownMemory, type ModelOutcome } from "./model/index.ts";
import type { Place } from "./read-episodes.ts";

export type Answered = {
  outcome: ModelOutcome;
  /** What the model was shown, by the id under which it was. */
  known: ReadonlyMap<string, Replaceable>;
  /** What rules took from these very episodes. */
  taken: readonly Replaceable[];
};

/** With `showsKnown` false the model is shown nothing that is stored: the answer is for somebody else than the speaker. */
type Asked = { part: Part; place: Place; own: readonly Known[]; counts: ExtractionCounts; showsKnown?: boolean };

/** Asks the model about one speaker's part of a run, with what it may replace, and counts what that cost. */
export async function askAboutPart(ctx: Ctx<"db" | "now">, model: ChatModel, asked: Asked): Promise<Answered> {
  const { part, place, own, counts, showsKnown = true } = asked;
  const { speaker } = part;
  const text = [...part.spoken.values()].map(({ message }) => message.text).join("\n");
  const people = spokenOf(text, { place, speaker, own });
  const persons = people.map(({ personId }) => personId);
  const found = showsKnown ? await findReplaceable(ctx, { speaker, place, text, people: persons }) : [];
  const here = new Set([...part.spoken.values()].map(({ episode }) => episode.id));
  const isFromHere = ({ episodeId }: Replaceable) => episodeId !== null && here.has(episodeId);
  const shown = mostReplaceable(
    found.filter((row) => !isFromHere(row)),
    text,
  );
  const known = new Map(shown.map((row, i) => [`K${i + 1}`, row] as const));
  const tookPart = place.people.filter(mayBeMeant).map(({ name }) => name);
  const outcome = await askModel(model, {
    transcript: part.transcript,
    spoken: [...part.spoken.keys()],
    now: ctx.now(),
    known: [...known].map(([id, row]) => toKnown(id, row, speaker.name)),
    people: [...new Set([...tookPart, ...people.flatMap(({ names }) => names[0] ?? [])])],
    withEntities: place.project !== null,
  });
  const { attempts, usage } = outcome;
  const tokens = { input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0 };
  if (outcome.kind === "taken") count(counts, "messagesCut", outcome.cut);
  count(counts, "calls", attempts);
  count(counts, "inputTokens", tokens.input);
  count(counts, "outputTokens", tokens.output);
  await countUsage(ctx, {
    extractionCalls: attempts,
    extractionInputTokens: tokens.input,
    extractionOutputTokens: tokens.output,
  });
  return { outcome, known, taken: found.filter(isFromHere) };
}

/** Who said what others said is not told: the model's server is no part of the conversation. */
function toKnown(id: string, row: Replaceable, speaker: string): KnownMemory {
  return { id, content: row.content, about: JSON.parse(row.about), stated: row.isOwn === 1 ? speaker : null };
}
