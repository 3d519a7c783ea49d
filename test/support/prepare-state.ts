import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { prepareState } from "#scripts/service";

/** Makes the state with which the tests' services begin: applying the migrations takes longer than most of their tests. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-state-"));
  await prepareState(folder);
  project.provide("preparedState", folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
