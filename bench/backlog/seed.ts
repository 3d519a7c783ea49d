import type { DatabaseSync } from "node:sqlite";
import { bootstrapTenant } from "../../src/domain/tenants/bootstrap.ts";
import { randomOf } from "../cost/chat-text.ts";
import { close, count, inTransactions, open } from "../cost/database.ts";
import { createMemoryRows } from "../cost/memory-rows.ts";
import { makeMemoryTemplates } from "../cost/memory-templates.ts";
import { createRows, EPISODES_PER_SESSION } from "../cost/rows.ts";
import { makeTemplates } from "../cost/templates.ts";

export type Backlog = { jobs: number; expired: number };

const USERS = 20;
const HOUR_MS = 3_600_000;
const ROWS_PER_TRANSACTION = 1_000;
/** Marks rows that are not to be embedded. */
const STORED_MODEL = "stored@1";

/** Names of the tenant that has the backlog, and of one with a single job and a single expired memory. */
export const TENANTS = { busy: "busy", quiet: "quiet" };

/** Fills a database that has empty tables. Returns the busy tenant's key. */
export async function seedBacklog(file: string, backlog: Backlog): Promise<string> {
  const db = open(file);
  const { key, sql } = await bootstrapTenant({ tenantName: TENANTS.busy, keyName: TENANTS.busy, now: Date.now() });
  db.exec(sql);
  db.exec((await bootstrapTenant({ tenantName: TENANTS.quiet, keyName: TENANTS.quiet, now: Date.now() })).sql);
  await fill(db, TENANTS.busy, backlog);
  await fill(db, TENANTS.quiet, { jobs: Math.min(1, backlog.jobs), expired: Math.min(1, backlog.expired) });
  close(db);
  return key;
}

async function fill(db: DatabaseSync, tenant: string, { jobs, expired }: Backlog): Promise<void> {
  const tenantId = count(db, `select id from tenants where name = '${tenant}'`);
  const rows = createRows(db, makeTemplates());
  const memories = createMemoryRows(db, rows);
  const templates = await makeMemoryTemplates();
  const random = randomOf(tenantId);
  const users = Array.from({ length: USERS }, (_, i) => rows.user(tenantId, `${tenant} user ${i}`));
  const ownerOf = (i: number) => {
    const owner = users[i % USERS];
    if (owner === undefined) throw new Error("There are no users.");
    return owner;
  };
  inTransactions(db, { times: Math.ceil(jobs / EPISODES_PER_SESSION), each: 100 }, (i) => {
    rows.session(ownerOf(i), { projectId: null, vectorModel: null, random });
  });
  // One job for each episode, as if each had been appended separately, due for an hour.
  const due = Date.now() - HOUR_MS;
  db.exec(`
    delete from jobs where tenant_id = ${tenantId};
    insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
    select tenant_id, 'job_' || public_id, 'episodes.index', json_object('from', id, 'chunks', chunk_count), 'pending', 0, ${due}, ${due}
    from episodes where tenant_id = ${tenantId} limit ${jobs}`);
  inTransactions(db, { times: expired, each: ROWS_PER_TRANSACTION }, (i) => {
    const template = templates[i % templates.length];
    if (template === undefined) throw new Error("There are no templates.");
    // Contents are unique in a space.
    const unique = { ...template, hash: `${template.hash} ${i}` };
    memories.memory({ home: { owner: ownerOf(i) }, template: unique, subjects: [], vectorModel: STORED_MODEL });
  });
  db.exec(`update memories set expires_at = ${due} where tenant_id = ${tenantId}`);
}
