import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { type PackedCli, packCli } from "#test/packed-packages";
import { nodesOfMachine, type Ran, runBash, runProgram } from "#test/run-program";
import { type SharedService, sharedService } from "#test/start-service";
// biome-ignore lint/style/noRestrictedImports: archives are made as in the tests of the command line.
import { zipOf } from "../../packages/cli/src/import/zip-archive.ts";

let service: SharedService;
let cli: PackedCli;
let config = "";

beforeAll(async () => {
  [service, cli] = await Promise.all([sharedService(), packCli()]);
  config = await mkdtemp(path.join(tmpdir(), "edgewise-config-"));
});

afterAll(async () => {
  await cli?.remove();
  await rm(config, { recursive: true, force: true });
});

type Options = { node?: string; env?: NodeJS.ProcessEnv; input?: string };

/** One command of the installed program, with the key and the address in the environment unless `env` says otherwise. */
function edgewise(args: readonly string[], { node = process.execPath, env = credentials(), input }: Options = {}): Promise<Ran> {
  const program = path.join(cli.folder, "node_modules", "@edgewise", "cli", "dist", "edgewise.js");
  return runProgram(node, [program, ...args], { env: { HOME: config, ...env }, input });
}

const credentials = () => ({ EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key });

/** The JSON that a command printed. The test names the part that it looks at. */
async function json<T>(args: readonly string[], options: Options = {}): Promise<T> {
  const { code, out, err } = await edgewise([...args, "--json"], options);
  if (code !== 0) throw new Error(`edgewise ${args.join(" ")} ended with ${code}: ${err}`);
  return asJson<T>(out);
}

function asJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

type Imported = { repeated: boolean; statistics: { stored: number } };
type Item = { id: string; content: string };

