import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { nameKey } from "#core/text/normalize";
import { readRows, select } from "#db/client";
import { type RowOf, row, text } from "#db/row";
import { PERSON } from "#db/schema/people";
import { createPerson, PersonName } from "#domain/people";
import { mentionsIn } from "./mentions.ts";
import type { Participant, Place } from "./read-episodes.ts";
import type { NamedPerson } from "./rules/rule.ts";

/** A person as a speaker named them; `relationship` is what they are to the speaker. */
export type Named = NamedPerson;

/** By which a person is found in `PeopleByName`: a relationship is no name. */
export function personKey({ name, isRole }: Pick<Named, "name" | "isRole">): string {
  const key = nameKey(name);
  return isRole === true && key !== "" ? `my ${key}` : key;
}

/** Public ids of persons by `personKey`; null where the name is ambiguous or cannot be a person. */
export type PeopleByName = Map<string, string | null>;

type Wanted = { speaker: Participant; place: Place; names: readonly Named[] };

/**
 * Whom a speaker means by these names. A wrong subject could see what it should not, so a name means a participant who took part when the
 * words were stored and does now, or else a person that this speaker created; never a user from elsewhere. With `creates`, persons that do
 * not exist are created. With `finds` false, persons that the speaker created are not looked up, so that the caller learns of none.
 */
export async function loadPeople(
  ctx: Ctx<"db" | "now" | "newId">,
  wanted: Wanted,
  { creates, finds = true }: { creates: boolean; finds?: boolean },
): Promise<{ peopleByName: PeopleByName; made: number }> {
  const peopleByName: PeopleByName = new Map();
  const missing = new Map<string, Named>();
  for (const named of wanted.names) {
    const key = personKey(named);
    // "My dad" is never the participant whom others call Dad.
    const here = named.isRole === true ? "nobody" : participantNamed(named.name, wanted.place);
    if (key === "" || peopleByName.has(key)) continue;
    if (here === "nobody") missing.set(key, missing.get(key)?.relationship ? (missing.get(key) ?? named) : named);
    else peopleByName.set(key, here);
  }
  if (missing.size === 0 || !finds) return { peopleByName, made: 0 };
  const names = [...new Set([...missing.values()].map(({ name }) => nameKey(name)))];
  const roles = [...missing.values()].filter(({ isRole }) => isRole === true).map(({ name }) => name);
  const [people, relatives] = [await findOwnPeople(ctx, wanted.speaker, names), await findRelatives(ctx, wanted.speaker, roles)];
  const own = Map.groupBy(people, ({ key }) => key);
  let made = 0;
  for (const [key, named] of missing) {
    const related = named.isRole === true ? relatives.filter(({ relationship }) => isSame(relationship, named.name)) : [];
    if (related.length > 0) {
      // Of two brothers, "my brother" may be either.
      peopleByName.set(key, related.length === 1 ? (related[0]?.publicId ?? null) : null);
      continue;
    }
    const known = named.isRole === true ? undefined : own.get(nameKey(named.name));
    if (known !== undefined) peopleByName.set(key, chooseByRelationship(known, named.relationship));
    else if (creates) {
      const id = await createNamed(ctx, wanted.speaker, named);
      if (id !== null) made += 1;
      peopleByName.set(key, id);
    }
  }
  return { peopleByName, made };
}

/**
 * The participant that a name means: their person's public id, null if two have the name, "nobody" if none. `@name` is the app's user id.
 * A participant who joined after the words were stored is never meant, whatever their name.
 */
export function participantNamed(name: string, { people }: Place): string | null | "nobody" {
  const exact = name.startsWith("@") ? people.find(({ externalId }) => externalId === name.slice(1)) : undefined;
  if (exact !== undefined && canBeMeant(exact)) return exact.personPublicId;
  const key = nameKey(name);
  const same = people.filter(({ keys, hadJoined }) => hadJoined && keys.includes(key));
  const [one] = same.filter(canBeMeant);
  if (one === undefined) return "nobody";
  return same.length === 1 ? one.personPublicId : null;
}

/** Public ids of the participants of a group whom a text mentions (see `mentionsIn`); where two have a name, it means neither. */
export function mentionedIn(content: string, place: Place): string[] {
  if (place.kind !== "group") return [];
  const names = mentionsIn(content, place);
  return names.flatMap((name) => {
    const id = participantNamed(name, place);
    return id === null || id === "nobody" ? [] : [id];
  });
}

/** Whether a name in the stored words may mean this participant. */
export function canBeMeant({ takesPart, tookPart }: Participant): boolean {
  return takesPart && tookPart;
}

const OWN_PERSON = row({ key: text(sql`n.name_key`), ...PERSON.of(sql`p`, "publicId", "relationship") });

type OwnPerson = RowOf<typeof OWN_PERSON>;

/** Persons that the user created, who are no users and not merged into another, the oldest first. */
async function findOwnPeople(ctx: Ctx<"db">, { userId }: Participant, keys: readonly string[]): Promise<OwnPerson[]> {
  const query = select(OWN_PERSON)`from persons p cross join json_each(${JSON.stringify(keys)}) k
    cross join person_names n on n.tenant_id = ${ctx.tenantId} and n.name_key = k.value and n.person_id = p.id
    where p.created_by = ${userId} and +p.tenant_id = ${ctx.tenantId} and +p.user_id is null and +p.merged_into is null
    order by p.public_id`;
  return await readRows(ctx, query);
}

const RELATIVE = row(PERSON.of(sql`p`, "publicId", "relationship"));

/** Persons that the user created as one of these relatives, by whatever name, who are no users and not merged into another. */
async function findRelatives(
  ctx: Ctx<"db">,
  { userId }: Participant,
  roles: readonly string[],
): Promise<RowOf<typeof RELATIVE>[]> {
  if (roles.length === 0) return [];
  const query = select(RELATIVE)`from persons p
    where p.created_by = ${userId} and +p.tenant_id = ${ctx.tenantId} and +p.user_id is null and +p.merged_into is null
      and p.relationship in (select value from json_each(${JSON.stringify(roles)}))
    order by p.public_id`;
  return await readRows(ctx, query);
}

/** Of several persons with one name, the one with that relationship; two that do not differ are one that was created twice. */
export function chooseByRelationship(known: readonly OwnPerson[], relationship: string | null): string | null {
  const alike = known.filter((person) => relationship !== null && isSame(person.relationship, relationship));
  const among = alike.length > 0 ? alike : known;
  const [first] = among;
  if (first === undefined) return null;
  return among.every((person) => isSame(person.relationship, first.relationship)) ? first.publicId : null;
}

function isSame(a: string | null, b: string | null): boolean {
  return nameKey(a ?? "") === nameKey(b ?? "");
}

/** The new person's public id; null for a text that cannot be a name, or holds a secret. */
async function createNamed(ctx: Ctx<"db" | "now" | "newId">, speaker: Participant, named: Named): Promise<string | null> {
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
