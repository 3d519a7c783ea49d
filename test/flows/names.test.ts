import { beforeEach, describe, expect, it } from "vitest";
import type { EpisodeView } from "#domain/sessions";
import { createHarness, type Harness } from "#test/harness";
import { append, history, nth, type Page, type Problem, rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

describe("what the app named is its `id`", () => {
  it("users, sessions and projects answer the app's id and no other", async () => {
    const user = await h.fetch("PUT", "/v1/users/ann", { body: { name: "Ann" } });
    const project = await h.fetch("PUT", "/v1/projects/garden", { body: { userId: "ann" } });
    const session = await h.fetch("PUT", "/v1/sessions/chat", { body: { userId: "ann", projectId: "garden" } });
    expect([user, project, session].map(({ json }) => json.id)).toEqual(["ann", "garden", "chat"]);
    const lists = await Promise.all(["sessions", "projects"].map((name) => h.fetch("GET", `/v1/${name}?userId=ann`)));
    for (const { text } of [user, project, session, ...lists]) {
      expect(text).not.toContain("externalId");
      expect(text).not.toMatch(/(?:ses|prj|usr)_/);
    }
  });

  it("a page's cursor holds no internal id, and one of an earlier release still works", async () => {
    for (const name of ["a", "b", "c"]) await h.fetch("PUT", `/v1/sessions/${name}`, { body: { userId: "ann" } });
    const page = (cursor: string) => h.fetch<Page<{ id: string }>>("GET", `/v1/sessions?userId=ann&limit=1${cursor}`);
    const { json } = await page("");
    const held = atob((json.nextCursor ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    expect(held).not.toMatch(/ses_/);
    expect((await page(`&cursor=${json.nextCursor}`)).json.items).toMatchObject([{ id: "b" }]);
    const [row] = await rows<{ id: string }>("select public_id as id from sessions where external_id = 'c'");
    const before = btoa(encodeURIComponent(JSON.stringify(["sessions", row?.id])));
    expect((await page(`&cursor=${before.replaceAll("=", "")}`)).json.items).toMatchObject([{ id: "b" }]);
  });

  it("audit rows name it, are found by it, and no longer say it once they are erased", async () => {
    await h.fetch("PUT", "/v1/users/ann", { body: { name: "Ann" } });
    await h.fetch("PUT", "/v1/sessions/chat", { body: { userId: "ann" } });
    const audit = async (query: string) =>
      (await h.fetch<Page<{ action: string; objectId: string | null }>>("GET", `/v1/audit?${query}`)).json.items;
    expect(await audit("objectId=chat")).toMatchObject([{ action: "session.opened", objectId: "chat" }]);
    expect(await audit("objectId=ann")).toMatchObject([{ action: "user.saved", objectId: "ann" }]);
    expect((await h.fetch("GET", "/v1/audit/export")).text).toContain('"objectId":"chat"');
    await h.fetch("POST", "/v1/audit/erase", { body: { userId: "ann" } });
    expect(await audit("objectId=ann")).toEqual([]);
    expect((await audit("action=user.saved")).map(({ objectId }) => objectId)).toEqual([null]);
    const exported = (await h.fetch("GET", "/v1/audit/export")).text;
    expect(exported).not.toMatch(/"(?:ann|chat)"|(?:ses|prj|usr)_/);
    expect((await h.fetch("GET", "/v1/audit/verify")).json).toMatchObject({ intact: true });
  });
});

const image = { type: "image_url", image_url: { url: "https://example.com/otter.png" } };
const parts = (...texts: string[]) => texts.map((text) => ({ type: "text", text }));
const say = (session: string, message: object) =>
  append<Problem & { id: string; created: boolean }>(h, session, { userId: "ann", messages: [{ role: "user", ...message }] });
const stored = async (session: string) =>
  (await history(h, session, "?userId=ann")).json.items.flatMap(({ messages }: EpisodeView) =>
    messages.map(({ content }) => content),
  );

describe("messages have `content`", () => {
  it("a string, or OpenAI's content parts, of which the text is kept", async () => {
    await say("s", { content: "The otter swims." });
    await say("s", { content: [...parts("Look at", "this otter."), image] });
    expect(await stored("s")).toEqual(["The otter swims.", "Look at\nthis otter."]);
  });

  it("in episodes, search hits and context alike, and nothing of it is called `text`", async () => {
    const { json } = await say("s", { content: parts("The otter swims at dawn.") });
    const asked = { userId: "ann", sessionId: "s", query: "otter" };
    const answers = [
      await h.fetch("GET", `/v1/sessions/s/episodes/${json.id}?userId=ann`),
      await h.fetch("POST", "/v1/search", { body: asked }),
      await h.fetch("POST", "/v1/context", { body: asked }),
    ];
    for (const { text } of answers) {
      expect(text).toContain('"content":"The otter swims at dawn."');
      expect(text).not.toContain('"text":"');
    }
  });

  it("`text` is accepted as an alias in requests; both given and different is an error that says so", async () => {
    expect((await say("s", { text: "The otter swims." })).status).toBe(201);
    expect((await say("s", { content: "The otter sleeps.", text: "The otter sleeps." })).status).toBe(201);
    expect((await say("s", { content: parts("The otter dives."), text: "The otter dives." })).status).toBe(201);
    const both = await say("s", { content: "The otter eats.", text: "The otter plays." });
    expect([both.status, both.json.code]).toEqual([422, "unprocessable"]);
    expect(both.json).toMatchObject({
      detail: expect.stringMatching(/`content` and `text`.*differ/),
      fields: [{ path: "messages[0].content" }],
    });
    expect(both.text).not.toContain("otter");
    expect(await stored("s")).toEqual(["The otter swims.", "The otter sleeps.", "The otter dives."]);
    const extracted = await h.fetch<{ memories: unknown[] }>("POST", "/v1/extract", {
      body: { userId: "ann", messages: [{ role: "user", text: "I prefer tea." }] },
    });
    expect(extracted.json.memories).toHaveLength(1);
  });

  it("with neither, or without a word, is refused with what to do", async () => {
    const neither = await say("s", {});
    expect([neither.status, neither.json.detail]).toEqual([400, expect.stringContaining("needs `content`")]);
    for (const content of ["", " \n", parts(" "), []]) expect((await say("s", { content })).status).toBeOneOf([400, 422]);
    expect(
      await rows("select 1 from episodes e join sessions s on s.id = e.session_id where s.tenant_id = ?", h.tenantId),
    ).toEqual([]);
  });

  it("with a picture alone is stored without a text", async () => {
    expect((await say("pictures", { content: [image] })).status).toBe(201);
    expect(await stored("pictures")).toEqual([""]);
  });

  it("the limit of a text is that of all parts together", async () => {
    const half = "otter ".repeat(5_400);
    expect((await say("s", { content: parts(half) })).status).toBe(201);
    expect((await say("s", { content: parts(half, half) })).status).toBe(422);
  });

  it("a secret in a part is stored as its mark only, and its kind is returned", async () => {
    const { json } = await say("s", { content: parts("My key:", "sk_live_4eC39HqLyjWDarjtT1zdp7dc") });
    expect(json).toMatchObject({ redacted: ["stripe_key"] });
    expect(await stored("s")).toEqual(["My key:\n[redacted:stripe_key]"]);
  });

  it("is the same message, however it is written", async () => {
    const first = await say("s", { content: "The otter swims.", messageId: "m1" });
    const again = await say("s", { content: parts("The otter swims."), messageId: "m1" });
    expect([again.status, again.json.id, again.json.created]).toEqual([200, first.json.id, false]);
    expect((await say("s", { text: "The otter sinks.", messageId: "m1" })).status).toBe(409);
  });

  it("a request under an Idempotency-Key of an earlier release is still the same request", async () => {
    const headers = { "idempotency-key": "k1" };
    const body = { userId: "ann", messages: [{ role: "user", text: "The otter swims." }] };
    const send = () => h.fetch<{ id: string }>("POST", "/v1/sessions/s/episodes", { body, headers });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.json.id, again.headers.get("idempotency-replayed")]).toEqual([201, first.json.id, "true"]);
    expect(nth(await stored("s"), 0)).toBe("The otter swims.");
  });
});
