import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { runBatch, select } from "#db/client";
import { row, text } from "#db/row";
import { SESSION } from "#db/schema/sessions";
import { decideEpisodes, poolOf, seesEpisodesOf, takesPart, viewerCte } from "#domain/visibility";
import {
  COMMON_WORD,
  carryOut,
  command,
  insiderOf,
  lateMove,
  type ModelSession,
  type ModelTenant,
  memberOf,
  newWorld,
  openedAt,
  prelude,
  ruleViewer,
  type Standing,
  sessionFacts,
  settleAll,
  userId,
  type ViewerChoice,
  viewer,
  viewerRef,
  type World,
} from "./world.ts";

/** The full run: `npm run test:isolation`; a longer one: VITE_ISOLATION_RUNS=1000 VITE_ISOLATION_SEED=7 npx vitest run --project workerd test/isolation/visibility */
const RUNS = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 10);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_419);
/** Of the viewers that a world is asked about, as many search and list over HTTP, and fewer read every session; all ask the rule and the database. */
const SEARCHING = 5;
const READING = 2;

const checks = { commands: 0, decisions: 0, pools: 0, searches: 0, contexts: 0, reads: 0, lists: 0 };
const shown: Record<string, number> = {};
const count = (rule: string) => {
  shown[rule] = (shown[rule] ?? 0) + 1;
};

const lines = vi.spyOn(console, "log");

afterEach(() => {
  expect(lines.mock.calls.flat().filter((line) => String(line).includes("visibility.disagreement"))).toEqual([]);
});

afterAll(() => {
  lines.mockRestore();
  // biome-ignore lint/suspicious/noConsole: how much was compared is what a reader of a long run wants to know.
  console.log(`visibility: ${RUNS} worlds, seed ${SEED}`, JSON.stringify({ checks, shown }));
});

it(
  "rule, SQL and endpoints agree about every session, for every viewer, in random worlds",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        prelude,
        fc.array(command, { minLength: 25, maxLength: 60 }),
        fc.array(viewer, { minLength: 20, maxLength: 30 }),
        fc.array(lateMove, { maxLength: 8 }),
        async (opening, commands, viewers, moves) => {
          const world = await newWorld();
          for (const step of [...opening, ...commands, ...(moves.length === 0 ? [] : settleAll), ...moves]) {
            const { expected, status, text } = await carryOut(world, step);
            expect(status, `${JSON.stringify(step)} answered ${text}`).toBe(expected);
            checks.commands += 1;
          }
          const standings = viewers.map((choice) => standingOf(world, choice));
          await compareDatabase(world, [...standings, ...everybodyEverywhere(world)]);
          for (const [i, standing] of standings.slice(0, SEARCHING).entries()) {
            await compareSearches(world, standing);
            await compareContext(world, standing);
            await compareLists(standing);
            if (i < READING) await compareReads(standing);
          }
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  },
  // Speed is nothing that it asserts: a busy machine takes its time.
  60_000 + RUNS * 10_000,
);

function standingOf(world: World, choice: ViewerChoice): Standing {
  const tenant = world.tenants[choice.tenant];
  const session = choice.session === null ? undefined : tenant.sessions.get(choice.session);
  return {
    tenant,
    user: choice.insider ? insider(tenant, session, choice) : choice.user,
    session: choice.session,
    project: choice.sameProject && session !== undefined ? session.project : choice.project,
    includeGroups: choice.includeGroups,
  };
}

/** Every user in every session that there is. */
function everybodyEverywhere(world: World): Standing[] {
  return world.tenants.flatMap((tenant) =>
    [...tenant.sessions.keys()].flatMap((session) =>
      [...tenant.users].map((user) => ({ tenant, user, session, project: null, includeGroups: true })),
    ),
  );
}

function insider(tenant: ModelTenant, session: ModelSession | undefined, { user, project }: ViewerChoice): string {
  return session === undefined && project !== null ? memberOf(tenant, project, user) : insiderOf(session, user);
}

type Expected = { pool: string; rule: string; sees: { tenant: ModelTenant; session: ModelSession; rule: string }[] };

/** What the pure rule says of every session of both tenants. */
function expectedOf(world: World, standing: Standing): Expected {
  const who = ruleViewer(standing);
  if (typeof who === "string") return { pool: "none", rule: who, sees: [] };
  const { pool, rule } = poolOf(who);
  const sees = world.tenants.flatMap((tenant) =>
    [...tenant.sessions.values()].flatMap((session) => {
      const decision = decideEpisodes(who, sessionFacts(tenant, session));
      return decision.visible ? [{ tenant, session, rule: decision.rule }] : [];
    }),
  );
  return { pool, rule, sees };
}

