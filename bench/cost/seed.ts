import type { DatabaseSync } from "node:sqlite";
import { bootstrapTenant } from "../../src/domain/tenants/bootstrap.ts";
import { randomOf } from "./chat-text.ts";
import { close, count, inTransactions, open } from "./database.ts";
import { createRows, EPISODES_PER_SESSION, type Rows, type Session, type User } from "./rows.ts";
import type { Template } from "./templates.ts";

/** What the measured viewer holds, whatever the tenant and the others hold. */
export const OWN_EPISODES = 1_000;
/** Others hold together so many times what the tenant holds. */
const OTHERS_FACTOR = 10;
export const OTHER_TENANTS = 100;

const EPISODES_PER_OTHER_USER = 100;
/** Of a viewer's sessions, one in so many is in the project. */
const PROJECT_EVERY = 5;
/** Sessions of a viewer whose vectors are made: more than the nearest fifty passages in each pool. */
export const SESSIONS_WITH_VECTORS = 40;
const SESSIONS_PER_TRANSACTION = 400;

export const PROJECT = "the-project";

/** A viewer and the key of their tenant. */
export type Viewer = {
  key: string;
  tenantId: number;
  user: string;
  episodes: number;
  sessions: Session[];
  projectSessions: Session[];
};

export type Seeded = { viewer: Viewer; alone: Viewer; episodes: number; seconds: number; bytesPerEpisode: number };

/**
 * Fills a database that has the tables and nothing in it: a tenant of `size` episodes in which the viewer holds a thousand, one in which
 * a viewer holds all `size` alone, and a third that holds ten times as much. The service must not be running on it.
 */
export async function seed(
  file: string,
  world: { size: number; model: string; templates: readonly (readonly Template[])[] },
): Promise<Seeded> {
  const started = performance.now();
  const db = open(file);
  const rows = createRows(db, world.templates);
  const users = (tenantId: number, episodes: number) => manyUsers(db, rows, { tenantId, episodes, model: world.model });

  const viewer = await viewerOf(db, rows, { name: "viewer", episodes: OWN_EPISODES, model: world.model });
  users(viewer.tenantId, world.size - OWN_EPISODES);
  const alone = await viewerOf(db, rows, { name: "alone", episodes: world.size, model: world.model });
  users(rows.tenant("other 0"), world.size * OTHERS_FACTOR);

  const episodes = world.size * (OTHERS_FACTOR + 2);
  const pages = count(db, "select page_count from pragma_page_count") * count(db, "select page_size from pragma_page_size");
  close(db);
  return { viewer, alone, episodes, seconds: (performance.now() - started) / 1_000, bytesPerEpisode: pages / episodes };
}

/** Deals the users of the other tenant out to a hundred: the same rows, owned by more. */
export function spreadOthers(file: string): void {
  const db = open(file);
  db.exec("begin");
  const other = count(db, "select id from tenants where name = 'other 0'");
  const insert = db.prepare(
    "insert into tenants (public_id, name, created_at) select public_id || ?, ?, created_at from tenants where id = ?",
  );
  const tenantIds = [other];
  for (let i = 1; i < OTHER_TENANTS; i++) tenantIds.push(Number(insert.run(`-${i}`, `other ${i}`, other).lastInsertRowid));
  const dealt = `(select json_extract('${JSON.stringify(tenantIds)}', '$[' || (id % ${OTHER_TENANTS}) || ']'))`;
  db.exec(`
    update users set tenant_id = ${dealt} where tenant_id = ${other};
    update spaces set tenant_id = (select tenant_id from users where space_id = spaces.id) where tenant_id = ${other} and exists (select 1 from users where space_id = spaces.id);
    update sessions set tenant_id = (select tenant_id from users where id = owner_id) where tenant_id = ${other};
    update episodes set tenant_id = (select tenant_id from sessions where id = session_id) where tenant_id = ${other};
    update persons set tenant_id = (select tenant_id from users where id = user_id) where tenant_id = ${other};
    create temp table names as select (select tenant_id from persons where id = person_id) as tenant_id, name_key, person_id from person_names where tenant_id = ${other};
    delete from person_names where tenant_id = ${other};
    insert into person_names (tenant_id, name_key, person_id) select tenant_id, name_key, person_id from names;
    create temp table rewritten as select * from audit where tenant_id = ${other};
    delete from audit where tenant_id = ${other};
    update rewritten set tenant_id = (select tenant_id from users where id = user_id);
    insert into audit (tenant_id, seq, id, at, actor_kind, actor_id, user_id, workspace_id, action, object_id, detail, request_id, salt)
    select tenant_id, row_number() over (partition by tenant_id order by seq), id, at, actor_kind, actor_id, user_id, workspace_id, action, object_id, detail, request_id, salt from rewritten;
    commit`);
  close(db);
}

async function viewerOf(db: DatabaseSync, rows: Rows, given: { name: string; episodes: number; model: string }): Promise<Viewer> {
  const { name, episodes, model } = given;
  const { key, sql } = await bootstrapTenant({ tenantName: name, keyName: name, now: Date.now() });
  db.exec(sql);
  const tenantId = count(db, `select id from tenants where name = '${name}'`);
  const owner = rows.user(tenantId, name);
  const projectId = rows.project(owner, PROJECT);
  const random = randomOf(1);
  const sessions: Session[] = [];
  const projectSessions: Session[] = [];
  inTransactions(db, { times: episodes / EPISODES_PER_SESSION, each: SESSIONS_PER_TRANSACTION }, (i) => {
    const inProject = i % PROJECT_EVERY === 0;
    const vectorModel = i < SESSIONS_WITH_VECTORS ? null : model;
    const session = rows.session(owner, { projectId: inProject ? projectId : null, vectorModel, random });
    (inProject ? projectSessions : sessions).push(session);
  });
  return { key, tenantId, user: name, episodes, sessions, projectSessions };
}

function manyUsers(db: DatabaseSync, rows: Rows, given: { tenantId: number; episodes: number; model: string }): void {
  const random = randomOf(given.tenantId);
  const perUser = EPISODES_PER_OTHER_USER / EPISODES_PER_SESSION;
  let owner: User | undefined;
  inTransactions(db, { times: given.episodes / EPISODES_PER_SESSION, each: SESSIONS_PER_TRANSACTION }, (i) => {
    if (owner === undefined || i % perUser === 0) owner = rows.user(given.tenantId, `user-${i / perUser}-of-${given.tenantId}`);
    rows.session(owner, { projectId: null, vectorModel: given.model, random });
  });
}
