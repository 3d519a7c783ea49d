import { describe, expect, it } from "vitest";
import { app } from "#surfaces/rest/app";
import { openApiDocument } from "#surfaces/rest/openapi";
import { introductionMarkdown } from "./introduction.ts";
import { PAGE_POLICY, referencePolicy } from "./layout.ts";
import { referencePage } from "./reference-page.ts";

const origin = "https://memory.example.com";
const document = openApiDocument(app, origin);
const page = String(referencePage(document, { origin, nonce: "n1" }));

describe("the page", () => {
  it("lists every operation once, under its tag", () => {
    const ids = Object.values(document.paths ?? {}).flatMap((item) =>
      Object.values(item).map((operation: { operationId: string }) => operation.operationId),
    );
    const listed = [...page.matchAll(/<div id="([^"]+)">/g)].map(([, id]) => id);
    expect(listed.length).toBeGreaterThan(70);
    expect(listed.toSorted()).toEqual(ids.toSorted());
    const [, ofContext = ""] = /<h2 id="context">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect(ofContext).toContain('<code class="method post">POST</code> <code>/v1/context</code>');
  });

  it("escapes what it shows", () => {
    const shown = { tags: [{ name: "t", description: "<b>`<i>`" }], paths: { "/<p>": { get: { tags: ["t"], summary: "<u>" } } } };
    const text = String(referencePage(shown, { origin, nonce: "n1" }));
    expect(text).toContain("&lt;b&gt;<code>&lt;i&gt;</code>");
    expect(text).not.toMatch(/<(?:b|i|u)>|\/<p>/);
  });

  it("has one script, a file of the service, and loads nothing from another host", () => {
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/docs/assets/reference.js">']);
    expect([...page.matchAll(/(?:src|href)="([^"]*)"/g)].filter(([, address = ""]) => !/^[/#]/.test(address))).toEqual([]);
  });
});

describe("the policies", () => {
  it("allow this origin only, and no script that is written in a page", () => {
    for (const policy of [PAGE_POLICY, referencePolicy("n1")]) {
      expect(policy).toMatch(/^default-src 'none'; /);
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|wasm/);
      expect(policy).toMatch(/base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
    }
    expect(PAGE_POLICY).not.toMatch(/script-src|unsafe-inline/);
    const directives = referencePolicy("n1").split("; ");
    expect(directives).toContain("script-src 'self'");
    expect(directives).toContain("style-src 'self' 'nonce-n1'");
    expect(directives.filter((directive) => directive.includes("unsafe-inline"))).toEqual(["style-src-attr 'unsafe-inline'"]);
  });
});

it("the document begins with the same introduction", () => {
  expect(document.info.description).toBe(introductionMarkdown(origin));
  expect(introductionMarkdown(origin)).toContain(`\`\`\`sh\ncurl -X POST ${origin}/v1/sessions/chat-1/episodes`);
});
