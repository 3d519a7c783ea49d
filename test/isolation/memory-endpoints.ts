import { compareContext } from "./memory-context.ts";
import type { MemoryWorld, ModelPerson, Standing } from "./memory-model.ts";
import { check, checkCount, type Row, record, type Tally } from "./memory-tally.ts";
import { compareView, type View } from "./memory-views.ts";
import { COMMON_WORD, decisionOf, described, isVersionDisclosed, placeOf, stands, survivorOf } from "./memory-world.ts";
import { openedAt } from "./world.ts";

/** Memories that one viewer asks for by their ids; a list answers for all of them. */
const ASKED_BY_ID = 12;
/** Fewer than there are, so that pages are turned. */
const PAGE_SIZE = 9;

export type Asking = { world: MemoryWorld; tally: Tally; standing: Standing; rows: readonly Row[] };

type Page = { items: View[]; nextCursor: string | null; stats?: { total: number; byType: Record<string, number> } };
type Answer<T> = { status: number; json: T; text: string };

/** Asks every endpoint that reads memories, and holds what came back against the rule. */
export async function compareEndpoints(asked: Asking): Promise<void> {
  // No request can name `ever`: only a history reads so.
  const asOf = asked.standing.asOf === "ever" ? null : asked.standing.asOf;
  const asking = { ...asked, standing: { ...asked.standing, asOf, ownProjectOnly: false } };
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
  for (const strategy of STRATEGIES) await compareSearch(asking, { strategy, query: COMMON_WORD, person: null });
  await compareSearch(asking, { strategy: asking.world.random.pick(STRATEGIES), query: COMMON_WORD, person });
  await compareSearch(asking, { strategy: "hybrid", query: `my ${COMMON_WORD}`, person: null });
  await compareContext(asking);
}

async function get<T>({ standing }: Asking, path: string, query: Record<string, string>): Promise<Answer<T>> {
  return await standing.tenant.harness.fetch<T>("GET", `${path}?${new URLSearchParams(query)}`);
}

/** Any of the rows, and as many of those that promise more. */
function sampleOf({ world: { random }, rows }: Asking, promises: (row: Row) => boolean): Row[] {
  const promising = rows.filter(promises);
  return Array.from({ length: ASKED_BY_ID }, (_, i) => random.pick(i % 2 === 0 && promising.length > 0 ? promising : rows));
}

/** Whoever asks for one memory asks about all of its subjects, as far as may be. */
const forOne = (standing: Standing): Standing => ({ ...standing, about: "anyone", reach: "tenant", except: null });

async function compareById(asking: Asking): Promise<void> {
  const standing = forOne(asking.standing);
  for (const row of sampleOf(asking, (one) => decisionOf(asking.world, standing, one).visible)) {
    const { rule, visible } = decisionOf(asking.world, standing, row);
    const answer = await get<View>(asking, `/v1/memories/${row.memory.publicId}`, placeOf(standing));
    requireStatus(asking, "get", answer, [200, 404]);
    const shown = answer.status === 200 || answer.text.includes(row.memory.content);
    check(asking.tally, "get", { standing, row, rule, expected: visible, shown });
    if (visible && shown) compareView({ ...asking, standing, row }, "get", answer.json);
  }
}

type History = { memory: { id: string }; versions: unknown[]; supersedes: { id: string }[] };

/** A history is open to whom the memory was open at any time, and tells of nothing that it replaced but what they may see too. */
async function compareHistories(asking: Asking): Promise<void> {
  const { world, tally, rows } = asking;
  const standing: Standing = { ...forOne(asking.standing), asOf: "ever" };
  const hasPast = (row: Row) =>
    (row.memory.supersedes !== null || row.memory.versions.length > 0) && decisionOf(world, standing, row).visible;
  for (const row of sampleOf(asking, hasPast)) {
    const { rule, visible } = decisionOf(world, standing, row);
    const answer = await get<History>(asking, `/v1/memories/${row.memory.publicId}/history`, placeOf(standing));
    requireStatus(asking, "history", answer, [200, 404]);
    const shown = answer.status === 200 || answer.text.includes(row.memory.content);
    check(tally, "history", { standing, row, rule, expected: visible, shown });
    if (answer.status !== 200) continue;
    checkCount(tally, "versions", {
      standing,
      expected: row.memory.versions.filter((version) => isVersionDisclosed(world, standing, { ...row, version })).length,
      shown: answer.json.versions.length,
    });
    const replaced = new Set(answer.json.supersedes.map(({ id }) => id));
    requireKnown(asking, "history", [...replaced]);
    const past = pastOf(row);
    for (const old of past) {
      const decision = decisionOf(world, standing, old);
      const expected = decision.visible && old.memory.superseded;
      const described = replaced.has(old.memory.publicId);
      check(tally, "history of what was replaced", { standing, row: old, rule: decision.rule, expected, shown: described });
    }
    const strangers = rows.filter(
      (other) => replaced.has(other.memory.publicId) && !past.some(({ memory }) => memory === other.memory),
    );
    for (const { memory } of strangers) record(tally, "leaks", `history tells of ${memory.publicId}, which was not replaced`);
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
  const views = pages.flatMap(({ items }) => items);
  const shown = new Map(views.map((view) => [view.id, view]));
  requireKnown(
    asking,
    means,
    views.map(({ id }) => id),
  );
  const byType: Record<string, number> = {};
  for (const row of rows) {
    const { rule, visible } = decisionOf(world, standing, row);
    const expected = visible && (about === null || row.memory.subjects.has(about));
    const view = shown.get(row.memory.publicId);
    check(tally, means, { standing, row, rule, expected, shown: view !== undefined });
    if (expected && view !== undefined) compareView({ ...asking, standing, row }, means, view);
    if (expected) byType[row.memory.type] = (byType[row.memory.type] ?? 0) + 1;
  }
  const stats = pages[0]?.stats ?? { total: 0, byType: {} };
  const total = Object.values(byType).reduce((sum, n) => sum + n, 0);
  checkCount(tally, `${means}, total`, { standing, expected: total, shown: stats.total });
  for (const type of new Set([...Object.keys(byType), ...Object.keys(stats.byType)])) {
    checkCount(tally, `${means}, ${type}`, { standing, expected: byType[type] ?? 0, shown: stats.byType[type] ?? 0 });
  }
}

/** Naming a session or project in which one has no part is a 404; a request without a user gets an empty list. */
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
    const ids: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const query = { limit: "100", ...(user === null ? {} : { userId: user }), ...(cursor === null ? {} : { cursor }) };
      const page: Answer<Page> = await get<Page>(asking, "/v1/memories/review", query);
      requireStatus(asking, means, page, [200]);
      ids.push(...page.json.items.map(({ id }) => id));
      cursor = page.json.nextCursor;
      if (cursor === null) break;
    }
    requireKnown(asking, means, ids);
    const shown = new Set(ids);
    for (const row of rows) {
      const { status, deleted, owner } = row.memory;
      const waits = row.tenant === standing.tenant && status === "pending" && !deleted;
      const expected = waits && (user === null || owner?.name === user);
      check(tally, means, { standing, row, rule: status, expected, shown: shown.has(row.memory.publicId) });
    }
  }
}

