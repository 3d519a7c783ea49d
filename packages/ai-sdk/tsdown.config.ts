import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/index.ts",
  format: "esm",
  platform: "neutral",
  target: "es2022",
  dts: true,
  // Without the paths to other packages' sources, beside which declarations would be written.
  tsconfig: "tsconfig.build.json",
});
