import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
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
  for (const name of names) await unpack(name, folder);
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

async function unpack(name: string, folder: string): Promise<void> {
  const own = path.join(folder, `${name}-packed`);
  await mkdir(own);
  await rename(await packPackage(name, own), path.join(folder, `${name}.tgz`));
  await runIn(own, "tar", ["-xzf", path.join(folder, `${name}.tgz`)], {});
  await rename(path.join(own, "package"), path.join(folder, "node_modules", "@edgewise", name));
}

/** Builds a package of `packages/` as it would be published, and returns the tarball in `folder`. */
export async function packPackage(name: string, folder: string): Promise<string> {
  const args = ["pack", "--json", "--pack-destination", folder, "-w", path.join("packages", name)];
  const { stdout } = await run("npm", args, { cwd: ROOT, env: quietEnv() });
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

/** The command line as its users have it: packed, and installed without a registry. */
export type PackedCli = { folder: string; bin: string; tarball: string; remove: () => Promise<void> };

export async function packCli(): Promise<PackedCli> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-cli-"));
  const tarball = await packPackage("cli", folder);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, tarball], { env: quietEnv() });
  const bin = path.join(folder, "node_modules", ".bin");
  return { folder, bin, tarball, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Without what npm tells the programs that it starts about this repository. */
function quietEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));
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
