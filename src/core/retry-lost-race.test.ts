import { describe, expect, it } from "vitest";
import { retryLostRace } from "./retry-lost-race.ts";

describe("retryLostRace", () => {
  const losing = async (losses: number, random = 0.999) => {
    const waits: number[] = [];
    let tries = 0;
    const ctx = { wait: async (ms: number) => void waits.push(ms), random: () => random };
    const outcome = await retryLostRace(ctx, "It is being changed.", async () => {
      tries += 1;
      return tries > losses ? "won" : "lost";
    }).catch((error: unknown) => error);
    return { outcome, tries, waits };
  };

  it("tries again until nobody comes first, with waits that grow up to a bound", async () => {
    const { outcome, tries, waits } = await losing(7);
    expect([outcome, tries]).toEqual(["won", 8]);
    expect(waits.map(Math.round)).toEqual([8, 16, 32, 64, 128, 200, 200]);
  });

  it("waits for a random part of that, so that those who met do not meet again", async () => {
    const waits = [0, 0.25, 0.5].map(async (random) => (await losing(3, random)).waits);
    expect(await Promise.all(waits)).toEqual([
      [0, 0, 0],
      [2, 4, 8],
      [4, 8, 16],
    ]);
  });

  it("gives up with a conflict that says when to try again", async () => {
    const { outcome, tries, waits } = await losing(Number.POSITIVE_INFINITY);
    expect(outcome).toMatchObject({ code: "conflict", message: "It is being changed.", retryAfterSeconds: 1 });
    expect([tries, waits.length]).toEqual([12, 11]);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1_500);
  });

  it("lets any other failure through at once", async () => {
    const ctx = { wait: async () => undefined, random: () => 0 };
    const failing = retryLostRace(ctx, "It is being changed.", async () => Promise.reject(new Error("broken")));
    await expect(failing).rejects.toThrow("broken");
  });
});
