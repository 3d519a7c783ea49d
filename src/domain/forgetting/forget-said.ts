import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { type ForgetRequest, readForgetRequest } from "#core/language/forget-requests";
import { retryLostRace } from "#core/retry-lost-race";
import { isRedacted } from "#core/text/redacted";
import { read, readRows, select } from "#db/client";
import { integer, row, text } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { commitUnlessLost } from "#domain/audit";
import { keysIn, worthOf } from "#domain/extraction";
import { beginsList } from "#domain/facts";
import { dispatch, type JobRun, type LeasedJob } from "#domain/jobs";
import { writerOf } from "#domain/memories";
import { SearchInput, search } from "#domain/retrieval";
import {
  authorOf,
  type Cut,
  type EpisodeWords,
  findEpisodeWords,
  firstChunkOf,
  type Rewritten,
  redactWords,
  rewriteStatements,
  type Sender,
  sessionOf,
  showingOnly,
  withPassages,
} from "#domain/sessions";
import type { Likeness } from "./asked.ts";
import { carryOut, type ForgetCtx } from "./carry-out.ts";
import { chooseWords } from "./choose-words.ts";
import { echoesOf } from "./echoes.ts";
import { findGone, findOwner, toOwner } from "./find-source.ts";
import { countIn, topicOf } from "./match-topic.ts";
import { isOwnMessage, type Owner } from "./own-words.ts";
import type { ForgottenView } from "./schemas.ts";
import { tellingWords } from "./words-of.ts";

type SaidCtx = ForgetCtx & Ctx<"embedder" | "vectors" | "caches">;

const Shown = z.object({ message: z.number().int(), start: z.number().int(), end: z.number().int() });

/** Episodes with a request in them, each with the user who sent it, and the part of a message that states something beside its request. */
const Payload = z.object({
  episodes: z.array(z.object({ id: z.number().int(), by: z.number().int().nullish(), shown: z.array(Shown).default([]) })),
});

/** Episodes of the session, before a request, in which what it means is looked for. */
const EPISODES_BEFORE = 40;
const HITS = 20;

/**
 * Carries out what users asked to be forgotten in these episodes, each request once: their own words that it means, and what was learned
 * from them. Reports counts.
 */
export async function forgetSaid(ctx: SaidCtx, jobs: readonly LeasedJob[], run: JobRun): Promise<void> {
  for (const job of jobs) {
    const counts = { requests: 0, forgotten: 0, notFound: 0, memories: 0, passages: 0, facts: 0 };
    for (const asked of Payload.parse(job.payload).episodes) {
      for (const outcome of await forgetIn(ctx, asked)) {
        counts.requests += 1;
        if (outcome === "not_found") counts.notFound += 1;
        if (typeof outcome === "string") continue;
        counts.forgotten += 1;
        counts.memories += outcome.memories;
        counts.passages += outcome.redacted.length;
        counts.facts += outcome.facts;
      }
    }
    run.report(job, { ...job.result, ...counts });
  }
}

type Asked = z.infer<typeof Payload>["episodes"][number];
type Outcome = ForgottenView | "known" | "not_found";

async function forgetIn(ctx: SaidCtx, asked: Asked): Promise<Outcome[]> {
  const [episode] = await readRows(ctx, findEpisodeWords(ctx, { id: asked.by ?? 0 }, sql`e.id = ${asked.id}`));
  if (episode === undefined) return [];
  const sender = await senderOf(ctx, episode, asked.by);
  const outcomes: Outcome[] = [];
  for (const [message, { role, text: said }] of episode.messages.entries()) {
    const request = role === "user" ? readForgetRequest(said) : null;
    if (request === null) continue;
    const by = asker(episode, message, sender);
    // Labelled with somebody else's name: whose request it is cannot be known.
    if (by === null) continue;
    const shown = asked.shown.find((one) => one.message === message);
    const busy = "What is to be forgotten is being changed by others at the same moment. Try again.";
    outcomes.push(
      await retryLostRace(ctx, busy, () => followRequest(ctx, { request, at: { episode: asked.id, message }, by, shown })),
    );
  }
  return outcomes;
}

