import { globSync, readFileSync } from "node:fs";
import { findSecrets } from "#core/safety/find-secrets";
import { KEY_FORMS, keyFrames, keysOf } from "#corpora/key-forms";

/** At most one redaction in so many lines of documentation, and so many of the forms of keys found. */
const LINES_PER_REDACTION = 5_000;
const KEYS_PER_FORM = 50;
const MIN_FORMS_FOUND = 0.97;

const DEFAULT_PAGES = ["node_modules/**/*.md", "node_modules/**/*.mdx"];

/**
 * What the secret filter takes from documentation that others wrote, and which vendors' keys it finds:
 * `npm run bench:secrets [-- GLOB …]`. Globs name other pages.
 */
function main(globs: readonly string[]): void {
  const pages = pagesOf(globs.length > 0 ? globs : DEFAULT_PAGES);
  const lines = pages.reduce((sum, { text }) => sum + text.split("\n").length, 0);
  const found = pages.flatMap(({ path, text }) => findSecrets(text).map((secret) => ({ path, text, ...secret })));
  print(
    `${pages.length} pages, ${lines} lines, ${found.length} redactions: one in ${Math.round(lines / Math.max(1, found.length))} lines`,
  );
  for (const { kind, path, text, start, end } of found) print(`  ${kind}  ${around(text, start, end)}  ${path}`);

  const missed = KEY_FORMS.flatMap(([vendor, form]) => {
    const lost = Object.entries(keyFrames).flatMap(([frame, write]) => {
      const hits = keysOf(form, KEYS_PER_FORM).filter((key) => findSecrets(write(key)).length > 0).length;
      return hits / KEYS_PER_FORM >= MIN_FORMS_FOUND ? [] : [`${frame} ${hits} of ${KEYS_PER_FORM}`];
    });
    return lost.length === 0 ? [] : [`  missed: ${vendor} (${lost.join(", ")})`];
  });
  print(
    `${KEY_FORMS.length - missed.length} of ${KEY_FORMS.length} forms of keys found, each in ${Object.keys(keyFrames).length} places`,
  );
  for (const line of missed) print(line);
  if (found.length * LINES_PER_REDACTION > lines || missed.length > 2) process.exitCode = 1;
}

/** Pages without copies. */
function pagesOf(globs: readonly string[]): { path: string; text: string }[] {
  const pages = new Map<string, string>();
  for (const path of globs.flatMap((glob) => globSync(glob)).filter((each) => !each.includes("@edgewise/"))) {
    const text = readFileSync(path, "utf8");
    if (!pages.has(text)) pages.set(text, path);
  }
  return [...pages].map(([text, path]) => ({ path, text }));
}

function around(text: string, start: number, end: number): string {
  const from = Math.max(text.lastIndexOf("\n", start - 1) + 1, start - 60);
  return text
    .slice(from, end + 20)
    .split("\n")
    .slice(0, 1)
    .join("")
    .trim();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

main(process.argv.slice(2));