describe.each(nodesOfMachine())("with %s", (node) => {
  const user = `ann-${nodesOfMachine().indexOf(node)}`;
  const on = (options: Options = {}) => ({ ...options, node });

  it("stores, finds, shows and forgets", async () => {
    const added = await json<Item>(
      ["add", "I prefer window seats on night trains", "--user", user, "--type", "preference"],
      on(),
    );
    expect(added).toMatchObject({ id: expect.stringMatching(/^mem_/), type: "preference", created: true });
    const piped = await edgewise(["add", "-", "--user", user, "--slot", "city"], on({ input: "I live in Lisbon\n" }));
    expect(piped).toMatchObject({ code: 0, out: expect.stringMatching(/^Stored: mem_/), err: "" });
    const found = await edgewise(["search", "window seats", "--user", user], on());
    expect(found.out).toContain("  I prefer window seats on night trains\n");
    expect((await json<{ hits: Item[] }>(["search", "window seats", "--user", user, "--limit", "1"], on())).hits).toMatchObject([
      { content: "I prefer window seats on night trains" },
    ]);
    expect((await edgewise(["context", "a night train", "--user", user], on())).out).toMatch(
      /^<edgewise-memory>[\s\S]*window seats/,
    );
    expect((await edgewise(["profile", "--user", user], on())).out).toContain("Preferences\n  I prefer window seats");
    const planned = await json<{ dryRun: boolean; items: Item[] }>(["forget", added.id, "--user", user, "--dry-run"], on());
    expect(planned).toMatchObject({ dryRun: true, items: [{ id: added.id }] });
    const asked = await edgewise(["forget", added.id, "--user", user], on());
    expect(asked).toMatchObject({ code: 2, out: "", err: expect.stringContaining("--yes") });
    expect((await edgewise(["search", "window seats", "--user", user], on())).out).toContain("window seats");
    const gone = await json<{ items: Item[] }>(["forget", "--text", "window seats", "--user", user, "--yes"], on());
    expect(gone.items.map(({ id }) => id)).toEqual([added.id]);
    expect((await edgewise(["search", "window seats", "--user", user, "--kind", "memory"], on())).out).not.toContain("window");
    expect((await edgewise(["forget", "--undo", added.id, "--user", user], on())).code).toBe(0);
    expect((await edgewise(["search", "window seats", "--user", user], on())).out).toContain("window seats");
  });

  it("lists memories, newest first, one page or all", async () => {
    const own = `lists-${user}`;
    const lines = Array.from({ length: 102 }, (_, i) => `Shelf ${i} holds novels`);
    const memories = lines.map((content) => ({ content, type: "knowledge" }));
    for (const part of [memories.slice(0, 50), memories.slice(50, 100), memories.slice(100)]) {
      const { status } = await fetch(`${service.url}/v1/memories`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
        body: JSON.stringify({ userId: own, memories: part }),
      });
      expect(status).toBe(201);
    }
    await edgewise(["add", "Water the ferns", "--user", own, "--type", "task"], on());
    type Page = { items: Item[]; nextCursor: string | null };
    const page = await json<Page>(["list", "--user", own, "--limit", "2"], on());
    expect(page.items.map(({ content }) => content)).toEqual(["Water the ferns", expect.stringMatching(/^Shelf 10[01] /)]);
    expect(page.nextCursor).not.toBeNull();
    const shown = await edgewise(["list", "--user", own, "--limit", "1"], on());
    expect(shown).toMatchObject({ code: 0, out: expect.stringMatching(/^mem_\S+ · task · \S+\n {2}Water the ferns\n$/) });
    expect(shown.err).toBe("There are more: --all lists them.\n");
    const all = await json<Page>(["list", "--user", own, "--all", "--type", "knowledge"], on());
    expect(new Set(all.items.map(({ content }) => content))).toEqual(new Set(lines));
    expect(all.nextCursor).toBeNull();
    const tasks = await edgewise(["list", "--user", own, "--type", "task"], on());
    expect(tasks).toMatchObject({ out: expect.stringContaining("Water"), err: "" });
    expect(tasks.out).not.toContain("Shelf");
    expect(await edgewise(["list", "--user", own, "--session", "none"], on())).toMatchObject({ code: 4 });
    const nobody = await edgewise(["list", "--user", `nobody-${user}`], on());
    expect(nobody).toMatchObject({ code: 0, out: "", err: "There are no such memories.\n" });
    expect((await edgewise(["list", "--user", own, "--all", "--limit", "2"], on())).code).toBe(2);
  });

  it("looks after keys, jobs and the data", async () => {
    const made = await edgewise(
      ["keys", "create", "Laptop", "--for", user, "--permission", "read,write", "--expires", "30d"],
      on(),
    );
    expect(made.out).toMatch(/^ew_\w+\n$/);
    const key = made.out.trim();
    const [own] = (await json<{ items: { id: string; userId: string }[] }>(["keys", "list"], on())).items;
    expect(own).toMatchObject({ name: "Laptop", userId: user, permissions: ["read", "write"] });
    const personal = { EDGEWISE_URL: service.url, EDGEWISE_KEY: key };
    expect((await edgewise(["profile"], on({ env: personal }))).out).toContain("Preferences");
    expect((await edgewise(["jobs", "list"], on({ env: personal }))).code).toBe(3);
    expect(await json(["status"], on({ env: personal }))).toMatchObject({ working: true, health: null, usage: null });
    const refused = await edgewise(["keys", "revoke", own?.id ?? ""], on());
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    expect((await edgewise(["keys", "revoke", own?.id ?? "", "--yes"], on())).code).toBe(0);
    const jobs = (await json<{ items: { id: string; kind: string }[] }>(["jobs", "list", "--limit", "5"], on())).items;
    expect((await edgewise(["jobs", "show", jobs[0]?.id ?? ""], on())).out).toContain(jobs[0]?.kind);
    expect((await edgewise(["jobs", "show", "job_none"], on())).code).toBe(4);
    expect(await json(["jobs", "retry", "--failed"], on())).toEqual({ rerun: 0 });
    expect(await json(["doctor"], on())).toMatchObject({ healthy: true, complete: true, nextCursor: null });
    expect(await json(["doctor", "--repair"], on())).toMatchObject({ dryRun: false, complete: true });
    expect(await json(["status"], on())).toMatchObject({ url: service.url, working: true, health: { working: true } });
    expect((await edgewise(["status"], on())).out).toContain("database");
  });

  it("imports an archive of chats, once, and what came before a break", async () => {
    const importer = `${user}-importer`;
    const chat = (id: string, text: string) => ({
      uuid: id,
      name: `About ${id}`,
      chat_messages: [{ uuid: `${id}-1`, sender: "human", text }],
    });
    const chats = [chat(`${user}-heron`, "The heron nests early"), { name: "Lost", chat_messages: [] }];
    const file = path.join(config, `${user}.zip`);
    await writeFile(file, zipOf([{ name: "conversations.json", content: JSON.stringify(chats) }]));
    const command = ["import", file, "--user", importer];
    const planned = await json<Imported>([...command, "--dry-run"], on()).catch((error: Error) => error.message);
    expect(planned).toContain("ended with 1");
    const done = await edgewise([...command, "--extraction", "off"], on());
    expect(done).toMatchObject({ code: 1, err: "" });
    expect(done.out).toContain("Stored 1 new conversation with 1 message; 0 grew, 0 known already.");
    expect(done.out).toContain("  Lost: It has no uuid.");
    expect(await json<Imported>(command, on())).toMatchObject({ repeated: true, statistics: { stored: 1 } });
    expect((await edgewise([...command, "--again"], on())).out).toContain(
      "Stored 0 new conversations with 0 messages; 0 grew, 1 known already.",
    );
    expect((await edgewise(["search", "heron", "--user", importer], on())).out).toContain("The heron nests early");
    const cut = path.join(config, `${user}.json`);
    const whole = JSON.stringify([chat(`${user}-otter`, "The otter sleeps"), chat(`${user}-cut`, "Never")]);
    await writeFile(cut, whole.slice(0, -30));
    const broken = await edgewise(["import", cut, "--user", importer], on());
    expect(broken.out).toContain(`is broken at byte ${whole.length - 30}. What came before it was imported.`);
    expect([broken.code, (await edgewise(["search", "otter", "--user", importer], on())).code]).toEqual([1, 0]);
    const wrong = await edgewise(["import", file, "--user", importer, "--platform", "chatgpt"], on());
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("These are of Claude")]);
  });

  it("makes tokens of one user", async () => {
    const made = await edgewise(["tokens", "create", "--user", user, "--expires-in", "5m", "--read-only"], on());
    expect(made.out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const own = { EDGEWISE_URL: service.url, EDGEWISE_KEY: made.out.trim() };
    expect((await edgewise(["profile"], on({ env: own }))).out).toContain("Preferences");
    expect((await edgewise(["profile", "--user", "somebody-else"], on({ env: own }))).code).toBe(3);
    expect((await edgewise(["add", "I own a piano"], on({ env: own }))).code).toBe(3);
    const { expiresAt } = await json<{ expiresAt: string }>(["tokens", "create", "--user", user, "--expires-in", "90s"], on());
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(90_000);
    expect((await edgewise(["tokens", "create"], on())).code).toBe(2);
  });

  it("has an exit code for each way to fail", async () => {
    const code = async (args: string[], env?: NodeJS.ProcessEnv) =>
      (await edgewise(args, on(env === undefined ? {} : { env }))).code;
    expect(await code(["search", "x", "--user", user])).toBe(0);
    expect(await code(["search", "x"])).toBe(2);
    expect(await code(["serach", "x"])).toBe(2);
    expect(await code(["add", "my password is hunter2", "--user", user])).toBe(2);
    expect(await code(["search", "x", "--user", user], { EDGEWISE_URL: service.url })).toBe(3);
    expect(await code(["search", "x", "--user", user], { EDGEWISE_URL: service.url, EDGEWISE_KEY: "ew_wrong" })).toBe(3);
    expect(await code(["forget", "mem_none", "--yes", "--user", user])).toBe(4);
    expect(await code(["answer", "What is my second favorite color?", "--user", user])).toBe(4);
    expect(await code(["--version"])).toBe(0);
  });
});

