import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, request as send } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { shellBlocks } from "#test/documented-calls";
import { type SharedService, sharedService } from "#test/start-service";

const BASELINE = path.join(ROOT, "test/e2e/mcp-not-applicable.yml");

let service: SharedService;
let personal = "";
/** For the settings that the inspector writes. */
let home = "";
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "edgewise-mcp-"));
  service = await sharedService();
  const made = await fetch(`${service.url}/v1/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "desk", permissions: ["read", "write"], userId: "alice" }),
  });
  personal = keyIn(await made.json());
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

function keyIn(answer: unknown): string {
  const key = typeof answer === "object" && answer !== null && "key" in answer ? answer.key : null;
  if (typeof key !== "string") throw new Error("No key was made.");
  return key;
}

type Ran = { code: number | null; out: string; errors: string };

/** Runs a package's program with its own output; it finds no configuration of the developer's. */
async function run(program: string, args: readonly string[]): Promise<Ran> {
  return await start(process.execPath, [path.join(ROOT, "node_modules", program), ...args]);
}

async function start(command: string, args: readonly string[], cwd = home): Promise<Ran> {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, NO_COLOR: "1", EDGEWISE_KEY: service.key },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data) => out.push(String(data)));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out: out.join(""), errors: errors.join("") };
}

const CONFORMANCE = "@modelcontextprotocol/conformance/dist/index.js";
const INSPECTOR = ".bin/mcp-inspector";

/** Passes requests on with the key: the conformance suite has no option for headers. */
async function withKey(): Promise<{ url: string; server: Server }> {
  const to = new URL(service.url);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const authorized = { ...headers, authorization: `Bearer ${personal}` };
    const forwarded = send({ host: to.hostname, port: to.port, path: url, method, headers: authorized }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return { url: `http://127.0.0.1:${address.port}/mcp`, server };
}

it("passes every scenario of the conformance suite that applies to it", async () => {
  const { url, server } = await withKey();
  try {
    const { code, out, errors } = await run(CONFORMANCE, ["server", "--url", url, "--expected-failures", BASELINE]);
    expect(code, out + errors).toBe(0);
    for (const scenario of ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"])
      expect(out).toContain(`✓ ${scenario}: 1 passed, 0 failed`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe("the inspector's command line", () => {
  const inspect = async (...args: string[]) =>
    await run(INSPECTOR, [
      "--cli",
      `${service.url}/mcp`,
      "--transport",
      "http",
      "--header",
      `Authorization: Bearer ${personal}`,
      ...args,
    ]);

  it("lists tools whose schemas every kind of client can convert", async () => {
    const { code, out, errors } = await inspect("--method", "tools/list", "--strict");
    expect(code, errors).toBe(0);
    expect(errors).not.toMatch(/warning|error/i);
    expect(JSON.parse(out).tools).toHaveLength(8);
  });

  it("remembers, finds, and reads the profile", async () => {
    const call = ["--method", "tools/call", "--tool-name"];
    const stored = await inspect(...call, "remember", "--tool-arg", "content=I drink oolong tea.", "type=preference");
    expect(stored.out, stored.errors).toContain("Remembered: mem_");
    expect((await inspect(...call, "search", "--tool-arg", "query=Which tea?")).out).toContain("I drink oolong tea.");
    expect((await inspect("--method", "resources/read", "--uri", "edgewise://profile")).out).toContain("## preferences");
  });
});

describe.each(["legacy", "auto"] as const)("the official client, version negotiation %s", (mode) => {
  it("calls a tool over HTTP", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${personal}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "legacy" ? "2025-11-25" : "2026-07-28");
    const { content } = await client.callTool({ name: "people", arguments: {} });
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("alice") }]);
    await client.close();
  });
});

describe("without a client library", () => {
  // Stored by the API, found over MCP.
  beforeAll(async () => {
    const stored = await fetch(`${service.url}/v1/memories`, {
      method: "POST",
      headers: { authorization: `Bearer ${personal}`, "content-type": "application/json" },
      body: JSON.stringify({ content: "I sail a small boat." }),
    });
    expect(stored.ok).toBe(true);
  });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search", arguments: { query: "boat" } } };
  const post = async (headers: Record<string, string>, body: unknown = call) =>
    await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify(body),
    });

  it("is one POST of the 2025 era", async () => {
    const answer = await post({ authorization: `Bearer ${personal}` });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(await answer.text()).toContain("I sail a small boat.");
  });

  it("is one POST of 2026, answered as plain JSON", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "search" };
    const answer = await post(
      { authorization: `Bearer ${personal}`, ...headers },
      { ...call, params: { ...call.params, _meta } },
    );
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await answer.json()).toMatchObject({ result: { structuredContent: { results: [{ text: "I sail a small boat." }] } } });
  });

  it("is closed to a page of a host that was rebound to this machine: it has no key", async () => {
    const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const headers = { host: "evil.example", origin: "http://evil.example", "content-type": "application/json" };
      const asked = send({ host: hostname, port, path: "/mcp", method: "POST", headers }, (answer) => {
        const parts: string[] = [];
        answer.on("data", (part) => parts.push(String(part)));
        answer.on("end", () => resolve({ status: answer.statusCode, body: parts.join("") }));
      });
      asked.on("error", reject);
      asked.end(JSON.stringify(call));
    });
    expect([status, JSON.parse(body).code]).toEqual([401, "unauthenticated"]);
  });
});

describe("docs/mcp.md", () => {
  let page = "";
  let setUp = "";
  beforeAll(async () => {
    const read = async (file: string) =>
      (await readFile(path.join(ROOT, file), "utf8"))
        .replaceAll("$(npm run --silent dev:key)", service.key)
        .replaceAll("http://127.0.0.1:8787", service.url);
    page = await read("docs/mcp.md");
    setUp = shellBlocks(await read("README.md")).find((block) => block.startsWith("KEY=")) ?? "";
  });

  it("has calls and programs that run as they are written", async () => {
    const [remember = "", key = "", inspect = ""] = shellBlocks(page);
    const bash = async (script: string) => (await start("bash", ["-c", `${setUp}\n${script}`], ROOT)).out;
    expect(await bash(remember)).toMatch(/^data: .*"text":"Remembered: mem_/m);
    expect(await bash(key)).toContain('"key":"ew_');
    expect(await bash(inspect)).toContain('"title": "I prefer window seats."');
    expect(await program(/^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "")).toContain("I prefer window seats.");
  });

  it("has configurations that are JSON and name the address", () => {
    const [, ...configurations] = [...page.matchAll(/^```(json|)\n([\s\S]*?)^```$/gm)].map(([, , text = ""]) => text);
    const parsed = configurations.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text));
    expect(parsed).toMatchObject([
      { mcpServers: { edgewise: { url: `${service.url}/mcp` } } },
      { servers: { edgewise: { url: `${service.url}/mcp` } } },
    ]);
  });
});

/** Runs it from inside the repository, so that it finds the packages that it imports. */
async function program(code: string): Promise<string> {
  await mkdir(path.join(ROOT, ".edgewise"), { recursive: true });
  const folder = await mkdtemp(path.join(ROOT, ".edgewise", "page-"));
  try {
    await writeFile(path.join(folder, "program.ts"), code);
    const { code: status, out, errors } = await start(process.execPath, [path.join(folder, "program.ts")]);
    expect(status, errors).toBe(0);
    return out;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
