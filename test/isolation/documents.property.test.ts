import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { runBatch, select } from "#db/client";
import { row } from "#db/row";
import { CHUNK } from "#db/schema/sources";
import type { ContextView } from "#domain/injection";
import type { SearchView } from "#domain/retrieval";
import { decideChunk, seesChunk, viewerCte } from "#domain/visibility";
import { plantDocument } from "#test/documents";
import { callTool, connect } from "#test/mcp-client";
import { visibleProject } from "./entity-world.ts";
import {
  carryOut,
  command,
  insiderOf,
  lateMove,
  memberOf,
  newWorld,
  openedAt,
  prelude,
  ruleViewer,
  type Standing,
  settleAll,
  type ViewerChoice,
  viewer,
  viewerRef,
  type World,
} from "./world.ts";

/** A longer run: VITE_ISOLATION_RUNS=300 VITE_ISOLATION_SEED=7 npx vitest run --project workerd test/isolation/documents.property */
const RUNS = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 8);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_419);
/** Of the viewers of a world, as many search and ask for contexts; all ask the rule and the database. */
const SEARCHING = 5;

/** In every passage, so that a search for it finds whatever may be found. */
const COMMON = "persimmon";

const checks = { rules: 0, rows: 0, searches: 0, contexts: 0, fetches: 0, shown: 0 };
const lines = vi.spyOn(console, "log");

afterEach(() => {
  expect(lines.mock.calls.flat().filter((line) => String(line).includes("visibility.disagreement"))).toEqual([]);
});

afterAll(() => {
  lines.mockRestore();
  // biome-ignore lint/suspicious/noConsole: how much was compared is what a reader of a long run wants to know.
  console.log(`documents: ${RUNS} worlds, seed ${SEED}`, JSON.stringify(checks));
});

type ModelChunk = { id: string; tenant: number; project: string | null; text: string; revision: number; readRevision: number };

/** A file with a chunk of each revision, in the library or in a project. */
const file = fc.record({
  tenant: fc.constantFrom<0 | 1>(0, 0, 1),
  project: fc.oneof(
    fc.constant(null),
    fc.nat(2).map((i) => `p${i}`),
  ),
  revisions: fc.integer({ min: 1, max: 3 }),
  readRevision: fc.integer({ min: 0, max: 3 }),
});

it(
  "rule, SQL and endpoints agree about every passage of a document, for every viewer, in random worlds",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        prelude,
        fc.array(command, { minLength: 20, maxLength: 40 }),
        fc.array(file, { minLength: 6, maxLength: 12 }),
        fc.array(viewer, { minLength: 20, maxLength: 30 }),
        fc.array(lateMove, { maxLength: 6 }),
        async (opening, commands, files, viewers, moves) => {
          const world = await newWorld();
          for (const step of [...opening, ...commands]) await carryOut(world, step);
          const chunks: ModelChunk[] = [];
          for (const [i, each] of files.entries()) chunks.push(...(await plant(world, `f${i}.md`, each)));
          for (const step of [...settleAll, ...moves]) await carryOut(world, step);
          const standings = viewers.map((choice) => standingOf(world, choice));
          await compareDatabase(world, chunks, [...standings, ...everybodyEverywhere(world)]);
          for (const standing of standings.slice(0, SEARCHING)) await compareEndpoints(chunks, standing);
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  },
  60_000 + RUNS * 20_000,
);

async function plant(
  world: World,
  path: string,
  made: typeof file extends fc.Arbitrary<infer F> ? F : never,
): Promise<ModelChunk[]> {
  const { project, readRevision, revisions } = made;
  const tenant = world.tenants[made.tenant];
  if (project !== null && !tenant.projects.has(project)) return [];
  const chunks: ModelChunk[] = [];
  for (let revision = 1; revision <= revisions; revision += 1) {
    const text = `${COMMON} ${path} ${revision} of ${made.tenant}`;
    const source = project ?? "library";
    const [id = ""] = await plantDocument(tenant.harness, {
      ...{ source, path, projectId: project ?? undefined, passages: [text], revision, readRevision },
    });
    chunks.push({ id, tenant: made.tenant, project, text, revision, readRevision });
  }
  return chunks;
}

function standingOf(world: World, choice: ViewerChoice): Standing {
  const tenant = world.tenants[choice.tenant];
  const session = choice.session === null ? undefined : tenant.sessions.get(choice.session);
  const drawn = choice.insider && session !== undefined ? insiderOf(session, choice.user) : choice.user;
  const project = choice.sameProject && session !== undefined ? session.project : choice.project;
  const user = choice.insider && session === undefined && project !== null ? memberOf(tenant, project, drawn) : drawn;
  return { tenant, user, session: choice.session, project, includeGroups: choice.includeGroups };
}

function everybodyEverywhere(world: World): Standing[] {
  return world.tenants.flatMap((tenant) =>
    [...tenant.sessions.keys()].flatMap((session) =>
      [...tenant.users].map((user) => ({ tenant, user, session, project: null, includeGroups: true })),
    ),
  );
}

