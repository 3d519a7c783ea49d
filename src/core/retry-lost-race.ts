import { contended } from "./errors.ts";

export type Waiting = {
  wait: (milliseconds: number) => Promise<void>;
  /** From 0 to 1, 1 excluded. */
  random: () => number;
};

const MAX_TRIES = 12;
const FIRST_WAIT_MS = 8;
/** All waits together are 1.5 s at most, and half of that on average. */
const LONGEST_WAIT_MS = 200;

/**
 * Repeats a change that lost a race: reads again and writes again. Between two tries it waits for a random part of a doubling time, so that
 * competing calls spread out.
 * @throws conflict after the last try, with `retry-after`; `message` says what is contended.
 */
export async function retryLostRace<T>(ctx: Waiting, message: string, attempt: () => Promise<T | "lost">): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome !== "lost") return outcome;
    if (tries === MAX_TRIES) throw contended(message);
    await ctx.wait(ctx.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)));
  }
}
