import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { nameKey } from "#core/text/normalize";
import type { StoredMessage } from "#db/schema/sessions";
import { runBatch } from "#domain/audit";
import { firstChunkOf } from "#domain/sessions";
import type { Run } from "./batch-episodes.ts";
import { mayBeMeant } from "./load-people.ts";
import type { Participant, Place } from "./read-episodes.ts";

/** Messages before what is read that say what it is about. */
const EARLIER_EPISODES = 2;
const EARLIER_MESSAGES = 4;
const EARLIER_CHARACTERS = 1_000;
/** Persons whom one user made, of whom names are looked for in the text: the newest. */
const MAX_OWN_PEOPLE = 200;

/** Somebody who may be spoken of. */
export type Known = { personId: number; publicId: string; names: readonly string[] };

/** What was said just before a run in its session, and the persons that a speaker made; one round trip. */
export async function lookAround(
  ctx: Ctx<"db">,
  run: Run,
  speakerIds: readonly number[],
): Promise<{ earlier: StoredMessage[]; own: Map<number, Known[]> }> {
  const first = run.episodes[0]?.id ?? 0;
  const [before, people] = await runBatch(ctx, [
    ctx.db.all(sql`
      select e.messages as messages from episodes e
      where e.id < ${sql.raw(String(first))} and e.id >= ${sql.raw(String(firstChunkOf(run.place.sessionId)))} and e.tenant_id = ${ctx.tenantId}
      order by e.id desc limit ${EARLIER_EPISODES}`),
    ctx.db.all(sql`
      select j.value as userId, p.id as personId, p.public_id as publicId, p.name as name, p.aliases as aliases
      from json_each(${JSON.stringify(speakerIds)}) j cross join persons p on p.id in (
        select q.id from persons q where q.created_by = j.value and +q.user_id is null and +q.merged_into is null
        order by q.public_id desc limit ${MAX_OWN_PEOPLE})
      where +p.tenant_id = ${ctx.tenantId}`),
  ]);
  const messages = ((before?.rows ?? []) as { messages: string }[])
    .toReversed()
    .flatMap((row): StoredMessage[] => JSON.parse(row.messages));
  const rows = (people?.rows ?? []) as { userId: number; personId: number; publicId: string; name: string; aliases: string }[];
  const own = Map.groupBy(rows, ({ userId }) => userId);
  return {
    earlier: messages.slice(-EARLIER_MESSAGES).map((message) => ({ ...message, text: message.text.slice(-EARLIER_CHARACTERS) })),
    own: new Map([...own].map(([userId, found]) => [userId, found.map(toKnown)])),
  };
}

const Aliases = z.array(z.string());

function toKnown(row: { personId: number; publicId: string; name: string; aliases: string }): Known {
  return { personId: row.personId, publicId: row.publicId, names: [row.name, ...Aliases.parse(JSON.parse(row.aliases))] };
}

/** Of those who took part when it was said and those whom the speaker made, the ones whose name the text holds. */
export function spokenOf(text: string, of: { place: Place; speaker: Participant; own: readonly Known[] }): Known[] {
  const words = ` ${nameKey(text)} `;
  const here = of.place.people
    .filter(mayBeMeant)
    .map(({ personId, personPublicId, names }) => ({ personId, publicId: personPublicId, names }));
  return [...here, ...of.own].filter(({ names }) => names.some((name) => nameKey(name) !== "" && isIn(words, nameKey(name))));
}

/** Scripts without blanks between words have names inside longer runs of letters. */
function isIn(words: string, key: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\s]+$/u.test(key)
    ? words.includes(key)
    : words.includes(` ${key} `);
}
