/**
 * Replaces the plain list of /docs by Scalar's reference. It loads nothing from other hosts: every feature of Scalar that would call one is off, and
 * the page's Content-Security-Policy allows this origin only.
 */

// zod, in Scalar, otherwise tries whether it may compile code, which the policy refuses and reports.
globalThis.__zod_globalConfig = { jitless: true };

// Scalar makes style elements in several places, and gives the nonce of the policy to one of them only.
const nonce = document.head.querySelector('meta[property="csp-nonce"]')?.getAttribute("content") ?? "";
const createElement = document.createElement.bind(document);
document.createElement = (name, options) => {
  const element = createElement(name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
};

// Replaced by the build (scripts/build-assets.ts).
const SCALAR = "SCALAR_MODULE";
const { origin } = window.location;
const [{ createApiReference }, content] = await Promise.all([import(SCALAR), loadDocument()]);

const list = document.getElementById("list");
const reference = document.getElementById("reference");
list.remove();
reference.hidden = false;
createApiReference(reference, {
  content,
  // The page may have been opened as localhost and the document may say 127.0.0.1: calls go to the page's own origin.
  servers: [{ url: origin, description: "This service" }],
  theme: "none",
  hideDarkModeToggle: true,
  showOperationId: true,
  operationTitleSource: "summary",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "none",
  persistAuth: false,
  // What would call other hosts, or lead to them.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  externalUrls: { dashboardUrl: origin, registryUrl: origin, proxyUrl: origin, apiBaseUrl: origin },
});

async function loadDocument() {
  const answer = await fetch("/openapi.json");
  if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}.`);
  return await answer.json();
}
