import { execFileSync } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { type Service, startService } from "#test/start-service";

let service: Service | undefined;
afterAll(() => service?.stop());

it("a service whose runtime dies for good ends, instead of living on without an answer", async () => {
  const lines: string[] = [];
  service = await startService({ cron: false, onLine: (line) => lines.push(line) });
  for (const pid of runtimesOf(service)) process.kill(pid, "SIGKILL");
  expect(await service.exited).toBeGreaterThan(0);
  expect(lines.at(-1)).toContain("does not answer any more");
});

it.each(["the runtime", "wrangler"])(
  "npm run dev's service starts again when %s is killed, and loses nothing",
  async (victim) => {
    await service?.stop();
    const lines: string[] = [];
    const kept = await startService({ cron: false, restarts: true, onLine: (line) => lines.push(line) });
    service = kept;
    const headers = { authorization: `Bearer ${kept.key}`, "content-type": "application/json" };
    const body = JSON.stringify({ userId: "ann", content: "I water the plants on Fridays" });
    const stored = await fetch(`${kept.url}/v1/memories`, { method: "POST", headers, body });
    expect(stored.status).toBe(201);

    const family = familyOf(kept);
    const victims = victim === "wrangler" ? family.filter(({ isRoot }) => isRoot) : family.filter(({ isRuntime }) => isRuntime);
    expect(victims.length).toBeGreaterThan(0);
    for (const { pid } of victims) process.kill(pid, "SIGKILL");
    await expect.poll(() => lines.includes("The service runs again."), { interval: 100 }).toBe(true);
    expect(lines).toContainEqual(expect.stringMatching(/^The service has crashed\. What was stored is kept\. /));
    const { items } = (await (await fetch(`${kept.url}/v1/memories?userId=ann`, { headers })).json()) as {
      items: { content: string }[];
    };
    expect(items.map(({ content }) => content)).toEqual(["I water the plants on Fridays"]);

    await kept.stop();
    await kept.exited;
    expect(familyOf(kept)).toEqual([]);
    const left = new Set(family.map(({ pid }) => pid));
    expect(processes().filter(({ pid }) => left.has(pid))).toEqual([]);
  },
);

type Process = { pid: number; parent: number; args: string };

function processes(): Process[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return args === undefined || args.includes("<defunct>") ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}

/** The processes of this service's own: wrangler at the root, and what it has started. */
function familyOf({ url }: Service): { pid: number; isRoot: boolean; isRuntime: boolean }[] {
  const all = processes();
  const roots = new Set(all.filter(({ args }) => args.includes(`--port ${new URL(url).port} `)).map(({ pid }) => pid));
  const family = new Set(roots);
  for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  return all
    .filter(({ pid }) => family.has(pid))
    .map(({ pid, parent, args }) => ({
      pid,
      isRoot: roots.has(pid) && !roots.has(parent),
      isRuntime: args.includes("workerd serve"),
    }));
}

/** The process ids of this service's own workerd. */
function runtimesOf(running: Service): number[] {
  const found = familyOf(running).flatMap(({ pid, isRuntime }) => (isRuntime ? [pid] : []));
  if (found.length === 0) throw new Error("The service has no workerd.");
  return found;
}
