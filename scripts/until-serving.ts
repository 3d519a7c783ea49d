import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 150;
/** How often it says that it still waits. */
const SAY_AFTER_MS = 15_000;

export type Waiting = {
  /** The status of a request to it; null while it does not listen. */
  look: () => Promise<number | null>;
  /** Its exit code, when it has ended. */
  exited: Promise<number | null>;
  onStep: (line: string) => void;
  signal?: AbortSignal | undefined;
  now?: () => number;
  pause?: (milliseconds: number) => Promise<unknown>;
};

/**
 * Waits until a program serves, however long that takes. Throws when it has ended, when the signal aborts, and when the service answers that
 * its configuration is wrong.
 */
export async function untilServing({ look, exited, onStep, signal, now = Date.now, pause = sleep }: Waiting): Promise<void> {
  let hasEnded = false;
  const ended = exited.then((code) => {
    hasEnded = true;
    return Promise.reject(new Error(`wrangler dev ended with ${code}.`));
  });
  const serving = async () => {
    const startedAt = now();
    for (let said = 1; !hasEnded; await pause(LOOK_MS)) {
      if (signal?.aborted) throw new Error("Stopped before it was ready.");
      const status = await look();
      if (status !== null && status < 400) return;
      if (status === 500) {
        // Its own line with the reason may still be on the way.
        await pause(500);
        throw new Error("The service refuses to start; its last line above says why.");
      }
      if (now() - startedAt < said * SAY_AFTER_MS) continue;
      onStep(`Still starting, after ${Math.round((now() - startedAt) / 1_000)} s. A busy machine takes longer; Ctrl-C stops it.`);
      said += 1;
    }
  };
  await Promise.race([ended, serving()]);
}
