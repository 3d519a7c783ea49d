import { html } from "hono/html";
import { isRecord } from "#core/is-record";
import { introduction, type Part, SUMMARY } from "./introduction.ts";
import { ASSETS, layout } from "./layout.ts";

/** The parts of the OpenAPI document that the page lists. */
export type ListedDocument = {
  tags?: readonly { name: string; description?: string }[];
  paths?: Record<string, unknown>;
};

type Operation = { method: string; path: string; id: string; summary: string; description: string; tag: string };

/**
 * The page at /docs: every operation as a plain list, grouped by tag. Its script replaces the list by Scalar's reference; without scripts,
 * or if one does not load, the list stays.
 */
export function referencePage(document: ListedDocument, { origin, nonce }: { origin: string; nonce: string }) {
  const operations = operationsOf(document);
  const tags = (document.tags ?? []).map(({ name, description = "" }) => ({
    name,
    description,
    operations: operations.filter(({ tag }) => tag === name),
  }));
  return layout({
    title: "Edgewise API",
    section: "reference",
    // Scalar reads the nonce of its style sheet here.
    head: html`<meta property="csp-nonce" content="${nonce}">
<script type="module" src="${ASSETS}/reference.js"></script>`,
    body: html`<main id="list" class="page">
<h1>Edgewise API</h1>
<p>${SUMMARY}</p>
${introduction(origin).map(partOf)}
<p>The <a href="/docs/guides">guides</a> explain each subject with examples. Schemas and examples of every operation are in
<a href="/openapi.json">openapi.json</a>.</p>
<nav aria-label="Operations by subject"><ul class="tags">${tags.map(({ name }) => html`<li><a href="#${name}">${titleOf(name)}</a></li>`)}</ul></nav>
${tags.map(
  ({ name, description, operations }) => html`<section>
<h2 id="${name}">${titleOf(name)}</h2>
<p>${withCode(description)}</p>
<dl class="operations">${operations.map(
    ({ method, path, id, summary, description }) => html`<div id="${id}">
<dt><code class="method ${method}">${method.toUpperCase()}</code> <code>${path}</code></dt>
<dd><strong>${summary}.</strong> ${withCode(description)} <code class="id">${id}</code></dd>
</div>`,
  )}</dl>
</section>`,
)}
</main>
<div id="reference" hidden></div>`,
  });
}

/** The name of a tag as a title, as in "Memories". */
export function titleOf(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1);
}

function partOf(part: Part) {
  return "shell" in part
    ? html`<pre tabindex="0"><code>${part.shell}</code></pre>`
    : html`<p><strong>${part.heading}.</strong> ${withCode(part.text)}</p>`;
}

function operationsOf({ paths = {} }: ListedDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).flatMap(([method, operation]) =>
      isRecord(operation)
        ? [
            {
              method,
              path,
              id: text(operation.operationId),
              summary: text(operation.summary),
              description: text(operation.description),
              tag: Array.isArray(operation.tags) ? text(operation.tags[0]) : "",
            },
          ]
        : [],
    ),
  );
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Text of ours, with `code` between backticks. */
function withCode(written: string) {
  return written.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
