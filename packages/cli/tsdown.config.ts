import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsdown";
import { licensesOf } from "./licenses.ts";

/** One program without dependencies: `npx` runs the packed file without a registry. */
export default defineConfig({
  entry: "src/edgewise.ts",
  format: "esm",
  platform: "node",
  target: "node20.12",
  dts: false,
  minify: true,
  hash: false,
  outExtensions: () => ({ js: ".js" }),
  // What is left out would be missing at the user's.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  hooks: {
    "build:done": async ({ chunks }) => {
      const modules = chunks.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
      await writeFile("dist/LICENSES.md", licensesOf(modules));
    },
  },
});
