import path from "node:path";
import { defineConfig } from "vitest/config";
import { workerd } from "../../vitest.config.ts";
import { countFunctions } from "./count-functions.ts";

const ROOT = path.resolve(import.meta.dirname, "..", "..");

/** The runtime of the tests in workerd, with counted functions. */
export default defineConfig({
  ...workerd,
  root: ROOT,
  plugins: [countFunctions(ROOT), ...workerd.plugins],
  test: { ...workerd.test, include: ["bench/paths/requests.ts"], exclude: [] },
});
