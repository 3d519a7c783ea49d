import type { Ctx } from "#context";
import { changesOfSpeaker, namesSeveral } from "#core/language/slots";
import { stricter } from "#core/safety/sensitivity";
import { findReplaceable, keyHere, mayBeReplaced, type Replaceable, saysOneWhole } from "./find-replaceable.ts";
import { isOwnValue, keyAmong, mayTakeKey } from "./link-keys.ts";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";
import { raise } from "./take-statements.ts";
import type { Statement } from "./to-memory-draft.ts";
import { findChanged, findWish, mayReplace, saysEnd } from "./updates/find-replaced.ts";

/** A statement and the episode that it is from. */
type Said = { statement: Statement; episode: Pick<EpisodeToRead, "id"> };
type From = { speaker: Participant; place: Place };

/** The judge sees no more than a message: what changes something that is known is worth keeping although it is said in passing. */
const REPLACES_ODDS = 1;

/**
 * What was said, each statement with the memory of the speaker that it replaces, if any. Those with a key replace what has the key and, if another
 * memory says the same in other words, that too. At most one query, and none where no statement has a sign of change.
 */
export async function linkReplaced<T extends Said>(
  ctx: Ctx<"db" | "now">,
  said: readonly T[],
  { speaker, place }: From,
): Promise<readonly T[]> {
  const changing = said.filter(
    ({ statement }) => mayReplace(statement) || mayTakeKey(statement.content) || (statement.gives ?? null) !== null,
  );
  if (changing.length === 0) return said;
  const text = changing.map(({ statement: { content } }) => content).join("\n");
  const known = await findReplaceable(ctx, { speaker, place, text, people: [], withKeys: true });
  return said.map((one) => ({ ...one, statement: linked(withKey(one, known, { speaker, place }), known, { speaker, place }) }));
}

/** Who leaves a job leaves both. */
const LEFT_WITH: Readonly<Record<string, string>> = {
  "identity:work": "identity:occupation",
  "identity:occupation": "identity:work",
};

function withKey<T extends Said>(said: T, known: readonly Replaceable[], from: From): T {
  const { statement, episode } = said;
  if (statement.isOfGroup && from.place.kind === "group") return said;
  const own = known
    .filter((memory) => memory.isOwn && memory.episodeId !== episode.id)
    .map((memory) => ({ ...memory, key: keyHere(memory, from) }));
  const key = keyAmong(statement, own);
  // What an app stored under the key may say more than its value: then both stay.
  const holder = own.find((memory) => key !== null && memory.key === key);
  if (key !== null && holder !== undefined && !saysOneWhole(holder))
    return { ...said, statement: { ...statement, key: null, states: [key] } };
  if (key === statement.key) return said;
  if (key === null) return { ...said, statement: { ...statement, key } };
  const type = key.startsWith("identity:") ? "identity" : "preference";
  return { ...said, statement: { ...statement, key, type, confidence: raise(statement.confidence, REPLACES_ODDS) } };
}

function linked({ statement, episode }: Said, known: readonly Replaceable[], from: From): Statement {
  const earlier = known.filter((memory) => memory.episodeId !== episode.id && mayBeReplaced(memory, statement));
  const { gives = null } = statement;
  const holder = earlier.find((memory) => gives !== null && keyHere(memory, from) === gives);
  if (holder !== undefined) return { ...statement, supersedes: holder.publicId };
  const withdrawn = statement.withdraws === undefined ? null : findWish(statement, earlier);
  if (withdrawn !== null) return withdrawal(statement, withdrawn);
  const isOneOf = ({ content }: Replaceable) => saysEnd(statement.content) && namesSeveral(content);
  const isOfSpeaker = changesOfSpeaker(statement.content);
  const others = earlier.filter(
    (memory) =>
      (memory.key === null || memory.key !== statement.key) && !isOneOf(memory) && (isOfSpeaker || !isOwnValue(memory.key)),
  );
  // Of work, the judge gets a key for changes only.
  const isChange = statement.source === "judge" || saysEnd(statement.content);
  const besideKey = statement.key === null || !isChange ? undefined : LEFT_WITH[statement.key];
  const replaced = others.find(({ key }) => key !== null && key === besideKey) ?? findChanged(statement, others);
  if (replaced === null) return statement;
  return { ...statement, supersedes: replaced.publicId, confidence: raise(statement.confidence, REPLACES_ODDS) };
}

/** What takes a wish back is as sure as that there is such a wish. */
const WITHDRAWAL_CONFIDENCE = 0.8;

function withdrawal(statement: Statement, { publicId, key: before }: Replaceable): Statement {
  const key = statement.withdraws?.key ?? null;
  return {
    ...statement,
    ...{ type: "procedural", category: "instruction", key, lasts: null, portable: false, isOfGroup: false },
    ...{ about: { people: [], speaker: true }, sensitivity: stricter(statement.sensitivity, "personal") },
    // What has the same key is replaced by it.
    supersedes: key !== null && key === before ? undefined : publicId,
    confidence: Math.max(statement.confidence, WITHDRAWAL_CONFIDENCE),
  };
}
