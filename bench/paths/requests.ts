import { expect, it } from "vitest";
import { chatChannel } from "#test/chat-channel";
import { createHarness, type Harness } from "#test/harness";
import { type CountedPath, REQUESTS } from "./counted-path.ts";

declare module "vitest" {
  interface TaskMeta {
    counted?: CountedPath;
  }
}

/** What the functions of `src` report their entry to; see `countFunctions`. */
declare global {
  var reportEntry: ((id: string) => void) | undefined;
}

/** Enough that modules, schemas and caches are made, and that the measured request finds something. */
const WARM_UPS = 3;

const upstream = chatChannel();

it.for(REQUESTS)("$name", async ({ name, method, path, body }, { task }) => {
  const deferred: (() => Promise<unknown>)[] = [];
  const h = await createHarness({ replace: () => ({ defer: (work) => void deferred.push(work), log: () => undefined }) });
  const runDeferred = async () => {
    for (const work of deferred.splice(0)) await work();
  };
  await prepare(h);
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
    await h.fetch(method, path, { body: body(warmUp), user: "alice" });
    await runDeferred();
    await h.settle();
  }
  const ids = new Set<string>();
  globalThis.reportEntry = (id) => void ids.add(id);
  const { status } = await h.fetch(method, path, { body: body(WARM_UPS), user: "alice" });
  const answered = [...ids];
  await runDeferred();
  globalThis.reportEntry = undefined;
  expect(status).toBeLessThan(300);
  task.meta.counted = { name, answered, deferred: [...ids].slice(answered.length) };
});

async function prepare(h: Harness): Promise<void> {
  await h.fetch("PATCH", "/v1/settings", { body: { upstream: { url: upstream.url } } });
  await h.fetch("POST", "/v1/sessions/earlier/episodes", {
    body: { userId: "alice", messages: [{ role: "user", content: "I adopted a cat called Miso in Lisbon." }] },
  });
  await h.fetch("POST", "/v1/memories", { body: { userId: "alice", content: "Alice's cat Miso likes tuna" } });
  await h.settle();
}
