import path from "node:path";
import { Marked, type Tokens } from "marked";
import { anchorOf } from "../doc-links.ts";

/** A page of the documentation, from Markdown to what its HTML page shows. */
export type Guide = {
  /** The last part of its address, as in /docs/memories. */
  name: string;
  title: string;
  /** Headings of the second level, to link to. The title is HTML. */
  parts: readonly { anchor: string; title: string }[];
  /** The page's text as HTML, with its title. */
  body: string;
};

/** The address of the page that is made of a Markdown file of the repository; README.md is the overview, a package's is `package-` and its folder. */
export function addressOf(file: string): string {
  return `/docs/${nameOf(file)}`;
}

/**
 * Renders a Markdown file. `files` are all the files of which pages are made: links to them become links to their pages, and links to other files
 * of the repository become text. HTML in the Markdown is shown as text.
 */
export function renderGuide(file: string, markdown: string, files: ReadonlySet<string>): Guide {
  const anchors = new Set<string>();
  const parts: { anchor: string; title: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const title = this.parser.parseInline(tokens);
        const anchor = anchorOf(text, anchors);
        anchors.add(anchor);
        if (depth === 1) return `<h1>${title}</h1>\n`;
        if (depth === 2) parts.push({ anchor, title: withoutLinks(title) });
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${withoutLinks(title)}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = destinationOf(file, href, files);
        return to === null ? text : `<a href="${escapeHtml(to)}">${text}</a>`;
      },
      // A reader without a mouse scrolls wide code and tables by keys, which needs the focus.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }) => escapeHtml(text),
    },
  });
  const table = marked.Renderer.prototype.table;
  marked.use({
    renderer: {
      table(token: Tokens.Table) {
        return `<div class="table" role="region" aria-label="Table" tabindex="0">${table.call(this, token)}</div>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  return { name: nameOf(file), title: titleOf(markdown), parts, body };
}

function nameOf(file: string): string {
  const [, folder] = /^packages\/([^/]+)\/README\.md$/.exec(file) ?? [];
  if (folder !== undefined) return `package-${folder}`;
  return path.posix.basename(file, ".md").toLowerCase();
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? "";
}

function withoutLinks(html: string): string {
  return html.replace(/<\/?a\b[^>]*>/g, "");
}

/** The address that a link of this file leads to; null if it is a file of which there is no page. */
function destinationOf(file: string, href: string, files: ReadonlySet<string>): string | null {
  if (/^(?:[a-z][a-z+.-]*:|#)/i.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
  if (!files.has(to)) return null;
  return anchor === undefined ? addressOf(to) : `${addressOf(to)}#${anchor}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
