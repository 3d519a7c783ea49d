import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { findLayerBreaks } from "./layer-breaks.ts";
import { ROOT } from "./wrangler.ts";

/** Part of `npm run check`: every import of src, packages and examples follows scripts/layers.ts. */
const SOURCE = /\.[cm]?[jt]sx?$/;
/** Built or installed files, and scripts of pages, which no layer of the Worker imports. */
const LEFT_OUT = /(^|[\\/])(node_modules|dist|browser)[\\/]/;
const Package = z.object({ imports: z.record(z.string(), z.string()) });

const { imports } = Package.parse(JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")));
for (const folder of ["src", "packages", "examples"]) {
  const names = await readdir(path.join(ROOT, folder), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names.filter((each) => SOURCE.test(each) && !LEFT_OUT.test(each))) {
    const file = path.posix.join(folder, name.replaceAll("\\", "/"));
    for (const { line, specifier, rule } of findLayerBreaks(file, await readFile(path.join(ROOT, file), "utf8"), imports)) {
      console.error(`${file}:${line} imports "${specifier}". ${rule}`);
      process.exitCode = 1;
    }
  }
}