const described = (standing: Standing) => JSON.stringify({ ...standing, tenant: standing.tenant.index });

const PLACE = row({ pool: text(sql`v.pool`), rule: text(sql`v.pool_rule`) });
const SEEN = row(SESSION.of(sql`s`, "tenantId", "externalId"));

/** The predicate, asked about all sessions that the database holds, of other tenants and other worlds too. */
async function compareDatabase(world: World, standings: readonly Standing[]): Promise<void> {
  const services = world.tenants[0].harness.services();
  const asked = standings.flatMap((standing) => [
    { standing, ref: viewerRef(standing) },
    { standing: openedAt(standing), ref: { ...viewerRef(standing), sessionMayBeNew: true } },
  ]);
  const queries = asked.map(({ standing, ref }) => {
    return {
      standing,
      place: select(PLACE, viewerCte(ref))`from viewer v`,
      seen: select(SEEN, viewerCte(ref))`from viewer v cross join sessions s where ${seesEpisodesOf(ref.tenantId, sql`s`)}`,
    };
  });
  const results = await runBatch(
    services,
    queries.flatMap(({ place, seen }) => [place, seen]),
  );
  const sessions = world.tenants.reduce((sum, tenant) => sum + tenant.sessions.size, 0);
  queries.forEach(({ standing, place, seen }) => {
    const expected = expectedOf(world, standing);
    const found = results.rows(place)[0] ?? { pool: "none", rule: "unknown_user" };
    expect(found, described(standing)).toEqual({ pool: expected.pool, rule: expected.rule });
    const names = results.rows(seen).map(({ tenantId, externalId }) => `${tenantId} ${externalId}`);
    expect(names.toSorted(), described(standing)).toEqual(
      expected.sees.map(({ tenant, session }) => `${tenant.harness.tenantId} ${session.name}`).toSorted(),
    );
    checks.pools += 1;
    checks.decisions += sessions;
    count(expected.rule);
  });
}

type SearchAnswer = {
  hits: { id: string; sessionId: string; content: string; explain: { visibleBy: string } }[];
  degraded: unknown[];
  explain: { viewer: { pool: string; rule: string }; terms: { term: string; found: number }[] };
};

const STRATEGIES = ["text", "recent", "semantic", "hybrid"] as const;

async function compareSearches(world: World, standing: Standing): Promise<void> {
  const place = openedAt(standing);
  const expected = expectedOf(world, place);
  const named = place.session !== null || place.project !== null;
  for (const strategy of STRATEGIES) {
    const body = {
      query: COMMON_WORD,
      strategy,
      userId: standing.user,
      sessionId: standing.session ?? undefined,
      projectId: standing.project ?? undefined,
      includeGroups: standing.includeGroups,
      limit: 100,
      maxTokens: 8000,
      explain: true,
    };
    const { status, json, text } = await standing.tenant.harness.fetch<SearchAnswer>("POST", "/v1/search", { body });
    checks.searches += 1;
    if (expected.pool === "none" && named) {
      expect(status, `${strategy} ${described(standing)} ${text}`).toBe(404);
      continue;
    }
    expect(status, `${strategy} ${described(standing)} ${text}`).toBe(200);
    expect(json.degraded).toEqual([]);
    // A user who is not stored has the place of one who has said nothing, in which there is no episode.
    const isNew = expected.rule === "unknown_user";
    expect(json.explain.viewer).toEqual(
      isNew ? { pool: "user", rule: "no_project" } : { pool: expected.pool, rule: expected.rule },
    );
    // A count discloses as much as a row.
    const episodes = expected.sees.reduce((sum, { session }) => sum + session.episodes.length, 0);
    if (strategy === "text")
      expect(
        json.explain.terms.map(({ found }) => found),
        described(standing),
      ).toEqual([episodes]);
    const hits = json.hits.map((hit) => `${hit.id} ${hit.sessionId} ${hit.explain.visibleBy} ${hit.content}`);
    const due = expected.sees.flatMap(({ session, rule }) =>
      session.episodes.map((episode) => `${episode.id} ${session.name} ${rule} ${episode.text}`),
    );
    expect(hits.toSorted(), `${strategy} ${described(standing)}`).toEqual(due.toSorted());
    for (const { rule } of expected.sees) count(rule);
  }
}

type Context = { block: string; items: { id: string; sessionId: string; content: string; explain: { visibleBy: string } }[] };