it("stores a login in a file that only its owner can read, and uses it", async () => {
  const env = { XDG_CONFIG_HOME: path.join(config, "login") };
  const login = ["login", "--url", `${service.url}/v1/`, "--key-stdin", "--user", "bea"];
  const wrong = await edgewise(login, { env, input: "ew_wrong" });
  expect(wrong).toMatchObject({ code: 3, out: "" });
  await expect(stat(path.join(env.XDG_CONFIG_HOME, "edgewise"))).rejects.toThrow("ENOENT");
  const right = await edgewise(login, { env, input: `${service.key}\n` });
  expect(right).toMatchObject({ code: 0, out: expect.stringContaining(`Logged in to ${service.url}.`) });
  expect(right.out + right.err).not.toContain(service.key);
  const file = path.join(env.XDG_CONFIG_HOME, "edgewise", "credentials.json");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await edgewise(["add", "I play the oboe"], { env })).code).toBe(0);
  expect((await edgewise(["profile"], { env })).code).toBe(0);
  expect(await edgewise(["search", "oboe", "--url", "http://127.0.0.1:1"], { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining("There is no key for http://127.0.0.1:1."),
  });
  await chmod(file, 0o644);
  expect(await edgewise(["profile"], { env })).toMatchObject({ code: 3, err: expect.stringContaining("chmod 600") });
  await chmod(file, 0o600);
  expect((await edgewise(["logout"], { env })).code).toBe(0);
  expect(await readFile(file, "utf8")).not.toContain(service.key);
  expect((await edgewise(["profile"], { env })).code).toBe(3);
});

it("never sends stored escape sequences to a terminal, with colour or without, nor as JSON", async () => {
  const hostile = "I like \u001b]0;owned\u0007tea \u009b31m\u202elatte";
  await edgewise(["add", "-", "--user", "cy", "--type", "preference"], { input: hostile });
  const outputs = await Promise.all([
    edgewise(["search", "tea", "--user", "cy"]),
    edgewise(["search", "tea", "--user", "cy", "--json"]),
    edgewise(["profile", "--user", "cy"]),
    edgewise(["context", "tea", "--user", "cy"]),
    edgewise(["forget", "--type", "preference", "--user", "cy", "--dry-run"]),
  ]);
  for (const { code, out, err } of outputs) {
    expect(code).toBe(0);
    expect([...(out + err)].filter((character) => /[\p{Cc}\u202e]/u.test(character) && character !== "\n")).toEqual([]);
  }
  expect(outputs[0]?.out).toContain("\\u{1b}]0;owned");
  expect(asJson<{ hits: Item[] }>(outputs[1]?.out ?? "").hits[0]?.content).toBe(hostile);
});

