import { expect } from "vitest";
import type { VerificationView } from "#domain/audit";
import type { Harness } from "#test/harness";
import { rows } from "./requests.ts";

/** As many audit rows, each of a user made. */
export async function write(h: Harness, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1)
    expect((await h.fetch("PUT", `/v1/users/${crypto.randomUUID()}`, { body: { name: "Ann" } })).status).toBe(200);
}

/** As many audit rows as it takes to reach a limit, written by hand. */
export async function writeMany(h: Harness, count: number): Promise<void> {
  await rows(
    `insert into audit (tenant_id, seq, id, at, actor_kind, actor_id, action, object_id, detail, request_id, salt)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ?2)
    select ?1, (select coalesce(max(seq), 0) from audit where tenant_id = ?1) + i, 'aud_' || i, i, 'system', 'test', 'many.made',
      'object_' || (i % 1000), '{"i":' || i || '}', 'request', lower(hex(randomblob(16))) from n`,
    h.tenantId,
    count,
  );
}

export async function verify(h: Harness, query = ""): Promise<VerificationView> {
  return (await h.fetch<VerificationView>("GET", `/v1/audit/verify${query}`)).json;
}

/** Three stretches of three rows, each with its seal. Answers the heads after each. */
export async function threeStretches(h: Harness): Promise<VerificationView["head"][]> {
  const heads = [];
  for (let i = 0; i < 3; i += 1) {
    await write(h, 3);
    heads.push((await verify(h)).head);
  }
  return heads;
}

/** A row of the tenant as somebody with the database in hand would change it. */
export async function tamper(h: Harness, assignment: string, seq: number): Promise<void> {
  await rows(`update audit set ${assignment} where tenant_id = ? and seq = ?`, h.tenantId, seq);
}

export async function remove(h: Harness, table: "audit" | "audit_seals", condition: string): Promise<void> {
  await rows(`delete from ${table} where tenant_id = ? and ${condition}`, h.tenantId);
}
