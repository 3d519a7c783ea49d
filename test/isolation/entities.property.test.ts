import fc from "fast-check";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { decideEntity } from "#domain/visibility";
import { stored } from "#test/entity-requests";
import { COMMON, carryOutEntity, type EntityWorld, entityCommand, type ModelEntity, visibleProject } from "./entity-world.ts";
import {
  type Command,
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
} from "./world.ts";

/** The full run: `npm run test:isolation`; a longer one: VITE_ISOLATION_RUNS=300 VITE_ISOLATION_SEED=7 npx vitest run --project workerd test/isolation/entities.property */
const RUNS = Number(import.meta.env.VITE_ISOLATION_RUNS ?? 5);
const SEED = Number(import.meta.env.VITE_ISOLATION_SEED ?? 20_260_419);

const checks = { commands: 0, lists: 0, searches: 0, gets: 0, mentions: 0, rules: 0, shown: 0 };
const lines = vi.spyOn(console, "log");

afterEach(() => {
  expect(lines.mock.calls.flat().filter((line) => String(line).includes("visibility.disagreement"))).toEqual([]);
});

afterAll(() => {
  lines.mockRestore();
  // biome-ignore lint/suspicious/noConsole: how much was compared is what a reader of a long run wants to know.
  console.log(`entities: ${RUNS} worlds, seed ${SEED}`, JSON.stringify(checks));
});

const step = fc.oneof({ weight: 2, arbitrary: command }, { weight: 3, arbitrary: entityCommand });

it(
  "what is told of entities is what the prose says, for every viewer, in random worlds",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        prelude,
        fc.array(step, { minLength: 30, maxLength: 60 }),
        fc.array(viewer, { minLength: 8, maxLength: 12 }),
        fc.array(lateMove, { maxLength: 6 }),
        async (opening, steps, viewers, moves) => {
          const made: EntityWorld = { world: await newWorld(), entities: [[], []] };
          for (const one of [...opening, ...steps, ...settleAll, ...moves]) await carryOne(made, one);
          for (const choice of viewers) await compare(made, standingOf(made, choice));
          for (const standing of insiders(made)) await compare(made, standing);
          await compareStored(made);
        },
      ),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  },
  60_000 + RUNS * 10_000,
);

const ENTITY_KINDS = ["save", "note", "retag", "forget"];

async function carryOne(made: EntityWorld, one: Command | Parameters<typeof carryOutEntity>[1]): Promise<void> {
  const { expected, status, text } = isOfEntities(one) ? await carryOutEntity(made, one) : await carryOut(made.world, one);
  expect(status, `${JSON.stringify(one)} answered ${text}`).toBe(expected);
  checks.commands += 1;
}

function isOfEntities(one: { kind: string }): one is Parameters<typeof carryOutEntity>[1] {
  return ENTITY_KINDS.includes(one.kind);
}

function standingOf({ world }: EntityWorld, choice: ViewerChoice): Standing {
  const tenant = world.tenants[choice.tenant];
  const session = choice.session === null ? undefined : tenant.sessions.get(choice.session);
  const drawn = choice.insider && session !== undefined ? insiderOf(session, choice.user) : choice.user;
  const project = choice.sameProject && session !== undefined ? session.project : choice.project;
  const user = choice.insider && session === undefined && project !== null ? memberOf(tenant, project, drawn) : drawn;
  // Entities are asked for in a place.
  const isNowhere = choice.session === null && project === null;
  return { tenant, user, session: choice.session, project: isNowhere ? "p0" : project, includeGroups: false };
}

/** In each session that belongs to a project somebody who is in it, and in each project that has entities its owner and its members. */
function insiders({ world, entities }: EntityWorld): Standing[] {
  return world.tenants.flatMap((tenant) => {
    const at = (user: number, session: string | null, project: string | null): Standing => {
      return { tenant, user: `u${user % 1000}`, session, project, includeGroups: false };
    };
    const homes = new Set(entities[tenant.index === 0 ? 0 : 1].map(({ project }) => project));
    const inProjects = [...tenant.projects.values()]
      .filter(({ name }) => homes.has(name))
      .flatMap(({ name, owner, members }) => [owner, ...members].map((user) => at(user, null, name)));
    const inSessions = [...tenant.sessions.values()].flatMap(({ name, kind, owner, participants, project }) =>
      project === null ? [] : [kind === "private" ? owner : ([...participants][0] ?? owner)].map((user) => at(user, name, null)),
    );
    return [...inProjects, ...inSessions];
  });
}

