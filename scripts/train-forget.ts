import { writeFile } from "node:fs/promises";
import path from "node:path";
import { readForgetTalk } from "./forget/talk.ts";
import { train } from "./forget/train.ts";
import { readUnseen, type Unseen } from "./forget/unseen.ts";
import { readTalk } from "./judge/talk.ts";
import { ROOT } from "./wrangler.ts";

/**
 * `npm run train:forget`: trains the models that read requests to forget and writes them into the source; the same talk gives the same
 * models. With `--authors` it writes nothing, and prints what models find that were trained without a line's author; with `--misses` also
 * what they miss.
 */
const OUTSIDE = path.join(ROOT, "test/corpora/outside");

const authors = await readForgetTalk(path.join(OUTSIDE, "training-forget"));
const talk = [...(await readTalk(path.join(OUTSIDE, "training"))).values()].flat().map(({ text }) => text);

if (process.argv.includes("--authors")) report(readUnseen(authors, talk));
else {
  const { language, domain } = train([...authors.values()].flat(), talk);
  await writeFile(path.join(ROOT, "src/core/language/forget-models.json"), `${JSON.stringify(language, null, 2)}\n`);
  await writeFile(path.join(ROOT, "src/domain/forgetting/models.json"), `${JSON.stringify(domain, null, 2)}\n`);
}

function report(lines: readonly Unseen[]): void {
  const asked = lines.filter(({ line }) => line.request);
  const others = lines.filter(({ line }) => !line.request);
  const share = (of: readonly Unseen[], is: (one: Unseen) => boolean) =>
    `${(of.filter(is).length / of.length).toFixed(3)} of ${of.length}`;
  for (const which of ["alone", "among"] as const) {
    const scores = others.map((one) => one[which]).toSorted((a, b) => b - a);
    for (const part of [0.01, 0.02, 0.05]) {
      const least = scores[Math.floor(part * scores.length)] ?? 0;
      console.log(
        `${which}: above ${least.toFixed(2)}, ${part} of the others, ${share(asked, (one) => one[which] > least)} requests`,
      );
    }
  }
  for (const name of [...new Set(lines.map(({ author }) => author)), ""]) {
    const of = (some: readonly Unseen[]) => some.filter(({ author }) => name === "" || author === name);
    const withKeep = of(asked).filter(({ line }) => line.keep.length > 0);
    console.log(
      `${name || "all"}: gone ${share(of(asked), ({ isGone }) => isGone)}, the rest kept ${share(withKeep, ({ isKept }) => isKept)}, ` +
        `both ${share(of(asked), ({ isGone, isKept }) => isGone && isKept)}, no request and nothing redacted ${share(of(others), ({ isUntouched }) => isUntouched)}`,
    );
  }
  if (!process.argv.includes("--misses")) return;
  for (const { line, alone, among, isGone, isKept, isUntouched, cut } of lines)
    if (line.request ? !isGone || !isKept : !isUntouched)
      console.log(line.id, alone.toFixed(1), among.toFixed(1), line.before, ">>", line.text, ">>", line.target, "| cut:", cut);
}
