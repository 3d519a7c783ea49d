import { createHash, randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { PAGE_POLICY } from "#surfaces/docs/layout";
import { contentsOf } from "./guides/contents.ts";
import { renderGuide } from "./guides/guide.ts";
import { guidePage, guidesPage, missingPage } from "./guides/guide-page.ts";
import { ROOT } from "./wrangler.ts";

/** The folder that wrangler.toml names. */
export const ASSETS = path.join(ROOT, "dist", "assets");
const BROWSER = path.join(ROOT, "src", "surfaces", "docs", "browser");
const SCALAR = path.join(ROOT, "node_modules", "@scalar", "api-reference");

type Files = Map<string, string>;

/**
 * Writes the static files of /docs: the guides, the style sheet, and Scalar with the script that starts it. A file that has not changed is not
 * touched, because a running `wrangler dev` starts again after each change.
 */
export async function buildAssets(): Promise<void> {
  const files: Files = new Map([...(await referenceFiles()), ...(await guideFiles())]);
  await Promise.all([...files].map(([name, text]) => replaceFile(path.join(ASSETS, name), text)));
  const stale = globSync("**/*", { cwd: ASSETS, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ASSETS, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((name) => !files.has(name));
  await Promise.all(stale.map((name) => rm(path.join(ASSETS, name), { force: true })));
}

/**
 * Scalar as modules, of which a page loads what it needs: 0.8 MB compressed, where Scalar's single file has 1.3 MB. They are in a folder named for
 * their content, so that browsers may keep them.
 */
async function referenceFiles(): Promise<Files> {
  const modules = path.join(SCALAR, "dist", "browser");
  const names = ["standalone.esm.js", ...globSync("chunks/*.js", { cwd: modules }).map((name) => name.replaceAll("\\", "/"))];
  const scalar = await Promise.all(
    names.toSorted().map(async (name) => {
      const text = await readFile(path.join(modules, name), "utf8");
      // The source maps are four times as large, and are not served.
      return [name, text.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, "\n")] as const;
    }),
  );
  const hash = createHash("sha256");
  for (const [name, text] of scalar) hash.update(name).update(text);
  const folder = `scalar-${hash.digest("hex").slice(0, 12)}`;
  const own = await Promise.all(
    ["pages.css", "icon.svg", "reference.js"].map(
      async (name) => [name, await readFile(path.join(BROWSER, name), "utf8")] as const,
    ),
  );
  const start = own.map(([name, text]) => [name, text.replace("SCALAR_MODULE", `./${folder}/standalone.esm.js`)] as const);
  return new Map([
    ...[...start, ...scalar.map(([name, text]) => [`${folder}/${name}`, text] as const)].map(
      ([name, text]) => [`docs/assets/${name}`, text] as const,
    ),
    ["_headers", headersFor(folder)],
    ["_redirects", "/docs/ /docs 301\n"],
  ]);
}

function headersFor(folder: string): string {
  return `/docs/*
  content-security-policy: ${PAGE_POLICY}
  x-content-type-options: nosniff
  referrer-policy: no-referrer
/docs/assets/${folder}/*
  cache-control: public, max-age=31536000, immutable
`;
}

async function guideFiles(): Promise<Files> {
  const names = globSync(["*.md", "docs/*.md", "packages/*/README.md"], { cwd: ROOT }).map((name) => name.replaceAll("\\", "/"));
  const texts = new Map(
    await Promise.all(names.toSorted().map(async (name) => [name, await readFile(path.join(ROOT, name), "utf8")] as const)),
  );
  const files = new Set(texts.keys());
  const groups = contentsOf(texts.get("README.md") ?? "", [...files]).map((group) => ({
    heading: group.heading,
    guides: group.files.map((file) => renderGuide(file, texts.get(file) ?? "", files)),
  }));
  const guides = groups.flatMap((group) => group.guides);
  return new Map([
    ["docs/guides.html", guidesPage(groups)],
    ["docs/404.html", missingPage()],
    ...guides.map((guide) => [`docs/${guide.name}.html`, guidePage(guide, groups)] as const),
  ]);
}

/** Renamed into place, because services of other processes may read or write the same files. */
async function replaceFile(file: string, text: string): Promise<void> {
  const present = await readFile(file, "utf8").catch(() => null);
  if (present === text) return;
  await mkdir(path.dirname(file), { recursive: true });
  const written = path.join(ROOT, "dist", `${randomUUID()}.tmp`);
  await writeFile(written, text);
  await rename(written, file);
}

if (import.meta.main) await buildAssets();
