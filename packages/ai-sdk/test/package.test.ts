import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "../../../test/support/chat-server.ts";
import { ATTW, type Installed, installPacked, PUBLINT, programOf, TSC } from "../../../test/support/packed-packages.ts";
import { type SharedService, sharedService } from "../../../test/support/start-service.ts";

const MODULES = path.join(import.meta.dirname, "..", "node_modules");
const VERSIONS: { major: string; links: Record<string, string> }[] = [
  // The repository's own.
  { major: "6", links: {} },
  {
    major: "7",
    links: {
      ai: path.join(MODULES, "ai"),
      "@ai-sdk/openai-compatible": path.join(MODULES, "@ai-sdk", "openai-compatible"),
    },
  },
];

let service: SharedService;
let model: ChatServer;
beforeAll(async () => {
  model = await startChatServer();
  service = await sharedService();
});
afterAll(async () => {
  await model?.close();
});

describe.each(VERSIONS)("the packed package with ai $major", ({ major, links }) => {
  let installed: Installed;
  beforeAll(async () => {
    installed = await installPacked(["client", "ai-sdk"], links);
    await writeFile(path.join(installed.folder, "readme.ts"), await programOf("packages/ai-sdk/README.md"));
  });
  afterAll(async () => await installed?.remove());

  it("is what publint and attw find no fault with", async () => {
    await installed.run(process.execPath, [PUBLINT, "run", installed.tarball("ai-sdk"), "--strict"]);
    await installed.run(process.execPath, [ATTW, installed.tarball("ai-sdk"), "--profile", "esm-only"]);
  });

  it("finds that version of ai", async () => {
    const version = await installed.run(process.execPath, ["-p", "require('ai/package.json').version"]);
    expect(version.split(".")[0]).toBe(major);
  });

  it.each([
    { module: "node16", moduleResolution: "node16" },
    { module: "esnext", moduleResolution: "bundler" },
  ])("compiles what the README shows ($moduleResolution)", async (resolution) => {
    const compilerOptions = { target: "es2022", strict: true, skipLibCheck: true, types: ["node"], outDir: "out", ...resolution };
    await writeFile(path.join(installed.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["readme.ts"] }));
    await installed.run(process.execPath, [TSC, "-p", "."]);
  });

  it("runs what the README shows", async () => {
    model.requests.length = 0;
    model.answering(({ messages, tools = [] }) => {
      const last = messages.at(-1);
      if (tools.length === 0 || last?.role === "tool") return `I read: ${messages.map(({ content }) => content).join("\n")}`;
      const call = { name: "remember", arguments: JSON.stringify({ statement: "I am allergic to walnuts." }) };
      return { content: null, toolCalls: [{ id: "call_1", type: "function", function: call }] };
    });
    const routeUse = `
      const pending = [];
      const { default: server } = await import("./out/readme.js");
      const body = JSON.stringify({ messages: [{ role: "user", content: "Hello" }] });
      const request = new Request("http://app.test", { method: "POST", body });
      const answer = await server.fetch(request, {}, { waitUntil: (promise) => pending.push(promise) });
      console.log("route:", await answer.text());
      await Promise.all(pending);
      console.log("stored:", pending.length);`;
    await writeFile(path.join(installed.folder, "use.js"), routeUse);
    const env = { EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key, MODEL_URL: model.url };
    const printed = await installed.run(process.execPath, ["use.js"], env);
    expect(printed).toMatch(/I read: <edgewise-memory>[\s\S]*My cat is called Miso\.[\s\S]*What is my cat called\?/);
    expect(printed).toMatch(/"status":"stored"|"status":"known already"/);
    expect(printed).toMatch(/route: I read: [\s\S]*Hello\nstored: 1\n/);
  });
});
