import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { shellBlocks } from "#test/documented-calls";
import { type SharedService, sharedService } from "#test/start-service";

/** The calls and programs of docs/tokens.md, as they are written, against a whole service. */
let service: SharedService;
let page = "";
let folder = "";

beforeAll(async () => {
  service = await sharedService();
  page = (await readFile(path.join(ROOT, "docs/tokens.md"), "utf8")).replaceAll("http://127.0.0.1:8787", service.url);
  folder = await mkdtemp(path.join(tmpdir(), "tokens-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1] ?? "";

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, EDGEWISE_KEY: service.key, ...env } });
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data) => out.push(String(data)));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(code, errors.join("") + out.join("")).toBe(0);
  return out.join("");
}

it("has calls that answer as it says", async () => {
  const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
  const setUp = (/^KEY=.*\new\(\).*$/m.exec(readme)?.[0] ?? "")
    .replace("$(npm run --silent dev:key)", service.key)
    .replaceAll("http://127.0.0.1:8787", service.url);
  const printed = await run("bash", ["-e", "-c", [setUp, ...shellBlocks(page).map((code) => `${code.trim()}; echo`)].join("\n")]);
  const answers = printed
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: expect.stringMatching(/^tok_/), token: expect.stringMatching(/^eyJ/), userId: "alice", sessions: null },
    { allowedOrigins: ["https://app.example.com"] },
    { permissions: ["read"], sessions: ["chat-1"] },
    { userId: "alice", issuedBefore: expect.any(String) },
    { rotatedAt: expect.any(String), formerValidUntil: expect.any(String) },
    { identityProvider: { issuer: "https://app.eu.auth0.com/", algorithms: ["RS256"], userClaim: "sub" } },
  ]);
});

it("has a page that works from another origin, and goes on when its token has expired", async () => {
  // The page's own server, and what a browser adds: the origin, and that an answer without CORS headers cannot be read.
  const around = `
    const real = globalThis.fetch;
    let made = 0;
    globalThis.fetch = async (input, init = {}) => {
      if (input === "/edgewise-token") return new Response((made += 1) === 1 ? process.env.EXPIRED : await tokenFor("alice"));
      const headers = { ...init.headers, origin: "https://app.example.com" };
      if (String(input).endsWith("/tokens")) return await real(input, init);
      const answer = await real(input, { ...init, headers });
      if (answer.headers.get("access-control-allow-origin") !== "https://app.example.com") throw new TypeError("Failed to fetch");
      return answer;
    };`;
  const server = block("ts").replace(/^const EDGEWISE.*$/m, "");
  const made = await fetch(`${service.url}/v1/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ userId: "alice", expiresInSeconds: 1 }),
  });
  const { token: expired }: { token: string } = JSON.parse(await made.text());
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const file = path.join(folder, "page.ts");
  await writeFile(file, `// @ts-nocheck\n${server}\n${around}\n${block("js")}\nconsole.log(made);\n`);
  const lines = (await run(process.execPath, [file], { EXPIRED: expired })).trim().split("\n");
  expect(lines).toEqual(["I play the oboe.", "2"]);
});
