import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The licenses of what is built into the program, which they require to come with it: a section a package. */
export function licensesOf(modules: readonly string[]): string {
  const folders = new Set(modules.map(packageFolderOf).filter((folder) => folder !== null));
  const sections = [...folders].map(sectionOf).sort();
  return `# Licenses of what is built into this program\n\n${sections.join("\n")}`;
}

/** `…/node_modules/@scope/name` of a module; null for our own source. */
function packageFolderOf(module: string): string | null {
  const [, folder = null] =
    /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll("\\", "/").replace(/^\0/, "")) ?? [];
  return folder;
}

function sectionOf(folder: string): string {
  const { name, version, license }: Record<string, unknown> = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  const text =
    file !== undefined && existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), "utf8").trim() : "";
  return `## ${name} ${version} (${license})\n\n${text}\n`;
}
