import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { nameKey } from "#core/text/normalize";
import { createPerson, PersonName } from "#domain/people";
import type { Participant, Place } from "./read-episodes.ts";

/** Somebody as a speaker named them; `relationship` is what they are to the speaker. */
export type Named = { name: string; relationship: string | null };

/** Persons by the key of the name (see `nameKey`): a public id, or null where it cannot be told who is meant. */
export type PeopleByName = Map<string, string | null>;

type Wanted = { speaker: Participant; place: Place; names: readonly Named[] };

/**
 * Whom a speaker means by these names. A wrong subject may hear what it should not, so it is who took part in the session when the words were stored and
 * does now, or else somebody whom the speaker alone made a person of: never a user from elsewhere. Who is not there yet is made, unless `makes` is false;
 * with `finds` false, whom the speaker made is not looked up, so that nobody else learns of it.
 */
export async function loadPeople(
  ctx: Ctx<"db" | "now" | "newId">,
  wanted: Wanted,
  { makes, finds = true }: { makes: boolean; finds?: boolean },
): Promise<{ peopleByName: PeopleByName; made: number }> {
  const peopleByName: PeopleByName = new Map();
  const missing = new Map<string, Named>();
  for (const named of wanted.names) {
    const key = nameKey(named.name);
    const here = amongParticipants(named.name, wanted.place);
    if (key === "" || peopleByName.has(key)) continue;
    if (here === "nobody") missing.set(key, missing.get(key)?.relationship ? (missing.get(key) ?? named) : named);
    else peopleByName.set(key, here);
  }
  if (missing.size === 0 || !finds) return { peopleByName, made: 0 };
  const own = Map.groupBy(await findOwnPeople(ctx, wanted.speaker, [...missing.keys()]), ({ key }) => key);
  let made = 0;
  for (const [key, named] of missing) {
    const known = own.get(key);
    if (known !== undefined) peopleByName.set(key, theOneMeant(known, named.relationship));
    else if (makes) {
      const id = await make(ctx, wanted.speaker, named);
      if (id !== null) made += 1;
      peopleByName.set(key, id);
    }
  }
  return { peopleByName, made };
}

/**
 * The person of the participant who is named, null where two might be. `@name` is a user's own id in the app. Who joined after the words
 * were stored is not meant by them, whatever they call themselves.
 */
export function amongParticipants(name: string, { people }: Place): string | null | "nobody" {
  const exact = name.startsWith("@") ? people.find(({ externalId }) => externalId === name.slice(1)) : undefined;
  if (exact !== undefined && mayBeMeant(exact)) return exact.personPublicId;
  const key = nameKey(name);
  const same = people.filter(({ keys, hadJoined }) => hadJoined && keys.includes(key));
  const [one] = same.filter(mayBeMeant);
  if (one === undefined) return "nobody";
  return same.length === 1 ? one.personPublicId : null;
}

/** Whether a name in the words at hand may mean them. */
export function mayBeMeant({ takesPart, tookPart }: Participant): boolean {
  return takesPart && tookPart;
}

type OwnPerson = { key: string; publicId: string; relationship: string | null };

/** Persons whom the user made, who are no users and stand for themselves, the first made first. */
async function findOwnPeople(ctx: Ctx<"db">, { userId }: Participant, keys: readonly string[]): Promise<OwnPerson[]> {
  return await ctx.db.all<OwnPerson>(sql`
    select n.name_key as key, p.public_id as publicId, p.relationship as relationship
    from persons p cross join json_each(${JSON.stringify(keys)}) k
    cross join person_names n on n.tenant_id = ${ctx.tenantId} and n.name_key = k.value and n.person_id = p.id
    where p.created_by = ${userId} and +p.tenant_id = ${ctx.tenantId} and +p.user_id is null and +p.merged_into is null
    order by p.public_id`);
}

/** Of several with one name, the one with that relationship; two whom nothing tells apart are one who was made twice. */
export function theOneMeant(known: readonly OwnPerson[], relationship: string | null): string | null {
  const alike = known.filter((person) => relationship !== null && isSame(person.relationship, relationship));
  const among = alike.length > 0 ? alike : known;
  const [first] = among;
  if (first === undefined) return null;
  return among.every((person) => isSame(person.relationship, first.relationship)) ? first.publicId : null;
}

function isSame(a: string | null, b: string | null): boolean {
  return nameKey(a ?? "") === nameKey(b ?? "");
}

/** null for what cannot be a name, or holds a secret. */
async function make(ctx: Ctx<"db" | "now" | "newId">, speaker: Participant, named: Named): Promise<string | null> {
  const name = PersonName.safeParse(named.name.replace(/^@/u, ""));
  if (!name.success) return null;
  try {
    const said = named.relationship === null ? {} : { relationship: named.relationship.slice(0, 200) };
    return (await createPerson(ctx, { userId: speaker.externalId, name: name.data, ...said })).id;
  } catch (error) {
    if (error instanceof AppError && error.code === "unprocessable") return null;
    throw error;
  }
}
