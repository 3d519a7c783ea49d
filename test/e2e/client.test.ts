import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { type SharedService, sharedService } from "#test/start-service";

const CLIENTS = path.join(ROOT, "test", "clients");
const run = promisify(execFile);
let service: SharedService | undefined;
let folder = "";

beforeAll(async () => {
  service = await sharedService();
  // Inside the repository, so that the client finds its packages.
  await mkdir(path.join(ROOT, ".edgewise"), { recursive: true });
  folder = await mkdtemp(path.join(ROOT, ".edgewise", "client-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function node(...args: string[]): Promise<string> {
  return (await run(process.execPath, args, { cwd: folder })).stdout;
}

it("openapi-typescript makes types of the served document, by which a client compiles and calls", async () => {
  if (service === undefined) throw new Error("The service is not up.");
  await writeFile(path.join(folder, "openapi.json"), await (await fetch(`${service.url}/openapi.json`)).text());
  await node(path.join(CLIENTS, "node_modules", "openapi-typescript", "bin", "cli.js"), "openapi.json", "-o", "schema.d.ts");
  await copyFile(path.join(CLIENTS, "call.ts"), path.join(folder, "call.ts"));
  await copyFile(path.join(CLIENTS, "tsconfig.json"), path.join(folder, "tsconfig.json"));
  await node(path.join(ROOT, "node_modules", "typescript", "bin", "tsc"), "-p", folder);
  expect(JSON.parse(await node("call.ts", service.url, service.key))).toEqual({
    health: "ok",
    added: 201,
    memory: "Alice is allergic to peanuts.",
    total: 1,
    hit: "Alice is allergic to peanuts.",
    missing: "not_found",
    appended: 201,
    misspelled: ["user_id", "query"],
  });
});
