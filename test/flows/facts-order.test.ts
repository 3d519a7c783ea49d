import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { answerTo, appendText, storeFact, values } from "./fact-requests.ts";
import { append, rows } from "./requests.ts";

const interruption = createInterruption();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({ db: interruption.in(db) }),
  });
});

const COLORS = ["Amber", "Blue", "Coral", "Denim", "Ebony", "Fawn", "Green", "Hazel"] as const;
type Statement = { names: string[] } | { rank: number; name: string };

const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ names: fc.array(fc.constantFrom(...COLORS), { minLength: 2, maxLength: 5 }) }),
  fc.record({ rank: fc.integer({ min: 1, max: 5 }), name: fc.constantFrom(...COLORS) }),
);
const ORDINALS = ["first", "second", "third", "fourth", "fifth"];

const textOf = (said: Statement) =>
  "names" in said
    ? `My favorite colors are ${said.names.map((name, i) => `${i + 1}) ${name}`).join(", ")}`
    : `My ${ORDINALS[said.rank - 1]} favorite color is ${said.name}`;

/** Said one after the other: a list replaces all, a rank itself. */
function listAfter(statements: readonly Statement[]): string[] {
  let list = new Map<number, string>();
  for (const said of statements) {
    if ("names" in said) list = new Map(said.names.map((name, i) => [i + 1, name]));
    else list.set(said.rank, said.name);
  }
  return [...list].toSorted(([a], [b]) => a - b).map(([rank, name]) => `${rank} ${name}`);
}

it("the list is what was said last, in whichever order, batches and repetitions it arrives", async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(statement, { minLength: 1, maxLength: 6 }).chain((statements) =>
        fc.record({
          statements: fc.constant(statements),
          // Each at least once, and some again.
          order: fc
            .array(fc.nat(statements.length - 1), { maxLength: 4 })
            .chain((again) =>
              fc.shuffledSubarray([...statements.keys(), ...again], { minLength: statements.length + again.length }),
            ),
          together: fc.infiniteStream(fc.boolean()),
        }),
      ),
      async ({ statements, order, together }) => {
        made += 1;
        const place = { userId: "ann", sessionId: `order-${made}` };
        const batches: number[][] = [];
        for (const index of order) {
          if (batches.length > 0 && together.next().value === true) batches.at(-1)?.push(index);
          else batches.push([index]);
        }
        for (const batch of batches) {
          const episodes = batch.map((index) => ({
            messages: [
              {
                role: "user",
                text: textOf(statements[index] ?? { names: [] }),
                occurredAt: new Date(index * 1000).toISOString(),
              },
            ],
          }));
          expect((await append(h, place.sessionId, { userId: "ann", episodes })).status).toBe(201);
        }
        expect(await values(h, place)).toEqual(listAfter(statements));
      },
    ),
    { numRuns: 40, seed: 20_260_419 },
  );
});

it("of many writers at once the newest has its way, wholly", async () => {
  const place = { userId: "ann", sessionId: "crowd" };
  await appendText(h, "crowd", "Hello there", { userId: "ann" });
  const lists = Array.from({ length: 12 }, (_, i) => COLORS.slice(0, 2 + (i % 5)).map((name) => `${name} ${"abcdefghijkl"[i]}`));
  await Promise.all(
    lists.map((names, i) =>
      appendText(h, "crowd", textOf({ names }), { userId: "ann", occurredAt: new Date(i * 1000).toISOString() }),
    ),
  );
  expect(await values(h, place)).toEqual(listAfter(lists.map((names) => ({ names }))));
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      storeFact(h, { ...place, topic: "candy", rank: 1, value: `v${i}`, createdAt: new Date(i * 1000).toISOString() }),
    ),
  );
  expect(await values(h, { ...place, topic: "candy" })).toEqual(["1 v9"]);
});

it("nothing is stored of an append that is refused or lost", async () => {
  await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
  await h.fetch("PUT", "/v1/projects/garden/members/ben?userId=ann");
  await append(h, "bens", { userId: "ben", projectId: "garden", messages: [{ role: "user", content: "in time" }] });
  const text = textOf({ names: ["Amber", "Late"] });
  interruption.afterBatch(1, () => rows("delete from project_members"));
  expect((await append(h, "bens", { userId: "ben", messages: [{ role: "user", content: text }] })).status).toBe(404);
  expect(await rows("select 1 from facts where value = 'Late'")).toEqual([]);
  const wrong = await append(h, "order-1", { userId: "ann", projectId: "garden", messages: [{ role: "user", content: text }] });
  expect(wrong.status).toBe(409);
  expect(await rows("select 1 from facts where value = 'Late'")).toEqual([]);
});

it("who may store facts in a project is decided by each write", async () => {
  await h.fetch("PUT", "/v1/projects/orchard", { body: { userId: "ann" } });
  const body = { userId: "ben", projectId: "orchard", topic: "color", rank: 1, value: "Late" };
  expect((await h.fetch("POST", "/v1/facts", { body })).status).toBe(404);
  await h.fetch("PUT", "/v1/projects/orchard/members/ben?userId=ann");
  expect((await h.fetch("POST", "/v1/facts", { body })).status).toBe(201);
  await h.fetch("DELETE", "/v1/projects/orchard/members/ben?userId=ann");
  expect((await h.fetch("POST", "/v1/facts", { body: { ...body, value: "Later" } })).status).toBe(404);
  expect((await h.fetch("DELETE", "/v1/facts?userId=ben&projectId=orchard&topic=color")).status).toBe(404);
  expect(await rows("select value from facts where value like 'Late%'")).toEqual([{ value: "Late" }]);
});

it("an append that is repeated after its answer was lost stores the same once", async () => {
  const body = { userId: "ann", messages: [{ role: "user", content: textOf({ names: ["Amber", "Blue"] }), messageId: "once" }] };
  const headers = { "idempotency-key": "facts-once" };
  const send = () => h.fetch("POST", "/v1/sessions/twice/episodes", { body, headers });
  const [one, two] = [await send(), await send()];
  expect(two.json).toEqual(one.json);
  const place = { userId: "ann", sessionId: "twice" };
  expect(await answerTo(h, "List my favorite colors", place)).toBe("1) Amber, 2) Blue.");
  const job = await rows<{ payload: string }>(
    "select payload from jobs where tenant_id = ? and kind = 'episodes.index' order by id desc limit 1",
    h.tenantId,
  );
  const [user] = await rows<{ id: number }>("select id from users where tenant_id = ? and external_id = 'ann'", h.tenantId);
  expect(JSON.parse(job[0]?.payload ?? "{}")).toEqual({ from: expect.any(Number), chunks: 1, by: user?.id });
});
