import type { Ctx } from "#context";
import { findReplaceable, mayBeReplaced, type Replaceable } from "./find-replaceable.ts";
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
  const changing = said.filter(({ statement: { content } }) => showsChange(content));
  if (changing.length === 0) return said;
  const text = changing.map(({ statement: { content } }) => content).join("\n");
  const known = await findReplaceable(ctx, { speaker, place, text, people: [] });
  return said.map((one) => ({ ...one, statement: linked(one, known) }));
}

/** Who leaves a job leaves both. */
const LEFT_WITH: Readonly<Record<string, string>> = {
  "identity:work": "identity:occupation",
  "identity:occupation": "identity:work",
};

function linked({ statement, episode }: Said, known: readonly Replaceable[]): Statement {
  const isOther = ({ key, episodeId }: Replaceable) => episodeId !== episode.id && (key === null || key !== statement.key);
  const earlier = known.filter((memory) => isOther(memory) && mayBeReplaced(memory, statement));
  const besideKey = statement.key === null || !saysEnd(statement.content) ? undefined : LEFT_WITH[statement.key];
  const replaced = earlier.find(({ key }) => key !== null && key === besideKey) ?? findReplaced(statement.content, earlier);
  if (replaced === null) return statement;
  return { ...statement, supersedes: replaced.publicId, confidence: raise(statement.confidence, REPLACES_ODDS) };
}
