import { normalizeText } from "#core/text/normalize";

const ACCENTED = /\[(?:\\[\s\S]|[^\]\\])*\]|[\u00df-\u017f]/gu;

/** A source in which a letter with an accent matches the letter without it too, as people type; an escape such as `\u00e9` matches itself only. */
export function eitherAccent(source: string): string {
  return source.replace(ACCENTED, (token) => {
    if (token === "ß") return "(?:ß|ss)";
    const bare = [...token].map((letter) => normalizeText(letter, "NFD").charAt(0)).join("");
    if (!token.startsWith("[")) return bare === token ? token : `[${token}${bare}]`;
    return bare === token
      ? token
      : `${token.slice(0, -1)}${[...token]
          .filter((letter, i) => letter !== bare[i])
          .map((letter) => normalizeText(letter, "NFD").charAt(0))
          .join("")}]`;
  });
}
