import type { Ctx } from "#context";
import { changesOfSpeaker, namesSeveral } from "#core/language/slots";
import { findReplaceable, keyHere, mayBeReplaced, type Replaceable } from "./find-replaceable.ts";
import { isOwnValue, keyAmong, mayTakeKey } from "./link-keys.ts";
import type { EpisodeToRead, Participant, Place } from "./read-episodes.ts";
import { raise } from "./take-statements.ts";
import type { Statement } from "./to-memory-draft.ts";
import { findReplaced, saysEnd, showsChange } from "./updates/find-replaced.ts";

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
  const changing = said.filter(({ statement: { content } }) => showsChange(content) || mayTakeKey(content));
  if (changing.length === 0) return said;
  const text = changing.map(({ statement: { content } }) => content).join("\n");
  const known = await findReplaceable(ctx, { speaker, place, text, people: [], withKeys: true });
  return said.map((one) => ({ ...one, statement: linked(withKey(one, known, { speaker, place }), known) }));
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
  if (key === statement.key) return said;
  if (key === null) return { ...said, statement: { ...statement, key } };
  const type = key.startsWith("identity:") ? "identity" : "preference";
  return { ...said, statement: { ...statement, key, type, confidence: raise(statement.confidence, REPLACES_ODDS) } };
}

function linked({ statement, episode }: Said, known: readonly Replaceable[]): Statement {
  const isOther = ({ key, episodeId }: Replaceable) => episodeId !== episode.id && (key === null || key !== statement.key);
  const isOneOf = ({ content }: Replaceable) => saysEnd(statement.content) && namesSeveral(content);
  const isOfSpeaker = changesOfSpeaker(statement.content);
  const mayChange = ({ key }: Replaceable) => isOfSpeaker || !isOwnValue(key);
  const earlier = known.filter(
    (memory) => isOther(memory) && !isOneOf(memory) && mayChange(memory) && mayBeReplaced(memory, statement),
  );
  // Of work, the judge gets a key for changes only.
  const isChange = statement.source === "judge" || saysEnd(statement.content);
  const besideKey = statement.key === null || !isChange ? undefined : LEFT_WITH[statement.key];
  const replaced = earlier.find(({ key }) => key !== null && key === besideKey) ?? findReplaced(statement.content, earlier);
  if (replaced === null) return statement;
  return { ...statement, supersedes: replaced.publicId, confidence: raise(statement.confidence, REPLACES_ODDS) };
}
