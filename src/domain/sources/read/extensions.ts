/** How a file of text is read. */
export type TextKind = "text" | "markdown" | "code" | "json" | "json-lines" | "csv" | "tsv" | "html";

const EXTENSIONS: readonly { kind: TextKind; names: string }[] = [
  { kind: "markdown", names: "md markdown mkd mdown mdx" },
  { kind: "json", names: "json geojson ipynb webmanifest har" },
  { kind: "json-lines", names: "jsonl ndjson" },
  { kind: "csv", names: "csv" },
  { kind: "tsv", names: "tsv tab" },
  { kind: "html", names: "html htm xhtml" },
  {
    kind: "code",
    names: `astro bash bat c cc cjs clj cljs cmake coffee cpp cs css cts cu cxx d dart dockerfile elm erl ex exs f90 fish fs gd glsl go gradle
      graphql groovy h hcl hpp hrl hs hxx ini java jl js json5 jsonc jsx kt kts less lisp lua m makefile mjs ml mli mm mts nim nix pas php pl
      pm proto ps1 py pyi r rb rs sass scala scm scss sh sol sql svelte swift tcl tex tf toml ts tsx v vb vhd vue wgsl xml xsd xsl yaml yml
      zig zsh`,
  },
];

const BY_NAME: ReadonlyMap<string, TextKind> = new Map(
  EXTENSIONS.flatMap(({ kind, names }) => names.split(/\s+/).map((name): [string, TextKind] => [name, kind])),
);

const MEDIA_TYPES: ReadonlyMap<string, TextKind> = new Map([
  ["text/markdown", "markdown"],
  ["text/x-markdown", "markdown"],
  ["application/json", "json"],
  ["application/x-ndjson", "json-lines"],
  ["application/jsonl", "json-lines"],
  ["text/csv", "csv"],
  ["text/tab-separated-values", "tsv"],
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
]);

/** What is after the last dot of a path's last name, in lower case: the whole name without a dot, such as "makefile". */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.slice(name.lastIndexOf(".") + 1);
}

/** By the extension, else by the media type, else plain text. */
export function textKindOf({ path, mediaType }: { path: string; mediaType: string }): TextKind {
  const type = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return BY_NAME.get(extensionOf(path)) ?? MEDIA_TYPES.get(type) ?? "text";
}
