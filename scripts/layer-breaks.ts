import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { DOMAINS, LAYERS, type Layer, PLATFORM } from "./layers.ts";

/** An import that the list of layers forbids. */
export type LayerBreak = { file: string; line: number; specifier: string; rule: string };

type Import = { specifier: string | null; isType: boolean; start: number };

/** Folders of helpers for tests, which tests beside the code may import and the code itself may not. */
const TEST_FOLDERS = ["test/"];
const TEST_RULE = "Only a test may import what is in test/.";

/**
 * The forbidden imports of one file. `file` is relative to the repository, with slashes; `aliases` are the "imports" of package.json.
 */
export function findLayerBreaks(file: string, text: string, aliases: Readonly<Record<string, string>>): LayerBreak[] {
  const layer = layerOf(file);
  if (layer === undefined) {
    const rule = "This file is in no layer: add its folder to scripts/layers.ts.";
    return file.startsWith("src/") ? [{ file, line: 1, specifier: file, rule }] : [];
  }
  const own = domainOf(file);
  if (own !== null && heightOf(own) < 0) {
    return [{ file, line: 1, specifier: own, rule: `The domain "${own}" is not in DOMAINS of scripts/layers.ts.` }];
  }
  return importsOf(file, text).flatMap(({ specifier, isType, start }) => {
    const rule =
      specifier === null
        ? "An import must name its module in plain quotes."
        : broken({ file, layer, isType, specifier, aliases });
    return rule === null
      ? []
      : [{ file, line: text.slice(0, start).split("\n").length, specifier: specifier ?? "import(…)", rule }];
  });
}

type Question = { file: string; layer: Layer; isType: boolean; specifier: string; aliases: Readonly<Record<string, string>> };

/** The sentence of the rule that the import breaks; null if it breaks none. */
function broken({ file, layer, isType, specifier, aliases }: Question): string | null {
  const target = targetOf(file, specifier, aliases);
  if (target === null) {
    const platform = PLATFORM.find(
      (name) => specifier === name || specifier.startsWith(`${name}/`) || specifier.startsWith(`${name}:`),
    );
    return platform === undefined || layer.platform?.includes(platform) === true ? null : layer.rule;
  }
  if (TEST_FOLDERS.some((folder) => target.startsWith(folder))) return file.endsWith(".test.ts") ? null : TEST_RULE;
  const other = layerOf(target);
  if (other === undefined) return layer.rule;
  if (other.name === "domain" && layer.name === "domain") return brokenBetweenDomains(file, target, specifier);
  if (other === layer || layer.imports.includes(other.name)) return null;
  if (layer.types?.includes(other.name) !== true) return layer.rule;
  return isType ? null : `${layer.rule} Write \`import type\`.`;
}

function brokenBetweenDomains(file: string, target: string, specifier: string): string | null {
  const [own, other] = [domainOf(file) ?? "", domainOf(target) ?? ""];
  if (own === other)
    return specifier.startsWith("#") ? "A domain imports its own files by ./ and not through its index.ts." : null;
  if (target !== `src/domain/${other}/index.ts` || !specifier.startsWith("#")) {
    return `A domain imports another one through its index.ts: write "#domain/${other}".`;
  }
  if (heightOf(other) < 0) return `The domain "${other}" is not in DOMAINS of scripts/layers.ts.`;
  if (heightOf(other) < heightOf(own)) return null;
  const where = heightOf(other) === heightOf(own) ? "in the same layer as" : "above";
  return `A domain imports only domains of lower layers: "${other}" is ${where} "${own}" in scripts/layers.ts.`;
}

/** Tests of a package run the service, as those in test/ do, and are in no layer. */
const PACKAGE_TESTS = /^packages\/[^/]+\/test\//;

function layerOf(file: string): Layer | undefined {
  if (PACKAGE_TESTS.test(file)) return undefined;
  return LAYERS.find((layer) => (layer.path.endsWith("/") ? file.startsWith(layer.path) : file === layer.path));
}

function domainOf(file: string): string | null {
  return /^src\/domain\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** The number of the domain's line, from 0; -1 if it has none. */
function heightOf(domain: string): number {
  return DOMAINS.findIndex((line) => line.includes(domain));
}

/** The imported file, relative to the repository; null for a package. */
function targetOf(file: string, specifier: string, aliases: Readonly<Record<string, string>>): string | null {
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file), specifier);
  for (const [alias, target] of Object.entries(aliases)) {
    const [before = "", after] = alias.split("*");
    if (after === undefined ? specifier === alias : specifier.startsWith(before)) {
      return path.posix.normalize(target.replace("*", specifier.slice(before.length)));
    }
  }
  return null;
}

/** Every import, re-export, `import()` and `import("…")` type of a file. */
function importsOf(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const imports: Import[] = [];
  new Visitor({
    ImportDeclaration: ({ source, importKind, start }) =>
      void imports.push({ specifier: source.value, isType: importKind === "type", start }),
    ExportAllDeclaration: ({ source, exportKind, start }) =>
      void imports.push({ specifier: source.value, isType: exportKind === "type", start }),
    ExportNamedDeclaration: ({ source, exportKind, start }) => {
      if (source !== null) imports.push({ specifier: source.value, isType: exportKind === "type", start });
    },
    ImportExpression: ({ source, start }) =>
      void imports.push({
        specifier: source.type === "Literal" && typeof source.value === "string" ? source.value : null,
        isType: false,
        start,
      }),
    TSImportType: ({ source, start }) => void imports.push({ specifier: source.value, isType: true, start }),
  }).visit(program);
  return imports;
}
