import { html, raw } from "hono/html";
import { layout } from "#surfaces/docs/layout";
import type { Guide } from "./guide.ts";

export type GuideGroup = { heading: string; guides: readonly Guide[] };

/** The HTML page of a guide, with the list of all guides beside it. */
export function guidePage(guide: Guide, groups: readonly GuideGroup[]): string {
  return String(
    layout({
      title: `${labelOf(guide)} · Edgewise`,
      section: "guides",
      body: html`<div class="guide">
<main>
<p class="to-contents"><a href="#contents">All guides</a></p>
${raw(guide.body)}
</main>
${contents(groups, guide)}
</div>`,
    }),
  );
}

/** The page at /docs/guides. */
export function guidesPage(groups: readonly GuideGroup[]): string {
  return String(
    layout({
      title: "Guides · Edgewise",
      section: "guides",
      body: html`<main class="page guides">
<h1>Guides</h1>
<p>Each guide begins with an example. Every operation, with its fields, is in the <a href="/docs">API reference</a>.</p>
${groups.map(
  ({ heading, guides }) => html`<h2>${heading}</h2>
<dl>${guides.map(
    (guide) => html`<dt><a href="/docs/${guide.name}">${labelOf(guide)}</a></dt>
<dd>${raw(guide.parts.map(({ title }) => title).join(" · "))}</dd>
`,
  )}</dl>
`,
)}
</main>`,
    }),
  );
}

/** The page of an address under /docs that does not exist. */
export function missingPage(): string {
  return String(
    layout({
      title: "No such page · Edgewise",
      section: "guides",
      body: html`<main class="page">
<h1>No such page</h1>
<p>There is no page at this address. See the <a href="/docs/guides">list of guides</a> or the <a href="/docs">API reference</a>.</p>
</main>`,
    }),
  );
}

function contents(groups: readonly GuideGroup[], current: Guide) {
  return html`<nav class="contents" id="contents" aria-label="Guides">
${groups.map(
  ({ heading, guides }) => html`<h2>${heading}</h2>
<ul>${guides.map(
    (guide) =>
      html`<li><a href="/docs/${guide.name}"${guide === current ? html` aria-current="page"` : ""}>${labelOf(guide)}</a>${
        guide === current && guide.parts.length > 0 ? partsOf(guide) : ""
      }</li>
`,
  )}</ul>
`,
)}</nav>`;
}

function partsOf({ parts }: Guide) {
  return html`<ul>${parts.map(({ anchor, title }) => html`<li><a href="#${anchor}">${raw(title)}</a></li>`)}</ul>`;
}

/** The overview is README.md, whose title is the product's name. */
function labelOf({ name, title }: Guide): string {
  return name === "readme" ? "Overview" : title;
}
