import { describe, expect, it } from "vitest";
import { PLAIN_SHAPES, repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { piecesOf } from "../../packages/cli/src/import/pieces.ts";
import { type Platform, platformOf } from "../../packages/cli/src/import/platform.ts";
import { slim } from "../../packages/cli/src/import/slim.ts";
import { htmlText } from "../../src/domain/imports/html-text.ts";
import { parsePart } from "../../src/domain/imports/parse-part.ts";
import { timed, toEpisodes } from "../../src/domain/imports/to-episodes.ts";
import { chunkBlocks } from "../../src/domain/sources/read/chunk-blocks.ts";
import { decodeText } from "../../src/domain/sources/read/decode-text.ts";
import { readCode } from "../../src/domain/sources/read/read-code.ts";
import { readCsv } from "../../src/domain/sources/read/read-csv.ts";
import { readHtml } from "../../src/domain/sources/read/read-html.ts";
import { readJson, readJsonLines } from "../../src/domain/sources/read/read-json.ts";
import { readMarkdown } from "../../src/domain/sources/read/read-markdown.ts";
import { readText } from "../../src/domain/sources/read/read-text.ts";
import { UnreadableFile } from "../../src/domain/sources/read/unreadable-file.ts";

const NOW = Date.UTC(2026, 0, 1);

/** What opens and never closes, what nests, and what almost is a mark of a format. */
const FORMAT_SHAPES: Readonly<Record<string, (units: number) => string>> = {
  "opened tags before text": repeated("<a <a"),
  "less-than signs before a greater-than": (units) => `${"< ".repeat((units - 1) / 2)}>`,
  "opened comments": repeated("<!--"),
  "opened declarations": repeated("<!a "),
  "opened scripts": repeated("<script>"),
  "closed tags that nothing opened": (units) => `${"<div>".repeat(units / 20)}${"</a>".repeat((units * 3) / 16)}`,
  "attributes without end": (units) => `<a ${'b="c" '.repeat(units / 6)}`,
  "a long word and empty tags": (units) => `<p>${"a".repeat(units / 2)} ${"<b> </b>".repeat(units / 16)}</p>`,
  "entities without end": repeated("&amp"),
  "numbered entities": repeated("&#65;&#x41;"),
  tables: repeated("<table><tr><td>a"),
  "quotes in quotes": repeated('"a""b,'),
  "columns with quotes": repeated('"a",'),
  "rows of quotes": repeated('"\n'),
  columns: repeated("a,"),
  semicolons: repeated("a;"),
  "opened objects": repeated('{"a":'),
  "opened lists": repeated("["),
  "lists of lists": repeated("[[],"),
  "lines of JSON": repeated('{"a":1}\n'),
  "a JSON list": (units) => `[${'"a",'.repeat(units / 4)}1]`,
  "a JSON object": (units) => `{${Array.from({ length: units / 12 }, (_, i) => `"k${i}":"v"`).join(",")}}`,
  headings: repeated("# a\n"),
  "underlined headings": repeated("a\n=\n\n"),
  "heading marks": repeated("#"),
  "opened links": repeated("[a](b "),
  "opened fences": repeated("```\na\n"),
  "front matter without end": (units) => `---\n${"a: b\n".repeat(units / 5)}`,
  "front matter and rules": (units) => `---\n${"\n--- a".repeat(units / 6)}`,
  "wrapped lines": repeated(`${"a".repeat(60)}\n`),
  "indented lines": repeated("    a\n\n"),
  "marks of citations": repeated("\ue200a"),
  "brackets of citations": repeated("【1†"),
};
const SHAPES = { ...PLAIN_SHAPES, ...FORMAT_SHAPES };

const bytesOf = (text: string) => new TextEncoder().encode(text);
const lengthIn = (units: number, text: string) => Math.max(1, Math.floor(units / text.length));

/** Exports of each platform whose texts are `text`, and whose messages are many. */
const EXPORTS: Readonly<Record<Exclude<Platform, "gemini">, (text: string) => unknown>> = {
  chatgpt: (text) => {
    const said = (parts: string[]) => ({
      author: { role: "user" },
      content: { content_type: "text", parts },
      create_time: 1.7e9,
    });
    const many = Array.from({ length: lengthIn(text.length, "a node of it") }, (_, i) => [
      `n${i}`,
      { parent: `n${i - 1}`, message: said(["a"]) },
    ]);
    return {
      id: "a",
      title: text,
      current_node: "last",
      mapping: { ...Object.fromEntries(many), last: { parent: `n${many.length - 1}`, message: said([text]) } },
    };
  },
  claude: (text) => ({
    ...{ uuid: "a", name: text },
    chat_messages: [{ uuid: "m", sender: "human", text, attachments: [{ file_name: text, extracted_content: text }] }],
  }),
  openai: (text) => ({
    id: "a",
    title: text,
    messages: [
      { role: "user", content: text },
      { role: "assistant", content: [{ type: "text", text }] },
    ],
  }),
};

/** One activity with the text as its prompt and its answer, and one for each line of it. */
const activities = (text: string) => [
  {
    header: "Gemini Apps",
    title: `Prompted ${text}`,
    time: "2025-03-01T10:00:00Z",
    products: ["Gemini Apps"],
    safeHtmlItem: [{ html: text }],
  },
  ...text.split("\n").map((line, i) => ({
    header: "Gemini Apps",
    title: `Prompted ${line}`,
    time: new Date(NOW - i * 60_000).toISOString(),
    products: ["Gemini Apps"],
  })),
];

/** Everything that reads what others wrote in a format of their own. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "HTML of answers": htmlText,
  "an export of ChatGPT": (text) => parsePart("chatgpt", { userId: "a", conversations: [EXPORTS.chatgpt(text)] }, NOW),
  "an export of Claude": (text) => parsePart("claude", { userId: "a", conversations: [EXPORTS.claude(text)] }, NOW),
  "message arrays": (text) => parsePart("openai", { userId: "a", conversations: [EXPORTS.openai(text)] }, NOW),
  "activities of Gemini": (text) => parsePart("gemini", { userId: "a", activities: activities(text) }, NOW),
  "messages as episodes": (text) => toEpisodes(timed([{ id: "a", role: "user", text, at: null }], { at: null, now: NOW })),
  "exports in the command line": (text) => {
    for (const [platform, make] of Object.entries(EXPORTS)) {
      const item = make(text);
      piecesOf(platformOf(item) ?? "openai", slim(platform as Platform, item), 0);
    }
  },
  "the encoding of a text": (text) => decodeText(bytesOf(text)),
  Markdown: (text) => chunkBlocks(readMarkdown(text).blocks, 0),
  HTML: (text) => chunkBlocks(readHtml(bytesOf(text)).blocks, 0),
  CSV: (text) => chunkBlocks(readCsv(text, null).blocks, 0),
  TSV: (text) => chunkBlocks(readCsv(text, "\t").blocks, 0),
  JSON: (text) => chunkBlocks(readJson(text).blocks, 0),
  "JSON Lines": (text) => chunkBlocks(readJsonLines(text).blocks, 0),
  code: (text) => chunkBlocks(readCode(text).blocks, 0),
  "plain text": (text) => chunkBlocks(readText(text).blocks, 0),
};

describe("a file or an export of ten times the length takes ten times the work, whatever its shape", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`${name}`, { timeout: 300_000 }, () => {
      const steep: string[] = [];
      for (const [shape, make] of Object.entries(SHAPES)) {
        const growth = growthOf((text) => unlessUnreadable(() => read(text)), make);
        if (growth > MAX_LINEAR_GROWTH) steep.push(`${shape}: ${growth} times`);
      }
      expect(steep).toEqual([]);
    });
  }
});

/** What is refused is not read further. */
function unlessUnreadable(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  }
}