/** What is put before a model is what the rule shows, in the items and in the block's own lines. */
async function compareContext(world: World, standing: Standing): Promise<void> {
  const { user, session, project, includeGroups } = standing;
  const place = openedAt(standing);
  const { pool, sees } = expectedOf(world, place);
  const body = {
    ...{ query: COMMON_WORD, strategy: "text", limit: 100, maxTokens: 16_000, explain: true, userId: user, includeGroups },
    ...{ sessionId: session ?? undefined, projectId: project ?? undefined },
  };
  const { status, json, text } = await standing.tenant.harness.fetch<Context>("POST", "/v1/context", { body });
  checks.contexts += 1;
  const isRefused = pool === "none" && (place.session !== null || project !== null);
  expect(status, `context ${described(standing)} ${text}`).toBe(isRefused ? 404 : 200);
  if (isRefused) return;
  const due = sees.flatMap(({ session: seen, rule }) =>
    seen.episodes.map((episode) => `${episode.id} ${seen.name} ${rule} ${episode.text}`),
  );
  const items = json.items.map((item) => `${item.id} ${item.sessionId} ${item.explain.visibleBy} ${item.content}`);
  expect(items.toSorted(), `context ${described(standing)}`).toEqual(due.toSorted());
  const lines = json.block.split("\n").filter((line) => line.startsWith("[M"));
  expect(lines.map((line, i) => line.endsWith(`) ${json.items[i]?.content}`))).toEqual(json.items.map(() => true));
}

type History = { items: { id: string; messages: { content: string }[] }[]; nextCursor: string | null };

/** Each session of the tenant: its history, an episode of it and itself, as who stands in it or, naming a project, in that. */
async function compareReads(standing: Standing): Promise<void> {
  const { tenant, project } = standing;
  const query = new URLSearchParams({ userId: standing.user, ...(project === null ? {} : { projectId: project }) });
  for (const session of tenant.sessions.values()) {
    const who = ruleViewer({ ...standing, session: project === null ? session.name : null, includeGroups: false });
    const visible = typeof who !== "string" && decideEpisodes(who, sessionFacts(tenant, session)).visible;
    const described = `${session.name} ${query}`;
    const path = `/v1/sessions/${session.name}`;

    const history = await tenant.harness.fetch<History>("GET", `${path}/episodes?${query}&limit=100`);
    expect(history.status, described).toBe(visible ? 200 : 404);
    if (visible)
      expect(history.json.items.map((item) => item.messages[0]?.content)).toEqual(session.episodes.map(({ text }) => text));

    expect((await tenant.harness.fetch("GET", `${path}?${query}`)).status, described).toBe(visible ? 200 : 404);

    const [episode] = session.episodes;
    if (episode !== undefined) {
      const one = await tenant.harness.fetch("GET", `${path}/episodes/${episode.id}?${query}`);
      expect(one.status, described).toBe(visible ? 200 : 404);
    }
    checks.reads += 3;
  }
}

type Names = { items: { id: string }[]; nextCursor: string | null };

/** All pages of a list, two items a page. */
async function namesOf(tenant: ModelTenant, path: string, query: URLSearchParams): Promise<string[] | number> {
  const names: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: { status: number; json: Names } = await tenant.harness.fetch<Names>(
      "GET",
      `${path}?${query}&limit=2${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    if (page.status !== 200) return page.status;
    names.push(...page.json.items.map((item) => item.id));
    cursor = page.json.nextCursor;
    if (cursor === null) return names.toSorted();
  }
}

async function compareLists(standing: Standing): Promise<void> {
  const { tenant, user, project } = standing;
  const known = tenant.users.has(user);
  const id = userId(tenant, user);
  const all = [...tenant.sessions.values()];
  const mine = all.filter((session) => {
    const who = ruleViewer({ ...standing, session: session.name, project: null });
    return typeof who !== "string" && takesPart(id, sessionFacts(tenant, session)) && poolOf(who).pool !== "none";
  });
  const query = new URLSearchParams({ userId: user });
  expect(await namesOf(tenant, "/v1/sessions", query), described(standing)).toEqual(mine.map(({ name }) => name).toSorted());

  const projects = [...tenant.projects.values()].filter(({ owner, members }) => known && (owner === id || members.has(id)));
  expect(await namesOf(tenant, "/v1/projects", query), described(standing)).toEqual(projects.map(({ name }) => name).toSorted());

  if (project !== null) {
    query.set("projectId", project);
    const inside = projects.some(({ name }) => name === project);
    expect(await namesOf(tenant, "/v1/sessions", query), described(standing)).toEqual(
      inside
        ? all
            .filter((session) => session.project === project)
            .map(({ name }) => name)
            .toSorted()
        : 404,
    );
    const one = await tenant.harness.fetch("GET", `/v1/projects/${project}?userId=${user}`);
    expect(one.status, described(standing)).toBe(inside ? 200 : 404);
  }
  checks.lists += 3;
}
