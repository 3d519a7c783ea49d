import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { createSecretBox } from "#core/secret-box";
import type { SettingsView } from "#domain/settings";
import { chatChannel } from "#test/chat-channel";
import { type Answer, createHarness, type Harness } from "#test/harness";
import { chat, type OpenAiProblem } from "./proxy-requests.ts";
import { nth, rows } from "./requests.ts";

const KEY = "sk-albatross-4711";
const upstream = chatChannel();
const lines: string[] = [];
let replaced: Partial<Services> = {};
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: () => ({ log: (event, facts) => void lines.push(JSON.stringify({ event, ...facts })), ...replaced }),
  });
});

type View = SettingsView & OpenAiProblem;

const set = async (given: Record<string, unknown> | null, on = h): Promise<Answer<View>> =>
  await on.fetch<View>("PATCH", "/v1/settings", { body: { upstream: given } });
const changes = async () =>
  (
    await rows<{ detail: string }>(
      "select detail from audit where tenant_id = ? and action = 'settings.changed' order by seq",
      h.tenantId,
    )
  ).map(({ detail }) => JSON.parse(detail));
const sentKey = async () => {
  await upstream.reset();
  await chat(h, `for ${crypto.randomUUID()}`, { headers: { "x-edgewise-memory": "off" } });
  return nth(await upstream.requests(), 0).headers.authorization ?? null;
};

describe("the model server", () => {
  it("is shown without its key, and called with it", async () => {
    const { status, json } = await set({ url: `${upstream.url}/`, apiKey: KEY, models: { ours: "echo-mini" } });
    expect([status, json.upstream]).toEqual([200, { url: upstream.url, models: { ours: "echo-mini" }, hasKey: true }]);
    expect((await h.fetch<View>("GET", "/v1/settings")).json.upstream).toEqual(json.upstream);
    expect(await sentKey()).toBe(`Bearer ${KEY}`);
  });

  it("keeps its key while the url stays, and never takes it elsewhere", async () => {
    await set({ url: upstream.url, apiKey: KEY });
    expect((await set({ url: `${upstream.url}/` })).json.upstream).toEqual({ url: upstream.url, models: {}, hasKey: true });
    expect(await sentKey()).toBe(`Bearer ${KEY}`);
    const { port } = new URL(upstream.url);
    for (const url of [
      ...[upstream.url.replace("/v1", "/other"), `${upstream.url}/v1`, upstream.url.replace("/v1", "/V1")],
      ...[`http://localhost:${port}/v1`, "http://127.0.0.1:1/v1", "https://api.openai.com/v1"],
    ]) {
      await set({ url: upstream.url, apiKey: KEY });
      expect([url, (await set({ url })).json.upstream?.hasKey]).toEqual([url, false]);
      expect((await set({ url: upstream.url })).json.upstream?.hasKey).toBe(false);
    }
  });

  it("loses its key with null", async () => {
    await set({ url: upstream.url, apiKey: KEY });
    expect((await set({ url: upstream.url, apiKey: null })).json.upstream?.hasKey).toBe(false);
    expect(await sentKey()).toBeNull();
    await set({ url: upstream.url, apiKey: KEY });
    expect((await set(null)).json.upstream).toBeNull();
  });

  it("is changed by a new key, and by nothing that is as it was", async () => {
    await set({ url: upstream.url, apiKey: KEY, models: { a: "b" } });
    const before = [await changes(), (await h.fetch<View>("GET", "/v1/settings")).json];
    expect((await set({ url: upstream.url, apiKey: KEY, models: { a: "b" } })).json).toEqual(before[1]);
    expect(await changes()).toEqual(before[0]);
    const { json } = await set({ url: upstream.url, apiKey: `${KEY}-anew`, models: { a: "b" } });
    const shown = { url: upstream.url, models: { a: "b" }, hasKey: true };
    expect(json.version).toBe((before[1] as View).version + 1);
    expect(nth(await changes(), -1)).toEqual({
      names: ["upstream"],
      from: { upstream: shown },
      to: { upstream: { ...shown, newKey: true } },
    });
    expect(await sentKey()).toBe(`Bearer ${KEY}-anew`);
  });

  it("leaves its key in no table, no line and no answer", async () => {
    lines.length = 0;
    const { text } = await set({ url: upstream.url, apiKey: KEY });
    await chat(h, "Does anybody see the key?");
    await upstream.misbehave({ status: 401 }, "hang up");
    const refused = [await chat(h, "And now?"), await chat(h, "And now, again?")];
    expect(refused.map(({ status }) => status)).toEqual([401, 502]);
    await h.settle();
    const { results } = await env.DB.prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not like '%_fts'",
    ).all<{ name: string }>();
    const tables = await env.DB.batch(results.map(({ name }) => env.DB.prepare(`select * from "${name}"`)));
    expect(results.map(({ name }) => name)).toContain("idempotency");
    for (const shown of [JSON.stringify(tables), text, ...lines, ...refused.map((answer) => answer.text)])
      expect(shown).not.toContain(KEY);
    expect(JSON.stringify(tables)).toContain("v1.");
  });

  it("has a key of its own tenant's: another's row cannot be read with it", async () => {
    const other = await createHarness({ replace: () => ({ log: () => undefined }) });
    await set({ url: upstream.url, apiKey: KEY });
    await rows(
      "insert into settings (tenant_id, version, data, updated_at) select ?, 1, data, 0 from settings where tenant_id = ?",
      other.tenantId,
      h.tenantId,
    );
    const { status, json } = await chat(other, "May I?");
    expect([status, json.error.param, json.error.message]).toEqual([422, "upstream.apiKey", expect.stringContaining("anew")]);
    expect(JSON.stringify(await upstream.requests())).not.toContain("May I?");
  });

  it("says what to do when its key was sealed with another ENCRYPTION_KEY, or there is none", async () => {
    await set({ url: upstream.url, apiKey: KEY });
    for (const secretBox of [createSecretBox("another secret, which is long enough too"), null]) {
      replaced = { secretBox };
      const { status, json } = await chat(h, "And now?");
      const kept = await set({ url: upstream.url, apiKey: "sk-new" });
      replaced = {};
      expect([status, json.error.message]).toEqual([422, expect.stringContaining("ENCRYPTION_KEY")]);
      if (secretBox === null) expect([kept.status, kept.json.detail]).toEqual([422, expect.stringContaining("ENCRYPTION_KEY")]);
      else expect(kept.status).toBe(200);
      await set({ url: upstream.url, apiKey: KEY });
    }
  });

  it("without a key needs no ENCRYPTION_KEY", async () => {
    await set(null);
    replaced = { secretBox: null };
    const { status } = await set({ url: upstream.url });
    const said = await chat(h, "Hello");
    replaced = {};
    expect([status, said.status]).toEqual([200, 200]);
  });
});

