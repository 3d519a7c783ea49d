import type { DatabaseSync } from "node:sqlite";
import { bootstrapTenant } from "../../src/domain/tenants/bootstrap.ts";
import { between, type Random, randomOf } from "./chat-text.ts";
import { close, count, inTransactions, open } from "./database.ts";
import { createMemoryRows, type MadeMemory, type MemoryRows } from "./memory-rows.ts";
import type { MemoryTemplate } from "./memory-templates.ts";
import { createRows, EPISODES_PER_SESSION, type Rows, type User } from "./rows.ts";
import type { Template } from "./templates.ts";

/** How much others hold: in the viewers' tenant, and in how many other tenants together. */
export type Others = { inTenant: number; otherTenants: number; inOtherTenants: number };

/** A person whose name nobody else has, and one whose name many in the tenant have. */
export type Acquaintance = { name: string; publicId: string };

export type MemoryViewer = {
  user: string;
  memories: number;
  acquaintance: Acquaintance;
  /** How their questions end, so that none finds its embedding in the isolate's cache because the other asked it. */
  end: string;
  /** In force and approved, the oldest first. */
  remembered: readonly string[];
  /** Those of them that were changed before. */
  changed: readonly string[];
  pending: readonly string[];
};

export type MemoryWorld = {
  key: string;
  viewers: MemoryViewer[];
  jobs: number;
  memories: number;
  seconds: number;
  bytes: number;
};

/** What the measured viewers hold, whatever others do. */
export const VIEWERS = [
  { user: "reader", memories: 1_000, acquaintance: "Bea", end: "?" },
  { user: "keeper", memories: 5_000, acquaintance: "Bob", end: "??" },
];
/** Of the viewer's acquaintances; every other user knows somebody of one of these names too. */
export const COMMON_NAMES = "Maria Anna John Peter Laura David Emma Paul Clara Simon Julia Martin Sara Thomas Lisa Daniel".split(
  " ",
);

const EPISODES = 1_000;
const SHARED = 20;
/** What a colleague has said about a viewer, and about the viewer's acquaintance. */
const SAID_OF_VIEWER = 100;
const SAID_OF_ACQUAINTANCE = 50;
/** How many of a viewer wait for approval, and how many were changed. */
const PENDING = 60;
const CHANGED = 20;
/** One in so many replaces the one before it, and one in so many has a key. */
const REPLACES_EVERY = 50;
const KEY_EVERY = 5;
/** Memories whose vectors are made by the service; the rest are marked as having theirs. */
const WITH_VECTORS = 1_000;
const IDS_A_JOB = 250;

const PER_USER = 50;
/** One in so many of the others' lots of memories is a group's. */
const GROUP_EVERY = 10;
const MEMORIES_PER_TRANSACTION = 1_000;

type Seeding = {
  rows: Rows;
  memories: MemoryRows;
  templates: readonly MemoryTemplate[];
  model: string;
};

/** Writes one more memory. */
type Source = { times: number; write: (i: number) => void };

/**
 * Fills a database that has the tables and nothing in it: a tenant in which two viewers hold what `VIEWERS` says, and others as much
 * as is given, and the other tenants. Everybody's memories were stored in turns, as they would have been over the years.
 */
export async function seedMemories(
  file: string,
  world: { others: Others; model: string; episodes: readonly (readonly Template[])[]; templates: readonly MemoryTemplate[] },
): Promise<MemoryWorld> {
  const started = performance.now();
  const db = open(file);
  const rows = createRows(db, world.episodes);
  const { model, templates, others } = world;
  const seeding: Seeding = { rows, memories: createMemoryRows(db, rows), templates, model };
  const { key, sql } = await bootstrapTenant({ tenantName: "measured", keyName: "measured", now: Date.now() });
  db.exec(sql);
  const tenantId = count(db, "select id from tenants");
  const made = VIEWERS.map((viewer) => prepareViewer(seeding, { ...viewer, tenantId }));
  const by = rows.user(tenantId, "shares");
  const shared = { tenantId, spaceId: seeding.memories.tenantSpace(tenantId), by };
  const measured: Source[] = [
    ...made.flatMap(({ sources }) => sources),
    {
      times: SHARED,
      write: (i) => void seeding.memories.memory({ home: shared, template: at(templates, i), subjects: [], vectorModel: model }),
    },
  ];
  const crowds = Array.from({ length: others.otherTenants }, (_, i) =>
    crowd(seeding, rows.tenant(`other ${i}`), others.inOtherTenants / others.otherTenants),
  );
  writeInTurns(db, measured, [...crowd(seeding, tenantId, others.inTenant), ...crowds.flat()]);
  const viewers = made.map(({ finish }) => finish());
  const [memories, jobs] = [count(db, "select count(*) from memories"), count(db, "select count(*) from jobs")];
  const bytes = count(db, "select page_count from pragma_page_count") * count(db, "select page_size from pragma_page_size");
  close(db);
  return { key, viewers, jobs, memories, seconds: (performance.now() - started) / 1_000, bytes };
}

