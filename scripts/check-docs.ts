import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { findBrokenLinks } from "./doc-links.ts";
import { ROOT } from "./wrangler.ts";

/**
 * Part of `npm run check`: links of the pages, pages that comments of the code name, and that each page of docs/ begins with an example and is in
 * the contents.
 */
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const find = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: (name) => name.includes("node_modules") }).map((file) => file.replaceAll("\\", "/"));

const pages = new Map(find("*.md", "docs/**/*.md", "examples/**/*.md").map((file) => [file, read(file)]));
const broken = findBrokenLinks(pages, (target) => existsSync(path.join(ROOT, target)));
for (const { file, line, link, reason } of broken) console.error(`${file}:${line} links to ${link}. ${reason}`);

const missing = find("src/**/*.ts", "test/**/*.ts", "scripts/**/*.ts", "bench/**/*.ts").flatMap((file) =>
  file.endsWith("doc-links.test.ts")
    ? []
    : [...read(file).matchAll(/\bdocs\/[\w-]+\.md\b/g)]
        .filter(([page]) => !pages.has(page))
        .map(([page]) => `${file} names ${page}`),
);
for (const line of missing) console.error(`${line}, which does not exist.`);

const bare = [...pages].filter(([file, text]) => file.startsWith("docs/") && !/^# .+\n\n```/.test(text));
for (const [file] of bare) console.error(`${file}:1 does not begin with an example: put a code block after its title.`);
const table = pages.get("README.md")?.split(/^## Documentation$/m)[1] ?? "";
const unlisted = [...pages.keys()].filter((file) => file.startsWith("docs/") && !table.includes(`](${file})`));
for (const file of unlisted)
  console.error(`${file} is not in the table under Documentation in README.md, the contents of /docs/guides.`);
if (unlisted.length + broken.length + missing.length + bare.length > 0) process.exitCode = 1;