describe("what no model server may be", () => {
  it.each([
    ["a host that is not listed", "https://evil.example/v1", 422],
    ["plain http elsewhere", "http://api.openai.com/v1", 422],
    ["another port", "https://api.openai.com:8443/v1", 422],
    ["a trailing dot", "https://api.openai.com./v1", 422],
    ["a subdomain", "https://x.api.openai.com/v1", 422],
    ["a lookalike", "https://аpi.openai.com/v1", 422],
    ["an address of the cloud", "http://169.254.169.254/latest", 422],
    ["an address of the inside", "http://10.0.0.1/v1", 422],
    ["IPv6", "http://[::1]:8787/v1", 422],
    ["another machine's loopback", "http://127.0.0.2/v1", 422],
    ["a user before the host", "https://api.openai.com@evil.example/v1", 422],
    ["a password", "https://me:secret@api.openai.com/v1", 422],
    ["a question mark", "https://api.openai.com/v1?x=1", 422],
    ["a hash", "https://api.openai.com/v1#x", 422],
    ["a file", "file:///etc/passwd", 422],
    ["no scheme", "api.openai.com/v1", 422],
    ["nothing", "", 422],
  ])("%s", async (_, url, status) => {
    await set({ url: upstream.url, apiKey: KEY });
    const before = (await h.fetch("GET", "/v1/settings")).text;
    const answer = await set({ url, apiKey: "sk-other" });
    expect([answer.status, answer.json.fields?.[0]?.path]).toEqual([status, "upstream.url"]);
    expect((await h.fetch("GET", "/v1/settings")).text).toBe(before);
  });

  it.each([
    { apiKey: KEY },
    { url: "https://api.openai.com/v1", apiKey: "two words" },
    { url: "https://api.openai.com/v1", apiKey: "line\nbreak" },
    { url: "https://api.openai.com/v1", apiKey: "" },
    { url: "https://api.openai.com/v1", models: { "": "x" } },
    { url: "https://api.openai.com/v1", models: { x: 1 } },
    { url: "https://api.openai.com/v1", hasKey: true },
  ])("%j", async (wrong) => {
    const { status, json, text } = await set(wrong);
    expect([status, json.fields?.[0]?.path]).toEqual([400, expect.stringMatching(/^upstream\./)]);
    expect(text).not.toContain(KEY);
  });

  it("a host that was listed when it was set and is not any more", async () => {
    await set({ url: upstream.url, apiKey: KEY });
    await rows(
      "update settings set data = json_set(data, '$.upstream.url', 'http://10.0.0.1/v1') where tenant_id = ?",
      h.tenantId,
    );
    h.services().caches.settings.clear();
    const { status, json } = await chat(h, "Hello");
    expect([status, json.error.message]).toEqual([403, expect.stringContaining("UPSTREAM_HOSTS")]);
    await set({ url: upstream.url, apiKey: KEY });
  });
});
