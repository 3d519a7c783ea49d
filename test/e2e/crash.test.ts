import { execFileSync } from "node:child_process";
import { afterAll, expect, it } from "vitest";
import { type Service, startService } from "#scripts/service";

let service: Service | undefined;
afterAll(() => service?.stop());

it("a service whose runtime dies for good ends, instead of living on without an answer", async () => {
  const lines: string[] = [];
  service = await startService({ cron: false, onLine: (line) => lines.push(line) });
  for (const pid of runtimesOf(service)) process.kill(pid, "SIGKILL");
  expect(await service.exited).toBeGreaterThan(0);
  expect(lines.at(-1)).toContain("does not answer any more");
});

/** The process ids of this service's own workerd. */
function runtimesOf({ url }: Service): number[] {
  const processes = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return args === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
    });
  const family = new Set(processes.filter(({ args }) => args.includes(`--port ${new URL(url).port} `)).map(({ pid }) => pid));
  for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  const found = processes.filter(({ pid, args }) => family.has(pid) && args.includes("workerd serve")).map(({ pid }) => pid);
  if (found.length === 0) throw new Error("The service has no workerd.");
  return found;
}
