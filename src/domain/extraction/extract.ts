import type { Ctx, Settings } from "#context";
import { breaksRule } from "#core/errors";
import { refuseSaidLater, toMillis } from "#core/fields";
import { requirePermission } from "#core/permission";
import { redactSecrets } from "#core/safety/find-secrets";
import { withoutMemory } from "#core/text/memory-fence";
import { nameKey, storable } from "#core/text/normalize";
import { read } from "#db/client";
import type { StoredMessage } from "#db/schema/sessions";
import { readSaid } from "#domain/facts";
import { findSpeakers, namedSpeaker, speakersIn } from "#domain/sessions";
import { getSettings } from "#domain/settings";
import { actingUser } from "#domain/tenants";
import { findPlace } from "./find-place.ts";
import { loadPeople } from "./load-people.ts";
import { type Previewed, toPreview } from "./preview-memory.ts";
import { modelOf, preview } from "./preview-model.ts";
import type { EpisodeToRead, Participant } from "./read-episodes.ts";
import type { ExtractInput, ExtractView } from "./schemas.ts";
import { messagesBySpeaker } from "./speakers.ts";
import { toStatement } from "./store-batch.ts";
import { takeOwn } from "./take-own.ts";

type ExtractCtx = Ctx<"db" | "now" | "newId" | "caches" | "chatModel" | "log">;

/** What would be stored of these messages, and stores nothing: no person either. The model is asked only when the request wants it. */
export async function extract(ctx: ExtractCtx, input: ExtractInput): Promise<ExtractView> {
  requirePermission(ctx.actor, "read");
  if (input.useModel && ctx.chatModel === null) throw breaksRule("useModel", "No chat model is configured.");
  for (const [i, { occurredAt }] of input.messages.entries())
    refuseSaidLater(occurredAt, { now: ctx.now(), path: `messages[${i}].occurredAt` });
  const [settings, { place, user }] = [await getSettings(ctx), await findPlace(ctx, input)];
  const messages = await readMessages(ctx, input, user);
  const episode: EpisodeToRead = { id: 0, publicId: "", messages, place, range: 0, by: user.userId };
  const ruled = await byRules(ctx, episode, settings);
  const modelled =
    input.useModel && ctx.chatModel !== null
      ? await preview(ctx, ctx.chatModel, { episode, settings, ruled: ruled.memories })
      : null;
  return {
    facts: await factsIn(ctx, episode),
    memories: [...ruled.memories, ...(modelled?.memories ?? [])],
    people: peopleOf([...ruled.people, ...(modelled?.people ?? [])]),
    entities: modelled?.entities ?? [],
    model: modelled === null ? null : modelOf(modelled),
  };
}

/** The messages as an append would store them. 422 for one that names a user who has no part in the session. */
async function readMessages(ctx: ExtractCtx, input: ExtractInput, user: Participant): Promise<StoredMessage[]> {
  const named = [...new Set(input.messages.flatMap(({ userId }) => userId ?? []))];
  // A caller that is bound to one user may name nobody else.
  for (const userId of named) actingUser(ctx, userId);
  const place = { sessionExternalId: input.sessionId ?? null, acting: actingUser(ctx, input.userId) };
  const { found } = await read(ctx, { found: named.length === 0 ? null : findSpeakers(ctx, place, named) });
  const speakers = speakersIn(found, place);
  const redacted = (said: string) => redactSecrets(storable(said)).text;
  return input.messages.map(({ role, content, userId, speaker, occurredAt }, i) => {
    const at = occurredAt === undefined ? ctx.now() : toMillis(occurredAt);
    const author = userId === undefined ? null : namedSpeaker(speakers, { userId, role, at, path: `messages[${i}].` });
    return {
      role,
      ...(author === null ? {} : { userId: author === "acting" ? user.userId : author }),
      text: redacted(content),
      speaker: speaker === undefined ? null : redacted(speaker),
      occurredAt: at,
      messageId: null,
    };
  });
}

async function byRules(
  ctx: ExtractCtx,
  episode: EpisodeToRead,
  settings: Settings,
): Promise<Pick<ExtractView, "memories" | "people">> {
  const memories: Previewed[] = [];
  const people: ExtractView["people"] = [];
  for (const { user, messages } of messagesBySpeaker(episode).bySpeaker) {
    const taken = takeOwn(messages.map(({ message }) => ({ role: "user", text: withoutMemory(message.text) })));
    const names = taken.flatMap((memory) => memory.people);
    const isActing = user.userId === episode.by;
    const { peopleByName } = await loadPeople(
      ctx,
      { speaker: user, place: episode.place, names },
      { makes: false, finds: isActing },
    );
    for (const { name, relationship } of names)
      people.push({ name, relationship, personId: peopleByName.get(nameKey(name)) ?? null, aliases: [] });
    for (const memory of taken) {
      const said = messages[memory.messageIndex];
      const statement = toStatement(memory, { at: said?.message.occurredAt ?? ctx.now(), peopleByName });
      const from = { episode, speaker: user, now: ctx.now(), settings, message: said?.index ?? 0 };
      memories.push(toPreview(statement, { ...from, people: memory.people.map(({ name }) => name) }));
    }
  }
  return { memories, people };
}

/** Facts are those that an append of these messages would store. */
async function factsIn(ctx: ExtractCtx, episode: EpisodeToRead): Promise<ExtractView["facts"]> {
  const { bySpeaker } = messagesBySpeaker(episode);
  const said = await readSaid(
    ctx,
    bySpeaker.flatMap(({ user: { userId }, messages }) => messages.map(({ message }) => ({ ...message, userId, offset: 0 }))),
  );
  const externalIds = new Map(bySpeaker.map(({ user }) => [user.userId, user.externalId]));
  return (said?.slots ?? []).map(({ userId, topic, rank, value }) => ({
    userId: externalIds.get(userId) ?? "",
    topic,
    rank,
    value,
  }));
}

/** Each once; what one source knows of somebody, the other need not repeat. */
function peopleOf(found: ExtractView["people"]): ExtractView["people"] {
  const byName = new Map<string, ExtractView["people"][number]>();
  for (const person of found) {
    const key = nameKey(person.name);
    const known = byName.get(key);
    const aliases = [...new Set([...(known?.aliases ?? []), ...person.aliases])];
    byName.set(key, { ...(known ?? person), relationship: known?.relationship ?? person.relationship, aliases });
  }
  return [...byName.values()];
}
