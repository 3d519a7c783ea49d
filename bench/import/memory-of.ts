import { readdir, readFile } from "node:fs/promises";

const SAMPLE_MS = 250;

/** The peak of the resident memory of processes, in megabytes, and what it was at quarters of the time. Linux only. */
export type Peak = { peakMegabytes: number; samples: number[] };

/** Samples the memory of the processes that `pids` names until it is stopped. */
export function watchMemory(pids: () => Promise<number[]>): () => Promise<Peak> {
  const samples: number[] = [];
  let isOver = false;
  const run = (async () => {
    while (!isOver) {
      const sizes = await Promise.all((await pids()).map(residentOf));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      if (total > 0) samples.push(total);
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  return async () => {
    isOver = true;
    await run;
    const quarters = [0.25, 0.5, 0.75, 1].map((share) => samples[Math.max(0, Math.ceil(samples.length * share) - 1)] ?? 0);
    return { peakMegabytes: Math.max(0, ...samples), samples: quarters };
  };
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

/** The processes of workerd that this one started, itself or through others. */
export async function ownRuntimes(): Promise<number[]> {
  const names = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(names.map(processOf));
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isOwn = (pid: number): boolean => {
    for (let at = pid, steps = 0; at > 1 && steps < 20; at = parents.get(at) ?? 0, steps += 1)
      if (at === process.pid) return true;
    return false;
  };
  return processes.filter(({ pid, name }) => name.startsWith("workerd") && isOwn(pid)).map(({ pid }) => pid);
}

async function processOf(name: string): Promise<{ pid: number; name: string; parent: number }> {
  const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
  return {
    pid: Number(name),
    name: /Name:\s+(\S+)/.exec(status)?.[1] ?? "",
    parent: Number(/PPid:\s+(\d+)/.exec(status)?.[1] ?? 0),
  };
}
