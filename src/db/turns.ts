/** How long an invocation calls the database before it lets others in. */
export const TURN_MS = 100;

type Clock = { now: () => number; wait: (milliseconds: number) => Promise<void> };

/**
 * Awaited before each call of the database by one invocation; it waits once in `TURN_MS`, until the process has looked at its sockets and
 * timers. The local D1 answers within the process, and workerd looks at them only when nothing else is ready: without this, all requests
 * wait while a job runs, and after 5 s (`pipelineTimeout` of KJ's HTTP server) their connections are closed unread.
 */
export function createTurns({ now, wait }: Clock): () => Promise<void> {
  let since = now();
  let pause: Promise<void> | null = null;
  return async () => {
    if (pause === null && now() - since < TURN_MS) return;
    pause ??= wait(0).then(() => {
      since = now();
      pause = null;
    });
    await pause;
  };
}
