import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { STATUS } from "#surfaces/rest/problem";
import { ROOT } from "./wrangler.ts";

const page = readFileSync(path.join(ROOT, "docs", "errors.md"), "utf8");

it.each(Object.entries(STATUS))("docs/errors.md has a part and a row about %s, status %i", (code, status) => {
  expect(page).toMatch(new RegExp(`^## ${code}\\n\\nStatus ${status}\\. `, "m"));
  expect(page).toMatch(new RegExp(`^\\| \\[\`${code}\`\\]\\(#${code}\\) \\| ${status} \\|`, "m"));
});

it("has parts about nothing else", () => {
  const parts = [...page.matchAll(/^## (.*)$/gm)].map(([, code]) => code);
  expect(parts).toEqual(parts.filter((code) => code !== undefined && code in STATUS));
});
