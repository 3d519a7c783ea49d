const BLOCKS: ReadonlySet<string> = new Set(
  "p div br ul ol tr table h1 h2 h3 h4 h5 h6 pre blockquote hr section article dl dt dd".split(" "),
);
const SKIPPED: ReadonlySet<string> = new Set(["script", "style", "head", "template"]);
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const TAG = /^<\/?([a-zA-Z][a-zA-Z0-9]{0,20})/;

/** The text of a piece of HTML: paragraphs and list items on lines of their own, entities read, no markup. Linear in its length. */
export function htmlText(html: string): string {
  const texts: string[] = [];
  let at = 0;
  let skipped: string | null = null;
  /** The next ">", searched once for all "<" before it; the end where there is none. */
  let close = -1;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open === -1 ? html.length : open;
    if (skipped === null) texts.push(html.slice(at, end));
    if (open === -1) break;
    if (close < open) close = html.indexOf(">", open);
    if (close === -1) close = html.length;
    const tag = TAG.exec(html.slice(open, open + 24))?.[1]?.toLowerCase();
    // "a < b" is no tag.
    if (close === html.length || (tag === undefined && html[open + 1] !== "!")) {
      if (skipped === null) texts.push("<");
      at = open + 1;
      continue;
    }
    const isEnd = html[open + 1] === "/";
    if (skipped === null && tag !== undefined) {
      if (tag === "li") texts.push(isEnd ? "" : "\n- ");
      else if (BLOCKS.has(tag)) texts.push("\n");
      if (tag === "p" || /^h\d$/.test(tag)) texts.push("\n");
      if (SKIPPED.has(tag) && !isEnd) skipped = tag;
    } else if (isEnd && tag === skipped) skipped = null;
    at = close + 1;
  }
  return tidied(decoded(texts.join("")));
}

function decoded(text: string): string {
  return text.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});/g, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMED[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

/** Without white space at the borders of lines, and with one empty line at most between two. */
function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const kept = lines.filter((line, i) => line !== "" || lines[i - 1] !== "");
  return kept.join("\n").trim();
}
