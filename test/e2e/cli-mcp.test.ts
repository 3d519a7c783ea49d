import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#scripts/port";
import { ERAS, type Era } from "#test/mcp-client";
import { type PackedCli, packCli } from "#test/packed-packages";
import { nodesOfMachine, runProgram } from "#test/run-program";
import { type SharedService, sharedService } from "#test/start-service";

/** `edgewise mcp` as clients start it: the official client drives the installed program, which drives the service. */
let service: SharedService;
let cli: PackedCli;

beforeAll(async () => {
  [service, cli] = await Promise.all([sharedService(), packCli()]);
});

afterAll(async () => {
  await cli?.remove();
});

const credentials = () => ({ EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key });
const program = () => path.join(cli.folder, "node_modules", "@edgewise", "cli", "dist", "edgewise.js");

type Started = { client: Client; errors: () => string };

async function start(era: Era, node: string, user: string): Promise<Started> {
  const transport = new StdioClientTransport({
    command: node,
    args: [program(), "mcp", "--user", user],
    env: { HOME: cli.folder, ...credentials() },
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (part) => {
    errors += String(part);
  });
  const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, errors: () => errors };
}

const cases = ERAS.flatMap((era) => nodesOfMachine().map((node, i) => ({ era, node, user: `josé, o'${era} ${i}` })));

describe.each(cases)("a $era client, over the bridge in $node", ({ era, node, user }) => {
  it("uses the tools, the resource and the prompt of the service for the user that the command line names", async () => {
    const { client, errors } = await start(era, node, user);
    expect(client.getNegotiatedProtocolVersion()).toBe(era === "legacy" ? "2025-11-25" : "2026-07-28");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["search", "remember", "forget", "context"]));
    const content = "I prefer window seats on night trains";
    await client.callTool({ name: "remember", arguments: { content } });
    // Over HTTP, as the same user: the id went through the bridge as it is.
    const search = await runProgram(node, [program(), "search", "window", "--user", user], { env: credentials() });
    expect(search.out).toContain(content);
    const found = await client.callTool({ name: "search", arguments: { query: "window" } });
    expect(JSON.stringify(found.structuredContent)).toContain(content);
    expect(JSON.stringify(await client.readResource({ uri: "edgewise://profile" }))).toContain(content);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["recall"]);
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow("nothing");
    await client.close();
    expect(errors()).toBe("");
  });

  it("gets to each of several requests at once its own answer", async () => {
    const { client } = await start(era, node, user);
    const things = ["guitar", "piano", "violin", "trumpet", "oboe", "harp"];
    await Promise.all(things.map((thing) => client.callTool({ name: "remember", arguments: { content: `I own a ${thing}` } })));
    const answers = await Promise.all(things.map((query) => client.callTool({ name: "search", arguments: { query } })));
    expect(
      answers.map(({ structuredContent }) => things.filter((thing) => firstText(structuredContent).includes(thing))),
    ).toEqual(things.map((thing) => [thing]));
    await client.close();
  });
});

/** The text of the best hit of the tool `search`. */
function firstText(structured: unknown): string {
  const { results } = structured as { results: { text: string }[] };
  return results[0]?.text ?? "";
}

const listTools = { jsonrpc: "2.0", id: 7, method: "tools/list" };

/** What the bridge prints for lines of standard input. */
async function bridge(lines: unknown[], env: NodeJS.ProcessEnv = credentials()) {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { code, out, err } = await runProgram(process.execPath, [program(), "mcp", "--user", "ann"], { env, input });
  return { code, err, answers: out.trimEnd().split("\n").map(asMessage) };
}

type Message = { id: unknown; result?: { tools: unknown[] }; error?: { code: number; message: string } };

function asMessage(line: string): Message {
  return JSON.parse(line) as Message;
}

it("answers what was asked before standard input ended", async () => {
  const { code, answers, err } = await bridge([listTools]);
  expect(answers).toMatchObject([{ id: 7, result: { tools: expect.any(Array) } }]);
  expect([code, err]).toEqual([0, ""]);
});

it("answers a line that is no message, and goes on", async () => {
  const { answers } = await bridge(["hello", '{"jsonrpc":"1.0"}', "", listTools]);
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(
    expect.arrayContaining([
      [null, -32700],
      [7, undefined],
    ]),
  );
  expect(answers).toHaveLength(3);
});

it("tells the client why nothing can be answered, and never the key", async () => {
  const port = await freePort();
  const gone = await bridge([listTools], { ...credentials(), EDGEWISE_URL: `http://127.0.0.1:${port}` });
  expect(gone.answers[0]?.error?.message).toContain(`There is no answer from http://127.0.0.1:${port}.`);
  const wrong = await bridge([listTools], { ...credentials(), EDGEWISE_KEY: "ew_wrong" });
  expect(wrong.answers[0]?.error?.message).toContain(`${service.url} does not accept the key.`);
  expect(JSON.stringify([gone, wrong])).not.toContain(service.key);
  expect(JSON.stringify(wrong)).not.toContain("ew_wrong");
});

it("prints nothing but the protocol to standard output, also when it cannot start", async () => {
  const { code, out, err } = await runProgram(process.execPath, [program(), "mcp"], { env: { HOME: cli.folder } });
  expect(out).toBe("");
  expect(err).toContain("edgewise login");
  expect(code).toBe(3);
});
