import { expect, it } from "vitest";
import { keepRunning, type Run } from "./keep-running.ts";

type Started = Run & { crash: () => void; ended: boolean };

function world(starts: (nth: number) => boolean = () => true) {
  const runs: Started[] = [];
  const lines: string[] = [];
  const pauses: number[] = [];
  const launch = (): Started => {
    const exit = Promise.withResolvers<number | null>();
    const run: Started = {
      exited: exit.promise,
      ended: false,
      crash: () => exit.resolve(1),
      end: async () => {
        run.ended = true;
        exit.resolve(null);
      },
    };
    runs.push(run);
    return run;
  };
  const first = launch();
  const kept = keepRunning(first, {
    launch,
    untilItAnswers: async () => {
      if (!starts(runs.length - 1)) throw new Error("wrangler dev ended with 1");
    },
    onLine: (line) => void lines.push(line),
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  return { runs, lines, pauses, kept };
}

const until = (condition: () => boolean) => expect.poll(condition, { interval: 5 }).toBe(true);

it("a process that crashes is started again, and what it left behind is ended first", async () => {
  const { runs, lines, kept } = world();
  runs[0]?.crash();
  await until(() => runs.length === 2 && lines.length === 2);
  expect([runs[0]?.ended, lines]).toEqual([
    true,
    ["The service has crashed. What was stored is kept. It is started again in 1 s.", "The service runs again."],
  ]);
  await kept.end();
  expect([runs.length, runs[1]?.ended, await kept.exited]).toEqual([2, true, null]);
});

it("one that crashes again and again is started after longer and longer pauses", async () => {
  const { runs, pauses, kept } = world((nth) => nth === 8);
  runs[0]?.crash();
  await until(() => runs.length === 9);
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1_000));
  await kept.end();
});

it("one that is ended is not started again, not even out of a pause", async () => {
  const { runs, kept, lines } = world();
  await kept.end();
  await kept.end();
  expect([runs.length, runs[0]?.ended, lines]).toEqual([1, true, []]);
});
