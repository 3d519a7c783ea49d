import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx, Settings } from "#context";
import { getSettings } from "#domain/settings";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { nth, type Problem, rows } from "./requests.ts";

let skipMs = 0;
const interruption = createInterruption();
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    replace: ({ db }) => ({
      now: () => Date.now() + skipMs,
      log: () => undefined,
      db: interruption.in(db),
    }),
  });
});
beforeEach(() => {
  skipMs = 0;
  interruption.cancel();
});

const DEFAULTS = {
  allowedOrigins: [],
  maxTokens: 2000,
  retentionDays: 30,
  expireEpisodes: false,
  summarizeAfterTokens: null,
  strategy: "hybrid",
  maxEntries: null,
  autoGc: true,
  piiReview: true,
  legacyDisclosure: false,
  enabled: true,
  extraction: "auto",
  instructions: "",
  extractionThreshold: 0.7,
  skillsEnabled: false,
  upstream: null,
  identityProvider: null,
  models: { withoutSystemRole: ["o1", "o1-mini", "o1-preview", "glm", "glmt", "glm-cn", "zai", "qianfan"] },
  placement: "system",
};

const read = async (on = h) => await on.fetch<Settings>("GET", "/v1/settings");
const change = async (body: Record<string, unknown>, ifMatch?: string) =>
  await h.fetch<Settings & Problem>("PATCH", "/v1/settings", {
    body,
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });
const changesWritten = async () =>
  await rows<{ detail: string }>(
    "select detail from audit where tenant_id = ? and action = 'settings.changed' order by seq",
    h.tenantId,
  );

describe("settings", () => {
  it("are the defaults of a new tenant, with version 0", async () => {
    const fresh = await createHarness();
    const { json, headers } = await read(fresh);
    expect([json, headers.get("etag")]).toEqual([{ ...DEFAULTS, version: 0 }, '"0"']);
  });

  it("are changed by name; the others stay, the version counts, and the audit says from what to what", async () => {
    const { json: before } = await read();
    const { status, json, headers } = await change({ maxTokens: 0, legacyDisclosure: true, maxEntries: 5, autoGc: true });
    expect([status, headers.get("etag")]).toEqual([200, `"${before.version + 1}"`]);
    expect(json).toEqual({ ...before, maxTokens: 0, legacyDisclosure: true, maxEntries: 5, version: before.version + 1 });
    expect((await read()).json).toEqual(json);
    expect(JSON.parse(nth(await changesWritten(), -1).detail)).toEqual({
      names: ["maxTokens", "maxEntries", "legacyDisclosure"],
      from: { maxTokens: 2000, maxEntries: null, legacyDisclosure: false },
      to: { maxTokens: 0, maxEntries: 5, legacyDisclosure: true },
    });
  });

  it("hold what was said as JSON's own true and false, which SQL reads", async () => {
    const disclosed = async () =>
      await rows(
        "select data ->> 'legacyDisclosure' as said, json_type(data, '$.legacyDisclosure') as type from settings where tenant_id = ?",
        h.tenantId,
      );
    await change({ legacyDisclosure: true });
    expect(await disclosed()).toEqual([{ said: 1, type: "true" }]);
    await change({ legacyDisclosure: false });
    expect(await disclosed()).toEqual([{ said: null, type: null }]);
  });

  it("go back to their default with null", async () => {
    await change({ maxTokens: 1, retentionDays: 1, strategy: "recent", maxEntries: 9, allowedOrigins: ["https://a.example"] });
    const nulls = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, null]));
    expect((await change(nulls)).json).toMatchObject(DEFAULTS);
    expect(await rows("select 1 from allowed_origins where tenant_id = ?", h.tenantId)).toEqual([]);
  });

  it("that change nothing leave no version and no audit row behind", async () => {
    await change({ maxTokens: 7, allowedOrigins: ["https://a.example"] });
    const before = [(await read()).json, await changesWritten()];
    for (const same of [
      {},
      { maxTokens: 7 },
      { maxTokens: 7, autoGc: true, allowedOrigins: ["https://a.example"] },
      { piiReview: null },
    ])
      expect((await change(same)).json).toEqual(before[0]);
    expect([(await read()).json, await changesWritten()]).toEqual(before);
  });

  it.each([
    { nope: true },
    { version: 3 },
    { maxTokens: 16_001 },
    { maxTokens: -1 },
    { maxTokens: 1.5 },
    { maxTokens: "2000" },
    { retentionDays: 0 },
    { retentionDays: 366 },
    { strategy: "text" },
    { maxEntries: 0 },
    { maxEntries: 1_000_001 },
    { autoGc: 1 },
    { legacyDisclosure: "false" },
    { enabled: 0 },
    { extraction: "always" },
    { extractionThreshold: 1.1 },
    { extractionThreshold: -0.1 },
    { skillsEnabled: "yes" },
    { models: ["o1"] },
    { models: { withoutSystemRole: [1] } },
    { models: { withoutSystemRole: [], other: true } },
  ])("refuse %j, and all that came with it", async (wrong) => {
    const before = (await read()).json;
    const { status, json } = await change({ ...wrong, expireEpisodes: !before.expireEpisodes });
    expect([status, json.code]).toEqual([400, "invalid_input"]);
    expect((await read()).json).toEqual(before);
  });

  it("are each tenant's own", async () => {
    const other = await createHarness();
    await change({ maxTokens: 123 });
    expect((await read(other)).json.maxTokens).toBe(2000);
  });
});

