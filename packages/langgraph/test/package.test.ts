import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ATTW, type Installed, installPacked, PUBLINT, programOf, TSC } from "../../../test/support/packed-packages.ts";
import { type SharedService, sharedService } from "../../../test/support/start-service.ts";

let service: SharedService;
let installed: Installed;
beforeAll(async () => {
  service = await sharedService();
  installed = await installPacked(["client", "langgraph"]);
  await writeFile(path.join(installed.folder, "readme.ts"), await programOf("packages/langgraph/README.md"));
});
afterAll(async () => {
  await installed?.remove();
});

it("is what publint and attw find no fault with", async () => {
  await installed.run(process.execPath, [PUBLINT, "run", installed.tarball("langgraph"), "--strict"]);
  await installed.run(process.execPath, [ATTW, installed.tarball("langgraph"), "--profile", "esm-only"]);
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
  const env = { EDGEWISE_URL: service.url, EDGEWISE_KEY: service.key };
  expect(await installed.run(process.execPath, ["out/readme.js"], env)).toBe(
    "I know: My cat is called Miso.\n{ value: 'dark' }\n",
  );
});
