import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { ExternalId } from "#core/fields";
import { sha256 } from "#core/ids";
import { secretInName } from "#core/safety/name-secrets";

/** An id of the app has 200 characters at most: the platform's name stands before it, and the owner's hash behind it. */
const ID_CHARACTERS = 170;
const MESSAGE_CHARACTERS = 180;
const OWNER_CHARACTERS = 16;
const HASH_CHARACTERS = 32;

/** `base`: the platform and its id, the same for every owner. The owner's row is known by it, whatever its hash is: see `isOfBase`. */
export type OwnId = { externalId: string; base: string };

/**
 * The app's id of what the platform calls `id`. Two owners may import the same, each into a row of their own: so the id depends on the
 * owner, a user for a session and a project for a source, and on nothing that is stored. Its hash is keyed: else who knows both could take
 * the id before the owner does, and learn whether it is taken. Without ENCRYPTION_KEY they can.
 */
export async function ownId(
  ctx: Ctx<"secretBox">,
  { platform, id, owner }: { platform: string; id: string; owner: string },
): Promise<OwnId> {
  const base = `${platform}:${await acceptable(id, ID_CHARACTERS)}`;
  return { base, externalId: await idOfBase(ctx, base, owner) };
}

async function idOfBase(ctx: Ctx<"secretBox">, base: string, owner: string): Promise<string> {
  const named = JSON.stringify([ctx.tenantId, base, owner]);
  const hash = ctx.secretBox === null ? await sha256(named) : await ctx.secretBox.sign(named, "imports");
  return `${base}:${hash.slice(0, OWNER_CHARACTERS)}`;
}

/**
 * The id that an import here would give a row, if its id reads like one that an import gave, here or elsewhere; else the id. An erasure
 * keeps it away, so that what was restored from another service and then erased does not come back from the platform's export either.
 */
export async function idIfImported(ctx: Ctx<"secretBox">, externalId: string, owner: string): Promise<string> {
  const [, base] = IMPORTED.exec(externalId) ?? [];
  return base === undefined ? externalId : await idOfBase(ctx, base, owner);
}

const IMPORTED = new RegExp(`^([a-z]+:.+):[0-9a-f]{${OWNER_CHARACTERS}}$`, "u");

/** The same where the platform has no id: a hash of `key` stands for it. */
export async function ownHash(
  ctx: Ctx<"secretBox">,
  { platform, key, owner }: { platform: string; key: string; owner: string },
): Promise<OwnId> {
  return await ownId(ctx, { platform, id: await hashed(JSON.stringify([owner, key])), owner });
}

/**
 * Whether an app's id is `base`, as earlier versions gave it, or that with any owner's hash: one with another ENCRYPTION_KEY, or before
 * the row was restored from another service. The caller must ask for the owner. Reads one range of an index of the ids.
 */
export function isOfBase(externalId: ReturnType<typeof sql>, base: ReturnType<typeof sql>): ReturnType<typeof sql> {
  // ";" is the character behind ":". An id of the platform may hold either, so that the base of one may begin another's.
  const isHashed = sql`substr(${externalId}, length(${base}) + 1, 1) = ':' and length(${externalId}) = length(${base}) + ${1 + OWNER_CHARACTERS}`;
  return sql`${externalId} >= ${base} and ${externalId} < ${base} || ';' and (${externalId} = ${base} or (${isHashed}))`;
}

/** Of a message in its conversation. */
export async function messageId(id: string): Promise<string> {
  return await acceptable(id, MESSAGE_CHARACTERS);
}

/** An id that the app could not have, such as a long one, becomes a hash. */
async function acceptable(id: string, characters: number): Promise<string> {
  const isFit = id.length <= characters && ExternalId.safeParse(id).success && secretInName(id) === null;
  return isFit ? id : await hashed(id);
}

async function hashed(text: string): Promise<string> {
  return (await sha256(text)).slice(0, HASH_CHARACTERS);
}
