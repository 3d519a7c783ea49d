import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { asksToForget, type ForgetRequest, readForgetRequests } from "#core/language/forget-requests";
import { retryLostRace } from "#core/retry-lost-race";
import { isRedacted, type Span } from "#core/text/redacted";
import { read, readRows, select } from "#db/client";
import { integer, row, text } from "#db/row";
import { FORGETTING } from "#db/schema/forgettings";
import { keysIn } from "#domain/extraction";
import { beginsList } from "#domain/facts";
import { writerOf } from "#domain/memories";
import { SearchInput, search } from "#domain/retrieval";
import {
  authorOf,
  type Cut,
  type EpisodeWords,
  findEpisodeWords,
  firstChunkOf,
  redactWords,
  type Sender,
  sessionOf,
  showingOnly,
  withPassages,
} from "#domain/sessions";
import { carryOut, type ForgetCtx } from "./carry-out.ts";
import { type Candidate, chooseWords } from "./choose-words.ts";
import { echoesOf } from "./echoes.ts";
import { findGone, findOwner, toOwner } from "./find-source.ts";
import { isOwnMessage, type Owner } from "./own-words.ts";
import type { ForgottenView } from "./schemas.ts";
import { tellingWords } from "./words-of.ts";

export type FollowCtx = ForgetCtx & Ctx<"embedder" | "vectors" | "caches">;

/** Episodes of the session, before a request, in which what it means is looked for. */
const EPISODES_BEFORE = 40;
const HITS = 100;
const HIT_TOKENS = 8_000;

/** What came of a request: `known`: it was followed before; `not_found`: nothing is known that it means. */
export type Outcome = ForgottenView | "known" | "not_found";

/**
 * Follows the requests to forget something in one episode, each message once: the speaker's own words that it means go, and what was learned
 * from them. `by`: the user who sent it, where that was recorded apart from it.
 * @throws conflict if concurrent calls keep changing the same.
 */
export async function followRequests(ctx: FollowCtx, episodeId: number, by: number | null): Promise<Outcome[]> {
  const [episode] = await readRows(ctx, findEpisodeWords(ctx, { id: by ?? 0 }, sql`e.id = ${episodeId}`));
  if (episode === undefined) return [];
  const sender = await senderOf(ctx, episode, by);
  const outcomes: Outcome[] = [];
  for (const [message, said] of episode.messages.entries()) {
    const requests = said.role === "user" ? readForgetRequests(said.text) : [];
    // Labelled with somebody else's name: whose request it is cannot be known.
    const author = authorOf(said, sender);
    if (requests.length === 0 || author === null) continue;
    const busy = "What is to be forgotten is being changed by others at the same moment. Try again.";
    const asked = { requests, at: { episode: episodeId, message }, by: author };
    outcomes.push(await retryLostRace(ctx, busy, () => followMessage(ctx, asked)));
  }
  return outcomes;
}

/** Who sent an episode: its private session's owner, or the user recorded with the job. */
async function senderOf(ctx: FollowCtx, episode: EpisodeWords, by: number | null): Promise<Sender> {
  const userId = episode.sentBy ?? by ?? (episode.kind === "private" ? episode.ownerId : null);
  if (userId === null) return { userId, names: [] };
  const [user] = await readRows(ctx, findOwner(ctx, { id: userId }));
  return { userId, names: user === undefined ? [] : toOwner(user).names };
}

type Asking = {
  requests: readonly ForgetRequest[];
  at: { episode: number; message: number };
  /** The internal id of the user who asks. */
  by: number;
};

const BEFORE = row({ ...FORGETTING.of(sql`f`, "id") });
const USER = row({ id: integer(sql`u.id`), externalId: text(sql`u.external_id`) });

async function followMessage(ctx: FollowCtx, { requests, at, by }: Asking): Promise<Outcome | "lost"> {
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
  const here = found.here.toSorted((a, b) => b.id - a.id);
  const [asking] = here;
  if (user === undefined || asking === undefined || asking.id !== at.episode) return "not_found";
  const [self] = await readRows(ctx, findOwner(ctx, { externalId: user.externalId }));
  if (self === undefined) return "not_found";
  const owner = toOwner(self);
  const there = await findElsewhere(ctx, requests, { userId: user.externalId, sessionId: asking.sessionExternalId, by });
  const known = new Set(here.map(({ id }) => id));
  const episodes = [...here, ...there.episodes.filter(({ id }) => !known.has(id))];
  const cuts = cutsOf(ctx, requests, ownMessages(episodes, { owner, at, here: known }));
  if (cuts.size === 0 && there.memories.length === 0) return "not_found";
  const gone = await findGone(
    ctx,
    { writer: writerOf(ctx, user.externalId), owner, memories: [], ids: there.memories },
    echoesOf(episodes, cuts, { owner, asking: asking.id, by: "assistant" }),
  );
  if (cuts.size === 0 && gone.memories.length === 0) return "not_found";
  // The message that asks names what is gone: no search finds it, but for what else it says.
  const shown = longestRest(asking.messages[at.message]?.text ?? "", requests);
  const hidden = shown === null ? passagesOf(asking, at.message) : [];
  const its = gone.rewritten.find(({ before }) => before.id === asking.id) ?? redactWords(asking, []);
  const ownPassages = shown === null ? withPassages(its, hidden, "hidden") : showingOnly(its, { message: at.message, ...shown });
  return await carryOut(ctx, {
    ...{ ...gone, writer: writerOf(ctx, user.externalId), userId: by, hidden, bringsBack: false },
    rewritten: [...gone.rewritten.filter((one) => one !== its), ownPassages],
    askedBy: { message: askedBy, sessionId: asking.sessionId },
    audit: ({ id, detail }) => ({ action: "forgetting.made", objectId: id, userId: by, detail }),
  });
}