/**
 * In the words of docs/visibility.md: of the viewer's project, or, without a project, of the tenant's library; of each file what was read.
 * "refused" where they have no part.
 */
function dueOf(chunks: readonly ModelChunk[], standing: Standing): ModelChunk[] | "refused" {
  const { tenant, session: named, project } = standing;
  const current = chunks.filter(({ tenant: of, revision, readRevision }) => of === tenant.index && revision === readRevision);
  const isNowhere = named === null && project === null;
  const own = isNowhere ? null : visibleProject(standing);
  if (own === "refused") return "refused";
  const hasProject = own !== null || (named !== null && tenant.sessions.get(named)?.project != null);
  return current.filter((chunk) => (hasProject ? own !== null && chunk.project === own : chunk.project === null));
}

const SEEN = row(CHUNK.of(sql`c`, "publicId"));
const TABLES = { chunk: sql`c`, file: sql`fi`, source: sql`so` };

/** The predicate, asked about all chunks that the database holds, and the pure rule about those of this world. */
async function compareDatabase(world: World, chunks: readonly ModelChunk[], standings: readonly Standing[]): Promise<void> {
  const queries = standings.map((standing) => {
    const ref = { ...viewerRef(standing), userMayBeNew: true };
    return select(SEEN, viewerCte(ref))`from viewer v cross join chunks c cross join files fi on fi.id = c.file_id
      cross join sources so on so.id = c.source_id where ${seesChunk(ref.tenantId, TABLES)}`;
  });
  const results = await runBatch(world.tenants[0].harness.services(), queries);
  for (const [i, standing] of standings.entries()) {
    const due = dueOf(chunks, standing);
    const ids = due === "refused" ? [] : due.map(({ id }) => id).toSorted();
    const query = queries[i];
    if (query === undefined) throw new Error("A query is missing.");
    const seen = results.rows(query).map(({ publicId }) => publicId);
    expect(seen.toSorted(), described(standing)).toEqual(ids);
    checks.rows += chunks.length;
    checks.shown += ids.length;
    const facts = ruleViewer(standing);
    if (typeof facts === "string") continue;
    for (const chunk of chunks) {
      const owner = world.tenants[chunk.tenant === 0 ? 0 : 1];
      const projectId = chunk.project === null ? null : (owner.projects.get(chunk.project)?.id ?? 0);
      const { visible } = decideChunk(facts, { ...chunk, tenantId: owner.harness.tenantId, projectId });
      expect(visible, `${chunk.text} ${described(standing)}`).toBe(ids.includes(chunk.id));
      checks.rules += 1;
    }
  }
}

const described = (standing: Standing) => JSON.stringify({ ...standing, tenant: standing.tenant.index });

async function compareEndpoints(chunks: readonly ModelChunk[], standing: Standing): Promise<void> {
  const { tenant, user, session, project } = standing;
  const due = dueOf(chunks, openedAt(standing));
  const texts = due === "refused" ? [] : due.map(({ text }) => text).toSorted();
  const place = { userId: user, sessionId: session ?? undefined, projectId: project ?? undefined };
  for (const strategy of ["text", "semantic", "hybrid"]) {
    const body = { ...place, query: COMMON, strategy, kinds: ["chunk"], limit: 100, maxTokens: 8000, explain: true };
    const { status, json, text } = await tenant.harness.fetch<SearchView>("POST", "/v1/search", { body });
    expect(status, `${strategy} ${described(standing)} ${text}`).toBe(due === "refused" ? 404 : 200);
    if (status === 200) expect(json.hits.map(({ content }) => content).toSorted(), described(standing)).toEqual(texts);
    checks.searches += 1;
  }
  const body = { ...place, query: COMMON, strategy: "text", kinds: ["chunk"], limit: 100, maxTokens: 16_000 };
  const context = await tenant.harness.fetch<ContextView>("POST", "/v1/context", { body });
  expect(context.status, described(standing)).toBe(due === "refused" ? 404 : 200);
  if (context.status === 200) expect(context.json.items.map(({ content }) => content).toSorted()).toEqual(texts);
  checks.contexts += 1;
  await compareFetch(chunks, standing, texts);
}

/** By its id, through MCP. */
async function compareFetch(chunks: readonly ModelChunk[], standing: Standing, texts: readonly string[]): Promise<void> {
  const { tenant, user, session, project } = standing;
  if (!tenant.users.has(user)) return;
  const headers = {
    "x-edgewise-user": user,
    ...(session === null ? {} : { "x-edgewise-session": session }),
    ...(project === null ? {} : { "x-edgewise-project": project }),
  };
  const client = await connect(tenant.harness, { headers });
  for (const chunk of chunks.slice(0, 4)) {
    const { isError } = await callTool(client, "fetch", { id: chunk.id });
    expect(isError, `${chunk.text} ${described(standing)}`).toBe(!texts.includes(chunk.text));
    checks.fetches += 1;
  }
}
