import { setTimeout as sleep } from "node:timers/promises";
import { type Answered, type Running, startWriters } from "./writers.ts";

const LOOK_MS = 1_000;
/** How long the jobs of an import, or an erasure, may take. */
const PATIENCE_MS = 1_200_000;

export type Phase = Answered & { name: string; seconds: number };
export type BesideWriters = { phases: Phase[]; acknowledged: number; missing: number };

/** What happens to the requests of writers during an import, during the jobs that it leaves, and while its user is erased. */
export async function importBesideWriters(
  running: Running,
  { writers: count, user, runImport }: { writers: number; user: string; runImport: () => Promise<unknown> },
): Promise<BesideWriters> {
  const writers = startWriters(running, count);
  const phases: Phase[] = [];
  const phase = async (name: string, run: () => Promise<unknown>) => {
    console.error(`${name} …`);
    const started = performance.now();
    await run();
    phases.push({ name, seconds: (performance.now() - started) / 1_000, ...writers.take() });
  };
  await phase("import", runImport);
  await phase("its jobs", () => untilImported(running));
  await phase("erasure of its user", () => erase(running, user));
  return { phases, ...(await writers.stop()) };
}

async function untilImported(running: Running): Promise<void> {
  await until("The jobs of the import", async () => {
    const pages = await Promise.all(
      ["pending", "running"].map((status) => call<Jobs>(running, `jobs?limit=100&status=${status}`)),
    );
    return pages.every(({ items, nextCursor }) => nextCursor === null && items.every(({ kind }) => kind !== "episodes.import"));
  });
}

async function erase(running: Running, user: string): Promise<void> {
  const { id } = await call<Erasure>(running, `users/${user}`, "DELETE");
  await until("The erasure", async () => {
    const { status } = await call<Erasure>(running, `erasures/${id}`);
    return !["initialized", "running"].includes(status);
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const started = performance.now(); performance.now() - started < PATIENCE_MS; await sleep(LOOK_MS)) {
    // A lost answer counts as not yet: only the writers' are counted.
    if (await isSo().catch(() => false)) return;
  }
  throw new Error(`${what} did not end.`);
}

type Jobs = { items: { kind: string }[]; nextCursor: string | null };
type Erasure = { id: string; status: string };

async function call<T>({ url, key }: Running, path: string, method = "GET"): Promise<T> {
  const answer = await fetch(`${url}/v1/${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`);
  return (await answer.json()) as T;
}
