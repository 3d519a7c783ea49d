const LETTER = /\p{L}/u;

/**
 * A pattern's source without the flag `i` and without `(?i:…)` and `(?-i:…)`, blind to case where they were: `outside` says what holds in
 * neither. V8 may compile a pattern of mixed case wrongly: where it does without optimising, as it does once an isolate has much compiled
 * code, one part's case leaks into what is beside it (Node 24.21.0: `/((m|((?-i:(-){2}))))/i` does not find "M" with
 * `--no-regexp-optimization`). An escape such as `\u00e9` stays as it is and finds no "É".
 */
export function anyCase(source: string, outside: "blind" | "exact" = "blind"): string {
  const closes: boolean[] = [];
  let exact = outside === "exact";
  let written = "";
  for (let i = 0; i < source.length; ) {
    const token = tokenAt(source, i);
    i += token.length;
    if (token.startsWith("(")) {
      closes.push(exact);
      exact = token === "(?-i:" || (exact && token !== "(?i:");
      written += token === "(?-i:" || token === "(?i:" ? "(?:" : token;
    } else if (token === ")") {
      exact = closes.pop() ?? false;
      written += token;
    } else if (exact || token.startsWith("\\")) written += token;
    else if (token.startsWith("[") && token.length > 1) written += classOf(token);
    else written += bothOf(token);
  }
  return written;
}

/** An escape, the opening of a group, a class, or one character. */
function tokenAt(source: string, at: number): string {
  const rest = source.slice(at);
  const token =
    /^\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])/u.exec(rest) ??
    /^\(\?(?:<[=!]|<[^>]*>|-?i:|[:=!])/u.exec(rest) ??
    /^\[(?:\\[\s\S]|[^\]\\])*\]/u.exec(rest);
  return token?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
}

function bothOf(character: string): string {
  const other = otherCase(character);
  return other === null ? character : `[${character}${other}]`;
}

function otherCase(character: string): string | null {
  if (!LETTER.test(character)) return null;
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  const other = character === lower ? upper : lower;
  return other === character || [...other].length > 1 ? null : other;
}

/** A class with the other case of its letters, and of its ranges within one case. */
function classOf(token: string): string {
  const inside = token.slice(1, -1);
  const parts =
    inside.match(/\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|[pP]\{[^}]*\}|[\s\S])(?:-\\u[0-9a-fA-F]{4})?|[^\\]-[^\\\]]|[\s\S]/gu) ??
    [];
  const others = parts.flatMap((part) => {
    const [from = "", dash, to = ""] = [...part];
    if (part.startsWith("\\")) return [];
    if (dash !== "-") return otherCase(part) ?? [];
    const [low, high] = [otherCase(from), otherCase(to)];
    return low === null || high === null ? [] : [`${low}-${high}`];
  });
  return `[${inside.endsWith("-") ? `${inside.slice(0, -1)}${others.join("")}-` : inside + others.join("")}]`;
}
