import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fireCron, startService } from "../scripts/service.ts";
import { type Backlog, seedBacklog, TENANTS } from "./backlog/seed.ts";
import { makeState } from "./cost/state.ts";
import { grouped, markdown } from "./cost/table.ts";

const USAGE = `npm run bench:backlog [-- options]

How long a service on this machine takes to work off what has piled up, with cron once a minute, as in production. Starts services of its own.
Ends with 1 when it takes longer than the design allows (10 minutes for 10,000 jobs, 5 for 50,000 expired memories).

  --jobs 10000       due jobs of one tenant, one for each episode to be read by rules and embedded
  --expired 50000    expired memories of one tenant
  --json             one line of JSON instead of the table`;

const MINUTE_MS = 60_000;
const POLL_MS = 500;
/** The limits of the design for the default sizes. */
const ALLOWED_MINUTES = { jobs: 10, expired: 5 };
const LONGEST_MINUTES = 60;

type Left = { busy: number; quiet: number };
type Run = { of: keyof Backlog; rows: number; minutes: number; seconds: number; quietSeconds: number; perRun: number[] };

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000" },
    expired: { type: "string", default: "50000" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const sizes: Backlog = { jobs: Number(values.jobs), expired: Number(values.expired) };
if (values.help || !Object.values(sizes).every((size) => Number.isInteger(size) && size >= 0)) {
  console.error(USAGE);
  process.exit(2);
}

const runs: Run[] = [];
if (sizes.jobs > 0) runs.push(await workOff("jobs", sizes.jobs));
if (sizes.expired > 0) runs.push(await workOff("expired", sizes.expired));
const isLate = ({ of, minutes }: Run) => minutes > ALLOWED_MINUTES[of];
if (values.json) console.log(JSON.stringify({ runs }));
else {
  const lines = runs.map(({ of, rows, minutes, seconds, quietSeconds, perRun }) => [
    of,
    grouped(rows),
    String(minutes),
    seconds.toFixed(0),
    quietSeconds.toFixed(0),
    perRun.map(grouped).join(" · "),
  ]);
  const heads = ["backlog", "rows", "runs of cron", "seconds", "until the other tenant's one was done", "done after each run"];
  console.log(markdown(heads, lines));
}
if (runs.some(isLate)) process.exitCode = 1;

async function workOff(of: keyof Backlog, rows: number): Promise<Run> {
  const state = await mkdtemp(path.join(tmpdir(), "edgewise-backlog-"));
  try {
    const file = await makeState(state);
    console.error(`Seeding ${grouped(rows)} ${of} …`);
    const key = await seedBacklog(file, { jobs: 0, expired: 0, [of]: rows });
    const keyFile = path.join(state, "dev-key");
    await writeFile(keyFile, key);
    const onLine = (line: string) => {
      if (line.includes('"sweep') || line.includes("failed")) console.error(line);
    };
    const service = await startService({ persistTo: state, keyFile, cron: false, onLine });
    try {
      return { of, rows, ...(await watch(service.url, () => leftIn(file, of))) };
    } finally {
      await service.stop();
    }
  } finally {
    await rm(state, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Fires cron at the beginning of each minute until nothing is left. */
async function watch(url: string, left: () => Left): Promise<Omit<Run, "of" | "rows">> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  const { busy: all } = left();
  const perRun: number[] = [];
  let quietSeconds: number | null = null;
  for (let minutes = 1; minutes <= LONGEST_MINUTES; minutes += 1) {
    const firedAt = performance.now();
    void fireCron(url);
    while (performance.now() - firedAt < MINUTE_MS) {
      await sleep(POLL_MS);
      const { busy, quiet } = left();
      if (quiet === 0) quietSeconds ??= seconds();
      if (busy === 0 && quietSeconds !== null) return { minutes, seconds: seconds(), quietSeconds, perRun: [...perRun, all] };
    }
    perRun.push(all - left().busy);
    console.error(`After run ${minutes}: ${grouped(perRun.at(-1) ?? 0)} of ${grouped(all)}.`);
  }
  throw new Error(`It was not done within ${LONGEST_MINUTES} minutes.`);
}

/** The seeded rows that are left. Jobs that they create are not counted. */
function leftIn(file: string, of: keyof Backlog): Left {
  const db = new DatabaseSync(file, { readOnly: true });
  const open =
    of === "jobs"
      ? "select count(*) as n from jobs where kind = 'episodes.index' and status <> 'done' and tenant_id = t.id"
      : "select count(*) as n from memories where expires_at < 9e12 and deleted_at is null and tenant_id = t.id";
  const rowOf = (tenant: string) => Number(db.prepare(`select (${open}) as n from tenants t where t.name = ?`).get(tenant)?.n);
  const left = { busy: rowOf(TENANTS.busy), quiet: rowOf(TENANTS.quiet) };
  db.close();
  return left;
}
