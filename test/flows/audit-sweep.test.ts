import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createDb } from "#db/client";
import { sealAll } from "#domain/audit";
import { sweep } from "#domain/lifecycle";
import { createHarness, type Harness } from "#test/harness";
import { remove, verify, write, writeMany } from "./audit-rows.ts";
import { rows } from "./requests.ts";

let logged: string[] = [];
let h: Harness;
const makeHarness = () =>
  createHarness({ replace: () => ({ log: (event, facts) => void logged.push(JSON.stringify({ event, ...facts })) }) });
beforeEach(async () => {
  logged = [];
  h = await makeHarness();
});

/** The tenants of the tests before have nothing to seal. */
beforeEach(async () => {
  await rows("delete from audit");
  await rows("delete from audit_seals");
  await rows("delete from upkeep");
});

describe("the sweep", () => {
  const fresh = async () =>
    await rows<{ id: number }>(
      `select t.id from tenants t where (select max(seq) from audit where tenant_id = t.id) >
        coalesce((select max(seq) from audit_seals where tenant_id = t.id), 0)`,
    );
  const makeTenants = async (count: number) =>
    await rows(
      `insert into tenants (public_id, name, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) select 'ten_' || hex(randomblob(8)), '', 0 from n`,
      count,
    );
  const startOver = async () => await rows("delete from upkeep");

  it("seals what was written since the last, of everybody", async () => {
    const other = await makeHarness();
    await Promise.all([write(h, 3), write(other, 2)]);
    expect((await sweep(h.services())).sealed).toBe(5);
    expect(await fresh()).toEqual([]);
    expect((await sweep(h.services())).sealed).toBe(0);
    expect([(await verify(h)).intact, (await verify(other)).intact]).toEqual([true, true]);
  });

  it("reads three rows of a tenant that has nothing new, however many it has", async () => {
    await writeMany(h, 1_000);
    let read = 0;
    const services = {
      ...h.services(),
      db: createDb(env.DB.withSession("first-primary"), (cost) => {
        read += cost.rowsRead;
      }),
    };
    await sealAll(services);
    read = 0;
    expect(await sealAll(services)).toBe(0);
    const [tenants] = await rows<{ n: number }>("select count(*) as n from tenants");
    expect(read).toBeLessThanOrEqual(3 * Number(tenants?.n) + 5);
  });

  it("passes by a tenant whose rows have a gap, and says so", async () => {
    const other = await makeHarness();
    await Promise.all([write(h, 3), write(other, 2)]);
    await remove(h, "audit", "seq = 2");
    expect((await sweep(h.services())).sealed).toBe(3);
    expect(logged.filter((line) => line.includes("audit.broken"))).toEqual([
      JSON.stringify({ event: "audit.broken", tenantId: h.tenantId, seq: 2, kind: "missing_row" }),
    ]);
  });

  it("takes 100 tenants a run and goes on after them in the next, round and round", async () => {
    await startOver();
    await sealAll(h.services());
    await makeTenants(120);
    await rows(
      `insert into audit (tenant_id, seq, id, at, actor_kind, actor_id, action, object_id, detail, request_id, salt)
      select id, 1, 'aud_1', 0, 'system', 'test', 'x', 'x', '{}', 'x', 'aa' from tenants where id not in (select tenant_id from audit)`,
    );
    const all = (await fresh()).length;
    expect(all).toBeGreaterThanOrEqual(120);
    expect([await sealAll(h.services()), await sealAll(h.services())]).toEqual([100, all - 100]);
    expect(await fresh()).toEqual([]);
    await makeTenants(600);
    const cursor = async () => (await rows<{ cursor: string }>("select cursor from upkeep where task = 'audit.seal'"))[0]?.cursor;
    await startOver();
    await sealAll(h.services());
    expect(Number(await cursor())).toBeGreaterThan(0);
    await sealAll(h.services());
    expect(await cursor()).toBe("0");
  });
});
