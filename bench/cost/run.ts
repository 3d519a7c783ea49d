import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Result } from "./budgets.ts";
import { warmClient } from "./client.ts";
import { makeVectors, measureJobs, measureRequests } from "./measure.ts";
import { STORED_MODEL, startOn } from "./running.ts";
import { OTHER_TENANTS, OWN_EPISODES, SESSIONS_WITH_VECTORS, type Seeded, seed, spreadOthers, type Viewer } from "./seed.ts";
import { copyState, makeState } from "./state.ts";
import { makeTemplates, type Template } from "./templates.ts";

type Circumstances = Pick<Result, "viewer" | "size" | "own" | "otherTenants">;

export type Run = { results: Result[]; seeded: { size: number; episodes: number; seconds: number; bytesPerEpisode: number }[] };

/** Seeds a database for each size, then measures it with one other tenant, and a copy of it in which the others are a hundred. */
export async function runAll(sizes: readonly number[], report: (line: string) => void): Promise<Run> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-cost-"));
  const templates = makeTemplates();
  const run: Run = { results: [], seeded: [] };
  try {
    for (const size of sizes) await runSize(run, { folder, size, templates, report });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return run;
}

type Sized = { folder: string; size: number; templates: readonly (readonly Template[])[]; report: (line: string) => void };

async function runSize(run: Run, { folder, size, templates, report }: Sized): Promise<void> {
  const [one, many] = [path.join(folder, `${size}-one`), path.join(folder, `${size}-many`)];
  const seeded = await seed(await makeState(one), { size, model: STORED_MODEL, templates });
  const { episodes, seconds, bytesPerEpisode } = seeded;
  run.seeded.push({ size, episodes, seconds, bytesPerEpisode });
  report(`${size}: seeded ${episodes} episodes in ${seconds.toFixed(1)} s`);
  spreadOthers(await copyState(one, many));
  for (const [state, otherTenants] of [
    [one, 1],
    [many, OTHER_TENANTS],
  ] as const) {
    run.results.push(...(await measureState(state, seeded, otherTenants)));
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
    report(`${size}: measured with ${otherTenants} other tenant${otherTenants === 1 ? "" : "s"}`);
  }
}

/** The viewer who holds everything alone is measured once: whose the others' rows are cannot matter to what does not vary with them. */
async function measureState(state: string, { viewer, alone }: Seeded, otherTenants: number): Promise<Result[]> {
  const size = alone.episodes;
  const running = await startOn(state, viewer.key);
  try {
    const both: [Viewer, Circumstances][] = [
      [viewer, { viewer: "viewer", size, own: OWN_EPISODES, otherTenants }],
      ...(otherTenants === 1 && size > OWN_EPISODES
        ? [[alone, { viewer: "alone", size, own: size, otherTenants }] satisfies [Viewer, Circumstances]]
        : []),
    ];
    await makeVectors(
      running,
      both.map(([who]) => who),
      SESSIONS_WITH_VECTORS,
    );
    const results: Result[] = [];
    for (const [who, place] of both) {
      const call = await warmClient(running.url, who.key);
      const measured = [...(await measureRequests(running, who, call)), ...(await measureJobs(running, who, call))];
      results.push(...measured.map((each) => ({ ...place, ...each })));
    }
    return results;
  } finally {
    await running.stop();
  }
}
