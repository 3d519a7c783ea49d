import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "#scripts/wrangler";

const run = promisify(execFile);

/** Builds a package of `packages/` as it would be published, and returns the tarball in `folder`. */
export async function packPackage(name: string, folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, "-w", path.join("packages", name)], {
    cwd: ROOT,
  });
  // What the build prints comes before.
  const [{ filename }]: [{ filename: string }] = JSON.parse(stdout.slice(stdout.lastIndexOf("\n[") + 1));
  return path.join(folder, filename);
}

/** Makes `folder` a project of its own, outside of the repository's packages, in which these tarballs are installed. */
export async function installIn(folder: string, tarballs: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name: "user-of-packages", private: true, type: "module" }));
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs], { cwd: folder });
}
