import { defineConfig } from "tsdown";

/** One program without dependencies: `npx` runs the packed file without a registry. */
export default defineConfig({
  entry: "src/edgewise.ts",
  format: "esm",
  platform: "node",
  target: "node20.12",
  dts: false,
  minify: true,
  // Everything is built in; a package that is left out would be missing at the user's.
  noExternal: [/.*/],
});
