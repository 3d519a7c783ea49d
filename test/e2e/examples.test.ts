import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { type ChatBody, textOf } from "#test/chat-answers";
import { type ChatServer, startChatServer } from "#test/chat-server";
import { outputsOf, shellBlocks } from "#test/documented-calls";
import { type SharedService, sharedService } from "#test/start-service";

let service: SharedService;
let models: ChatServer;

beforeAll(async () => {
  [service, models] = await Promise.all([sharedService(), startChatServer({ answering: namesMemory })]);
  await fetch(`${service.url}/v1/settings`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ upstream: { url: models.url } }),
  });
});

afterAll(async () => {
  await models?.close();
});

/** A model that says the first line of memory that it was sent. */
function namesMemory({ messages }: ChatBody): string {
  const lines = messages.flatMap(({ content }) => textOf(content).split("\n"));
  return `Memory: ${lines.find((line) => line.startsWith("[M")) ?? "none"}`;
}

type Run = { command: string; args: string[]; input?: string };

/** What a program prints, started in the repository's folder as a user would; fails with its errors if it ends badly. */
async function run({ command, args, input = "" }: Run): Promise<string> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  const [out, errors]: [string[], string[]] = [[], []];
  child.stdout.on("data", (data) => out.push(String(data)));
  child.stderr.on("data", (data) => errors.push(String(data)));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  expect(code, errors.join("") + out.join("")).toBe(0);
  return out.join("");
}

const runFile = (file: string, args: string[] = [], input = "") =>
  run({ command: process.execPath, args: [path.join(ROOT, file), ...args], input });

