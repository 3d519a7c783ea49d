import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { ensureSecrets } from "./secrets-file.ts";

it("is made once, for its owner's eyes", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-secrets-"));
  const file = path.join(folder, "deeper", "secrets.env");
  await ensureSecrets(file);
  const first = await readFile(file, "utf8");
  expect(first).toMatch(/^ENCRYPTION_KEY=[0-9a-f]{64}\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await ensureSecrets(file);
  expect(await readFile(file, "utf8")).toBe(first);
  await rm(folder, { recursive: true });
});
