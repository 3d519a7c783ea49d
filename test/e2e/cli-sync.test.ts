import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type PackedCli, packCli } from "#test/packed-packages";
import { nodesOfMachine, type Ran, runProgram } from "#test/run-program";
import { type SharedService, sharedService } from "#test/start-service";

type File = { id: string; path: string; status: string };
type Answer = {
  dryRun: boolean;
  created: string[];
  replaced: string[];
  unchanged: number;
  deleted: string[];
  skipped: { path: string; reason: string }[];
};

let service: SharedService;
let cli: PackedCli;
let folder = "";
let outside = "";
let sources = 0;
let source = "";
let watcher: ChildProcess | undefined;

beforeAll(async () => {
  [service, cli] = await Promise.all([sharedService(), packCli()]);
});
afterAll(async () => {
  await cli?.remove();
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "edgewise-sync-"));
  outside = await mkdtemp(path.join(tmpdir(), "edgewise-outside-"));
  sources += 1;
  source = `docs-${sources}`;
  await write("a.md", "# One\n\nThe first file.");
  await write("deep/er/b.md", "The second file.");
  await write("node_modules/c.js", "never");
  await write("draft.tmp", "never");
  await write(".edgewiseignore", "*.tmp\n");
});
afterEach(async () => {
  watcher?.kill("SIGKILL");
  watcher = undefined;
  for (const one of [folder, outside]) await rm(one, { recursive: true, force: true });
});

async function write(name: string, text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}

const program = () => path.join(cli.folder, "node_modules", "@edgewise", "cli", "dist", "edgewise.js");
const env = () => ({ EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key, HOME: outside });

async function edgewise(args: readonly string[], node = process.execPath): Promise<Ran> {
  return await runProgram(node, [program(), ...args], { env: env() });
}

async function sync(...more: string[]): Promise<Answer> {
  const { out, err } = await edgewise(["sync", folder, "--source", source, "--json", ...more]);
  if (out === "") throw new Error(err);
  return asAnswer(out);
}

function asAnswer(text: string): Answer {
  return JSON.parse(text) as Answer;
}

async function stored(): Promise<File[]> {
  const headers = { authorization: `Bearer ${service.key}` };
  const response = await fetch(`${service.url}/v1/sources/${source}/files?limit=100`, { headers });
  const { items = [] } = (await response.json()) as { items?: File[] };
  return items;
}

const paths = async () => (await stored()).map((file) => file.path);

it.each(nodesOfMachine())("uploads what is new or changed, with %s", async (node) => {
  const first = await edgewise(["sync", folder, "--source", source, "--name", "Docs"], node);
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining("+ deep/er/b.md"), err: "" });
  expect(await paths()).toEqual(["a.md", "deep/er/b.md"]);
  await expect.poll(async () => (await stored()).map(({ status }) => status)).toEqual(["ready", "ready"]);
  await write("a.md", "# One\n\nThe first file, changed.");
  await write("new.md", "The third file.");
  expect(await sync("--dry-run")).toMatchObject({ dryRun: true, created: ["new.md"], replaced: ["a.md"], unchanged: 1 });
  expect(await sync()).toMatchObject({ created: ["new.md"], replaced: ["a.md"], unchanged: 1, deleted: [], skipped: [] });
  expect(await sync()).toMatchObject({ created: [], replaced: [], unchanged: 3 });
});

it("deletes what is gone only if it is told to", async () => {
  await sync();
  await rm(path.join(folder, "a.md"));
  expect((await sync()).deleted).toEqual([]);
  expect(await sync("--delete", "--dry-run")).toMatchObject({ deleted: ["a.md"] });
  expect(await paths()).toContain("a.md");
  expect((await sync("--delete")).deleted).toEqual(["a.md"]);
  expect(await paths()).toEqual(["deep/er/b.md"]);
});

