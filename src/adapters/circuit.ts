import { AppError, type Dependency, type ErrorCode, Refused, Unavailable } from "#core/errors";

/** Failures in a row after which a server counts as down. */
const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 45_000;
/** The longest `retry-after` that is respected. */
const LONGEST_ASKED_PAUSE_MS = 600_000;
/** A trial call that has not ended by then is abandoned: its request may have been cancelled, and its promise never settles. */
const TRIAL_MS = 60_000;
const TRIAL_SLACK_MS = 500;

/** Error codes that mean the server answered; others are about the request before it was sent. */
const REFUSALS: readonly string[] = ["misconfigured", "upstream_failed"] satisfies ErrorCode[];

export type CircuitOptions = {
  dependency: Dependency;
  /** Unix milliseconds. */
  now: () => number;
  /** From 0 to 1; spreads the trials of isolates that failed together. */
  random?: () => number;
  longestPauseMs?: number;
};

/** The state of a circuit, for health checks. */
export type CircuitState = {
  state: "closed" | "open" | "half-open";
  /** Unix milliseconds of the first failure since the last answer; null if there was none. */
  failingSince: number | null;
  /** Unix milliseconds before which no call reaches the server; null when closed. */
  nextTryAt: number | null;
};

/** A call without a caller's input, so that its failure is the server's. */
export type Trial = {
  ask: () => Promise<unknown>;
  /** The time after which it counts as failed. */
  withinMs: number;
};

export type Circuit = {
  /**
   * Does the work if the circuit is closed; otherwise throws `Unavailable` at once. If there is a trial, only its failure opens the circuit
   * or keeps it open; without one, the work itself is the trial.
   */
  run: <T>(work: () => Promise<T>, trial?: Trial) => Promise<T>;
  state: () => CircuitState;
};

/**
 * A circuit breaker (Nygard, Release It!, chapter 5). Closed: calls go through. After some failures in a row it is open, and calls fail at once. After
 * a pause, which doubles up to a limit, one trial goes through: an answer closes the circuit. Only `Unavailable` is a failure; a server that refuses
 * is reachable. Several tenants share a server, and it may fail because of one tenant's input: before the circuit opens, and before it closes, the
 * server is sent a neutral request (the trial). It holds numbers only, so an isolate's requests can share it.
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

  const open = (failure: Unavailable) => {
    const full = Math.min(FIRST_PAUSE_MS * 2 ** pauses, longestPauseMs);
    pauses += 1;
    trialUntil = 0;
    openUntil = now() + Math.max(full * (0.75 + random() / 4), askedMs(failure));
  };

  const refused = (until: number): Unavailable => {
    const seconds = Math.max(1, Math.ceil((until - now()) / 1_000));
    return new Unavailable(`${NAMES[dependency]} does not answer.`, { dependency, isOpen: true, retryAfterSeconds: seconds });
  };

  const ofThisServer = (failure: Unavailable): Unavailable => {
    const { message, kind, retryAfterSeconds } = failure;
    return new Unavailable(message, { kind, retryAfterSeconds, cause: failure, dependency, isOpen: openUntil !== null });
  };

  /** The failure of the trial, null if the server answered. It never rejects, and may start before it is known whether it is needed. */
  const begin = async (trial: Trial): Promise<Error | null> => {
    trialUntil = now() + trial.withinMs + TRIAL_SLACK_MS;
    try {
      await trial.ask();
      return null;
    } catch (error) {
      if (error instanceof AppError && !(error instanceof Unavailable)) return null;
      return error instanceof Error ? error : new Error("The trial failed.");
    } finally {
      trialUntil = 0;
    }
  };

  /** For an open circuit whose pause is over: closes it, or throws. */
  const tryAgain = async (trial: Trial): Promise<void> => {
    const failure = await begin(trial);
    if (failure === null) return answered();
    if (!(failure instanceof Unavailable)) throw failure;
    open(failure);
    throw ofThisServer(failure);
  };

  const failed = async (failure: Unavailable, begun: Promise<Error | null> | undefined, trial: Trial | undefined) => {
    failures += 1;
    failingSince ??= now();
    // Calls that began before it opened may end after it and change nothing.
    if (openUntil !== null || (failures < FAILURES_TO_OPEN && askedMs(failure) === 0)) return;
    if (trial === undefined) return open(failure);
    // While another call's trial is running, that one decides.
    const isFree = now() >= trialUntil;
    const outcome = await (begun ?? (isFree ? begin(trial) : undefined));
    if (outcome === null) answered();
    else if (outcome instanceof Unavailable && openUntil === null) open(askedMs(outcome) > askedMs(failure) ? outcome : failure);
  };

  return {
    async run(work, trial) {
      let isTrial = false;
      if (openUntil !== null) {
        if (now() < openUntil || now() < trialUntil) throw refused(openUntil);
        isTrial = trial === undefined;
        if (trial === undefined) trialUntil = now() + TRIAL_MS;
        else await tryAgain(trial);
      }
      // In parallel with the work, so that a search does not wait for two time limits one after the other.
      const isSuspect = trial !== undefined && failures >= FAILURES_TO_OPEN - 1 && now() >= trialUntil;
      const begun = isSuspect ? begin(trial) : undefined;
      try {
        const answer = await work();
        answered();
        return answer;
      } catch (error) {
        if (!(error instanceof Unavailable)) {
          if (error instanceof AppError) {
            answered();
            throw REFUSALS.includes(error.code) ? new Refused(error, dependency) : error;
          }
          // The client has disconnected, or the error is ours: neither is evidence about the server.
          if (isTrial) trialUntil = 0;
          throw error;
        }
        if (isTrial) open(error);
        else await failed(error, begun, trial);
        throw ofThisServer(error);
      }
    },
    state: () => {
      if (openUntil === null) return { state: "closed", failingSince, nextTryAt: null };
      const isTrying = now() < trialUntil;
      return { state: isTrying || now() >= openUntil ? "half-open" : "open", failingSince, nextTryAt: openUntil };
    },
  };
}

/** The server's `retry-after` in milliseconds. */
function askedMs({ retryAfterSeconds = 0 }: Unavailable): number {
  return Math.min(retryAfterSeconds * 1_000, LONGEST_ASKED_PAUSE_MS);
}

const NAMES: Record<Dependency, string> = {
  embedder: "The embedder",
  vectors: "The vector index",
  chatModel: "The chat model",
  upstream: "The model server",
};

/** Circuits of tenants' own servers in an isolate; beyond this, the least recently called are dropped, and so start closed again. */
const MAX_UPSTREAMS = 1_000;

/** The circuits of an isolate, each made when it is first asked for. */
export type Circuits = {
  of: (dependency: Exclude<Dependency, "upstream">, use: "search" | "work") => Circuit;
  ofUpstream: (tenantId: number, host: string) => Circuit;
};

/**
 * Searches and background work have separate circuits: for a search, a server that takes more than a few seconds has failed, but background
 * work can wait for it.
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

/** Short, because a user waits for a chat's answer. */
const UPSTREAM_PAUSE_MS = 5_000;
