import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/index.ts",
  platform: "neutral",
  target: "es2022",
  dts: true,
  minify: true,
  sourcemap: true,
  // For bundlers, which do not need them here: the package has no side effects.
  outputOptions: { comments: { annotation: false } },
});
