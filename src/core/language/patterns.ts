import { anyCase } from "#core/text/any-case";
import { eitherAccent } from "./either-accent.ts";
import type { LanguagePack } from "./pack.ts";
import { PACKS } from "./packs.ts";

const compiled = new Map<string, RegExp>();

/**
 * Letters of living scripts by their ranges. Each `\p{L}` with the flag `u` costs a tenth of a millisecond to compile, and much code: all
 * patterns together were 18 MB, and beyond 16 MB V8 optimises no pattern.
 */
const LETTERS = "A-Za-z\\u00c0-\\u1fff\\u3041-\\ud7ff";
/** Capitals, and letters of scripts without capitals or with capitals and small letters in turn. */
const CAPITALS = "A-Z\\u00c0-\\u00de\\u0100-\\u1fff\\u3041-\\ud7ff";
/** Replacements for `\b`, which knows ASCII letters only. After a star, a bracket or a bar it is the beginning of a word, else the end. */
const BORDERS: readonly (readonly [RegExp, string])[] = [
  [/(?<=^|[*(|])\\b/gu, `(?<![${LETTERS}0-9])`],
  [/\\b/gu, `(?![${LETTERS}0-9])`],
];

/** An anchored, case-insensitive pattern; `\p{L}`, `\p{Lu}`, `\p{Script=Han}`, `\b` and `\W` work in any script. */
export function starts(source: string): RegExp {
  const pattern = compiled.get(source) ?? new RegExp(`^(?:${anyCase(anyScript(source))})`);
  compiled.set(source, pattern);
  return pattern;
}

export function anyScript(source: string): string {
  return BORDERS.reduce((text, [border, meaning]) => text.replace(border, meaning), source)
    .replaceAll("[\\p{L}", `[${LETTERS}`)
    .replaceAll("[^\\p{L}", `[^${LETTERS}`)
    .replaceAll("\\p{L}", `[${LETTERS}]`)
    .replaceAll("\\p{Ll}", "[a-z\\u00df-\\u1fff]")
    .replaceAll("\\p{Lu}", `[${CAPITALS}]`)
    .replaceAll("[\\p{Script=Han}", "[\\u3400-\\u9fff")
    .replaceAll("\\W", `[^${LETTERS}0-9]`);
}

type Sources = (pack: LanguagePack) => string | undefined;

/** The alternatives of all languages as one source; it matches nothing if there are none. */
export function alternatives(sources: Sources): string {
  const all = PACKS.flatMap((pack) => sources(pack) ?? []).filter((source) => source !== "");
  return all.length === 0 ? "(?!)" : all.map((source) => `(?:${source})`).join("|");
}

/** The source of one language's pattern over lower-case text, in which `\b`, `\p{L}` and `\W` work in any script. */
export function sourceOf(source: string): string {
  return eitherAccent(anyScript(source));
}

/** A pattern of all languages over lower-case text, in which `\b`, `\p{L}` and `\W` work in any script. */
export function inAnyLanguage(sources: Sources, around: (source: string) => string = (source) => source): RegExp {
  return new RegExp(
    eitherAccent(
      around(
        alternatives((pack) => {
          const source = sources(pack);
          return source === undefined ? undefined : anyScript(source);
        }),
      ),
    ),
  );
}
