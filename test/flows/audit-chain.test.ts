import { beforeEach, describe, expect, it } from "vitest";
import { sealTenant } from "#domain/audit";
import { createHarness, type Harness } from "#test/harness";
import { remove, tamper, threeStretches, verify, write, writeMany } from "./audit-rows.ts";
import { nth, type Problem, rows } from "./requests.ts";

let h: Harness;
const makeHarness = () => createHarness({ replace: () => ({ log: () => undefined }) });
beforeEach(async () => {
  h = await makeHarness();
});

describe("a chain that nobody touched", () => {
  it("is intact, and one seal covers all that was written since the one before", async () => {
    expect(await verify(h)).toEqual({
      intact: true,
      checked: 0,
      from: 0,
      to: 0,
      nextFrom: null,
      head: { seq: 0, hash: "0".repeat(64) },
      unsealed: 0,
    });
    await threeStretches(h);
    expect(await verify(h)).toMatchObject({ intact: true, checked: 9, to: 9, nextFrom: null, head: { seq: 9 }, unsealed: 0 });
    expect(await verify(h, "?from=3")).toMatchObject({ intact: true, checked: 6, from: 3, to: 9 });
    expect(await rows("select seq from audit_seals where tenant_id = ?", h.tenantId)).toEqual([3, 6, 9].map((seq) => ({ seq })));
  });

  it("is checked from a seal only", async () => {
    await threeStretches(h);
    for (const from of [4, 10])
      expect((await h.fetch<Problem>("GET", `/v1/audit/verify?from=${from}`)).json.fields?.[0]?.path).toBe("from");
  });

  it("is dense and intact after fifty changes at once, sealed by several at once", async () => {
    const changes = Array.from({ length: 50 }, async (_, i) => {
      await h.fetch("PUT", `/v1/users/parallel-${i}`);
      if (i % 5 === 0) await sealTenant(h.services(), h.tenantId, 2_000);
    });
    await Promise.all(changes);
    await Promise.all(Array.from({ length: 4 }, async () => await sealTenant(h.services(), h.tenantId, 2_000)));
    const written = await rows<{ seq: number }>("select seq from audit where tenant_id = ? order by seq", h.tenantId);
    expect(written.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(await verify(h)).toMatchObject({ intact: true, checked: 50, head: { seq: 50 } });
  });

  it("is each tenant's own", async () => {
    const other = await makeHarness();
    await Promise.all([write(h, 4), write(other, 6)]);
    const [ours, theirs] = [await verify(h), await verify(other)];
    expect([ours.checked, theirs.checked]).toEqual([4, 6]);
    expect(await verify(h, `?seq=4&hash=${theirs.head.hash}`)).toMatchObject({ intact: false, problem: { kind: "rewritten" } });
    expect((await h.fetch("GET", "/v1/audit/export")).text).not.toContain(`"seq":5`);
    expect((await h.fetch<{ items: unknown[] }>("GET", "/v1/audit")).json.items).toHaveLength(4);
    await rows("delete from audit where tenant_id = ? and seq = 2", other.tenantId);
    expect([(await verify(h)).intact, (await verify(other)).intact]).toEqual([true, false]);
  });
});

describe("a chain that somebody touched shows", () => {
  it("a removed row", async () => {
    await threeStretches(h);
    await remove(h, "audit", "seq = 5");
    expect(await verify(h)).toMatchObject({
      intact: false,
      checked: 3,
      to: 3,
      nextFrom: 6,
      problem: { kind: "missing_row", since: 5, seq: 5 },
    });
    expect(await verify(h, "?from=6")).toMatchObject({ intact: true, checked: 3 });
  });

  it("a removed row at the end of what is sealed", async () => {
    await threeStretches(h);
    await remove(h, "audit", "seq = 9");
    expect(await verify(h)).toMatchObject({ intact: false, to: 6, nextFrom: null, problem: { kind: "missing_row", seq: 9 } });
  });

  it("a removed row whose followers moved up", async () => {
    await threeStretches(h);
    await remove(h, "audit", "seq = 2");
    for (const seq of [3, 4, 5, 6, 7, 8, 9]) await tamper(h, "seq = seq - 1", seq);
    expect(await verify(h)).toMatchObject({ intact: false, checked: 0, problem: { since: 1, seq: 3 } });
  });

  it("a row that was put in between", async () => {
    await threeStretches(h);
    for (const seq of [9, 8, 7, 6, 5]) await tamper(h, "seq = seq + 1", seq);
    await rows(
      `insert into audit (tenant_id, seq, id, at, actor_kind, actor_id, action, object_id, detail, request_id, salt)
      select tenant_id, 5, 'aud_forged', at, actor_kind, actor_id, action, object_id, detail, request_id, salt from audit where tenant_id = ? and seq = 4`,
      h.tenantId,
    );
    expect(await verify(h)).toMatchObject({ intact: false, checked: 3, problem: { since: 4, seq: 6 } });
  });

  it.each([
    "id = 'aud_other'",
    "at = at + 1",
    "actor_kind = 'system'",
    "actor_id = 'key_other'",
    "user_id = user_id + 1",
    "user_id = null",
    "workspace_id = ''",
    "action = 'user.made'",
    "object_id = 'usr_other'",
    `detail = '{"names":["names"]}'`,
    "detail = null",
    "request_id = 'another'",
    "salt = lower(hex(randomblob(16)))",
  ])("a row with another value: %s", async (assignment) => {
    await threeStretches(h);
    await tamper(h, assignment, 5);
    expect(await verify(h)).toMatchObject({
      intact: false,
      checked: 3,
      nextFrom: 6,
      problem: { kind: "changed_row", since: 4, seq: 6 },
    });
  });

  it.each(["salt = null", "content_hash = 'x'", "erased_at = 1"])("a row that is half erased: %s", async (assignment) => {
    await threeStretches(h);
    await tamper(h, assignment, 5);
    expect((await verify(h)).problem).toEqual({ kind: "changed_row", since: 5, seq: 5 });
  });

  it("rows that changed places", async () => {
    await threeStretches(h);
    for (const [seq, to] of [
      [4, -1],
      [5, 4],
      [-1, 5],
    ] as const)
      await tamper(h, `seq = ${to}`, seq);
    expect((await verify(h)).problem).toEqual({ kind: "changed_row", since: 4, seq: 6 });
  });

  it("a changed row in the last stretch, without telling it from a changed seal", async () => {
    await threeStretches(h);
    await tamper(h, "action = 'x'", 8);
    expect((await verify(h)).problem).toEqual({ kind: "changed_row_or_seal", since: 7, seq: 9 });
  });

  it("a changed seal", async () => {
    await threeStretches(h);
    await rows("update audit_seals set hash = ? where tenant_id = ? and seq = 6", "f".repeat(64), h.tenantId);
    expect((await verify(h)).problem).toEqual({ kind: "changed_seal", since: 6, seq: 6 });
  });

  it("a changed row though the seal after it was removed", async () => {
    await threeStretches(h);
    await remove(h, "audit_seals", "seq = 6");
    expect(await verify(h)).toMatchObject({ intact: true, checked: 9 });
    await tamper(h, "action = 'x'", 5);
    expect((await verify(h)).problem).toMatchObject({ since: 4, seq: 9 });
  });

  it("removed seals between which more rows lie than a seal covers", async () => {
    await writeMany(h, 6_500);
    for (let i = 0; i < 4; i += 1) await verify(h);
    expect(await verify(h)).toMatchObject({ intact: true, checked: 4_000, nextFrom: 4_000, head: { seq: 6_500 } });
    expect(await verify(h, "?from=4000")).toMatchObject({ intact: true, checked: 2_500, nextFrom: null });
    await remove(h, "audit_seals", "seq = 2000");
    expect(await verify(h)).toMatchObject({
      intact: false,
      nextFrom: 4_000,
      problem: { kind: "missing_seal", since: 1, seq: 3_999 },
    });
    await remove(h, "audit_seals", "seq in (4000, 6000)");
    expect(await verify(h)).toMatchObject({
      intact: false,
      nextFrom: null,
      problem: { kind: "missing_seal", since: 1, seq: 6_499 },
    });
  });

  it("a row that is missing before it was ever sealed, and seals nothing from there on", async () => {
    await threeStretches(h);
    await write(h, 3);
    await remove(h, "audit", "seq = 11");
    expect(await verify(h)).toMatchObject({
      intact: false,
      head: { seq: 10 },
      unsealed: 2,
      problem: { kind: "missing_row", since: 11, seq: 11 },
    });
    expect(await sealTenant(h.services(), h.tenantId, 100)).toEqual({
      sealed: 0,
      stopped: { brokenAt: 11, kind: "missing_row" },
    });
  });
});

describe("a head that was noted outside", () => {
  it("is on the chain for as long as nobody rewrites it", async () => {
    const [first, second] = await threeStretches(h);
    await write(h, 1);
    for (const head of [first, second])
      expect(await verify(h, `?seq=${head?.seq}&hash=${head?.hash}`)).toMatchObject({
        intact: true,
        noted: { seq: head?.seq, onChain: true },
      });
    expect((await h.fetch("GET", "/v1/audit/verify?seq=3")).status).toBe(422);
    expect((await h.fetch("GET", `/v1/audit/verify?hash=${first?.hash}`)).status).toBe(422);
  });

  it("shows an end that was cut off with its seals, which nothing else shows", async () => {
    const head = nth(await threeStretches(h), -1);
    await remove(h, "audit", "seq > 6");
    await remove(h, "audit_seals", "seq > 6");
    expect(await verify(h)).toMatchObject({ intact: true, checked: 6 });
    const noted = `?seq=${head.seq}&hash=${head.hash}`;
    expect(await verify(h, noted)).toMatchObject({
      intact: false,
      noted: { seq: 9, onChain: false },
      problem: { kind: "cut_off", since: 7, seq: 9 },
    });
    await write(h, 5);
    expect((await verify(h)).intact).toBe(true);
    expect(await verify(h, noted)).toMatchObject({
      intact: false,
      noted: { onChain: false },
      problem: { kind: "rewritten", seq: 9 },
    });
  });

  it("shows a chain that was computed anew, which nothing else shows", async () => {
    const head = nth(await threeStretches(h), 0);
    await tamper(h, "action = 'x'", 2);
    await remove(h, "audit_seals", "true");
    expect((await verify(h)).intact).toBe(true);
    expect(await verify(h, `?seq=${head.seq}&hash=${head.hash}`)).toMatchObject({
      intact: false,
      problem: { kind: "rewritten" },
    });
  });

  it("shows what is wrong with the rows before it", async () => {
    const head = nth(await threeStretches(h), -1);
    await remove(h, "audit", "seq = 8");
    expect(await verify(h, `?from=6&seq=${head.seq}&hash=${head.hash}`)).toMatchObject({
      noted: { onChain: false },
      problem: { kind: "missing_row", seq: 8 },
    });
  });
});
