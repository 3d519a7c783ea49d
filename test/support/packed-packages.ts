import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const ROOT = path.join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** A folder in which packages are installed as npm would install them from the registry. */
export type Installed = {
  folder: string;
  /** The packed file of a package. */
  tarball: (name: string) => string;
  /** Runs a program there; its output. Its errors have what it printed. */
  run: (command: string, args: readonly string[], env?: Record<string, string>) => Promise<string>;
  remove: () => Promise<void>;
};

/**
 * Builds and packs packages of this repository, and unpacks what would be published. Other packages are those of the repository, or the ones
 * of `links` (name → folder).
 */
export async function installPacked(names: readonly string[], links: Record<string, string> = {}): Promise<Installed> {
  await mkdir(path.join(ROOT, ".edgewise"), { recursive: true });
  // Inside the repository, so that what is installed there is found.
  const folder = await mkdtemp(path.join(ROOT, ".edgewise", "packed-"));
  const modules = path.join(folder, "node_modules");
  await mkdir(path.join(modules, "@edgewise"), { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const name of names) await pack(name, folder);
  for (const [name, target] of Object.entries(links)) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    await symlink(target, path.join(modules, name));
  }
  return {
    folder,
    tarball: (name) => path.join(folder, `${name}.tgz`),
    run: (command, args, env = {}) => runIn(folder, command, args, env),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function pack(name: string, folder: string): Promise<void> {
  const source = path.join(ROOT, "packages", name);
  const own = path.join(folder, `${name}-packed`);
  await mkdir(own);
  await runIn(source, process.execPath, [path.join(ROOT, "node_modules", "tsdown", "dist", "run.mjs")], {});
  await runIn(source, "npm", ["pack", "--silent", "--pack-destination", own], {});
  const [file = ""] = await readdir(own);
  await rename(path.join(own, file), path.join(folder, `${name}.tgz`));
  await runIn(own, "tar", ["-xzf", path.join(folder, `${name}.tgz`)], {});
  await rename(path.join(own, "package"), path.join(folder, "node_modules", "@edgewise", name));
}

async function runIn(cwd: string, command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  try {
    return (await run(command, args, { cwd, env: { ...process.env, ...env } })).stdout;
  } catch (error) {
    const printed = typeof error === "object" && error !== null && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`${command} ${args.join(" ")}: ${String(error)}\n${printed}`, { cause: error });
  }
}

/** The TypeScript of a page's examples, as one program. */
export async function programOf(page: string): Promise<string> {
  const text = await readFile(path.join(ROOT, page), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code).join("\n");
}

/** TypeScript as most users have it. */
export const TSC = path.join(ROOT, "packages", "client", "node_modules", "typescript", "bin", "tsc");

export const PUBLINT = path.join(ROOT, "node_modules", "publint", "src", "cli.js");
export const ATTW = path.join(ROOT, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
