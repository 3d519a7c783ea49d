import { type Occurrence, occurrences } from "./labelled.ts";

const LOCAL = "[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_%+-]|[.'](?=[\\p{L}\\p{N}_%+-])){0,63}";
const DOMAIN = "(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?\\.){1,5}\\p{L}{2,24}(?![\\p{L}\\p{N}@-]|:[\\p{L}~/])";
const SPELT_DOMAIN =
  "[a-z0-9-]{2,40}(?:\\s?(?:\\.|[\\[({]\\s?(?:dot|punkt|punto|point)\\s?[\\])}]|\\s(?:dot|punkt|punto)\\s)\\s?[a-z0-9-]{2,24}){1,3}";

/** An address in the usual form of RFC 5321, in any script. After "://" it is an account on a server, and "git@host:path" is a repository. */
const WRITTEN = new RegExp(`(?<![\\p{Script=Latin}\\p{N}@._%+/-])(?<value>${LOCAL}@${DOMAIN})`, "dgu");
/** "anna [at] example [dot] com", "anna at example dot com". */
const SPELT = new RegExp(
  `(?<![\\w@.])(?<value>[\\w.+-]{2,40}\\s?(?:[\\[({]\\s?(?:at|ät|@|arroba|chiocciola)\\s?[\\])}]|\\sat(?=\\s\\S{2,40}\\sdot\\s)|\\s(?:arroba|chiocciola)\\s)\\s?${SPELT_DOMAIN})(?![\\w@])`,
  "dgiu",
);
const FILE_NAME = /\.(?:png|jpe?g|gif|webp|svg|pdf|zip|js|ts|css|html?)$/i;
const AFTER_SCHEME = /(?<!\S)(?:(?!:\/\/)\S)*:\/\/\S*$/;

export function findEmails(text: string): Occurrence[] {
  // Without the sign, each letter of a long word would be taken for the beginning of an address.
  const signs = text.includes("@") ? text : "";
  const written = occurrences(WRITTEN, signs, ({ groups = {}, index, input }) => {
    const address = groups.value ?? "";
    if (FILE_NAME.test(address) || AFTER_SCHEME.test(input.slice(Math.max(0, index - 200), index))) return undefined;
    return address.toLowerCase();
  });
  const spelt = occurrences(SPELT, text, ({ groups = {} }) =>
    (groups.value ?? "")
      .toLowerCase()
      .replace(/\s?[[({]?\s?\b(?:dot|punkt|punto|point)\b\s?[\])}]?\s?/g, ".")
      .replace(/\s?[[({]?\s?(?:\b(?:at|arroba|chiocciola)\b|ät|@)\s?[\])}]?\s?/, "@"),
  );
  return [...written, ...spelt];
}