function prepareViewer(
  seeding: Seeding,
  given: (typeof VIEWERS)[number] & { tenantId: number },
): { sources: Source[]; finish: () => MemoryViewer } {
  const { rows, memories, templates, model } = seeding;
  const owner = rows.user(given.tenantId, given.user);
  const random = randomOf(11);
  const sessions = Array.from({ length: EPISODES / EPISODES_PER_SESSION }, () =>
    rows.session(owner, { projectId: null, vectorModel: null, random }),
  );
  const friend = memories.person(owner, given.acquaintance);
  const common = memories.person(owner, at(COMMON_NAMES, 0));
  const ids: number[] = [];
  const found: Record<"remembered" | "changed" | "pending", string[]> = { remembered: [], changed: [], pending: [] };
  const own: Source = {
    times: given.memories,
    write(i) {
      const pending = i < PENDING;
      const versions = !pending && i < PENDING + CHANGED ? 2 : 0;
      const replaces = i > PENDING + CHANGED && i % REPLACES_EVERY === 0;
      const { id, publicId } = memories.memory({
        home: { owner },
        template: at(templates, i),
        subjects: subjectsOf(i, { self: owner.personId, friend: friend.id, other: common.id }),
        ...(i % KEY_EVERY === 0 ? { key: `key-${i}` } : {}),
        learnedIn: i % 3 === 0 ? null : at(sessions, i).id,
        pending,
        versions,
        supersedes: replaces ? (ids.at(-1) ?? null) : null,
        vectorModel: i < WITH_VECTORS ? null : model,
      });
      if (replaces) found.remembered.pop();
      (pending ? found.pending : versions > 0 ? found.changed : found.remembered).push(publicId);
      ids.push(id);
    },
  };
  const colleague = rows.user(given.tenantId, `colleague of ${given.user}`);
  const said: Source = {
    times: SAID_OF_VIEWER + SAID_OF_ACQUAINTANCE,
    write: (i) =>
      void memories.memory({
        home: { owner: colleague },
        template: at(templates, i),
        subjects: [i < SAID_OF_VIEWER ? owner.personId : friend.id],
        vectorModel: model,
      }),
  };
  const finish = (): MemoryViewer => {
    const waiting = ids.slice(0, WITH_VECTORS);
    for (let i = 0; i < waiting.length; i += IDS_A_JOB) memories.indexing(given.tenantId, waiting.slice(i, i + IDS_A_JOB));
    const { user, end, acquaintance: name } = given;
    return { user, end, memories: given.memories, acquaintance: { name, publicId: friend.publicId }, ...found };
  };
  return { sources: [own, said], finish };
}

/** Fifteen in ten memories: many about the owner, some about an acquaintance, few about nobody. */
function subjectsOf(i: number, { self, friend, other }: { self: number; friend: number; other: number }): number[] {
  const patterns = [
    [self],
    [self, other],
    [self],
    [friend, self],
    [self, other],
    [other],
    [self, friend],
    [self, other],
    [],
    [self, friend],
  ];
  return at(patterns, i);
}

/** Other users and their groups, with lots of so many memories each. */
function crowd({ rows, memories, templates, model }: Seeding, tenantId: number, wanted: number): Source[] {
  const random = randomOf(tenantId);
  const users: User[] = [];
  return Array.from({ length: Math.ceil(wanted / PER_USER) }, (_, lot) => {
    const owner = rows.user(tenantId, `user-${lot}-of-${tenantId}`);
    users.push(owner);
    const acquaintance = memories.person(owner, at(COMMON_NAMES, lot));
    const isGroups = lot % GROUP_EVERY === GROUP_EVERY - 1;
    const home: MadeMemory["home"] = isGroups
      ? { group: memories.group([owner, at(users, lot - 1), at(users, lot - 2)]) }
      : { owner };
    const from = between(random, 0, templates.length - 1);
    return {
      times: Math.min(PER_USER, wanted - lot * PER_USER),
      write: (i) =>
        void memories.memory({
          home,
          template: at(templates, from + i),
          subjects: subjectsOf(i, { self: owner.personId, friend: acquaintance.id, other: at(users, lot - 1).personId }),
          ...(i % KEY_EVERY === 0 ? { key: `key-${i}` } : {}),
          vectorModel: model,
        }),
    };
  });
}

/**
 * Everybody's in a random order, each one's own in theirs. What the viewers are concerned with comes in the same order whatever
 * others hold.
 */
function writeInTurns(db: DatabaseSync, measured: readonly Source[], others: readonly Source[]): void {
  const random = randomOf(3);
  const own = shuffled(turnsOf(measured), random);
  const crowd = shuffled(turnsOf(others), random);
  const turns: Turn[] = [];
  for (let [i, j] = [0, 0]; i + j < own.length + crowd.length; ) {
    const takesOwn = random() * (own.length - i + crowd.length - j) < own.length - i;
    turns.push(takesOwn ? at(own, i++) : at(crowd, j++));
  }
  inTransactions(db, { times: turns.length, each: MEMORIES_PER_TRANSACTION }, (i) => at(turns, i)());
}

type Turn = () => void;

function turnsOf(sources: readonly Source[]): Turn[] {
  return sources.flatMap(({ times, write }) => {
    let i = 0;
    return Array.from({ length: times }, () => () => write(i++));
  });
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const items = [...list];
  for (let i = items.length - 1; i > 0; i--) {
    const j = between(random, 0, i);
    [items[i], items[j]] = [at(items, j), at(items, i)];
  }
  return items;
}

function at<T>(items: readonly T[], i: number): T {
  const item = items.at(i % items.length);
  if (item === undefined) throw new Error("The list is empty.");
  return item;
}
