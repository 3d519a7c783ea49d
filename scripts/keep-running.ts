import { setTimeout as sleep } from "node:timers/promises";

/** A process that answers requests until it ends. `end` ends it and every process that it started. */
export type Run = { exited: Promise<number | null>; end: () => Promise<void> };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** After running this long, a process counts as healthy: the next crash counts as the first. */
const STEADY_MS = 60_000;

export type Keeping<R extends Run> = {
  launch: () => R;
  /** Throws if it does not start to answer. */
  untilItAnswers: (run: R) => Promise<void>;
  onLine: (line: string) => void;
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** Restarts it whenever it ends by itself, after a pause that doubles while it keeps ending; `end` ends it for good. */
export function keepRunning<R extends Run>(first: R, { launch, untilItAnswers, onLine, pause = wait }: Keeping<R>): Run {
  const stopping = new AbortController();
  let run = first;
  let ended: Promise<void> | undefined;

  async function keep(): Promise<number | null> {
    for (let crashes = 0; ; ) {
      const startedAt = Date.now();
      const code = await run.exited;
      if (stopping.signal.aborted) return code;
      // Processes that a killed one leaves behind still hold the port.
      await run.end();
      crashes = Date.now() - startedAt > STEADY_MS ? 1 : crashes + 1;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 1), LONGEST_PAUSE_MS);
      onLine(`The service has crashed. What was stored is kept. It is started again in ${pauseMs / 1_000} s.`);
      await pause(pauseMs, stopping.signal);
      if (stopping.signal.aborted) return code;
      run = launch();
      await answering(run);
    }
  }

  async function answering(started: R): Promise<void> {
    try {
      await untilItAnswers(started);
      onLine("The service runs again.");
    } catch (error) {
      if (stopping.signal.aborted) return;
      onLine(error instanceof Error ? error.message : "It did not start.");
      await started.end();
    }
  }

  const exited = keep();
  return {
    exited,
    end: () => {
      stopping.abort();
      ended ??= run.end().then(async () => void (await exited));
      return ended;
    },
  };
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  // An abort ends the pause; the caller checks the signal.
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
