import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { findLayerBreaks } from "./layer-breaks.ts";
import { DOMAINS, LAYERS } from "./layers.ts";
import { ROOT } from "./wrangler.ts";

const aliases: Record<string, string> = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).imports;
const breaks = (file: string, text: string) => findLayerBreaks(file, text, aliases);
const importing = (file: string, specifier: string, kind = "") => breaks(file, `import ${kind} { x } from "${specifier}";`);

const FILES = {
  core: "src/core/ids.ts",
  ports: "src/ports/embedder.ts",
  adapters: "src/adapters/vectorize.ts",
  db: "src/db/client.ts",
  context: "src/context.ts",
  domain: "src/domain/memories/remember.ts",
  env: "src/env.ts",
  surfaces: "src/surfaces/rest/app.ts",
  compose: "src/compose.ts",
  worker: "src/worker.ts",
  packages: "packages/client/index.ts",
  examples: "examples/chat-loop/index.ts",
};

/** Everything that a file may try to import, each by one example. */
const ALL = [
  "#core/ids",
  "#ports/embedder",
  "#adapters/vectorize",
  "#db/client",
  "#context",
  "#domain/audit",
  "#env",
  "#surfaces/cron",
  "#compose",
  "#worker",
  "hono",
  "hono/html",
  "@hono/zod-openapi",
  "drizzle-orm",
  "drizzle-orm/d1",
  "cloudflare:workers",
  "#test/harness",
  "#scripts/service",
  "zod",
];

it.each([
  ["core", ["#core/ids"], []],
  ["ports", ["#core/ids", "#ports/embedder"], []],
  ["adapters", ["#core/ids", "#ports/embedder", "#adapters/vectorize", "cloudflare:workers"], []],
  ["db", ["#core/ids", "#db/client", "drizzle-orm", "drizzle-orm/d1"], []],
  ["context", ["#core/ids", "#db/client", "#context"], ["#ports/embedder"]],
  ["domain", ["#core/ids", "#db/client", "#context", "#domain/audit", "drizzle-orm", "drizzle-orm/d1"], ["#ports/embedder"]],
  ["env", ["#core/ids", "#env"], ["#adapters/vectorize"]],
  [
    "surfaces",
    ["#core/ids", "#context", "#domain/audit", "#env", "#surfaces/cron", "hono", "hono/html", "@hono/zod-openapi"],
    ["#ports/embedder"],
  ],
  ["packages", [], ["#core/ids", "#ports/embedder", "#domain/audit", "#surfaces/cron"]],
  ["examples", [], []],
] as const)("%s imports what its layer may, and nothing else", (layer, code, types) => {
  const file = FILES[layer];
  expect(ALL.filter((specifier) => importing(file, specifier).length === 0)).toEqual(
    ALL.filter((specifier) => specifier === "zod" || code.some((each) => each === specifier)),
  );
  expect(ALL.filter((specifier) => importing(file, specifier, "type").length === 0)).toEqual(
    ALL.filter((specifier) => specifier === "zod" || [...code, ...types].some((each) => each === specifier)),
  );
});

it("keeps surfaces out of compose, and domains out of worker", () => {
  expect(importing(FILES.compose, "#surfaces/cron")).toHaveLength(1);
  expect(importing(FILES.compose, "#adapters/vectorize")).toEqual([]);
  expect(importing(FILES.worker, "#domain/audit")).toHaveLength(1);
  expect(importing(FILES.worker, "#surfaces/cron")).toEqual([]);
});

it("lets a domain import each lower domain, and none of its own line or above", () => {
  DOMAINS.forEach((line, height) => {
    for (const own of line) {
      for (const [otherHeight, others] of DOMAINS.entries()) {
        for (const other of others) {
          const found = importing(`src/domain/${own}/x.ts`, `#domain/${other}`, "type");
          expect(found.length, `${own} imports ${other}`).toBe(otherHeight < height ? 0 : 1);
        }
      }
    }
  });
});

it.each([
  ["src/domain/memories/remember.ts", "#domain/entities", "in the same layer as"],
  ["src/domain/memories/remember.ts", "#domain/retrieval", "above"],
  ["src/domain/memories/remember.ts", "#domain/memories", "its own files by ./"],
  ["src/domain/memories/remember.ts", "#domain/visibility/rule", "through its index.ts"],
  ["src/domain/memories/remember.ts", "../visibility/rule.ts", "through its index.ts"],
  ["src/domain/memories/remember.ts", "../visibility/index.ts", "through its index.ts"],
  ["src/domain/memories/remember.ts", "#domain/billing", "not in DOMAINS"],
  ["src/domain/billing/charge.ts", "#core/ids", "not in DOMAINS"],
  ["src/domain/memories/remember.ts", "../../surfaces/cron.ts", "no surface"],
  ["src/cli/main.ts", "#core/ids", "in no layer"],
  ["src/core/ids.ts", "../../scripts/service.ts", "core imports nothing of ours"],
])("names the rule when %s imports %s", (file, specifier, sentence) => {
  expect(importing(file, specifier)).toMatchObject([{ file, line: 1, rule: expect.stringContaining(sentence) }]);
});

it("lets tests beside the code import the helpers of test/, and nothing more than their layer otherwise", () => {
  expect(importing("src/core/ids.test.ts", "#test/named")).toEqual([]);
  expect(importing("src/core/ids.test.ts", "#corpora/pii")).toEqual([]);
  expect(importing("src/core/ids.test.ts", "#db/client")).toHaveLength(1);
  expect(importing("src/core/ids.ts", "#test/named")).toMatchObject([{ rule: "Only a test may import what is in test/." }]);
});

it.each([
  ['import "#db/client";', 1],
  ['import type { Db } from "#db/client";', 1],
  ['import {\n  a,\n} from "zod";\nimport db from "#db/client";', 4],
  ['export * from "#db/client";', 1],
  ['\nexport { createDb } from "#db/client";', 2],
  ['\nexport type { Db } from "#db/client";', 2],
  ['const x = 1;\nconst db = await import("#db/client");', 2],
  ['type Db = import("#db/client").Db;', 1],
])("sees every form of import: %j", (text, line) => {
  expect(breaks(FILES.core, text)).toEqual([{ file: FILES.core, line, specifier: "#db/client", rule: LAYERS[0]?.rule }]);
});

it("refuses an import whose module it cannot read, and a file that it cannot parse", () => {
  expect(breaks(FILES.core, "const x = await import(`#db/client`);")).toMatchObject([
    { rule: expect.stringContaining("plain quotes") },
  ]);
  expect(() => breaks(FILES.core, "import {")).toThrow(FILES.core);
});

it("finds no import in words", () => {
  expect(breaks(FILES.core, '// import "#db/client";\nconst a = `import "#db/client"`;\nexport { a };')).toEqual([]);
});

it("lets the tests of a package run the service, and not its code", () => {
  const text = 'import { startService } from "../../../scripts/service.ts";';
  expect(breaks("packages/client/test/client.test.ts", text)).toEqual([]);
  expect(breaks("packages/client/src/client.test.ts", text)).toHaveLength(1);
});

it("has each layer import only layers below it", () => {
  for (const [height, { name, imports, types = [] }] of LAYERS.entries()) {
    const below = LAYERS.slice(0, height).map((layer) => layer.name);
    for (const other of [...imports, ...types]) expect(below, `${name} imports ${other}`).toContain(other);
  }
});
