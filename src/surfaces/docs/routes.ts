import type { OpenAPIHono } from "@hono/zod-openapi";
import type { RestEnv } from "#surfaces/rest/rest-env";
import { referencePolicy } from "./layout.ts";
import { type ListedDocument, referencePage } from "./reference-page.ts";

/**
 * Serves the reference at /docs. The other pages of /docs and everything that pages load are static files (scripts/build-assets.ts), which the
 * platform serves without the Worker.
 */
export function serveReference(app: OpenAPIHono<RestEnv>, documentAt: (origin: string) => ListedDocument): void {
  app.get("/docs", (c) => {
    const { origin } = new URL(c.req.url);
    const nonce = crypto.randomUUID();
    c.header("content-security-policy", referencePolicy(nonce));
    c.header("x-content-type-options", "nosniff");
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-cache");
    return c.html(referencePage(documentAt(origin), { origin, nonce }));
  });
}