/** Who sent an episode: its private session's owner, or the user recorded with the job. */
async function senderOf(ctx: SaidCtx, episode: EpisodeWords, by: number | null | undefined): Promise<Sender> {
  const userId = episode.sentBy ?? by ?? (episode.kind === "private" ? episode.ownerId : null);
  if (userId === null) return { userId, names: [] };
  const [user] = await readRows(ctx, findOwner(ctx, { id: userId }));
  return { userId, names: user === undefined ? [] : toOwner(user).names };
}

function asker(episode: EpisodeWords, message: number, sender: Sender): number | null {
  const said = episode.messages[message];
  return said === undefined ? null : authorOf(said, sender);
}

type Following = {
  request: ForgetRequest;
  at: { episode: number; message: number };
  /** The internal id of the user who asks. */
  by: number;
  shown: Cut | undefined;
};

const BEFORE = row({ ...FORGETTING.of(sql`f`, "id") });
const USER = row({ id: integer(sql`u.id`), externalId: text(sql`u.external_id`) });

async function followRequest(ctx: SaidCtx, { request, at, by, shown }: Following): Promise<Outcome | "lost"> {
  const askedBy = `${at.episode}:${at.message}`;
  const found = await read(ctx, {
    known: select(
      BEFORE,
    )`from forgettings f where f.tenant_id = ${ctx.tenantId} and f.asked_by = ${askedBy} and f.session_id is not null`,
    user: select(USER)`from users u where u.id = ${by} and u.tenant_id = ${ctx.tenantId}`,
    here: findEpisodeWords(
      ctx,
      { id: by },
      sql`e.id in (select id from episodes where id <= ${at.episode} and id >= ${firstChunkOf(sessionOf(at.episode))} order by id desc limit ${EPISODES_BEFORE})`,
    ),
  });
  const [user] = found.user;
  if (found.known.length > 0) return "known";
  if (user === undefined) return "not_found";
  const [self] = await readRows(ctx, findOwner(ctx, { externalId: user.externalId }));
  const here = found.here.toSorted((a, b) => b.id - a.id);
  const [asking] = here;
  if (self === undefined || asking === undefined || asking.id !== at.episode) return "not_found";
  const owner = toOwner(self);
  const there =
    request.own.length > 0
      ? NOWHERE
      : await findElsewhere(ctx, { request, userId: user.externalId, sessionId: asking.sessionExternalId, by });
  const known = new Set(here.map(({ id }) => id));
  const episodes = [...here, ...there.episodes.filter(({ id }) => !known.has(id))];
  const candidates = ownMessages(episodes, { owner, at });
  const itself = isOwnMessage(asking, at.message, owner) ? { episode: asking, message: at.message } : undefined;
  const hidden = shown === undefined ? passagesOf(asking, at.message) : [];
  const notFound = async () => (itself === undefined ? "not_found" : await hideRequest(ctx, asking, { hidden, shown }));
  const chosen = chooseWords(
    request,
    candidates.map(({ episode, message }) => {
      const said = episode.messages[message]?.text ?? "";
      return { text: said, isHere: known.has(episode.id), isList: beginsList(said) };
    }),
    { ...likenessOf(ctx), worth: worthOf, keysOf: keysIn },
  );
  const cuts = new Map<EpisodeWords, Cut[]>();
  for (const { of, spans } of chosen) {
    const candidate = of === null ? itself : candidates[of];
    if (candidate === undefined) continue;
    const { episode, message } = candidate;
    cuts.set(episode, [...(cuts.get(episode) ?? []), ...spans.map((span) => ({ message, ...span }))]);
  }
  if (cuts.size === 0 && there.memories.length === 0) return await notFound();
  const writer = writerOf(ctx, user.externalId);
  const gone = await findGone(
    ctx,
    { writer, owner, memories: [], ids: there.memories },
    echoesOf(episodes, cuts, { owner, asking: asking.id }),
  );
  if (cuts.size === 0 && gone.memories.length === 0) return await notFound();
  return await carryOut(ctx, {
    ...{ ...gone, writer, userId: by, hidden, bringsBack: false },
    rewritten: withRequest(gone.rewritten, asking, { hidden, shown }),
    askedBy: { message: askedBy, sessionId: asking.sessionId },
    audit: ({ id, detail }) => ({ action: "forgetting.made", objectId: id, userId: by, detail }),
  });
}

