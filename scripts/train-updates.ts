import { writeFile } from "node:fs/promises";
import path from "node:path";
import { SURE } from "../src/domain/extraction/updates/find-replaced.ts";
import { readPairs } from "./updates/pairs.ts";
import { readUnseenPairs, trainUpdates, type UnseenPair } from "./updates/train.ts";
import { ROOT } from "./wrangler.ts";

/**
 * `npm run train:updates`: trains the decision whether a statement replaces an earlier one, and writes its weights into the source; the same
 * pairs give the same weights. With `--authors` it writes nothing, and prints what models find that were trained without a line's author;
 * with `--misses` also what they replace wrongly.
 */
const authors = await readPairs(path.join(ROOT, "test/corpora/outside/training-updates"));

if (process.argv.includes("--authors")) report(readUnseenPairs(authors));
else {
  const to = path.join(ROOT, "src/domain/extraction/updates/update-models.json");
  await writeFile(to, `${JSON.stringify(trainUpdates([...authors.values()].flat()), null, 2)}\n`);
}

function report(lines: readonly UnseenPair[]): void {
  for (const name of [...new Set(lines.map(({ author }) => author)), "all"]) {
    const own = lines.filter(({ author }) => name === "all" || author === name);
    console.log(`${name}: ${own.filter(({ line, found }) => line.effect === found).length} of ${own.length} effects agree`);
    for (const least of name === "all" ? [0.5, 0.6, SURE, 0.8] : [SURE]) {
      const replaced = own.filter(({ replaces }) => replaces >= least);
      const right = replaced.filter(({ line }) => line.effect === "replaces").length;
      const all = own.filter(({ line }) => line.effect === "replaces").length;
      console.log(`  from ${least} on: ${replaced.length} replaced, ${right} of them rightly; ${right} of ${all} found`);
    }
  }
  if (!process.argv.includes("--misses")) return;
  for (const { line, replaces } of lines.toSorted((a, b) => b.replaces - a.replaces))
    if (replaces >= 0.5 && line.effect !== "replaces")
      console.log(replaces.toFixed(2), line.effect, line.id, line.old, ">>", line.new);
}
