import { beforeEach, describe, expect, it } from "vitest";
import type { Services } from "#context";
import { sha256 } from "#core/ids";
import { canonicalJson, type ErasureView, segmentsOf, type VerifiedView } from "#domain/erasures";
import { createHarness, type Harness } from "#test/harness";
import { tamper } from "./audit-rows.ts";
import { nth, type Problem, rows, say } from "./requests.ts";

let h: Harness;
let id = "";
let userId = 0;

beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
  await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
  await h.settle();
  [{ userId } = { userId: 0 }] = await rows<{ userId: number }>("select id as userId from users where tenant_id = ?", h.tenantId);
  id = await start();
});

async function start(): Promise<string> {
  const { status, json, text } = await h.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
  expect(status, text).toBe(202);
  return json.id ?? "";
}

const verify = async (of: Harness = h, erasure = id) =>
  (await of.fetch<VerifiedView & Problem>("POST", `/v1/erasures/${erasure}/verify`, { user: null })).json;
const storeOf = ({ stores }: { stores: ErasureView["stores"] }, name: string) => stores.find(({ store }) => store === name);

describe("the receipt of an erasure", () => {
  it("is there when it has ended, and is verified then", async () => {
    expect(await verify()).toMatchObject({ code: "conflict" });
    await h.settle();
    expect(await verify()).toMatchObject({ verified: true, signature: "valid" });
  });

  it("is not verified when a row of the subject has come back", async () => {
    await h.settle();
    await rows(
      `insert into facts (user_id, topic, session_id, project_id, kind, rank, tenant_id, value, created_at, stored_at)
       values (?, 'color', 0, 0, 'single', 0, ?, 'red', 1, 1)`,
      userId,
      h.tenantId,
    );
    const verified = await verify();
    expect(verified).toMatchObject({ verified: false, signature: "valid", audit: { recorded: true, chainIntact: true } });
    expect(storeOf(verified, "facts")).toMatchObject({ remaining: 1, verdict: "residual" });
  });

  it("is not verified while a segment of the text index has the words", async () => {
    await h.settle();
    await say(h, "other", "Whoever speaks next", { userId: "ben" });
    const [found] = await rows<{ structure: string }>("select hex(block) as structure from message_fts_data where id = 10");
    const names = JSON.stringify(segmentsOf(found?.structure ?? "").map(({ name }) => name));
    await rows(
      "update erasures set progress = json_set(progress, '$.segments.message_fts', json(?)) where tenant_id = ?",
      names,
      h.tenantId,
    );
    const verified = await verify();
    expect(verified.verified).toBe(false);
    expect(storeOf(verified, "message_fts segments")).toMatchObject({ verdict: "pending", until: null });
  });

  it("is not verified if the chain of the audit log is broken at its row, or the row has another hash", async () => {
    await h.settle();
    const { seq } = (await verify()).audit;
    await tamper(h, "actor_id = 'x'", Number(seq));
    expect(await verify()).toMatchObject({ verified: false, signature: "valid", audit: { recorded: true, chainIntact: false } });
    await tamper(h, "detail = json_set(detail, '$.receipt', 'x')", Number(seq));
    expect((await verify()).audit).toMatchObject({ recorded: false });
  });

  it("is of its tenant alone, and nothing without its signature", async () => {
    await h.settle();
    await rows("update erasures set signature = null where tenant_id = ?", h.tenantId);
    expect(await verify()).toMatchObject({ verified: false, signature: "missing" });
    const other = await createHarness({ replace: () => ({ log: () => undefined }) });
    await say(other, "chat", "I live in Lisbon.", { userId: "ann" });
    const { json } = await other.fetch<ErasureView>("DELETE", "/v1/users/ann", { user: null });
    await other.settle();
    expect((await verify(other, json.id ?? "")).signature).toBe("valid");
    await rows("update erasures set tenant_id = ? where public_id = ?", h.tenantId, json.id);
    expect((await verify(h, json.id ?? "")).signature).toBe("invalid");
  });

  it("is not verified if the record says otherwise than what was signed", async () => {
    await h.settle();
    const [stored] = await rows<{ progress: string; ended: number; by: string }>(
      "select progress, finished_at as ended, requested_by as by from erasures where tenant_id = ?",
      h.tenantId,
    );
    const set = async (assignment: string) => await rows(`update erasures set ${assignment} where tenant_id = ?`, h.tenantId);
    const forgeries = {
      scope: [
        "progress = json_set(progress, '$.scope.sessions', json('[]'))",
        "progress = json_set(progress, '$.scope.id', 0)",
        "progress = json_set(progress, '$.segments', json('{}'), '$.deleted.episodes', 99)",
      ],
      status: ["status = 'partial_success'"],
      basis: ["basis = 'GDPR Art. 17'"],
      requestRef: ["request_ref = 'DSR-99'"],
      requestedBy: ["requested_by = 'key_other'"],
      kind: ["kind = 'session'"],
      aboutOthers: ["about_others = 'erase'"],
      subject: ["subject_hash = 'x'"],
      createdAt: ["created_at = created_at - 1000"],
      finishedAt: ["finished_at = finished_at - 1000"],
    };
    for (const [name, assignments] of Object.entries(forgeries))
      for (const assignment of assignments) {
        await set(assignment);
        const verified = await verify();
        expect([assignment, verified.verified, verified.signature, verified.record]).toEqual([
          assignment,
          false,
          "valid",
          "changed",
        ]);
        expect([assignment, ...verified.changed]).toContain(name);
        await set(`status = 'finished', basis = null, request_ref = null, requested_by = '${stored?.by}', kind = 'user', about_others = 'unlink',
          subject_hash = json_extract(receipt, '$.subject'), finished_at = ${stored?.ended},
          created_at = created_at + iif('${name}' = 'createdAt', 1000, 0)`);
        await rows("update erasures set progress = ? where tenant_id = ?", stored?.progress ?? "", h.tenantId);
        expect(await verify()).toMatchObject({ verified: true, record: "as_signed", changed: [] });
      }
  });

  it("of version 1 is valid, and verifies nothing, because it does not sign where to look", async () => {
    await h.settle();
    const [stored] = await rows<{ receipt: string; seq: number }>(
      "select receipt, (select seq from audit a where a.tenant_id = e.tenant_id and action = 'erasure.finished') as seq from erasures e where tenant_id = ?",
      h.tenantId,
    );
    const { scope: _, ...rest } = JSON.parse(stored?.receipt ?? "{}");
    const receipt = canonicalJson({ ...rest, version: 1 });
    const signature = await h.services().secretBox?.sign(receipt, `erasure receipt ${h.tenantId}`);
    await rows("update erasures set receipt = ?, signature = ? where tenant_id = ?", receipt, signature ?? "", h.tenantId);
    await tamper(h, `detail = json_set(detail, '$.receipt', '${await sha256(receipt)}')`, stored?.seq ?? 0);
    expect(await verify()).toMatchObject({
      verified: false,
      signature: "valid",
      record: "unsigned",
      changed: [],
      audit: { recorded: true },
    });
    await rows("update erasures set basis = 'x' where tenant_id = ?", h.tenantId);
    expect(await verify()).toMatchObject({ record: "changed", changed: ["basis"] });
  });

  it("says whether models have seen what was said", async () => {
    const chatModel = { model: "echo", host: "chat.example", complete: () => Promise.reject(new Error("Nobody asks it.")) };
    for (const [extracted, sawData] of [
      ["rules", "possibly"],
      ["model", "yes"],
    ] as const) {
      const replace = ({ embedder }: Services) => ({ chatModel, embedder: { ...embedder, host: "embed.example" } });
      h = await createHarness({ replace: (composed) => ({ log: () => undefined, ...replace(composed) }) });
      await h.fetch("PATCH", "/v1/settings", { body: { extraction: "off" } });
      await say(h, "chat", "I live in Lisbon.", { userId: "ann" });
      await h.settle();
      await rows("update episodes set extracted = ? where tenant_id = ?", extracted, h.tenantId);
      id = await start();
      await h.settle();
      const { receipt } = (await h.fetch<ErasureView>("GET", `/v1/erasures/${id}`)).json;
      expect(receipt?.recipients).toContainEqual(
        expect.objectContaining({ role: "embedder", host: "embed.example", sawData: "yes" }),
      );
      expect(receipt?.recipients).toContainEqual({ role: "chatModel", model: "echo", host: "chat.example", sawData });
    }
  });

  it("has its keys in order, says who may have seen the data, and is what was signed", async () => {
    const set = await h.fetch("PATCH", "/v1/settings", { body: { upstream: { url: "http://127.0.0.1:9/v1" } } });
    expect(set.status, set.text).toBe(200);
    await h.settle();
    const { receipt } = (await h.fetch<ErasureView>("GET", `/v1/erasures/${id}`)).json;
    expect(receipt?.recipients).toMatchObject([
      { role: "embedder", host: null, sawData: "no" },
      { role: "upstream", host: "127.0.0.1:9", sawData: "possibly" },
    ]);
    const [stored] = await rows<{ receipt: string }>("select receipt from erasures where tenant_id = ?", h.tenantId);
    const keys = Object.keys(JSON.parse(nth([stored?.receipt ?? "{}"], 0)));
    expect(keys).toEqual(keys.toSorted());
  });
});

describe("a second erasure of the same subject", () => {
  it("has nothing to erase while nobody has made it again, and a tombstone of its own when somebody has", async () => {
    await h.settle();
    expect((await h.fetch("DELETE", "/v1/users/ann", { user: null })).status).toBe(404);
    await say(h, "chat", "I live in Porto.", { userId: "ann" });
    await h.settle();
    const again = await start();
    expect(again).not.toBe(id);
    await h.settle();
    expect(await verify(h, again)).toMatchObject({ verified: true });
    expect(await verify()).toMatchObject({ verified: true });
    const buried = await rows<{ id: string }>(
      "select distinct e.public_id as id from tombstones t join erasures e on e.id = t.erasure_id where t.tenant_id = ? and t.subject_hash = e.subject_hash",
      h.tenantId,
    );
    expect(buried).toEqual([{ id: again }]);
  });
});
