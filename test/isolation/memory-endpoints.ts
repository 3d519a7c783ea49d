import { check, checkCount, note, type Row, type Tally } from "./memory-tally.ts";
import {
  COMMON_WORD,
  decisionOf,
  type MemoryWorld,
  type ModelPerson,
  type Standing,
  stands,
  survivorOf,
  told,
} from "./memory-world.ts";

/** Memories that one viewer asks for by their ids; a list answers for all of them. */
const ASKED_BY_ID = 12;
/** Fewer than there are, so that pages are turned. */
const PAGE_SIZE = 9;

export type Asking = { world: MemoryWorld; tally: Tally; standing: Standing; rows: readonly Row[] };

type Page = { items: { id: string }[]; nextCursor: string | null; stats?: { total: number; byType: Record<string, number> } };
type Answer<T> = { status: number; json: T; text: string };

/** Asks every endpoint that reads memories, and holds what came back against the rule. */
export async function compareEndpoints(asking: Asking): Promise<void> {
  const person = asking.world.random.pick(asking.standing.tenant.people);
  const text = COMMON_WORD;
  await compareById(asking);
  await compareHistories(asking);
  await compareList(asking, { means: "list", path: "/v1/memories", filters: {}, person: null });
  await compareList(asking, { means: "list by words", path: "/v1/memories", filters: { text }, person: null });
  await compareList(asking, { means: "list about a person", path: "/v1/memories", filters: { person: person.publicId }, person });
  await compareList(asking, {
    means: "list about a person by words",
    path: "/v1/memories",
    filters: { person: person.publicId, text },
    person,
  });
  await compareList(asking, {
    means: "memories of a person",
    path: `/v1/people/${person.publicId}/memories`,
    filters: {},
    person,
  });
  await compareReview(asking);
}

async function get<T>({ standing }: Asking, path: string, query: Record<string, string>): Promise<Answer<T>> {
  return await standing.tenant.harness.fetch<T>("GET", `${path}?${new URLSearchParams(query)}`);
}

/** The standing as a query. */
function placeOf({ user, session, project, workspaceId, scopeType, scopeId, asOf }: Standing): Record<string, string> {
  const time = asOf === null || asOf === "ever" ? null : new Date(asOf).toISOString();
  const named = { userId: user, sessionId: session, projectId: project, workspaceId, scopeType, scopeId, asOf: time };
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== null));
}

function sampleOf({ world, rows }: Asking): Row[] {
  return Array.from({ length: ASKED_BY_ID }, () => world.random.pick(rows));
}

/** Whoever asks for one memory asks about all of its subjects, as far as may be. */
const forOne = (standing: Standing): Standing => ({ ...standing, about: "anyone", reach: "tenant", except: null });

async function compareById(asking: Asking): Promise<void> {
  const standing = forOne(asking.standing);
  for (const row of sampleOf(asking)) {
    const { rule, visible } = decisionOf(asking.world, standing, row);
    const answer = await get<unknown>(asking, `/v1/memories/${row.memory.publicId}`, placeOf(standing));
    requireStatus(asking, "get", answer, [200, 404]);
    const shown = answer.status === 200 || answer.text.includes(row.memory.content);
    check(asking.tally, "get", { standing, row, rule, expected: visible, shown });
  }
}

type History = { memory: { id: string }; supersedes: { id: string }[] };

/** A history is open to whom the memory was open at any time, and tells of nothing that it replaced but what they may hear too. */
async function compareHistories(asking: Asking): Promise<void> {
  const { world, tally, rows } = asking;
  const standing: Standing = { ...forOne(asking.standing), asOf: "ever" };
  for (const row of sampleOf(asking)) {
    const { rule, visible } = decisionOf(world, standing, row);
    const answer = await get<History>(asking, `/v1/memories/${row.memory.publicId}/history`, placeOf(standing));
    requireStatus(asking, "history", answer, [200, 404]);
    const shown = answer.status === 200 || answer.text.includes(row.memory.content);
    check(tally, "history", { standing, row, rule, expected: visible, shown });
    if (answer.status !== 200) continue;
    const replaced = new Set(answer.json.supersedes.map(({ id }) => id));
    const past = pastOf(row);
    for (const old of past) {
      const decision = decisionOf(world, standing, old);
      const expected = decision.visible && old.memory.superseded;
      const told = replaced.has(old.memory.publicId);
      check(tally, "history of what was replaced", { standing, row: old, rule: decision.rule, expected, shown: told });
    }
    const strangers = rows.filter(
      (other) => replaced.has(other.memory.publicId) && !past.some(({ memory }) => memory === other.memory),
    );
    for (const { memory } of strangers) note(tally, "leaks", `history tells of ${memory.publicId}, which was not replaced`);
  }
}