function likenessOf({ embedder: { similarities, words } }: SaidCtx): Likeness {
  const cosines = (query: string, texts: readonly string[]) => similarities?.(query, texts).map(({ cosine }) => cosine) ?? [];
  return { similarity: similarities === undefined ? undefined : cosines, meanings: words };
}

type Candidate = { episode: EpisodeWords; message: number };

/** The messages that the user may redact, before the request, the latest first; without other requests and what is redacted already. */
function ownMessages(episodes: readonly EpisodeWords[], { owner, at }: { owner: Owner; at: Following["at"] }): Candidate[] {
  return episodes.flatMap((episode) =>
    [...episode.messages.entries()]
      .reverse()
      .filter(([message, { role, text: said }]) => {
        const isBefore = episode.id !== at.episode || message < at.message;
        return isBefore && role === "user" && !isRedacted(said) && readForgetRequest(said)?.isSure !== true;
      })
      .flatMap(([message]) => (isOwnMessage(episode, message, owner) ? [{ episode, message }] : [])),
  );
}

type Elsewhere = { episodes: EpisodeWords[]; memories: string[] };

const NOWHERE: Elsewhere = { episodes: [], memories: [] };

/** What the place of the request opens, searched for what it names: episodes, the latest first, and memories that name all of it. */
async function findElsewhere(
  ctx: SaidCtx,
  { request, userId, sessionId, by }: { request: ForgetRequest; userId: string; sessionId: string; by: number },
): Promise<Elsewhere> {
  const { named, beside } = topicOf(request);
  const query = (named.length > 0 ? named : beside).join(" ");
  if (query === "") return { episodes: [], memories: [] };
  try {
    const { hits } = await search(
      ctx,
      SearchInput.parse({ query, userId, sessionId, limit: HITS, kinds: ["episode", "memory"] }),
    );
    // A memory stands for the passage that it was learned from.
    const found = hits.flatMap(({ kind, id, memory }) => (kind === "episode" ? id : (memory?.learnedIn?.episodeId ?? [])));
    const which = sql`e.public_id in (select value from json_each(${JSON.stringify(found)}))`;
    const episodes = found.length === 0 ? [] : await readRows(ctx, findEpisodeWords(ctx, { id: by }, which));
    // A memory without an episode has no words to be chosen by: the app stored it.
    const memories = hits.filter(
      ({ memory, content }) =>
        (request.isSure || request.isPlain) &&
        memory !== null &&
        memory.learnedIn === null &&
        named.length > 0 &&
        countIn(named, tellingWords(content)) === named.length,
    );
    return {
      episodes: episodes.toSorted((a, b) => b.occurredAt - a.occurredAt),
      memories: (request.isAll ? memories : memories.slice(0, 1)).map(({ id }) => id),
    };
  } catch (error) {
    // A model server that is down must not keep the words of this session: they are looked for without it.
    ctx.log("forgetting.search_failed", describeError(error));
    return { episodes: [], memories: [] };
  }
}

function passagesOf(episode: EpisodeWords, message: number): number[] {
  return episode.chunks.flatMap((chunk, i) => (chunk.m === message ? [episode.id + i] : []));
}

type Changed = Rewritten & ReturnType<typeof redactWords>;

type Placed = { hidden: readonly number[]; shown: Cut | undefined };

/** What may be a request, and means nothing that was found, is hidden all the same: it names what its speaker wants nobody to name. */
async function hideRequest(ctx: SaidCtx, asking: EpisodeWords, placed: Placed): Promise<"not_found" | "lost"> {
  const jobId = ctx.newId("job");
  const statements = withRequest([], asking, placed).flatMap((one) => rewriteStatements(ctx, one, { jobId }));
  if (statements.length === 0) return "not_found";
  if ((await commitUnlessLost(ctx, { statements, audit: [] })) === "lost") return "lost";
  dispatch(ctx, [jobId]);
  return "not_found";
}

/** The request names what is gone, so that its own passage is hidden too, or cut to what else it states. */
function withRequest(rewritten: readonly Changed[], asking: EpisodeWords, { hidden, shown }: Placed): Changed[] {
  const its = rewritten.find(({ before }) => before.id === asking.id) ?? redactWords(asking, []);
  const others = rewritten.filter((one) => one !== its);
  return [...others, shown === undefined ? withPassages(its, hidden, "hidden") : showingOnly(its, shown)];
}