it("reports what it leaves out: empty and large files, and links that lead out", async () => {
  await write("empty.md", "");
  await write("large.bin", new Uint8Array(25 * 1024 * 1024 + 1));
  await writeFile(path.join(outside, "secret.md"), "not in the folder");
  await symlink(outside, path.join(folder, "out"));
  await symlink(path.join(folder, "deep"), path.join(folder, "again"));
  const ran = await edgewise(["sync", folder, "--source", source]);
  expect(ran.code).toBe(1);
  for (const name of ["empty.md", "large.bin", "out"]) expect(ran.err).toContain(`Skipped: ${name}: `);
  expect(await paths()).toEqual(["a.md", "again/er/b.md"]);
});

it("lists what the service could not read, with its reasons", async () => {
  await write("broken.pdf", "%PDF-1.7 and nothing else");
  const ran = await edgewise(["sync", folder, "--source", source]);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("Not read: broken.pdf: ");
  expect(ran.out).toContain("! broken.pdf\n2 new, 0 changed, 0 deleted, 0 unchanged, 0 skipped, 1 not read");
  expect(ran.out).not.toContain("+ broken.pdf");
  expect(await sync()).toMatchObject({ unchanged: 3, failed: [{ path: "broken.pdf", reason: expect.any(String) }] });
});

it("says what is wrong, with an exit code", async () => {
  expect((await edgewise(["sync", path.join(folder, "none"), "--source", source])).code).toBe(2);
  expect((await edgewise(["sync", folder])).code).toBe(2);
  expect((await edgewise(["sync", folder, "--source", source, "--watch", "--dry-run"])).code).toBe(2);
  expect((await edgewise(["sync", folder, "--source", source, "--project", "none", "--user", "ann"])).code).toBe(4);
  expect((await edgewise(["sync", folder, "--source", source, "--project", "none", "--user", "ann", "--dry-run"])).code).toBe(4);
});

it("says of a source that does not exist what would be uploaded, and does not make it", async () => {
  const dry = await sync("--delete", "--dry-run");
  expect(dry).toMatchObject({ dryRun: true, created: ["a.md", "deep/er/b.md"], replaced: [], deleted: [], unchanged: 0 });
  expect(await sync("--dry-run")).toMatchObject({ created: ["a.md", "deep/er/b.md"] });
});

it.each(nodesOfMachine())("watches: creates, changes, renames and deletes, and ends with Ctrl-C, with %s", async (node) => {
  watcher = spawn(node, [program(), "sync", folder, "--source", source, "--watch", "--delete", "--json"], {
    env: { PATH: process.env.PATH, ...env() },
    stdio: "pipe",
  });
  let out = "";
  watcher.stdout?.setEncoding("utf8").on("data", (part: string) => {
    out += part;
  });
  const ended = new Promise<number | null>((resolve) => watcher?.on("close", resolve));
  await expect.poll(paths).toEqual(["a.md", "deep/er/b.md"]);
  // Whatever changes before the watcher is ready would be seen at the next run only.
  await expect
    .poll(
      async () => {
        await write("probe.md", `Is it watching? ${Math.random()}`);
        return await paths();
      },
      { interval: 1_000 },
    )
    .toContain("probe.md");
  await write("deep/new.md", "A new file.");
  await write("ignored.tmp", "never");
  await expect.poll(paths).toContain("deep/new.md");
  const before = (await stored()).find((file) => file.path === "a.md");
  await write("a.md", "# One\n\nChanged while it was watched.");
  await expect.poll(() => out).toContain('"replaced":["a.md"]');
  expect((await stored()).find((file) => file.path === "a.md")?.id).toBe(before?.id);
  await rename(path.join(folder, "deep", "er", "b.md"), path.join(folder, "renamed.md"));
  await expect.poll(paths).toEqual(["a.md", "deep/new.md", "probe.md", "renamed.md"]);
  await rm(path.join(folder, "deep"), { recursive: true });
  await expect.poll(paths).toEqual(["a.md", "probe.md", "renamed.md"]);
  watcher.kill("SIGINT");
  expect(await ended).toBe(0);
  const answers = out.trim().split("\n").map(asAnswer);
  expect(answers.flatMap(({ created }) => created)).toContain("renamed.md");
  expect(answers.flatMap(({ created }) => created)).not.toContain("ignored.tmp");
});
