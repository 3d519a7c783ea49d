import { sql } from "drizzle-orm";
import type { Ctx, Settings } from "#context";
import { breaksRule, notFound } from "#core/errors";
import { refuseSaidLater, toMillis } from "#core/fields";
import { offsetIn } from "#core/local-time";
import { requirePermission } from "#core/permission";
import { redactSecrets } from "#core/safety/find-secrets";
import { nameKey, storable } from "#core/text/normalize";
import { read, readRows, select } from "#db/client";
import { integer, nullable, row, text } from "#db/row";
import { PERSON } from "#db/schema/people";
import type { StoredMessage } from "#db/schema/sessions";
import { ACTING_USER, readSaid } from "#domain/facts";
import { findSpeakers, hasLabels, speakerOf, speakersIn } from "#domain/sessions";
import { getSettings } from "#domain/settings";
import { actingUser, userIdOf } from "#domain/tenants";
import { loadPeople, personKey } from "./load-people.ts";
import { type Previewed, previewModel, toPreview } from "./preview.ts";
import { type EpisodeToRead, namesOf, type Participant, type Place, readPlace } from "./read-episodes.ts";
import type { ExtractInput, ExtractView } from "./schemas.ts";
import { messagesBySpeaker, takeFromSpeaker } from "./speakers.ts";
import { takenStatement } from "./store-batch.ts";

type ExtractCtx = Ctx<"db" | "now" | "newId" | "caches" | "chatModel" | "log">;

/**
 * What would be stored of these messages. Nothing is written. The model is asked only if the request wants it.
 *
 * @throws `forbidden` without the permission to read; `unprocessable` for `useModel` without a model, for words from the future and for a
 * speaker who has no part in the session; `not_found` for a session that the user may not enter.
 */
export async function extract(ctx: ExtractCtx, input: ExtractInput): Promise<ExtractView> {
  requirePermission(ctx.actor, "read");
  if (input.useModel && ctx.chatModel === null) throw breaksRule("useModel", "No chat model is configured.");
  for (const [i, { occurredAt }] of input.messages.entries())
    refuseSaidLater(occurredAt, { now: ctx.now(), path: `messages[${i}].occurredAt` });
  const [settings, { place, user }] = [await getSettings(ctx), await findPlace(ctx, input)];
  const messages = await readMessages(ctx, input, user);
  const episode: EpisodeToRead = { id: 0, publicId: "", messages, place, range: 0, by: user.userId, redactions: 0 };
  const ruled = await previewRules(ctx, episode, settings);
  const modelled =
    input.useModel && ctx.chatModel !== null
      ? await previewModel(ctx, ctx.chatModel, { episode, settings, ruled: ruled.memories })
      : null;
  return {
    facts: await factsIn(ctx, episode),
    memories: [...ruled.memories, ...(modelled?.memories ?? [])],
    people: withoutRepetition([...ruled.people, ...(modelled?.people ?? [])]),
    entities: modelled?.entities ?? [],
    model: modelled?.model ?? null,
  };
}

/**
 * Where the user would speak: in the named session, or privately in none. A user who is not known has said nothing yet.
 *
 * @throws `not_found` for a session that they may not enter.
 */
async function findPlace(
  ctx: Ctx<"db">,
  asked: { userId?: string | undefined; sessionId?: string | undefined },
): Promise<{ place: Place; user: Participant }> {
  const user = await findSelf(ctx, asked.userId);
  if (asked.sessionId === undefined) {
    const place: Place = { sessionId: 0, externalId: "", kind: "private", ownerId: user.userId, project: null, people: [user] };
    return { place, user };
  }
  const place = await readPlace(ctx, asked.sessionId);
  const here = place?.people.find(({ userId, takesPart }) => userId === user.userId && takesPart);
  if (place === undefined || here === undefined) throw notFound("session");
  return { place, user: here };
}

const SELF = row({
  userId: integer(sql`u.id`),
  externalId: text(sql`u.external_id`),
  personId: integer(sql`pe.id`),
  personPublicId: text(sql`pe.public_id`),
  ...PERSON.of(sql`pe`, "name", "aliases"),
  timeZone: nullable(text(sql`u.time_zone`)),
});

