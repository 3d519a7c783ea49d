import { BoundedCache } from "#core/bounded-cache";

/** The limit of strangers as one request meets it. */
export type StrangerLimit = {
  /** The address that the request comes from. */
  address: string;
  /** Counts the request; false if there were too many. */
  isWithinLimit: () => Promise<boolean>;
};

/** For a caller that was counted before, or whose credential is not a stranger's. */
export const UNLIMITED: StrangerLimit = { address: "", isWithinLimit: async () => true };

/** Tokens of one address that an isolate verifies at the same time without counting them first. */
const MAX_UNCOUNTED = 50;
const MAX_ADDRESSES = 5_000;
/** How long an address that exceeded the limit is counted first: as long as the limiter's period. */
const EXCEEDED_MS = 60_000;

/**
 * Which addresses an isolate trusts to send valid tokens. Many users may share an address, so a valid token is not counted; a refused one
 * is, after it was verified. An address that exceeded the limit, or sends too many at once, is counted first: what it forges costs nothing.
 */
export class Strangers {
  readonly #verifying = new Map<string, number>();
  readonly #exceeded = new BoundedCache<true>({ limit: MAX_ADDRESSES, ttlMs: EXCEEDED_MS });

  /** What `verify` finds, or "limited". Its error counts as a refusal. */
  async meet<T>(
    { address, isWithinLimit }: StrangerLimit,
    { now, verify, isStranger }: { now: number; verify: () => Promise<T>; isStranger: (found: T) => boolean },
  ): Promise<T | "limited"> {
    const count = async () => {
      const isWithin = await isWithinLimit();
      if (!isWithin) this.#exceeded.set(address, true, now);
      return isWithin;
    };
    if (this.#isCountedFirst(address, now)) return (await count()) ? await verify() : "limited";
    this.#add(address, 1);
    try {
      const found = await verify();
      return !isStranger(found) || (await count()) ? found : "limited";
    } catch (error) {
      await count();
      throw error;
    } finally {
      this.#add(address, -1);
    }
  }

  clear(): void {
    this.#verifying.clear();
    this.#exceeded.clear();
  }

  #isCountedFirst(address: string, now: number): boolean {
    return this.#exceeded.get(address, now) !== undefined || (this.#verifying.get(address) ?? 0) >= MAX_UNCOUNTED;
  }

  #add(address: string, change: number): void {
    const sum = (this.#verifying.get(address) ?? 0) + change;
    if (sum > 0) this.#verifying.set(address, sum);
    else this.#verifying.delete(address);
  }
}
