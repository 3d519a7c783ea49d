import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { DoctorView, LifecycleView, RepairView } from "#domain/lifecycle";
import type { Answer, Harness } from "#test/harness";
import { rows } from "./requests.ts";

export const DAY = 86_400_000;

type Extra = Record<string, unknown>;

/** A memory by the API; answers its public id. */
export async function remember(h: Harness, content: string, extra: Extra = {}): Promise<string> {
  const { status, json, text } = await h.fetch<{ id: string }>("POST", "/v1/memories", {
    body: { userId: "ann", content, ...extra },
  });
  expect(status, text).toBeLessThan(300);
  return json.id;
}

/** As many memories as it takes to reach a limit, by hand, each with its words; `assign` changes them afterwards. */
export async function plant(h: Harness, userId: string, count: number, assign = "pinned = 0"): Promise<void> {
  await h.fetch("PUT", `/v1/users/${userId}`, { body: { name: userId } });
  const tag = crypto.randomUUID();
  await rows(
    `insert into memories (public_id, tenant_id, space_id, ownership, owner_id, type, content, key, hash, workspace_id, confidence, status,
      metadata, learned_at, valid_from, last_seen_at, vector_model, created_at, updated_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ?3)
    select 'mem_' || ?4 || i, ?1, u.space_id, 'personal', u.id, 'knowledge', 'planted ' || i, '', ?4 || i, '', 1, 'approved', '{}',
      ?5, ?5, ?5, 'elsewhere', ?5, ?5 from users u, n where u.tenant_id = ?1 and u.external_id = ?2`,
    h.tenantId,
    userId,
    count,
    tag,
    Date.now(),
  );
  await rows(
    "insert into memory_fts (rowid, space, text) select id, 's' || space_id || ' s' || space_id || type, content from memories where substr(public_id, 5, 36) = ?",
    tag,
  );
  await rows(`update memories set ${assign} where substr(public_id, 5, 36) = ?`, tag);
}

export async function run(
  h: Harness,
  tasks: string[],
  extra: Extra = {},
): Promise<Record<string, LifecycleView["tasks"][number]>> {
  const { status, json, text } = await h.fetch<LifecycleView>("POST", "/v1/lifecycle", { body: { tasks, ...extra } });
  expect(status, text).toBe(200);
  return Object.fromEntries(json.tasks.map((task) => [task.task, task]));
}

type Deleted = { because: string | null; n: number };

/** How many memories of the tenant are there, and how many were forgotten, by why. */
export async function memoriesOf(h: Harness): Promise<Record<string, number>> {
  const found = await rows<Deleted>(
    "select coalesce(deleted_because, 'live') as because, count(*) as n from memories where tenant_id = ? group by 1",
    h.tenantId,
  );
  return Object.fromEntries(found.map(({ because, n }) => [because, n]));
}

export async function audited(h: Harness, like: string): Promise<{ action: string; detail: string; actor: string }[]> {
  return await rows(
    "select action, detail, actor_kind as actor from audit where tenant_id = ? and action like ? order by seq",
    h.tenantId,
    like,
  );
}

/** Every row of every table but the text indexes, of which it is the ids. */
export async function everything(): Promise<string> {
  const tables = await rows<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like '_cf%' and name not like '%_fts' order by name",
  );
  const contents = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)));
  return JSON.stringify(tables.map(({ name }, i) => [name, contents[i]?.results]));
}

/** Asks the doctor until everything was looked at; the sum of all answers. */
export async function diagnose(h: Harness): Promise<Record<string, DoctorView["invariants"][number]>> {
  return await sumOf<DoctorView>((cursor) => h.fetch("GET", `/v1/doctor${cursor === null ? "" : `?cursor=${cursor}`}`));
}

export async function repairInvariants(h: Harness, dryRun = false): Promise<Record<string, RepairView["invariants"][number]>> {
  return await sumOf<RepairView>((cursor) =>
    h.fetch("POST", "/v1/doctor", { body: { dryRun, ...(cursor === null ? {} : { cursor }) } }),
  );
}

type Report = { invariants: { name: string; violations: number }[]; nextCursor: string | null };

async function sumOf<View extends Report>(
  ask: (cursor: string | null) => Promise<Answer<View>>,
): Promise<Record<string, View["invariants"][number]>> {
  const sum: Record<string, View["invariants"][number]> = {};
  let cursor: string | null = null;
  do {
    const answer: Answer<View> = await ask(cursor);
    expect(answer.status, answer.text).toBe(200);
    for (const invariant of answer.json.invariants) sum[invariant.name] = added(sum[invariant.name], invariant);
    cursor = answer.json.nextCursor;
  } while (cursor !== null);
  return sum;
}

/** Numbers are added, lists joined; what else there is stays. */
function added<T extends object>(before: T | undefined, more: T): T {
  if (before === undefined) return more;
  const sum = Object.entries(more).map(([name, value]) => {
    const old = Reflect.get(before, name);
    if (typeof value === "number" && typeof old === "number") return [name, old + value];
    return [name, Array.isArray(value) && Array.isArray(old) ? [...old, ...value] : value];
  });
  return Object.fromEntries(sum);
}

/** The names of those that are broken. */
export function broken(report: Record<string, { name: string; violations: number; level: string }>): string[] {
  return Object.values(report).flatMap(({ name, violations, level }) => (level === "error" && violations > 0 ? [name] : []));
}
