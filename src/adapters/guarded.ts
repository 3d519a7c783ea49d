import { Unavailable } from "#core/errors";
import { inTime } from "#core/in-time";
import type { ChatModel } from "#ports/chat-model";
import type { Embedder, EmbeddingPurpose } from "#ports/embedder";
import type { Upstream } from "#ports/upstream";
import type { VectorIndex } from "#ports/vector-index";
import type { Circuits, Trial } from "./circuit.ts";

/** Shorter than the 3 s for which a search waits for a channel, so that the circuit records the failure while the request still runs. */
const SEARCH_LIMIT_MS = 2_500;
/** Neither binding of a vector index has a time limit. Half of a job's lease. */
const VECTORS_LIMIT_MS = 60_000;
const TRIAL_LIMIT_MS = 10_000;

/** The input of a trial. No tenant and no space has the number 0, so nothing can read what a trial stores. */
const NEUTRAL = "neutral";
const NOBODY = 0;

/** The circuits of the ports, and how long a search's call may take. */
export type Guard = { circuits: Circuits; searchLimitMs?: number };

export function guardEmbedder(embedder: Embedder, { circuits, searchLimitMs = SEARCH_LIMIT_MS }: Guard): Embedder {
  const neutral = (purpose: EmbeddingPurpose, withinMs: number): Trial =>
    trialOf(() => embedder.embed([NEUTRAL], purpose), withinMs, "The embedder");
  const uses: Record<EmbeddingPurpose, <T>(work: () => Promise<T>) => Promise<T>> = {
    // Its adapter's limit is for one of many batches.
    document: (work) => circuits.of("embedder", "work").run(work, neutral("document", TRIAL_LIMIT_MS)),
    query: (work) =>
      circuits.of("embedder", "search").run(() => limited(work, searchLimitMs, "The embedder"), neutral("query", searchLimitMs)),
  };
  return { ...embedder, embed: (texts, purpose) => uses[purpose](() => embedder.embed(texts, purpose)) };
}

/** The properties of a trial vector, which must match those of the index. */
type Space = Pick<Embedder, "model" | "dimensions">;

/** The trial uses a space of no tenant, so that a failure for one space does not open the circuit for the others. */
export function guardVectors(
  index: VectorIndex,
  { circuits, searchLimitMs = SEARCH_LIMIT_MS, model, dimensions }: Guard & Space,
): VectorIndex {
  const who = "The vector index";
  const vector = () => new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  const trials = {
    search: () => index.query(NOBODY, { vector: vector(), spaces: [NOBODY], filter: { kind: NEUTRAL, model }, topK: 1 }),
    /** A write, because an index may answer reads while it refuses writes. */
    work: async () => {
      const numbers = { space: NOBODY, session: 0, project: 0, createdDay: 0, expiresDay: 0 };
      const metadata = { kind: NEUTRAL, workspace: "", scope: "", type: "", model, ...numbers };
      await index.upsert(NOBODY, [{ id: NEUTRAL, values: vector(), metadata }]);
      await index.remove(NOBODY, [{ id: NEUTRAL, space: NOBODY }]);
    },
  };
  const limits = { search: searchLimitMs, work: VECTORS_LIMIT_MS };
  const run = <T>(use: "search" | "work", work: () => Promise<T>) =>
    circuits
      .of("vectors", use)
      .run(() => limited(work, limits[use], who), trialOf(trials[use], Math.min(limits[use], TRIAL_LIMIT_MS), who));
  const { list } = index;
  return {
    settlesAfterMs: index.settlesAfterMs,
    query: (tenantId, query) => run("search", () => index.query(tenantId, query)),
    upsert: (tenantId, items) => run("work", () => index.upsert(tenantId, items)),
    remove: (tenantId, refs) => run("work", () => index.remove(tenantId, refs)),
    retag: (tenantId, refs, change) => run("work", () => index.retag(tenantId, refs, change)),
    stored: (tenantId, refs) => run("work", () => index.stored(tenantId, refs)),
    ...(list === undefined ? {} : { list: (tenantId, space, page) => run("work", () => list(tenantId, space, page)) }),
  };
}

export function guardChat(model: ChatModel, { circuits }: Guard): ChatModel {
  const ask = () => model.complete({ messages: [{ role: "user", content: "Answer with OK." }], maxTokens: 16 });
  const trial = trialOf(ask, TRIAL_LIMIT_MS, "The chat model");
  return { ...model, complete: (request) => circuits.of("chatModel", "work").run(() => model.complete(request), trial) };
}

function trialOf(ask: () => Promise<unknown>, withinMs: number, who: string): Trial {
  return { ask: () => limited(ask, withinMs, who), withinMs };
}

/** Only a server that cannot be reached counts as down; its answers go to the caller, whatever their status. */
export function guardUpstream(upstream: Upstream, { circuits }: Guard): Upstream {
  return {
    refusal: (base) => upstream.refusal(base),
    send: async (request) => {
      const work = () => upstream.send(request);
      if (!URL.canParse(request.base)) return await work();
      return await circuits.ofUpstream(request.tenantId, new URL(request.base).host).run(work);
    },
  };
}

/** A call that takes too long counts as a failure of the server; its late result is dropped. */
async function limited<T>(work: () => Promise<T>, limitMs: number, who: string): Promise<T> {
  const outcome = await inTime(work(), limitMs);
  if (outcome.ok) return outcome.value;
  throw outcome.reason === "timeout" ? new Unavailable(`${who} did not answer in time.`, { kind: "timeout" }) : outcome.error;
}
