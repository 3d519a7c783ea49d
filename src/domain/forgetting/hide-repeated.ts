import { sql } from "drizzle-orm";
import { describeError } from "#core/describe-error";
import { isPublicId } from "#core/ids";
import { sentencesOf } from "#core/language/sentences";
import { retryLostRace } from "#core/retry-lost-race";
import { read, select } from "#db/client";
import { failUnless } from "#db/guard";
import { row } from "#db/row";
import { FORGETTING, type Originals } from "#db/schema/forgettings";
import { commitUnlessLost } from "#domain/audit";
import { dispatch } from "#domain/jobs";
import { type EpisodeWords, findEpisodeWords, redactWords, rewriteStatements } from "#domain/sessions";
import type { ForgetCtx } from "./carry-out.ts";
import { tellingWords } from "./words-of.ts";

const FOUND = row(FORGETTING.of(sql`f`, "id", "originals"));

/** The shortest word of the index by which an answer repeats something. */
const SHORTEST = 2;

/**
 * Hides what the assistant's answer to a request repeats of the words that were forgotten for it: undoing brings it back with them. Never
 * throws: what fails is logged, and the answer stays.
 */
export async function hideRepeated(
  ctx: ForgetCtx,
  asked: { forgettings: readonly string[]; episodes: readonly string[]; userId: string },
): Promise<void> {
  const forgettings = asked.forgettings.filter((id) => isPublicId("forgetting", id));
  if (forgettings.length === 0 || asked.episodes.length === 0) return;
  try {
    const message = "These words are being changed by others at the same moment. Try again.";
    await retryLostRace(ctx, message, () => tryHide(ctx, { ...asked, forgettings }));
  } catch (error) {
    ctx.log("forgetting.answer_kept", { requestId: ctx.requestId, ...describeError(error) });
  }
}

async function tryHide(
  ctx: ForgetCtx,
  { forgettings, episodes, userId }: { forgettings: readonly string[]; episodes: readonly string[]; userId: string },
): Promise<"done" | "lost"> {
  const found = await read(ctx, {
    forgettings: select(FOUND)`from forgettings f where f.tenant_id = ${ctx.tenantId} and f.undone_at is null
      and f.public_id in (select value from json_each(${JSON.stringify(forgettings)}))`,
    episodes: findEpisodeWords(
      ctx,
      { externalId: userId },
      sql`e.public_id in (select value from json_each(${JSON.stringify(episodes)}))`,
    ),
  });
  const [forgetting] = found.forgettings;
  if (forgetting === undefined) return "done";
  const gone = found.forgettings.flatMap(({ originals }) => originals.words.map(({ words }) => words));
  const lost = new Set(gone.flatMap((words) => [...tellingWords(words)].filter((word) => word.length >= SHORTEST)));
  const changes = found.episodes.flatMap((episode) => {
    const rewritten = redactWords(episode, repeatedIn(episode, lost));
    const jobId = ctx.newId("job");
    return rewritten.words.length === 0 ? [] : [{ rewritten, jobId, statements: rewriteStatements(ctx, rewritten, { jobId }) }];
  });
  if (changes.length === 0) return "done";
  const words = [...forgetting.originals.words, ...changes.flatMap(({ rewritten }) => rewritten.words)];
  const originals: Originals = { ...forgetting.originals, words };
  const committed = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, sql`exists (select 1 from forgettings f where f.id = ${forgetting.id} and f.undone_at is null)`),
      ...changes.flatMap(({ statements }) => statements),
      ctx.db.run(
        sql`update forgettings set ${FORGETTING.set({ originals })} where id = ${forgetting.id} and tenant_id = ${ctx.tenantId}`,
      ),
    ],
    audit: [],
  });
  if (committed === "lost") return "lost";
  dispatch(
    ctx,
    changes.map(({ jobId }) => jobId),
  );
  return "done";
}

function repeatedIn({ messages }: EpisodeWords, lost: ReadonlySet<string>) {
  return messages.flatMap(({ role, text }, message) =>
    role !== "assistant"
      ? []
      : sentencesOf(text).flatMap(({ start, end }) =>
          [...tellingWords(text.slice(start, end))].some((word) => lost.has(word)) ? [{ message, start, end }] : [],
        ),
  );
}