it("colours only where that is asked for", async () => {
  const coloured = "\u001b[1m";
  await edgewise(["add", "I prefer tea", "--user", "dee"]);
  const args = ["search", "tea", "--user", "dee"];
  expect((await edgewise(args)).out).not.toContain("\u001b");
  expect((await edgewise(args, { env: { ...credentials(), FORCE_COLOR: "1" } })).out).toContain(coloured);
  expect((await edgewise(args, { env: { ...credentials(), NO_COLOR: "1" } })).out).not.toContain("\u001b");
});

it("ends quietly when the reader of its output ends first", async () => {
  await edgewise(["add", "I own a guitar", "--user", "eve"]);
  // `true` ends long before the program has an answer to write.
  const script = `edgewise search guitar --user eve | true; echo "\${PIPESTATUS[0]}"`;
  expect(await runBash(script, { env: onPath() })).toEqual({ code: 0, out: "0\n", err: "" });
});

/** What a user has who installed the program. */
const onPath = () => ({ ...credentials(), PATH: `${cli.bin}:${process.env.PATH}` });

it("starts with npx from the packed file, without a registry", async () => {
  const npm = { npm_config_offline: "true", npm_config_cache: path.join(config, "npm"), npm_config_update_notifier: "false" };
  const file = `./${path.basename(cli.tarball)}`;
  const env = { HOME: config, ...credentials(), ...npm };
  const ran = await runProgram("npx", ["--yes", file, "status"], { env, cwd: path.dirname(cli.tarball) });
  expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(`${service.url} works.`) });
});

describe("completion in bash", () => {
  const complete = async (...words: string[]) => {
    const script = `
      eval "$(edgewise completion bash)"
      COMP_WORDS=(edgewise ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}
      _edgewise; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p edgewise`;
    const { out, err } = await runBash(script, { env: onPath(), cwd: config });
    expect(err).toBe("");
    const lines = out.trimEnd().split("\n");
    expect(lines.pop()).toBe("complete -o default -F _edgewise edgewise");
    return lines;
  };

  it("completes commands, flags and values", async () => {
    expect(await complete("sea")).toEqual(["search"]);
    expect(await complete("list", "--a")).toEqual(["--all"]);
    expect(await complete("keys", "")).toEqual(["list", "create", "revoke", "help"]);
    expect(await complete("search", "--s")).toEqual(["--strategy", "--session"]);
    expect(await complete("search", "--kind", "")).toEqual(["memory", "episode", "chunk"]);
    expect(await complete("keys", "create", "--per")).toEqual(["--permission"]);
  });

  it("does not run what is typed", async () => {
    await complete("search", "$(touch ran)", "`touch ran`", "--");
    await expect(stat(path.join(config, "ran"))).rejects.toThrow("ENOENT");
  });
});

it("prints a script for each shell that it names, and refuses others", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    expect((await edgewise(["completion", shell])).out, shell).toContain("edgewise complete --");
  }
  expect(await edgewise(["completion", "tcsh"])).toMatchObject({ code: 2, out: "" });
});

type Step = { command: string; expected: string };

/** The commands of the page with what it says that they print. */
function stepsOf(page: string): Step[] {
  const [, transcript = ""] = /^```console\n([\s\S]*?)^```$/m.exec(page) ?? [];
  return transcript
    .split(/^\$ /m)
    .slice(1)
    .map((step) => ({ command: step.slice(0, step.indexOf("\n")), expected: step.slice(step.indexOf("\n") + 1) }));
}

it("prints what its page says", async () => {
  const steps = stepsOf(await readFile(path.join(ROOT, "packages", "cli", "README.md"), "utf8"));
  expect(steps.length).toBeGreaterThan(7);
  const env = {
    PATH: onPath().PATH,
    XDG_CONFIG_HOME: path.join(config, "page"),
    EDGEWISE_URL: service.url,
    KEY: service.key,
  };
  for (const { command, expected } of steps) {
    // The key of this test's service is not the one that `npm run dev` made.
    const script = command.replace("npm run --silent dev:key", 'printf %s "$KEY"');
    const { out } = await runBash(`{ ${script}; } 2>&1`, { env });
    const printed = out.replaceAll(service.url, "http://127.0.0.1:8787");
    expect(printed, command).toMatch(patternOf(expected));
  }
});

/** Three dots on the page stand for anything. */
function patternOf(expected: string): RegExp {
  const parts = expected.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*?")}$`);
}
