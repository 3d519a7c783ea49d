import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { type ChatServer, repeat, startChatServer } from "#test/chat-server";
import { CHROMIUM, launchChromium, NO_CHROMIUM } from "#test/chromium";
import { shellBlocks } from "#test/documented-calls";
import { type SharedService, sharedService } from "#test/start-service";

const FOLDER = "examples/every-surface";

let service: SharedService;
let models: ChatServer;
let blocks: string[] = [];
let children: ChildProcess[] = [];

beforeAll(async () => {
  if (CHROMIUM === undefined) process.stderr.write(`\n${NO_CHROMIUM}\n\n`);
  [service, models] = await Promise.all([sharedService(), startChatServer({ answering: repeat })]);
  blocks = shellBlocks(await readFile(path.join(ROOT, FOLDER, "README.md"), "utf8"));
  await run(blockWith("build:packages"));
  await run(blockWith('"content":"I am allergic to peanuts."'));
});

afterAll(async () => {
  for (const child of children) child.kill();
  await models?.close();
});

/** The shell example of the page that has these words, without the lines that set its variables. */
function blockWith(words: string): string {
  const block = blocks.find((each) => each.includes(words));
  if (block === undefined) throw new Error(`No example has: ${words}`);
  return block.replaceAll(/^export .*\n/gm, "");
}

function start(script: string, env: Record<string, string> = {}): ChildProcess & { printed: () => string } {
  const variables = { EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key, MODEL_URL: models.url, ...env };
  // `exec`, so that ending the child ends the program.
  const child = spawn("bash", ["-c", script], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const lines: string[] = [];
  child.stdout?.on("data", (data) => lines.push(String(data)));
  child.stderr?.on("data", (data) => lines.push(String(data)));
  return Object.assign(child, { printed: () => lines.join("") });
}

/** What a script prints, which must end well. */
async function run(script: string): Promise<string> {
  const child = start(`set -e\n${script}`);
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  children = children.filter((each) => each !== child);
  expect(code, child.printed()).toBe(0);
  return child.printed();
}

describe(`${FOLDER}/`, () => {
  it("finds the memory with the client", async () => {
    expect(await run(blockWith("find.ts"))).toContain("memory: I am allergic to peanuts.");
  });

  it("finds it over MCP with the inspector", async () => {
    expect(await run(blockWith("mcp-inspector"))).toContain("I am allergic to peanuts.");
  });

  it("finds it on the command line, from the packed file", async () => {
    expect(await run(blockWith("edgewise-cli"))).toContain("I am allergic to peanuts.");
  });

  it("gives it to a model through the AI SDK", async () => {
    expect(await run(blockWith("chat.ts"))).toContain("I am allergic to peanuts.");
  });

  it.skipIf(CHROMIUM === undefined)("finds it from a page of another origin, with tokens that it renews", async () => {
    const server = start(`exec "${process.execPath}" ${FOLDER}/page.ts`, { PORT: "0" });
    await expect.poll(server.printed).toContain("Open http://127.0.0.1:");
    const page = /http:\S+/.exec(server.printed())?.[0] ?? "";
    const allow = blockWith("allowedOrigins").replace("http://127.0.0.1:8080", page).split("\nnpx ")[0] ?? "";
    await run(allow);
    const browser = await launchChromium();
    try {
      await expect(ask(browser, page)).resolves.toContain("I am allergic to peanuts.");
    } finally {
      await browser.close();
    }
  });
});

/** What the page lists, also after its token has been revoked. */
async function ask(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByRole("listitem").filter({ hasText: "peanuts" }).first().waitFor();
  await fetch(`${service.url}/v1/tokens/revoke`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ userId: "alice" }),
  });
  const renewed = page.waitForRequest((request) => request.url().endsWith("/token"));
  await page.getByRole("button", { name: "Ask" }).click();
  await renewed;
  await page.getByRole("listitem").filter({ hasText: "peanuts" }).first().waitFor();
  return await page.getByRole("listitem").allTextContents();
}
