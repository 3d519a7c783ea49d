import { readFileSync } from "node:fs";
import { readForgetRequests, asksToForget } from "../src/core/language/forget-requests.ts";
import { chooseWords } from "../src/domain/forgetting/choose-words.ts";
import { keysIn } from "../src/domain/extraction/rules/keys-in.ts";
import { beginsList } from "../src/domain/facts/read-lists.ts";
import { redactSpans } from "../src/core/text/redacted.ts";
const [mode, file, verbose] = process.argv.slice(2);
const items = readFileSync(file ?? "", "utf8").trim().split("\n").map((l) => JSON.parse(l));
let bad = 0, lost = 0, kepts = 0;
for (const x of items) {
  const text = mode === "ord" ? x.ordinary : x.request;
  const requests = readForgetRequests(text);
  const own = [...x.turns].reverse().filter((t: string) => !asksToForget(t));
  const candidates = own.map((t: string) => ({ text: t, isList: beginsList(t), isPrevious: t === x.turns.at(-1) }));
  const chosen = requests.flatMap((r) => chooseWords(r, candidates, keysIn));
  const after = candidates.map(({ text: t }, i) => redactSpans(t, chosen.filter(({ of }) => of === i).flatMap(({ spans }) => spans)));
  const rest = after.join("\n").toLowerCase();
  if (mode === "ord") { if (chosen.length) { bad++; console.log("TAKEN", x.id, x.lang, x.ordinary, "<-", after.join(" / ")); } continue; }
  const left = x.gone.filter((g: string) => rest.includes(g.toLowerCase()));
  const gone = (x.kept ?? []).filter((k: string) => !rest.includes(k.toLowerCase()));
  if (left.length) { bad++; if (verbose) console.log("LEFT", x.id, x.lang, left.join(";"), "<-", JSON.stringify(requests.map((r) => r.parts)), x.request, "<-", x.turns.join(" / ")); }
  if (x.kept?.length) { kepts++; if (gone.length) { lost++; console.log("LOST", x.id, x.lang, gone.join(";"), "<-", x.request, "<-", after.join(" / ")); } }
}
console.log(mode, items.length, "bad", bad, "lost", lost, "of", kepts);