describe("if-match", () => {
  it("lets a change pass that was made for the version as it is", async () => {
    const etag = (await read()).headers.get("etag") ?? "";
    const changed = await change({ maxTokens: 11 }, etag);
    expect([changed.status, changed.json.maxTokens]).toEqual([200, 11]);
    expect((await change({ maxTokens: 12 }, `"0", ${changed.headers.get("etag")}`)).status).toBe(200);
    expect((await change({ maxTokens: 13 }, "*")).status).toBe(200);
  });

  it("refuses any other: 412, and nothing changes", async () => {
    const before = await read();
    const version = before.json.version;
    for (const stale of [`"${version - 1}"`, `"${version + 1}"`, `${version}`, "nonsense", ""]) {
      const { status, json } = await change({ maxTokens: 999 }, stale);
      expect([stale, status, json.code]).toEqual([stale, 412, "precondition_failed"]);
    }
    expect((await read()).json).toEqual(before.json);
  });
});

describe("a change that another overtakes", () => {
  /** Somebody else's change, written as often as is said, each time between the reading and the writing of ours. */
  const overtaken = (times: number) => {
    interruption.beforeBatch(1, async () => {
      if (times > 1) overtaken(times - 1);
      await rows(
        `insert into settings (tenant_id, version, data, updated_at) values (?, 1, '{"retentionDays": 9}', 0)
        on conflict (tenant_id) do update set version = version + 1, data = json_set(data, '$.retentionDays', 9)`,
        h.tenantId,
      );
    });
  };

  it("is made on top of it, and loses nothing of it", async () => {
    await change({ retentionDays: 8, allowedOrigins: ["https://a.example"] });
    const before = [(await read()).json.version, (await changesWritten()).length];
    overtaken(1);
    const { json } = await change({ maxTokens: 61, allowedOrigins: ["https://b.example"] });
    expect(json).toMatchObject({ maxTokens: 61, retentionDays: 9, allowedOrigins: ["https://b.example"] });
    expect([json.version, (await changesWritten()).length]).toEqual([Number(before[0]) + 2, Number(before[1]) + 1]);
    expect(await rows("select origin from allowed_origins where tenant_id = ?", h.tenantId)).toEqual([
      { origin: "https://b.example" },
    ]);
  });

  it("is refused if it was made for the version before, and leaves no trace", async () => {
    const { headers } = await change({ maxTokens: 62, allowedOrigins: ["https://a.example"] });
    const before = await changesWritten();
    overtaken(1);
    const { status } = await change({ maxTokens: 63, allowedOrigins: ["https://b.example"] }, headers.get("etag") ?? "");
    expect([status, (await read()).json.maxTokens, await changesWritten()]).toEqual([412, 62, before]);
    expect(await rows("select origin from allowed_origins where tenant_id = ?", h.tenantId)).toEqual([
      { origin: "https://a.example" },
    ]);
  });

  it("again and again is given up: 409", async () => {
    overtaken(100);
    expect((await change({ maxTokens: 64 })).status).toBe(409);
  });
});

describe("getSettings", () => {
  const asked = async (): Promise<Settings> => {
    const ctx: Ctx<"db" | "caches" | "now"> = {
      ...h.services(),
      tenantId: h.tenantId,
      actor: { kind: "system", id: "test" },
      requestId: "test",
      idempotent: null,
    };
    return await getSettings(ctx);
  };

  it("sees a change by the same isolate at once", async () => {
    for (const maxTokens of [31, 32]) {
      await change({ maxTokens });
      expect((await asked()).maxTokens).toBe(maxTokens);
    }
  });

  it("sees another isolate's change within 15 seconds", async () => {
    await change({ maxTokens: 41 });
    await asked();
    await rows("update settings set data = json_set(data, '$.maxTokens', 42) where tenant_id = ?", h.tenantId);
    skipMs = 14_000;
    expect((await asked()).maxTokens).toBe(41);
    skipMs = 15_001;
    expect((await asked()).maxTokens).toBe(42);
  });
});