/** Runs a program of a page from inside the repository, so that it finds the packages that it imports. */
async function runCode(code: string): Promise<string> {
  await mkdir(path.join(ROOT, ".edgewise"), { recursive: true });
  const folder = await mkdtemp(path.join(ROOT, ".edgewise", "page-"));
  try {
    await writeFile(path.join(folder, "program.ts"), code);
    return await runFile(path.relative(ROOT, path.join(folder, "program.ts")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The lines that define `ew`, its key and its address. */
const setUpOf = (page: string) => /^KEY=.*\new\(\).*$/m.exec(page)?.[0] ?? "";

/** The first program of a page. */
const programOf = (page: string) => /^```ts\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "";

/** A page with the addresses and the key of this test's servers. */
async function pageOf(file: string): Promise<string> {
  return (await readFile(path.join(ROOT, file), "utf8"))
    .replaceAll("$(npm run --silent dev:key)", service.key)
    .replaceAll("http://127.0.0.1:8787", service.url)
    .replaceAll("http://127.0.0.1:11436", models.origin);
}

describe("examples/", () => {
  it("group-chat shows each person what they may see", async () => {
    const lines = (await runFile("examples/group-chat/group-chat.ts")).trim().split("\n");
    const inPrivate = lines.indexOf("Alice, in private, asks about her present:");
    const [drinks = [], own = []] = [lines.slice(1, 3), lines.slice(inPrivate + 1, inPrivate + 2)];
    expect(lines[0]).toBe("Alice, in the group, asks what the team drinks:");
    expect(drinks.toSorted().join("\n")).toMatch(
      /said by "Bob"\) Coffee for me, without sugar\.[\s\S]*said by "Alice"\) I only drink oolong tea\./,
    );
    expect(own[0]).toMatch(/^ {2}\[M1\] \([\d :-]+, said by the user\) I am buying Bob a coffee grinder for his birthday\.$/);
    const inGroup = lines.slice(lines.indexOf("Alice, in the group, asks about the present:"));
    expect(inGroup).toContain("Bob, in private, asks about the present:");
    expect(inGroup.join("\n")).not.toContain("grinder");
  });

  it("browser-group has pages that speak for their own user alone", async () => {
    const lines = (await runFile("examples/browser-group/two-browsers.js")).trim().split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "Anna sees:",
      "  anna: I get seasick, so I take ginger.",
      "  ben: I can cook on board on Saturday.",
    ]);
    const told = lines.slice(4, 6).map((line) => line.replace(/^ {2}\[M\d\] \([\d :-]+, /, "("));
    expect(told.toSorted()).toEqual([
      '(said by "Anna") I get seasick, so I take ginger.',
      '(said by "Ben") I can cook on board on Saturday.',
    ]);
    expect(lines.slice(6)).toEqual([
      "Ben cannot speak as Anna:",
      expect.stringMatching(/^ {2}Another participant has this name/),
    ]);
  });

  it("chat-loop remembers an earlier chat of its user, and nobody else's", async () => {
    const chat = "examples/chat-loop/chat.ts";
    expect(await runFile(chat, ["zoe"], "I adopted a cat called Miso.\n")).toBe(
      "you> bot> Memory: none\n     (memory: none)\nyou> ",
    );
    const ask = (user: string) => runFile(chat, [user], "What is my cat called?\n");
    await expect
      .poll(() => ask("zoe"), { timeout: 20_000 })
      .toMatch(/bot> Memory: \[M1\] .*Miso\.\n {5}\(memory: injected; items=\d+; tokens=\d+\)\n/);
    expect(await ask("yan")).not.toContain("Miso");
  });
});

describe("README.md", () => {
  it("has ten lines that run as they are written", async () => {
    const code = programOf(await pageOf("README.md"));
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(12);
    await expect.poll(() => runCode(code), { timeout: 20_000 }).toMatch(/I adopted a cat called Miso in Lisbon\./);
  });

  it("has a tour whose calls answer what the text around them says", async () => {
    const script = shellBlocks(await pageOf("README.md"))
      .filter((block) => /\bew\b/.test(block))
      .join("\n");
    const printed = await run({ command: "bash", args: ["-c", script] });
    const outputs = outputsOf(script, printed);
    const answer = (pattern: RegExp) => outputs.find(({ call }) => pattern.test(call))?.answer;
    const all = (pattern: RegExp) => outputs.filter(({ call }) => pattern.test(call)).map((each) => each.answer);

    expect(outputs.filter((each) => /"status":4/.test(each.answer)).map(({ call }) => call)).toEqual([
      expect.stringContaining("my password is hunter2"),
    ]);
    expect(answer(/search.*"alice".*my cat/)).toContain('"content":"I adopted a cat called Miso in Lisbon."');
    expect(answer(/search.*"bob".*my cat/)).toContain('"hits":[]');
    expect(answer(/context.*"alice".*my cat/)).toContain("called Miso in Lisbon");
    const [outside, after] = all(/search.*"chat-1".*tomatoes/);
    expect([outside, answer(/search.*"chat-2".*tomatoes/), after].map((each) => each?.includes("south wall"))).toEqual([
      false,
      true,
      true,
    ]);
    expect(after).toContain('"visibleBy":"own_private_session"');
    expect(answer(/search.*"bob".*about me/)).toMatch(/Bob (loves pizza|sees a doctor)[\s\S]*Bob (loves pizza|sees a doctor)/);
    expect(answer(/search.*"carol"/)).toContain('"hits":[]');
    expect(answer(/context.*"bob"/)).not.toContain("I prefer dark mode");
    expect(answer(/answer.*second favorite color/)).toContain('"text":"Green."');
    expect(answer(/answer.*TV show/)).toContain('"found":false');
    const learned = () => run({ command: "bash", args: ["-c", `${setUpOf(script)}\new "$U/memories?userId=alice"`] });
    await expect.poll(learned, { timeout: 20_000 }).toContain("I prefer window seats on night trains");
    expect(printed).toMatch(/^x-edgewise-memory: injected; items=\d+; tokens=\d+\r?$/im);
  });
});

describe("docs/", () => {
  it.each([
    "keys",
    "requests",
    "sessions",
    "memories",
    "people",
    "facts",
    "entities",
    "search",
    "context",
    "visibility",
    "extraction",
    "settings",
    "operations",
    "lifecycle",
    "audit",
  ])("%s.md has calls that succeed", async (page) => {
    const text = await pageOf(`docs/${page}.md`);
    const setUp = shellBlocks(await pageOf("README.md")).find((block) => block.startsWith("KEY="));
    const script = [setUp, ...shellBlocks(text).filter((block) => /^ew\b/m.test(block))].join("\n");
    const outputs = outputsOf(script, await run({ command: "bash", args: ["-c", script] }));
    expect(outputs.length).toBeGreaterThan(0);
    expect(outputs.filter(({ answer }) => /"requestId":"[^"]*"/.test(answer) && /"status":[45]/.test(answer))).toEqual([]);
  });

  it("proxy.md has a program that runs", async () => {
    expect(await runCode(programOf(await pageOf("docs/proxy.md")))).toMatch(/^none Memory: none$/m);
  });

  it("errors.md shows an error as it is answered", async () => {
    const page = await pageOf("docs/errors.md");
    const [call = ""] = shellBlocks(page);
    const shown = /^```json\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "";
    const answer: Record<string, unknown> = JSON.parse(
      await run({ command: "bash", args: ["-c", `${setUpOf(await pageOf("README.md"))}\n${call}`] }),
    );
    expect({ ...answer, requestId: "" }).toEqual({ ...JSON.parse(shown), requestId: "" });
  });
});