const STRATEGIES = ["text", "recent", "hybrid", "semantic"] as const;

type Search = { strategy: (typeof STRATEGIES)[number]; query: string; person: ModelPerson | null };
type Hits = { hits: { id: string; memory: View; explain: { visibleBy: string } }[]; degraded: unknown[] };

/** Vectors of one space that a search asks for; of more, some may not be found. */
const NEIGHBOURS = 50;

/**
 * A search for the word that all memories hold finds those that the rule shows. It is about nobody, or about a person alone,
 * or, in the first person, about the asker too. By vectors only the asker's own spaces are looked through.
 */
async function compareSearch(asking: Asking, { strategy, query, person }: Search): Promise<void> {
  const { world, tally, rows } = asking;
  const { tenant, user } = asking.standing;
  const about = person === null ? null : survivorOf(person);
  const asker = query === COMMON_WORD ? undefined : tenant.people.find((somebody) => somebody.user?.name === user);
  const isScoped = asking.standing.scopeType !== null;
  const asked = [about, asker].filter((one) => one != null);
  const standing: Standing = {
    ...openedAt(asking.standing),
    about: asked,
    except: null,
    ownProjectOnly: !isScoped,
    mayBeNew: true,
  };
  const means = person !== null ? "search about a person" : asker === undefined ? `search ${strategy}` : "search about oneself";
  const answer = await tenant.harness.fetch<Hits>("POST", "/v1/search", {
    body: {
      ...{ query, strategy, kinds: ["memory"], reach: standing.reach, limit: 100, maxTokens: 8_000, explain: true },
      ...placeOf(asking.standing),
      ...(person === null ? {} : { about: [person.publicId] }),
    },
  });
  const isRefused = !stands(world, standing) && (standing.session !== null || standing.project !== null);
  requireStatus(asking, means, answer, [isRefused ? 404 : 200]);
  const hits = answer.status === 200 ? answer.json.hits : [];
  if (answer.status === 200 && answer.json.degraded.length > 0)
    record(tally, "denials", `${means} is degraded to ${described(standing)}: ${JSON.stringify(answer.json.degraded)}`);
  requireKnown(
    asking,
    means,
    hits.map(({ id }) => id),
  );
  const shown = new Map(hits.map((hit) => [hit.id, hit]));
  for (const row of rows) {
    const { rule, visible } = decisionOf(world, standing, row);
    const expected = visible && (about === null || row.memory.subjects.has(about));
    const hit = shown.get(row.memory.publicId);
    const by = hit?.explain.visibleBy;
    const mayBeMissed = strategy === "semantic" && (rule === "cross_context" || neighboursOf(row) > NEIGHBOURS);
    check(tally, means, {
      standing,
      row,
      rule,
      expected: expected && (by !== undefined || !mayBeMissed),
      shown: by !== undefined,
    });
    if (!expected || hit === undefined) continue;
    if (by !== rule) throw new Error(`${means} says ${by}, not ${rule}, to ${described(standing)}.`);
    compareView({ ...asking, standing, row }, means, hit.memory);
  }
}

/** Memories of the same space that have a vector. */
function neighboursOf({ tenant, memory }: Row): number {
  const isNeighbour = (other: Row["memory"]) =>
    other.owner === memory.owner && other.session === memory.session && !other.deleted;
  return tenant.memories.filter(isNeighbour).length;
}

function requireStatus({ standing }: Asking, means: string, { status, text }: Answer<unknown>, allowed: readonly number[]): void {
  if (!allowed.includes(status))
    throw new Error(`${means} answered ${status}, not ${allowed}, to ${described(standing)}: ${text}`);
}

/** Each memory is returned once, and none that nobody in this world has stored. */
function requireKnown({ standing, rows }: Asking, means: string, ids: readonly string[]): void {
  const known = new Set(rows.map(({ memory }) => memory.publicId));
  if (new Set(ids).size !== ids.length) throw new Error(`${means} told something twice to ${described(standing)}.`);
  if (!ids.every((id) => known.has(id))) throw new Error(`${means} told ${described(standing)} of another world.`);
}
