import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { contextFor, linesOf } from "./context-requests.ts";
import { chatChannel, modelAt, said, settings } from "./extraction-requests.ts";
import { append, type Problem, rows } from "./requests.ts";

const channel = chatChannel();
let h: Harness;
let now = Date.parse("2026-03-12T06:00:00Z");
beforeEach(async () => {
  now = Date.parse("2026-03-12T06:00:00Z");
  await channel.reset();
  h = await createHarness({ replace: () => ({ log: () => undefined, now: () => now, chatModel: modelAt(channel) }) });
  await settings(h, { extraction: "rules" });
});

const user = (content: string, occurredAt?: string) => ({
  role: "user",
  content,
  ...(occurredAt === undefined ? {} : { occurredAt }),
});
const say = async (...messages: unknown[]) => {
  const answer = await append<Problem>(h, "d1", { userId: "a", messages });
  expect(answer.status, answer.text).toBe(201);
};
const setZone = async (timeZone: unknown) =>
  await h.fetch<Problem & { timeZone: string | null }>("PUT", "/v1/users/a", { body: { timeZone } });
const TOOTH = "Yesterday I chipped a tooth on an olive stone.";
const ask = async (query = "When did I chip my tooth?", more = {}) => await contextFor(h, { userId: "a", query, ...more });

describe("the block shows the day", () => {
  it("of the offset that the message carried", async () => {
    await say(user(TOOTH, "2026-03-10T23:30:00-08:00"));
    await h.settle();
    for (const zone of [null, "Asia/Tokyo"]) {
      await setZone(zone);
      const lines = linesOf(await ask());
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toMatch(/^\[M\d\] \(2026-03-10[,)]/);
    }
  });

  it("of the user's zone, where the message carried none; of UTC, where nothing is known", async () => {
    await say(user(TOOTH, "2026-03-11T05:30:00Z"));
    expect(linesOf(await ask())[0]).toContain("(2026-03-11, ");
    expect((await setZone("America/Los_Angeles")).json.timeZone).toBe("America/Los_Angeles");
    expect(linesOf(await ask())[0]).toContain("(2026-03-10, ");
  });

  it("of what the whole episode or nothing says, too", async () => {
    await append(h, "d1", { userId: "a", occurredAt: "2026-03-10T23:30:00-08:00", messages: [user(TOOTH)] });
    await setZone("Asia/Tokyo");
    await say(user("The dentist glued the tooth."));
    const lines = linesOf(await ask("tooth"));
    expect(lines.map((line) => /\(([\d-]+)/.exec(line)?.[1]).toSorted()).toEqual(["2026-03-10", "2026-03-12"]);
  });

  it("with the hour where several lines are of one day and it is known", async () => {
    await say(
      user("The plumber rang the bell.", "2026-03-08T09:05:00+01:00"),
      user("The plumber fixed the sink.", "2026-03-08T17:40:00+01:00"),
      user("The plumber sent a bill.", "2026-03-08T00:00:00+01:00"),
      user("The plumber was paid.", "2026-03-09T10:00:00+01:00"),
    );
    const lines = linesOf(await ask("What did the plumber do?", { kinds: ["episode"] }));
    expect(
      lines.map((line) => /\((.*?), said by the user\) The plumber (\w+)/.exec(line)?.slice(1).join(" ")).toSorted(),
    ).toEqual(["2026-03-08 09:05 rang", "2026-03-08 17:40 fixed", "2026-03-08 sent", "2026-03-09 was"]);
  });
});

describe("the block names today once, at its head", () => {
  const todays = (block: string) => block.split("\n").filter((line) => line.startsWith("Today is"));

  it("in the asking user's zone, or at the time that is asked for", async () => {
    await say(user(TOOTH, "2026-03-10T23:30:00-08:00"));
    const { block } = (await ask()).json;
    expect(block.split("\n")[1]).toBe("Today is Thursday, 2026-03-12.");
    expect(todays(block)).toHaveLength(1);
    await setZone("America/Los_Angeles");
    expect(todays((await ask()).json.block)).toEqual(["Today is Wednesday, 2026-03-11."]);
    expect(todays((await ask(undefined, { asOf: "2026-03-11T20:00:00+09:00" })).json.block)).toEqual([
      "Today is Wednesday, 2026-03-11.",
    ]);
    expect((await ask(undefined, { userId: "nobody" })).json.block).toBe("");
  });
});

describe("a learned memory", () => {
  it("has the day of its message, also where it changes or is stored by a call", async () => {
    await say(user("I live in Lisbon", "2026-03-10T23:30:00-08:00"));
    await h.settle();
    const [row] = await rows("select valid_offset from memories where tenant_id = ?", h.tenantId);
    expect(row).toEqual({ valid_offset: -480 });
    const stored = { userId: "a", content: "Lisbon has trams.", validFrom: "2026-03-10T23:30:00-08:00" };
    expect((await h.fetch("POST", "/v1/memories", { body: stored })).status).toBe(201);
    for (const line of linesOf(await ask("Lisbon", { kinds: ["memory"] }))) expect(line).toContain("(2026-03-10");
    await say(user("I live in Porto", "2026-03-12T01:00:00+09:00"));
    await h.settle();
    expect(linesOf(await ask("Porto", { kinds: ["memory"] })).some((line) => line.includes("(2026-03-12, "))).toBe(true);
  });

  it("is read by a model with the speaker's own time, by which it resolves relative words", async () => {
    await settings(h, { extraction: "model" });
    await channel.answer(said([]), said([]));
    await say(user(TOOTH, "2026-03-10T23:30:00-08:00"));
    await h.settle();
    await setZone("Asia/Tokyo");
    await say(user("Tomorrow I see the dentist.", "2026-03-11T23:00:00Z"));
    await h.settle();
    const asked = (await channel.requests()).map(({ body }) => String(body.messages.at(-1)?.content));
    expect(asked[0]).toContain('"at":"2026-03-10T23:30-08:00"');
    expect(asked[1]).toContain('"at":"2026-03-12T08:00+09:00"');
    expect(asked[1]).toContain("Now it is Thursday, 2026-03-12T15:00+09:00.");
  });
});

it("a user's zone is a name of IANA, is exported to nobody else, and can be taken back", async () => {
  expect((await setZone("Europe/Vienna")).json.timeZone).toBe("Europe/Vienna");
  for (const wrong of ["Mars/Olympus", "+01:00", "", 3])
    expect((await setZone(wrong)).status, String(wrong)).toBeGreaterThanOrEqual(400);
  expect((await h.fetch<{ timeZone: string }>("GET", "/v1/users/a")).json.timeZone).toBe("Europe/Vienna");
  expect((await h.fetch<{ timeZone: string; name: string }>("PUT", "/v1/users/a", { body: { name: "Ada" } })).json).toMatchObject(
    {
      name: "Ada",
      timeZone: "Europe/Vienna",
    },
  );
  expect((await setZone(null)).json.timeZone).toBeNull();
});
