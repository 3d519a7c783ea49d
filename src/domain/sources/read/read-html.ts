import { decodeHTML } from "entities";
import { storable } from "#core/text/normalize";
import type { ReadSlice } from "./blocks.ts";
import { MAX_FILE_BYTES } from "./bounds.ts";
import { decodeText } from "./decode-text.ts";
import { shortHeading } from "./headings.ts";
import { type Break, HtmlSections } from "./html-sections.ts";
import { wholeDocument } from "./read-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** Characters that are passed to the parser at a time. */
const STEP_CHARACTERS = 64 * 1024;
/** Bytes in which a page must name its encoding, as HTML requires. */
const CHARSET_BYTES = 1024;

/** What no reader sees. */
const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object"]);
const BREAKS: ReadonlyMap<string, Break> = new Map([
  ...names("br li tr option caption", "line"),
  ...names(
    "address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form",
    "paragraph",
  ),
  ...names("header hr main ol p pre section summary table ul", "paragraph"),
]);
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));

function names(list: string, kind: Break): [string, Break][] {
  return list.split(" ").map((name) => [name, kind]);
}

/** The text of a page by its headings, without scripts, styles and navigation. */
export async function readHtml(bytes: Uint8Array): Promise<ReadSlice> {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, CHARSET_BYTES));
  const declared = /<meta\b[^>]*?\bcharset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1] ?? null;
  return readHtmlText(decodeText(bytes, { declared, maxCharacters: MAX_FILE_BYTES }));
}

export async function readHtmlText(html: string): Promise<ReadSlice> {
  const page = await readPage(html, true);
  // A navigation that never ends would leave out everything.
  return page.blocks.length > 0 ? page : await readPage(html, false);
}

async function readPage(html: string, withoutNavigation: boolean): Promise<ReadSlice> {
  const sections = new HtmlSections();
  const title: string[] = [];
  const open = { leftOut: 0, preformatted: 0, title: 0 };
  const within = (element: Element, name: keyof typeof open) => {
    open[name]++;
    element.onEndTag(() => {
      open[name]--;
    });
  };
  let node = "";
  const rewriter = new HTMLRewriter()
    .on("*", {
      element(element) {
        const name = element.tagName;
        if (VOID.has(name)) return openVoid(name, sections);
        if (HIDDEN.has(name) || element.hasAttribute("hidden") || (withoutNavigation && isNavigation(element)))
          return within(element, "leftOut");
        if (name === "title") return within(element, "title");
        if (name === "pre") within(element, "preformatted");
        openElement(element, sections);
      },
    })
    .onDocument({
      text(text) {
        if (open.leftOut > 0) return;
        node += text.text;
        if (!text.lastInTextNode) return;
        const decoded = storable(decodeHTML(node));
        node = "";
        if (open.title > 0) title.push(decoded);
        else sections.addText(decoded, open.preformatted > 0);
      },
    });
  await run(rewriter, html);
  const named = shortHeading(title.join(""));
  return wholeDocument(named === "" ? sections.firstHeading : named, sections.end());
}

function isNavigation(element: Element): boolean {
  return element.tagName === "nav" || element.getAttribute("role") === "navigation";
}

function openVoid(name: string, sections: HtmlSections): void {
  const kind = BREAKS.get(name);
  if (kind !== undefined) sections.addBreak(kind);
}

function openElement(element: Element, sections: HtmlSections): void {
  const name = element.tagName;
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) {
    sections.openHeading(Number(level));
    element.onEndTag(() => sections.closeHeading());
    return;
  }
  if (name === "td" || name === "th") sections.addCell();
  const kind = BREAKS.get(name);
  if (kind === undefined) return;
  sections.addBreak(kind);
  if (name === "li") sections.addText("- ", false);
  else element.onEndTag(() => sections.addBreak(kind));
}

/** @throws UnreadableFile if the parser gives up: it bounds the memory of one token and of nested elements. */
async function run(rewriter: HTMLRewriter, html: string): Promise<void> {
  const encoder = new TextEncoder();
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= html.length) return controller.close();
      const end = betweenCharacters(html, at + STEP_CHARACTERS);
      controller.enqueue(encoder.encode(html.slice(at, end)));
      at = end;
    },
  });
  try {
    await rewriter.transform(new Response(body)).body?.pipeTo(new WritableStream());
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile("The HTML cannot be read: a tag is too long, or elements nest too deep.", error);
  }
}

function betweenCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
