import { expect, it } from "vitest";
import { createTurns, TURN_MS } from "./turns.ts";

function clock() {
  let time = 0;
  let pauses = 0;
  const wait = async () => {
    pauses += 1;
    time += 5;
  };
  const pass = (milliseconds: number) => {
    time += milliseconds;
  };
  return { now: () => time, wait, pass, pauses: () => pauses };
}

it("waits once in each turn", async () => {
  const { now, wait, pass, pauses } = clock();
  const turn = createTurns({ now, wait });
  for (let calls = 0; calls < 100; calls += 1) {
    await turn();
    pass(TURN_MS / 5);
  }
  expect(pauses()).toBe(19);
});

it("parallel calls wait for the same turn", async () => {
  const { now, wait, pass, pauses } = clock();
  const turn = createTurns({ now, wait });
  pass(TURN_MS);
  await Promise.all([turn(), turn(), turn()]);
  expect(pauses()).toBe(1);
});
