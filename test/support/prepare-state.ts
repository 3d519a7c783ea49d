import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { bootstrapTenant } from "#domain/tenants";
import { bundleWorker, prepareState, startService } from "#scripts/service";
import { wrangler } from "#scripts/wrangler";
import type { Prepared } from "./start-service.ts";

/** More than there are test files that share the service. */
const TENANTS = 40;

type Run = { prepared: Promise<Prepared & { end: () => Promise<void> }>; projects: number };

declare global {
  /** Vitest loads this module once for each project; the projects share what it makes. */
  var edgewisePrepared: Run | undefined;
}

/** Makes what the tests' services begin with: applying the migrations and bundling take longer than most of their tests. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  globalThis.edgewisePrepared ??= { prepared: prepareRun(), projects: 0 };
  const run = globalThis.edgewisePrepared;
  run.projects += 1;
  const { end, ...prepared } = await run.prepared;
  project.provide("prepared", prepared);
  return async () => {
    run.projects -= 1;
    if (run.projects === 0) await end();
  };
}

async function prepareRun(): Promise<Prepared & { end: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-state-"));
  const [state, claims] = [path.join(folder, "state"), path.join(folder, "claims")];
  await mkdir(claims);
  const [bundle] = await Promise.all([bundleWorker(path.join(folder, "bundle")), prepareState(state)]);
  const keys = await createTenants(state);
  const service = await startService({ from: state, bundle, cron: false });
  return {
    state,
    bundle,
    shared: { url: service.url, keys, claims },
    end: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function createTenants(state: string): Promise<string[]> {
  const names = Array.from({ length: TENANTS }, (_, i) => `test ${i}`);
  const tenants = await Promise.all(names.map((name) => bootstrapTenant({ tenantName: name, keyName: "test", now: Date.now() })));
  const sql = tenants.map((tenant) => tenant.sql).join("\n");
  await wrangler(["d1", "execute", "DB", "--local", "--persist-to", state, "--yes", "--command", sql]);
  return tenants.map(({ key }) => key);
}
