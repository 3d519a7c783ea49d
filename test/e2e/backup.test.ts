import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fireCron } from "#scripts/service";
import { type PackedCli, packCli } from "#test/packed-packages";
import { makeRichTenant, questionsOf, type Send } from "#test/rich-tenant";
import { type Ran, runProgram } from "#test/run-program";
import { type Service, startService } from "#test/start-service";

let [first, second]: Service[] = [];
let cli: PackedCli | undefined;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "edgewise-backup-"));
  first = await startService({ cron: false });
  second = await startService({ cron: false });
  cli = await packCli();
}, 480_000);

afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop(), cli?.remove()]);
  await rm(folder, { recursive: true, force: true });
});

function known(service: Service | undefined): Service {
  if (service === undefined) throw new Error("The service is not up.");
  return service;
}

function edgewise(service: Service | undefined, args: readonly string[]): Promise<Ran> {
  if (cli === undefined) throw new Error("The command line is not packed.");
  const program = path.join(cli.folder, "node_modules", "@edgewise", "cli", "dist", "edgewise.js");
  const { url, key } = known(service);
  return runProgram(process.execPath, [program, ...args], { env: { HOME: folder, EDGEWISE_URL: url, EDGEWISE_KEY: key } });
}

function sendTo(service: Service | undefined): Send {
  const { url, key } = known(service);
  return async (method, route, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}${route}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? {} : asObject(JSON.parse(text)) };
  };
}

function asObject(json: unknown): Record<string, unknown> {
  return typeof json === "object" && json !== null ? { ...json } : {};
}

/** Until no job is open. */
async function settle(service: Service | undefined): Promise<void> {
  const send = sendTo(service);
  for (let tries = 0; tries < 120; tries += 1) {
    const open = await Promise.all(["pending", "running"].map((status) => send("GET", `/v1/jobs?status=${status}`)));
    if (open.every(({ json }) => Array.isArray(json.items) && json.items.length === 0)) return;
    if (tries % 10 === 9) await fireCron(known(service).url);
    await sleep(500);
  }
  throw new Error("The jobs never came to an end.");
}

/** How long ago something was is part of no answer here, but scores depend on the moment of the question. */
function withoutScores(value: unknown): unknown {
  if (typeof value === "number") return Math.round(value * 1_000) / 1_000;
  if (Array.isArray(value)) return value.map(withoutScores);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      name === "requestId" || name === "score" ? [] : [[name, withoutScores(inner)]],
    ),
  );
}

it("a backup by the command line is restored into a new deployment, which then answers alike", async () => {
  const made = await makeRichTenant(sendTo(first));
  await settle(first);
  const file = path.join(folder, "backup.jsonl");
  const exported = await edgewise(first, ["export", "--all", "--out", file]);
  expect(exported).toMatchObject({ code: 0, err: "" });
  expect(exported.out).toContain("counts and hashes checked");

  const restored = await edgewise(second, ["import", file]);
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.out).toContain("0 were left out");
  await settle(second);
  for (const { method, path: route, body } of questionsOf(made)) {
    const [before, after] = await Promise.all([first, second].map((service) => sendTo(service)(method, route, body)));
    expect(withoutScores(after), `${method} ${route} ${JSON.stringify(body)}`).toEqual(withoutScores(before));
  }
  expect((await edgewise(second, ["doctor"])).code).toBe(0);
  expect((await edgewise(second, ["import", file])).err).toContain("was imported before");
});

it("a file that was cut off, or changed, is refused before anything is sent", async () => {
  const text = await readFile(path.join(folder, "backup.jsonl"), "utf8");
  const cut = path.join(folder, "cut.jsonl");
  await writeFile(cut, text.slice(0, -200));
  expect(await edgewise(second, ["import", cut])).toMatchObject({ code: 2, err: expect.stringContaining("damaged") });
  await writeFile(cut, text.replace("forty bees", "fifty bees"));
  expect(await edgewise(second, ["import", cut])).toMatchObject({ code: 2, err: expect.stringContaining("episodes") });
});