type OwnMessage = Candidate & { episode: EpisodeWords; message: number };

/** The messages that the user may redact, before the request, the latest first; without other requests and what is redacted already. */
function ownMessages(
  episodes: readonly EpisodeWords[],
  { owner, at, here }: { owner: Owner; at: Asking["at"]; here: ReadonlySet<number> },
): OwnMessage[] {
  const own = episodes.flatMap((episode) =>
    [...episode.messages.entries()].reverse().flatMap(([message, { role, text: said }]) => {
      const isBefore = episode.id !== at.episode || message < at.message;
      const isOwn = isBefore && role === "user" && isOwnMessage(episode, message, owner);
      return isOwn ? [{ episode, message, text: said }] : [];
    }),
  );
  const [previous] = own.filter(({ episode }) => here.has(episode.id));
  return own
    .filter(({ text: said }) => !isRedacted(said) && !asksToForget(said))
    .map((one) => ({ ...one, isPrevious: one === previous, isList: beginsList(one.text) }));
}

function cutsOf(
  { embedder }: Ctx<"embedder">,
  requests: readonly ForgetRequest[],
  candidates: readonly OwnMessage[],
): Map<EpisodeWords, Cut[]> {
  const by = { keysOf: keysIn, ...(embedder.words === undefined ? {} : { words: embedder.words }) };
  const cuts = new Map<EpisodeWords, Cut[]>();
  for (const { of, spans } of requests.flatMap((request) => chooseWords(request, candidates, by))) {
    const candidate = candidates[of];
    if (candidate === undefined) continue;
    const { episode, message } = candidate;
    cuts.set(episode, [...(cuts.get(episode) ?? []), ...spans.map((span) => ({ message, ...span }))]);
  }
  return cuts;
}

type Elsewhere = { episodes: EpisodeWords[]; memories: string[] };

/** What the place of the request opens, searched for what it names: episodes, the latest first, and memories of the app that name all of it. */
async function findElsewhere(
  ctx: FollowCtx,
  requests: readonly ForgetRequest[],
  { userId, sessionId, by }: { userId: string; sessionId: string; by: number },
): Promise<Elsewhere> {
  const query = requests.flatMap(({ parts }) => parts.flat()).join(" ");
  if (query === "") return { episodes: [], memories: [] };
  try {
    const asked = { query, userId, sessionId, limit: HITS, maxTokens: HIT_TOKENS, kinds: ["episode", "memory"] };
    const { hits } = await search(ctx, SearchInput.parse(asked));
    // A memory stands for the passage that it was learned from.
    const found = hits.flatMap(({ kind, id, memory }) => (kind === "episode" ? id : (memory?.learnedIn?.episodeId ?? [])));
    const which = sql`e.public_id in (select value from json_each(${JSON.stringify(found)}))`;
    const episodes = found.length === 0 ? [] : await readRows(ctx, findEpisodeWords(ctx, { id: by }, which));
    const names = (content: string) =>
      requests.some(({ parts, mayEdit }) => {
        const said = tellingWords(content);
        return parts.length > 0 && !mayEdit && parts.flat().every((word) => said.has(word));
      });
    // A memory without an episode has no words to be chosen by: the app stored it.
    const memories = hits.filter(({ memory, content }) => memory !== null && memory.learnedIn === null && names(content));
    return { episodes: episodes.toSorted((a, b) => b.occurredAt - a.occurredAt), memories: memories.map(({ id }) => id) };
  } catch (error) {
    // A model server that is down must not keep the words of this session: they are looked for without it.
    ctx.log("forgetting.search_failed", describeError(error));
    return { episodes: [], memories: [] };
  }
}

function passagesOf(episode: EpisodeWords, message: number): number[] {
  return episode.chunks.flatMap((chunk, i) => (chunk.m === message ? [episode.id + i] : []));
}

/** The longest part of a message that says something beside its requests; null if there is none. */
function longestRest(said: string, requests: readonly ForgetRequest[]): Span | null {
  const ends = requests.map(({ end }) => end);
  const rests = [0, ...ends].map((start, i): Span => ({ start, end: requests[i]?.start ?? said.length }));
  const telling = rests.filter(({ start, end }) => end > start && tellingWords(said.slice(start, end)).size > 0);
  return telling.toSorted((a, b) => b.end - b.start - (a.end - a.start))[0] ?? null;
}