async function findSelf(ctx: Ctx<"db">, named: string | undefined): Promise<Participant> {
  const { externalId } = actingUser(ctx, named);
  const query = select(SELF)`from users u cross join persons pe on pe.user_id = u.id
    where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, { externalId })}`;
  const unknown = { userId: 0, externalId, personId: 0, personPublicId: "", name: externalId, aliases: [], timeZone: null };
  const [self = unknown] = await readRows(ctx, query);
  return { ...self, ...namesOf(self), takesPart: true, isMember: false, tookPart: true, hadJoined: true };
}

/** The messages as an append would store them. */
async function readMessages(ctx: ExtractCtx, input: ExtractInput, user: Participant): Promise<StoredMessage[]> {
  const named = [...new Set(input.messages.flatMap(({ userId }) => userId ?? []))];
  // A caller that is bound to one user may name no other user.
  for (const userId of named) actingUser(ctx, userId);
  const place = { sessionExternalId: input.sessionId ?? null, acting: actingUser(ctx, input.userId) };
  const says = { userIds: named, hasLabels: hasLabels([input]) };
  const { found } = await read(ctx, {
    found: says.hasLabels || named.length > 0 ? findSpeakers(ctx, place, says) : null,
  });
  const speakers = speakersIn(ctx, found, place);
  const redacted = (said: string) => redactSecrets(storable(said)).text;
  return input.messages.map(({ role, content, userId, speaker, occurredAt }, i) => {
    const at = occurredAt === undefined ? ctx.now() : toMillis(occurredAt);
    const offset = occurredAt === undefined ? null : offsetIn(occurredAt);
    const author = speakerOf(speakers, { role, userId, speaker, at, path: `messages[${i}].` });
    return {
      role,
      ...(author === null ? {} : { userId: author === ACTING_USER ? user.userId : author }),
      text: redacted(content),
      speaker: speaker === undefined ? null : redacted(speaker),
      occurredAt: at,
      ...(offset === null ? {} : { offset }),
      messageId: null,
    };
  });
}

async function previewRules(
  ctx: ExtractCtx,
  episode: EpisodeToRead,
  settings: Settings,
): Promise<Pick<ExtractView, "memories" | "people">> {
  const memories: Previewed[] = [];
  const people: ExtractView["people"] = [];
  for (const { user, messages } of messagesBySpeaker(episode).bySpeaker) {
    const taken = takeFromSpeaker(messages, { place: episode.place, instructions: settings.instructions });
    const names = taken.flatMap((memory) => memory.people);
    const { peopleByName } = await loadPeople(
      ctx,
      { speaker: user, place: episode.place, names },
      { creates: false, finds: user.userId === episode.by },
    );
    for (const person of names) {
      const { name, relationship } = person;
      people.push({ name, relationship, personId: peopleByName.get(personKey(person)) ?? null, aliases: [] });
    }
    for (const memory of taken) {
      const said = messages[memory.messageIndex];
      const statement = takenStatement(memory, { at: said?.message.occurredAt ?? ctx.now(), place: episode.place, peopleByName });
      const from = { episode, speaker: user, now: ctx.now(), settings, message: said?.index ?? 0 };
      memories.push(toPreview(statement, { ...from, people: memory.people.map(({ name }) => name) }));
    }
  }
  return { memories, people };
}

/** The facts that an append of these messages would store. */
async function factsIn(ctx: ExtractCtx, episode: EpisodeToRead): Promise<ExtractView["facts"]> {
  const { bySpeaker } = messagesBySpeaker(episode);
  const said = await readSaid(
    ctx,
    bySpeaker.flatMap(({ user: { userId }, messages }) =>
      messages.map(({ message }) => ({ ...message, userId, offset: 0, ordinal: 0 })),
    ),
    { hasLists: false },
  );
  const externalIds = new Map(bySpeaker.map(({ user }) => [user.userId, user.externalId]));
  return (said?.slots ?? []).map(({ userId, topic, rank, value }) => ({
    userId: externalIds.get(userId) ?? "",
    topic,
    rank,
    value,
  }));
}

/** Each person once, with what either source says of them. */
function withoutRepetition(found: ExtractView["people"]): ExtractView["people"] {
  const byName = new Map<string, ExtractView["people"][number]>();
  for (const person of found) {
    const key = nameKey(person.name);
    const known = byName.get(key);
    const aliases = [...new Set([...(known?.aliases ?? []), ...person.aliases])];
    byName.set(key, { ...(known ?? person), relationship: known?.relationship ?? person.relationship, aliases });
  }
  return [...byName.values()];
}
