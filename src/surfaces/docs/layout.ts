import { html } from "hono/html";

type Html = ReturnType<typeof html>;

/** Where the build puts the files that pages load (scripts/build-assets.ts). */
export const ASSETS = "/docs/assets";

/** What the pages beside the reference may load: a style sheet, and nothing from elsewhere. They run no script. */
export const PAGE_POLICY = policyOf({ style: "'self'" });

/** The policy of the reference: our script, what it loads from here, and the styles that it makes with this nonce. */
export function referencePolicy(nonce: string): string {
  return policyOf({
    script: "'self'",
    connect: "'self'",
    font: "'self'",
    style: `'self' 'nonce-${nonce}'`,
    styleAttributes: true,
  });
}

type Allowed = { script?: string; style: string; connect?: string; font?: string; styleAttributes?: boolean };

function policyOf({ script, style, connect, font, styleAttributes }: Allowed): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${script}`]),
    `style-src ${style}`,
    // Scalar's components have style attributes for sizes; an attribute of an element cannot load anything that is not allowed below.
    ...(styleAttributes === true ? ["style-src-attr 'unsafe-inline'"] : []),
    ...(connect === undefined ? [] : [`connect-src ${connect}`]),
    ...(font === undefined ? [] : [`font-src ${font}`]),
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

type Page = {
  title: string;
  /** Which link of the bar is the page's own. */
  section: "reference" | "guides";
  /** More elements of the head. */
  head?: Html;
  /** What comes after the bar. */
  body: Html;
};

/** A page of /docs: the bar that all of them have, and its own content. */
export function layout({ title, section, head, body }: Page): Html {
  const current = (name: Page["section"]) => (name === section ? html` aria-current="page"` : "");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ASSETS}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS}/pages.css">
${head ?? ""}
</head>
<body>
<header class="bar">
<a class="brand" href="/docs">Edgewise</a>
<nav aria-label="Documentation">
<a href="/docs"${current("reference")}>API</a>
<a href="/docs/guides"${current("guides")}>Guides</a>
<a href="/openapi.json">openapi.json</a>
</nav>
</header>
${body}
</body>
</html>`;
}