function pastOf({ tenant, memory: { supersedes } }: Row): Row[] {
  return supersedes === null ? [] : [{ tenant, memory: supersedes }, ...pastOf({ tenant, memory: supersedes })];
}

type List = { means: string; path: string; filters: Record<string, string>; person: ModelPerson | null };

/** All pages of a list, and its counts. Without a person it is about nobody, with one about that person alone. */
async function compareList(asking: Asking, { means, path, filters, person }: List): Promise<void> {
  const { world, tally, rows } = asking;
  const about = person === null ? null : survivorOf(person);
  const standing: Standing = { ...asking.standing, about: about === null ? [] : [about], except: null };
  const pages = await pagesOf(asking, { means, path, query: { ...placeOf(standing), reach: standing.reach, ...filters } });
  const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
  requireDistinct(asking, means, ids);
  const shown = new Set(ids);
  const byType: Record<string, number> = {};
  for (const row of rows) {
    const { rule, visible } = decisionOf(world, standing, row);
    const expected = visible && (about === null || row.memory.subjects.has(about));
    check(tally, means, { standing, row, rule, expected, shown: shown.has(row.memory.publicId) });
    if (expected) byType[row.memory.type] = (byType[row.memory.type] ?? 0) + 1;
  }
  const stats = pages[0]?.stats ?? { total: 0, byType: {} };
  const total = Object.values(byType).reduce((sum, n) => sum + n, 0);
  checkCount(tally, `${means}, total`, { standing, expected: total, shown: stats.total });
  for (const type of new Set([...Object.keys(byType), ...Object.keys(stats.byType)])) {
    checkCount(tally, `${means}, ${type}`, { standing, expected: byType[type] ?? 0, shown: stats.byType[type] ?? 0 });
  }
}

/** Naming a session or project in which one has no part is a 404; nobody in particular hears an empty list. */
async function pagesOf(asking: Asking, list: { means: string; path: string; query: Record<string, string> }): Promise<Page[]> {
  const { session, project } = asking.standing;
  const isRefused = !stands(asking.world, asking.standing) && (session !== null || project !== null);
  const pages: Page[] = [];
  for (let cursor: string | null = null; ; ) {
    const query = { ...list.query, limit: String(PAGE_SIZE), ...(cursor === null ? {} : { cursor }) };
    const page: Answer<Page> = await get<Page>(asking, list.path, query);
    requireStatus(asking, list.means, page, [isRefused ? 404 : 200]);
    if (page.status !== 200) return pages;
    pages.push(page.json);
    cursor = page.json.nextCursor;
    if (cursor === null) return pages;
  }
}

/** The queue has what waits: to a user their own, to a key with admin that names nobody everybody's of the tenant. */
async function compareReview(asking: Asking): Promise<void> {
  const { tally, standing, rows } = asking;
  for (const user of [standing.user, null]) {
    const means = user === null ? "review of the tenant" : "review";
    const shown = new Set<string>();
    for (let cursor: string | null = null; ; ) {
      const query = { limit: "100", ...(user === null ? {} : { userId: user }), ...(cursor === null ? {} : { cursor }) };
      const page: Answer<Page> = await get<Page>(asking, "/v1/memories/review", query);
      requireStatus(asking, means, page, [200]);
      for (const { id } of page.json.items) shown.add(id);
      cursor = page.json.nextCursor;
      if (cursor === null) break;
    }
    for (const row of rows) {
      const { status, deleted, owner } = row.memory;
      const waits = row.tenant === standing.tenant && status === "pending" && !deleted;
      const expected = waits && (user === null || owner?.name === user);
      check(tally, means, { standing, row, rule: status, expected, shown: shown.has(row.memory.publicId) });
    }
  }
}

function requireStatus({ standing }: Asking, means: string, { status, text }: Answer<unknown>, allowed: readonly number[]): void {
  if (!allowed.includes(status)) throw new Error(`${means} answered ${status}, not ${allowed}, to ${told(standing)}: ${text}`);
}

function requireDistinct({ standing }: Asking, means: string, ids: readonly string[]): void {
  if (new Set(ids).size !== ids.length) throw new Error(`${means} told something twice to ${told(standing)}.`);
}
