import { AppError, type Dependency, Unavailable } from "#core/errors";

/** Failures in a row after which a server counts as down. */
const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 45_000;
/** What a server asks for by `retry-after` is kept up to this. */
const LONGEST_ASKED_PAUSE_MS = 600_000;
/** A trial call that has not ended by then never will: its request may be gone, and its promise with it. */
const TRIAL_MS = 60_000;

export type CircuitOptions = {
  dependency: Dependency;
  /** Unix milliseconds. */
  now: () => number;
  /** From 0 to 1; spreads the trials of isolates that failed together. */
  random?: () => number;
  longestPauseMs?: number;
};

/** How a circuit stands, for whoever wants to know which server is down. */
export type CircuitState = {
  state: "closed" | "open" | "half-open";
  /** Unix milliseconds of the first failure since the last answer; null while all goes well. */
  failingSince: number | null;
  /** Unix milliseconds before which no call reaches the server; null when closed. */
  nextTryAt: number | null;
};

export type Circuit = {
  /** Does the work if the circuit lets it through; else throws `Unavailable` at once. */
  run: <T>(work: () => Promise<T>) => Promise<T>;
  state: () => CircuitState;
};

/**
 * A circuit breaker (Nygard, Release It!, chapter 5). Closed: calls go through. After some failures in a row it is open, and calls fail at once. After
 * a pause, which doubles up to a limit, one call goes through as a trial: an answer closes the circuit. Only `Unavailable` is a failure; a server that refuses is
 * there. It holds numbers only, so an isolate's requests can share it.
 */
export function createCircuit({
  dependency,
  now,
  random = Math.random,
  longestPauseMs = LONGEST_PAUSE_MS,
}: CircuitOptions): Circuit {
  let failures = 0;
  let pauses = 0;
  let failingSince: number | null = null;
  let openUntil: number | null = null;
  let trialUntil = 0;

  const answered = () => {
    [failures, pauses, failingSince, openUntil, trialUntil] = [0, 0, null, null, 0];
  };

  const failed = (failure: Unavailable, isTrial: boolean) => {
    failures += 1;
    failingSince ??= now();
    // Calls that began before it opened end after it: they know nothing new.
    if (openUntil !== null && !isTrial) return;
    const asked = Math.min((failure.retryAfterSeconds ?? 0) * 1_000, LONGEST_ASKED_PAUSE_MS);
    if (!isTrial && failures < FAILURES_TO_OPEN && asked === 0) return;
    const full = Math.min(FIRST_PAUSE_MS * 2 ** pauses, longestPauseMs);
    pauses += 1;
    trialUntil = 0;
    openUntil = now() + Math.max(full * (0.75 + random() / 4), asked);
  };

  /** Whether this call is the trial; throws if the circuit holds it back. */
  const enter = (): boolean => {
    if (openUntil === null) return false;
    if (now() < openUntil || now() < trialUntil) throw refused(openUntil);
    trialUntil = now() + TRIAL_MS;
    return true;
  };

  const refused = (until: number): Unavailable => {
    const seconds = Math.max(1, Math.ceil((until - now()) / 1_000));
    return new Unavailable(`${NAMES[dependency]} does not answer.`, { dependency, isOpen: true, retryAfterSeconds: seconds });
  };

  return {
    async run(work) {
      const isTrial = enter();
      try {
        const answer = await work();
        answered();
        return answer;
      } catch (error) {
        if (!(error instanceof Unavailable)) {
          if (error instanceof AppError) answered();
          // Whoever asked has gone, or the mistake is ours: nothing is known of the server.
          else if (isTrial) trialUntil = 0;
          throw error;
        }
        failed(error, isTrial);
        const { message, kind, retryAfterSeconds } = error;
        throw new Unavailable(message, { kind, retryAfterSeconds, cause: error, dependency, isOpen: openUntil !== null });
      }
    },
    state: () => {
      if (openUntil === null) return { state: "closed", failingSince, nextTryAt: null };
      const isTrying = now() < trialUntil;
      return { state: isTrying || now() >= openUntil ? "half-open" : "open", failingSince, nextTryAt: openUntil };
    },
  };
}

const NAMES: Record<Dependency, string> = {
  embedder: "The embedder",
  vectors: "The vector index",
  chatModel: "The chat model",
  upstream: "The model server",
};

/** Tenants' own servers that an isolate remembers; of more, those that were called longest ago are forgotten, which closes their circuits. */
const MAX_UPSTREAMS = 1_000;

/** The circuits of an isolate, each made when it is first asked for. */
export type Circuits = {
  of: (dependency: Exclude<Dependency, "upstream">, use: "search" | "work") => Circuit;
  ofUpstream: (tenantId: number, host: string) => Circuit;
};

/**
 * Searches and background work have circuits of their own: a search waits a few seconds and calls that a failure, and a server that
 * is merely slow must not stop the work that can wait for it.
 */
export function createCircuits(options: Pick<CircuitOptions, "now" | "random">): Circuits {
  const known = new Map<string, Circuit>();
  const upstreams = new Map<string, Circuit>();
  return {
    of(dependency, use) {
      const name = `${dependency} ${use}`;
      const circuit = known.get(name) ?? createCircuit({ ...options, dependency });
      known.set(name, circuit);
      return circuit;
    },
    ofUpstream(tenantId, host) {
      const name = `${tenantId} ${host}`;
      const circuit =
        upstreams.get(name) ?? createCircuit({ ...options, dependency: "upstream", longestPauseMs: UPSTREAM_PAUSE_MS });
      upstreams.delete(name);
      upstreams.set(name, circuit);
      for (const oldest of upstreams.keys()) {
        if (upstreams.size <= MAX_UPSTREAMS) break;
        upstreams.delete(oldest);
      }
      return circuit;
    },
  };
}

/** Somebody waits for a chat's answer: a server that is back is found soon. */
const UPSTREAM_PAUSE_MS = 5_000;
