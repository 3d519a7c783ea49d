import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { type ChatBody, textOf } from "#test/chat-answers";
import { type ChatServer, startChatServer } from "#test/chat-server";
import { installIn, packPackage } from "#test/packed-packages";
import { nodesOfMachine } from "#test/run-program";
import { type SharedService, sharedService } from "#test/start-service";

const CLIENT = path.join(ROOT, "packages", "client");
const run = promisify(execFile);
let service: SharedService;
let models: ChatServer;
let folder = "";
let tarball = "";

beforeAll(async () => {
  [service, models] = await Promise.all([sharedService(), startChatServer({ answering: answersFromMemory })]);
  await fetch(`${service.url}/v1/settings`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ upstream: { url: models.url } }),
  });
  // Outside the repository, so that nothing but what is installed is found.
  folder = await mkdtemp(path.join(tmpdir(), "edgewise-typed-client-"));
  tarball = await packPackage("client", folder);
  await installIn(folder, [tarball]);
  await mkdir(path.join(folder, "node_modules", "@types"));
  await symlink(path.join(ROOT, "node_modules", "@types", "node"), path.join(folder, "node_modules", "@types", "node"));
});

afterAll(async () => {
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A model that knows the cat's name only from the memory that it is sent. */
function answersFromMemory({ messages }: ChatBody): string {
  const memory = messages.flatMap(({ content }) => textOf(content).split("\n")).filter((line) => line.startsWith("[M"));
  return memory.some((line) => line.includes("Miso")) ? "Your cat is called Miso." : "I do not know.";
}

/** The README's examples as one program: the first one, and each further one in a block of its own. */
async function readmeProgram(): Promise<string> {
  const page = await readFile(path.join(CLIENT, "README.md"), "utf8");
  const [first = "", ...others] = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  return [first, ...others.map((code) => `{\n${code}}\n`)].join("");
}

/** What the comments of a program say that it prints. */
function announced(program: string): string[] {
  return [...program.matchAll(/console\.log\(.*\);\s*\/\/ (.*)$/gm)].map(([, text = ""]) => text);
}

/** Compiles `program.ts` of the folder with the package's own TypeScript, as strictly as it can. */
async function compile(module: "node16" | "esnext", moduleResolution: "node16" | "bundler"): Promise<void> {
  const options = {
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    strict: true,
  };
  const strict = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true };
  const compilerOptions = { ...options, ...strict, module, moduleResolution, outDir: "out", skipLibCheck: false };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const tsc = path.join(CLIENT, "node_modules", "typescript", "bin", "tsc");
  await run(process.execPath, [tsc, "-p", folder]).catch(({ stdout }: { stdout: string }) => expect.fail(stdout));
}

describe("@edgewise/client, packed and installed", () => {
  it("does what its README says, in each Node of this machine", async () => {
    const program = await readmeProgram();
    await writeFile(path.join(folder, "program.ts"), program);
    await compile("node16", "node16");
    const compiled = await readFile(path.join(folder, "out", "program.js"), "utf8");
    for (const [index, node] of nodesOfMachine().entries()) {
      const user = `user-${index}`;
      const named = compiled
        .replaceAll("http://127.0.0.1:8787", service.url)
        .replaceAll("alice", user)
        .replaceAll(/"(chat-\d|note-\d+)"/g, `"${user}-$1"`);
      const file = path.join(folder, "out", `program-${index}.js`);
      await writeFile(file, named);
      const env = { ...process.env, EDGEWISE_KEY: service.key };
      const { stdout } = await run(node, [file], { cwd: folder, env });
      expect(stdout.trim().split("\n"), node).toEqual(announced(program));
    }
  });

  it("compiles for a bundler too, and refuses what the API does not have", async () => {
    await writeFile(path.join(folder, "program.ts"), `${await readmeProgram()}\n${MISUSE}`);
    await compile("esnext", "bundler");
  });

  it("is a package that publint and attw accept, and keeps its limit of size", async () => {
    const bin = (name: string) => path.join(ROOT, "node_modules", ".bin", name);
    await run(bin("publint"), ["run", tarball, "--strict"]);
    await run(bin("attw"), ["--profile", "esm-only", tarball]);
    await run(bin("size-limit"), [], { cwd: CLIENT });
  });
});

const MISUSE = `
// @ts-expect-error: there is no such field.
edgewise.search({ user_id: "alice", query: "" });
// @ts-expect-error: there is no such method.
edgewise.memories.find({ userId: "alice" });
// @ts-expect-error: a part of the address is missing.
edgewise.memories.get({ userId: "alice" });
// @ts-expect-error: nothing can be added without content.
edgewise.memories.add({ userId: "alice" });
// @ts-expect-error: one person is not a list.
for await (const _ of edgewise.people.me({ userId: "alice" }));
// @ts-expect-error: the content of a write may be absent.
(await edgewise.memories.add({ userId: "alice", content: "a" })).content.length;
(await edgewise.memories.get({ memoryId: "mem_1", userId: "alice" })).content.length;
(await edgewise.memories.add({ userId: "alice", memories: [{ content: "a" }] })).items.map(({ id }) => id.length);
(await edgewise.keys.create({ name: "a", permissions: ["read"] })).key.length;
edgewise.settings.get();
for await (const event of edgewise.responses.create({ model: "m", input: "a", userId: "alice", stream: true })) event.type.length;
for await (const line of edgewise.audit.export({ from: 1 })) line.length;
`;
