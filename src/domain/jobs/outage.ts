import type { Services } from "#context";
import type { WaitedFor } from "./schemas.ts";

/** The suffix of the reason when a job failed because of its own content: the server answered a test request at that moment. */
export const ANSWERS_OTHERS = "It answers others.";

/**
 * How the reasons of adapters begin and end when a server is down or misconfigured. For jobs that failed in a release in which jobs did not
 * wait for servers.
 */
const OUTAGES: readonly RegExp[] = [
  / (?:did|does) not answer(?: in time)?(?: \(\d+\))?\.$/,
  / could not be reached(?: \(\w+\))?\.$/,
  / answered (?:408|429|5\d\d)\.$/,
  / answered (?:something that is no JSON|no completion|no list of vectors)\.$/,
  /^upstream_failed: Workers AI failed \(\d+\)\.$/,
  /^upstream_failed: Workers AI has used up /,
  /^upstream_failed: Vectorize refused the request \((?!40(?!041))\d+\)\.$/,
];

/** Whether a job's reason says that a server was down or misconfigured, so that a retry may succeed. */
export function isOutage(reason: string): boolean {
  if (reason.startsWith("misconfigured: ")) return !reason.endsWith(ANSWERS_OTHERS);
  return reason.startsWith("upstream_failed: ") && OUTAGES.some((outage) => outage.test(reason));
}

/** No tenant and no space have this number, so nothing can read what is stored here. */
const NOBODY = 0;
const TRIAL = "answering";
const LIMIT_MS = 10_000;

/**
 * Whether a server works again, tested by the smallest request of the kind that jobs make. It uses the same circuit as all calls, so an
 * open circuit returns false without a call, and an answer closes it.
 */
export async function isAnswering(services: Services, server: WaitedFor): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), LIMIT_MS);
  });
  // The reason of a failure is known from the waiting jobs. A late answer still closes the circuit.
  const answers = TRIALS[server](services).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answers, late]);
  } finally {
    clearTimeout(timer);
  }
}

const TRIALS: Record<WaitedFor, (services: Services) => Promise<void>> = {
  async embedder({ embedder }) {
    await embedder.embed([TRIAL], "document");
  },
  /** A write, because an index may answer reads while it refuses writes. */
  async vectors({ embedder, vectors }) {
    const values = new Float32Array(embedder.dimensions).fill(1 / Math.sqrt(embedder.dimensions));
    const numbers = { space: NOBODY, session: 0, project: 0, createdDay: 0, expiresDay: 0 };
    const metadata = { kind: TRIAL, workspace: "", scope: "", type: "", model: embedder.model, ...numbers };
    await vectors.upsert(NOBODY, [{ id: TRIAL, values, metadata }]);
    await vectors.remove(NOBODY, [{ id: TRIAL, space: NOBODY }]);
  },
  async chatModel({ chatModel }) {
    await chatModel?.complete({ messages: [{ role: "user", content: "Answer with OK." }], maxTokens: 16 });
  },
};
