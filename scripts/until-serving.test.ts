import { expect, it } from "vitest";
import { holdLines } from "./start-lines.ts";
import { untilServing } from "./until-serving.ts";

const never = new Promise<null>(() => undefined);

/** A clock that each pause moves on. */
function clock() {
  let time = 0;
  return {
    now: () => time,
    pause: async (milliseconds: number) => {
      time += milliseconds;
      await Promise.resolve();
    },
  };
}

it("waits as long as the start takes, and says so", async () => {
  const lines: string[] = [];
  const { now, pause } = clock();
  const look = async () => (now() < 600_000 ? null : 200);
  await untilServing({ look, exited: never, onStep: (line) => lines.push(line), now, pause });
  expect(now()).toBeGreaterThanOrEqual(600_000);
  expect(lines.length).toBe(39);
  expect(lines[0]).toMatch(/^Still starting, after 15 s\./);
});

it("ends when the program ends", async () => {
  const exit = Promise.withResolvers<number | null>();
  const waiting = untilServing({ look: async () => null, exited: exit.promise, onStep: () => undefined });
  exit.resolve(1);
  await expect(waiting).rejects.toThrow("wrangler dev ended with 1.");
});

it("ends when the service refuses its configuration", async () => {
  const waiting = untilServing({ look: async () => 500, exited: never, onStep: () => undefined, ...clock() });
  await expect(waiting).rejects.toThrow("its last line above says why");
});

it("ends when it is stopped", async () => {
  const stopping = new AbortController();
  const { now, pause } = clock();
  const look = async () => {
    if (now() > 1_000) stopping.abort();
    return null;
  };
  const waiting = untilServing({ look, exited: never, onStep: () => undefined, signal: stopping.signal, now, pause });
  await expect(waiting).rejects.toThrow("Stopped before it was ready.");
});

it("what is printed during a start is shown only if the start fails, and what is printed later always", () => {
  const shown: string[] = [];
  const good = holdLines((line) => shown.push(line));
  good.take("bindings");
  good.drop();
  good.take("POST /v1/search 200");
  expect(shown).toEqual(["POST /v1/search 200"]);
  const bad = holdLines((line) => shown.push(line));
  bad.take("[ERROR] no such file");
  expect(shown).toHaveLength(1);
  bad.show();
  bad.show();
  bad.take("later");
  expect(shown).toEqual(["POST /v1/search 200", "[ERROR] no such file", "later"]);
});
