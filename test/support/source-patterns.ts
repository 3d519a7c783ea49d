import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

/** A regular expression of the source, and the files of `src` that write or create it. */
export type SourcePattern = { source: string; flags: string; files: Set<string> };

const SRC = path.resolve(import.meta.dirname, "..", "..", "src");

/**
 * Every regular expression of `src`: literals, from the syntax tree of each file, and those that a module creates while it loads, from the
 * calls of `RegExp`. `unmade` are files that call `RegExp` but created none this way.
 */
export async function sourcePatterns(): Promise<{ patterns: SourcePattern[]; unmade: string[] }> {
  const found = new Map<string, SourcePattern>();
  const add = ({ source, flags }: RegExp, files: readonly string[]) => {
    const key = `${flags}/${source}`;
    const pattern = found.get(key) ?? { source, flags, files: new Set<string>() };
    found.set(key, pattern);
    for (const file of files) pattern.files.add(file);
  };
  const calling: string[] = [];
  const makers = new Set<string>();
  for (const file of sourceFiles()) {
    const text = readFileSync(path.join(SRC, file), "utf8");
    for (const literal of literalsIn(file, text)) add(literal, [file]);
    if (/\bRegExp\(/.test(text)) calling.push(file);
    else if (!/\b(?:starts|inAnyLanguage)\(/.test(text)) continue;
    for (const { pattern, files } of await madeBy(path.join(SRC, file))) {
      add(pattern, files);
      makers.add(files[0] ?? "");
    }
  }
  return { patterns: [...found.values()], unmade: calling.filter((file) => !makers.has(file)) };
}

/** The files of `src` whose text the pattern is in. */
export function sourceFilesWith(pattern: RegExp): string[] {
  return sourceFiles().filter((file) => pattern.test(readFileSync(path.join(SRC, file), "utf8")));
}

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
}

function literalsIn(file: string, text: string): RegExp[] {
  const literals: RegExp[] = [];
  const visitor = new Visitor({
    Literal(node) {
      if ("regex" in node) literals.push(new RegExp(node.regex.pattern, node.regex.flags));
    },
  });
  visitor.visit(parseSync(file, text).program);
  return literals;
}

/**
 * The calls of `RegExp` by this module, and those that it loads first, each with the files of `src` that took part. Calls of libraries are
 * left out.
 */
async function madeBy(file: string): Promise<{ pattern: RegExp; files: string[] }[]> {
  const made: { pattern: RegExp; files: string[] }[] = [];
  const native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(native, {
    construct(target, given) {
      const pattern: RegExp = Reflect.construct(target, given);
      const frames = (new Error("made here").stack ?? "").split("\n").filter((frame) => !frame.includes("source-patterns"));
      const files = frames.flatMap((frame) => /\/src\/([^\s?:)]+\.ts)/.exec(frame)?.[1] ?? []);
      if (files.length > 0 && frames[1]?.includes("node_modules") === false) made.push({ pattern, files: [...new Set(files)] });
      return pattern;
    },
  });
  try {
    await import(pathToFileURL(file).href);
  } finally {
    globalThis.RegExp = native;
  }
  return made;
}
