import path from "node:path";
import { readDevKey } from "./dev-key-file.ts";
import { ROOT } from "./wrangler.ts";

/** `npm run --silent dev:key`: the dev key alone, for scripts. */
const key = await readDevKey(path.join(ROOT, ".edgewise", "dev-key"));
if (key === null) {
  console.error("There is no dev key yet. `npm run dev` makes it.");
  process.exitCode = 1;
} else console.log(key);