async function compare(made: EntityWorld, standing: Standing): Promise<void> {
  const { tenant } = standing;
  const own = made.entities[tenant.index === 0 ? 0 : 1];
  const ownProject = visibleProject(standing);
  const shown = ownProject === null || ownProject === "refused" ? [] : own.filter(({ project }) => project === ownProject);
  const ids = shown.map(({ id }) => id).toSorted();
  checks.shown += ids.length;
  const status = ownProject === "refused" ? 404 : 200;
  const place = { userId: standing.user, sessionId: standing.session ?? undefined, projectId: standing.project ?? undefined };
  const query = new URLSearchParams(
    Object.entries(place).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const about = JSON.stringify(place);

  const list = await tenant.harness.fetch<{ items: { id: string }[] }>("GET", `/v1/entities?limit=100&${query}`);
  expect(list.status, about).toBe(status);
  if (status === 200) expect(list.json.items.map(({ id }) => id).toSorted(), `list ${about}`).toEqual(ids);
  checks.lists += 1;

  const opened = openedAt(standing);
  const isPlace = opened.session !== null || opened.project !== null;
  const searched = isPlace ? visibleProject(opened) : null;
  for (const words of [COMMON, "", `${COMMON.slice(0, 5)}ze`]) {
    const body = { ...place, query: words, limit: 100, explain: true };
    const found = await tenant.harness.fetch<{ hits: { id: string }[] }>("POST", "/v1/entities/search", { body });
    expect(found.status, about).toBe(searched === "refused" ? 404 : 200);
    const hits = searched === "refused" ? [] : found.json.hits.map(({ id }) => id).toSorted();
    const due = own.flatMap(({ id, project }) => (project === searched ? [id] : [])).toSorted();
    // A misspelt word is found by vectors only, and not by all of them.
    if (words === COMMON || words === "") expect(hits, `search ${words} ${about}`).toEqual(due);
    else expect(hits.filter((id) => !due.includes(id))).toEqual([]);
    checks.searches += 1;
  }

  for (const entity of made.entities.flat())
    await compareOne(standing, { entity, isShown: ids.includes(entity.id), query, ownProject });
  compareRule(made, standing, shown);
}

async function compareOne(
  { tenant }: Standing,
  asked: { entity: ModelEntity; isShown: boolean; query: URLSearchParams; ownProject: string | null },
): Promise<void> {
  const { entity, isShown, query, ownProject } = asked;
  const one = await tenant.harness.fetch("GET", `/v1/entities/${entity.id}?${query}`);
  expect(one.status).toBe(isShown ? 200 : 404);
  checks.gets += 1;
  const path = `/v1/entities/${entity.id}/mentions?limit=100&${query}`;
  const mentions = await tenant.harness.fetch<{ items: { episodeId: string }[] }>("GET", path);
  expect(mentions.status).toBe(isShown ? 200 : 404);
  if (!isShown) return;
  const inProject = [...tenant.sessions.values()].filter(({ project }) => project === ownProject);
  const visibleEpisodes = new Set(inProject.flatMap(({ episodes }) => episodes.map(({ id }) => id)));
  expect(mentions.json.items.map(({ episodeId }) => episodeId).toSorted()).toEqual(
    [...entity.mentions].filter((id) => visibleEpisodes.has(id)).toSorted(),
  );
  checks.mentions += 1;
}

/** The pure rule says the same. */
function compareRule({ world, entities }: EntityWorld, standing: Standing, shown: readonly ModelEntity[]): void {
  const facts = ruleViewer(standing);
  if (typeof facts === "string") return;
  for (const owner of world.tenants) {
    for (const entity of entities[owner.index === 0 ? 0 : 1]) {
      const projectId = owner.projects.get(entity.project)?.id ?? 0;
      const { visible } = decideEntity(facts, { tenantId: owner.harness.tenantId, projectId });
      expect(visible).toBe(shown.includes(entity));
      checks.rules += 1;
    }
  }
}

/** Rows, counts and words are as the model has them. */
async function compareStored({ world, entities }: EntityWorld): Promise<void> {
  for (const tenant of world.tenants) {
    const model = entities[tenant.index === 0 ? 0 : 1];
    const found = (await stored(tenant.harness)).map(({ project, type, count, mentions, words }) => [
      project,
      type,
      count,
      mentions,
      words,
    ]);
    const expected = model.map(({ project, type, mentions }) => [project, type, mentions.size, mentions.size, 1]);
    expect(found.map(String).toSorted()).toEqual(expected.map(String).toSorted());
  }
}
