import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import { read, select } from "#db/client";
import { integer, row } from "#db/row";
import { PERSON } from "#db/schema/people";
import { EPISODE, type StoredMessage } from "#db/schema/sessions";
import { firstChunkOf } from "#domain/sessions";
import { countUsage } from "#domain/usage";
import type { ChatModel } from "#ports/chat-model";
import type { Part, Run } from "./batch-episodes.ts";
import { count, type ExtractionCounts } from "./extraction-counts.ts";
import { findReplaceable, mostReplaceable, type Replaceable } from "./find-replaceable.ts";
import { canBeMeant } from "./load-people.ts";
import { askModel } from "./model/ask-model.ts";
import type { KnownMemory, ModelOutcome } from "./model/types.ts";
import type { Participant, Place } from "./read-episodes.ts";

/** Messages before a run that the model is shown so that it understands the run. */
const EARLIER_EPISODES = 2;
const EARLIER_MESSAGES = 4;
const EARLIER_CHARACTERS = 1_000;
/** The newest persons that a user created, whose names are looked for in the text. */
const MAX_OWN_PEOPLE = 200;

/** Somebody whom a text may mention. */
export type Known = { personId: number; publicId: string; names: readonly string[] };

const EARLIER = row(EPISODE.of(sql`e`, "messages"));
const OWN_PERSON = row({
  userId: integer(sql`j.value`),
  personId: integer(sql`p.id`),
  ...PERSON.of(sql`p`, "publicId", "name", "aliases"),
});

/** The messages just before a run in its session, and the persons that each speaker created; one round trip. */
export async function loadSurroundings(
  ctx: Ctx<"db">,
  run: Run,
  speakerIds: readonly number[],
): Promise<{ earlier: StoredMessage[]; own: Map<number, Known[]> }> {
  const first = run.episodes[0]?.id ?? 0;
  const { episodes, people } = await read(ctx, {
    episodes: select(EARLIER)`from episodes e
      where e.id < ${sql.raw(String(first))} and e.id >= ${sql.raw(String(firstChunkOf(run.place.sessionId)))} and e.tenant_id = ${ctx.tenantId}
      order by e.id desc limit ${EARLIER_EPISODES}`,
    people: select(OWN_PERSON)`from json_each(${JSON.stringify(speakerIds)}) j cross join persons p on p.id in (
        select q.id from persons q where q.created_by = j.value and +q.user_id is null and +q.merged_into is null
        order by q.public_id desc limit ${MAX_OWN_PEOPLE})
      where +p.tenant_id = ${ctx.tenantId}`,
  });
  const earlier = episodes
    .toReversed()
    .flatMap(({ messages }) => messages)
    .slice(-EARLIER_MESSAGES)
    .map((message) => ({ ...message, text: message.text.slice(-EARLIER_CHARACTERS) }));
  const known = people.map(({ name, aliases, ...person }) => ({ ...person, names: [name, ...aliases] }));
  return { earlier, own: Map.groupBy(known, ({ userId }) => userId) };
}

/** Who took part when it was said, and whom the speaker created, as far as the text has one of their names. */
function knownNamedIn(text: string, of: { place: Place; speaker: Participant; own: readonly Known[] }): Known[] {
  const words = ` ${nameKey(text)} `;
  const here = of.place.people
    .filter(canBeMeant)
    .map(({ personId, personPublicId, names }) => ({ personId, publicId: personPublicId, names }));
  return [...here, ...of.own].filter(({ names }) => names.some((name) => nameKey(name) !== "" && isIn(words, nameKey(name))));
}

/** In scripts without spaces, a name is part of a longer run of letters. */
function isIn(words: string, key: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\s]+$/u.test(key)
    ? words.includes(key)
    : words.includes(` ${key} `);
}

export type Answered = {
  outcome: ModelOutcome;
  /** The memories that the model was shown, by the id under which it was. */
  known: ReadonlyMap<string, Replaceable>;
  /** Memories that the rules extracted from these episodes. */
  taken: readonly Replaceable[];
};

/** With `showsKnown` false the model is shown nothing that is stored, because the answer goes to somebody else than the speaker. */
type Asked = {
  part: Part;
  place: Place;
  own: readonly Known[];
  counts: ExtractionCounts;
  /** The tenant's setting. */
  instructions: string;
  showsKnown?: boolean;
};

/** Asks the model about one speaker's part of a run, with the memories that it may replace, and records what that cost. */
export async function askAboutPart(ctx: Ctx<"db" | "now">, model: ChatModel, asked: Asked): Promise<Answered> {
  const { part, place, own, counts, instructions, showsKnown = true } = asked;
  const { speaker } = part;
  const text = [...part.spoken.values()].map(({ message }) => message.text).join("\n");
  const people = knownNamedIn(text, { place, speaker, own });
  const persons = people.map(({ personId }) => personId);
  const found = showsKnown ? await findReplaceable(ctx, { speaker, place, text, people: persons }) : [];
  const here = new Set([...part.spoken.values()].map(({ episode }) => episode.id));
  const isFromHere = ({ episodeId }: Replaceable) => episodeId !== null && here.has(episodeId);
  const shown = mostReplaceable(
    found.filter((memory) => !isFromHere(memory)),
    text,
  );
  const known = new Map(shown.map((memory, i) => [`K${i + 1}`, memory] as const));
  const tookPart = place.people.filter(canBeMeant).map(({ name }) => name);
  const outcome = await askModel(model, {
    transcript: part.transcript,
    spoken: [...part.spoken.keys()],
    now: ctx.now(),
    zone: { offset: null, timeZone: speaker.timeZone ?? null },
    known: [...known].map(([id, memory]) => toKnown(id, memory, { speaker, place })),
    people: [...new Set([...tookPart, ...people.flatMap(({ names }) => names[0] ?? [])])],
    withEntities: place.project !== null,
    instructions,
  });
  await recordCost(ctx, outcome, counts);
  return { outcome, known, taken: found.filter(isFromHere) };
}

async function recordCost(ctx: Ctx<"db" | "now">, outcome: ModelOutcome, counts: ExtractionCounts): Promise<void> {
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
}

/** The author of another user's memory is not disclosed: the model's server takes no part in the conversation. */
function toKnown(id: string, memory: Replaceable, { speaker, place }: { speaker: Participant; place: Place }): KnownMemory {
  const { content, about, isOwn } = memory;
  // Whoever joined after the words were said is nobody whom they name, though a later memory is about them.
  const unknown = new Set(place.people.filter(({ hadJoined }) => !hadJoined).map(({ name }) => name));
  return { id, content, about: about.filter((name) => !unknown.has(name)), stated: isOwn ? speaker.name : null };
}
