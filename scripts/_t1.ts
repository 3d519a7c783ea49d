import { readFileSync } from "node:fs";
import { readForgetRequests } from "../src/core/language/forget-requests.ts";
const args = process.argv.slice(2);
const lines = args[0] === "-f" ? readFileSync(args[1] ?? "", "utf8").trim().split("\n") : args;
for (const l of lines) { const r = readForgetRequests(l); console.log(r.length === 0 ? "----" : r.map(({ parts, kept, onlyFacts }) => `[${parts.map((p) => p.join("+")).join(" | ") || "LAST"}${kept.length ? ` keep ${kept.join("+")}` : ""}${onlyFacts ? " F" : ""}]`).join(" "), "<-", l); }
