import { ExternalId } from "#core/fields";
import { sha256 } from "#core/ids";
import { secretInName } from "#core/safety/name-secrets";

/** An id of the app has 200 characters at most: the platform's name stands before it, and the owner's hash behind it. */
const ID_CHARACTERS = 170;
/** Earlier versions left room for the platform's name only. */
const FORMER_CHARACTERS = 180;
const OWNER_CHARACTERS = 16;
const HASH_CHARACTERS = 32;

/** `formerId`: the id that an earlier version gave, the same for every owner; null if it is the same. */
export type OwnId = { externalId: string; formerId: string | null };

/**
 * The app's id of what the platform calls `id`. Two owners may import the same, each into a row of their own: so the id depends on the
 * owner, a user for a session and a project for a source, and on nothing that is stored. It is no secret: who knows both can compute it.
 */
export async function ownId(platform: string, id: string, owner: string): Promise<OwnId> {
  const ownerHash = (await sha256(JSON.stringify([owner, id]))).slice(0, OWNER_CHARACTERS);
  return {
    externalId: `${platform}:${await acceptable(id, ID_CHARACTERS)}:${ownerHash}`,
    formerId: `${platform}:${await acceptable(id, FORMER_CHARACTERS)}`,
  };
}

/** The same where the platform has no id: a hash stands for both. */
export async function ownHash(platform: string, key: string, owner: string): Promise<OwnId> {
  return { externalId: `${platform}:${await hashed(JSON.stringify([owner, key]))}`, formerId: null };
}

/** Of a message in its conversation. */
export async function messageId(id: string): Promise<string> {
  return await acceptable(id, FORMER_CHARACTERS);
}

/** An id that the app could not have, such as a long one, becomes a hash. */
async function acceptable(id: string, characters: number): Promise<string> {
  const isFit = id.length <= characters && ExternalId.safeParse(id).success && secretInName(id) === null;
  return isFit ? id : await hashed(id);
}

async function hashed(text: string): Promise<string> {
  return (await sha256(text)).slice(0, HASH_CHARACTERS);
}
