import { Unavailable } from "#core/errors";
import type { ChatModel } from "#ports/chat-model";
import type { Embedder, EmbeddingPurpose } from "#ports/embedder";
import type { Upstream } from "#ports/upstream";
import type { VectorIndex } from "#ports/vector-index";
import type { Circuits } from "./circuit.ts";

/** Shorter than the 3 s for which a search waits for a channel, so that the circuit learns of it while the request still runs. */
const SEARCH_LIMIT_MS = 2_500;
/** Neither binding of a vector index has a limit of its own. Half of a job's lease. */
const VECTORS_LIMIT_MS = 60_000;

/** What stands between the services and a port: its circuits, and how long a call may take. */
export type Guard = { circuits: Circuits; searchLimitMs?: number };

export function guardEmbedder(embedder: Embedder, { circuits, searchLimitMs = SEARCH_LIMIT_MS }: Guard): Embedder {
  const uses: Record<EmbeddingPurpose, <T>(work: () => Promise<T>) => Promise<T>> = {
    // Its adapter's own limit is for one batch of many.
    document: (work) => circuits.of("embedder", "work").run(work),
    query: (work) => circuits.of("embedder", "search").run(() => limited(work, searchLimitMs, "The embedder")),
  };
  return { ...embedder, embed: (texts, purpose) => uses[purpose](() => embedder.embed(texts, purpose)) };
}

export function guardVectors(index: VectorIndex, { circuits, searchLimitMs = SEARCH_LIMIT_MS }: Guard): VectorIndex {
  const run = <T>(use: "search" | "work", work: () => Promise<T>) =>
    circuits.of("vectors", use).run(() => limited(work, use === "search" ? searchLimitMs : VECTORS_LIMIT_MS, "The vector index"));
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
  return { ...model, complete: (request) => circuits.of("chatModel", "work").run(() => model.complete(request)) };
}

/** Only a server that cannot be reached counts as down: its answers are the caller's, whatever their status. */
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

/** What takes too long is a failure of the server's; whatever still comes of it is dropped. */
async function limited<T>(work: () => Promise<T>, limitMs: number, who: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(`${who} did not answer in time.`, { kind: "timeout" })), limitMs);
  });
  try {
    const working = work();
    working.catch(() => undefined);
    return await Promise.race([working, late]);
  } finally {
    clearTimeout(timer);
  }
}
