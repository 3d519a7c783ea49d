import { mkdir } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import { type Service, type ServiceOptions, startService as start } from "#scripts/service";

export type { Service } from "#scripts/service";

/** A service that other test files use at the same time, with a tenant of the file's own. */
export type SharedService = Pick<Service, "url" | "key">;

export type Prepared = {
  /** A folder of a service's state with its migrations and its key; see `startService`. */
  state: string;
  /** The Worker, bundled. */
  bundle: string;
  /** The running service, with a key of each tenant, and the folder in which files claim a tenant. */
  shared: { url: string; keys: string[]; claims: string };
};

declare module "vitest" {
  interface ProvidedContext {
    prepared: Prepared;
  }
}

/** A service for a test that ends it, sets its variables or reads what it prints, on a copy of the state that `prepare-state.ts` makes once a run. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const { state, bundle } = inject("prepared");
  return await start({ from: state, bundle, ...options });
}

/** The service of all other tests, which runs as long as the tests do: starting one takes longer than most of them. Cron never fires. */
export async function sharedService(): Promise<SharedService> {
  const { url, keys, claims } = inject("prepared").shared;
  for (const [index, key] of keys.entries()) if (await claim(path.join(claims, String(index)))) return { url, key };
  throw new Error(`More than ${keys.length} test files share the service.`);
}

/** Test files run in different processes: of those that make the folder, one succeeds. */
async function claim(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
