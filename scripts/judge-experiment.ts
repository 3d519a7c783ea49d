import { readdirSync, readFileSync } from "node:fs";
import { readClauses } from "#core/language/clause-reader";
import { clauseFeatures, passageFeatures } from "../src/domain/extraction/judge/features.ts";
import { type Example, scoreOf, trainLogistic } from "./judge/logistic.ts";

const dir = process.argv[2] ?? "/work/authors/train";
type Row = { id: string; lang: string; text: string; keep: { span: string; must: string[] }[] };
const rows = (path: string) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .flatMap((l) => {
      try {
        return [JSON.parse(l)];
      } catch {
        return [];
      }
    });
const authors = new Map<string, Row[]>(
  readdirSync(dir)
    .filter((f) => f.endsWith(".jsonl"))
    .map((f) => [f, rows(`${dir}/${f}`)]),
);
const zero = rows("/work/shared/data/talk/messages.jsonl").map((r: any) => ({
  ...r,
  keep: r.facts.map((f: any) => ({ must: f.mustContain })),
}));
const prep = (list: Row[]) =>
  list.map((r) => {
    const clauses = readClauses(r.text);
    const spans = r.keep
      .filter((k) => k.span)
      .map((k) => ({ start: r.text.indexOf(k.span), end: r.text.indexOf(k.span) + k.span.length }));
    const labels = clauses.map((c) => {
      let o = 0;
      for (const s of spans) o += Math.max(0, Math.min(c.end, s.end) - Math.max(c.start, s.start));
      return o / (c.end - c.start) >= 0.5 ? 1 : 0;
    });
    return { r, clauses, labels, passage: passageFeatures(clauses), feats: clauses.map((_, i) => clauseFeatures(clauses, i)) };
  });
type P = ReturnType<typeof prep>[number];
const P = Object.fromEntries(["pepochs", "cepochs", "rate", "pdecay", "cdecay", "bits"].map((k) => [k, undefined])) as any;
for (const a of process.argv.slice(3)) {
  const [k, v] = a.split("=");
  P[k!] = Number(v);
}
const bits = P.bits ?? 17;
function train(ps: P[]) {
  const passage = trainLogistic(
    ps.filter((p) => p.clauses.length).map((p): Example => ({ features: p.passage, label: p.r.keep.length > 0 ? 1 : 0 })),
    { buckets: 2 ** bits, epochs: P.pepochs ?? 8, rate: P.rate ?? 0.1, decay: P.pdecay ?? 2e-5 },
  );
  const clause = trainLogistic(
    ps.flatMap((p) => p.clauses.map((_, i): Example => ({ features: p.feats[i]!, label: p.labels[i]! }))),
    { buckets: 2 ** bits, epochs: P.cepochs ?? 5, rate: P.rate ?? 0.1, decay: P.cdecay ?? 2e-5 },
  );
  return { passage, clause };
}
function auc(pairs: [number, number][]) {
  pairs.sort((a, b) => a[0] - b[0]);
  let r = 0,
    pos = 0;
  pairs.forEach(([, l], i) => {
    if (l) {
      r += i + 1;
      pos++;
    }
  });
  const neg = pairs.length - pos;
  return (r - (pos * (pos + 1)) / 2) / (pos * neg);
}
type Scored = { p: P; ps: number; cs: number[] };
const score = (m: ReturnType<typeof train>, ps: P[]): Scored[] =>
  ps.map((p) => ({ p, ps: p.clauses.length ? scoreOf(m.passage, p.passage) : -9, cs: p.feats.map((f) => scoreOf(m.clause, f)) }));
/** Runs as the product would store them. */
function runsOf({ p, ps, cs }: Scored, t: number, a: number, tc: number): string[] {
  const best = Math.max(-9, ...cs);
  if (a * ps + (1 - a) * best < t) return [];
  const runs: { from: number; to: number }[] = [];
  cs.forEach((c, i) => {
    if (P.veto === 1 && p.clauses[i]!.standing === "asked" && p.clauses[i]!.isQuestion) return;
    if (c + 0.35 * ps >= tc || c === best) {
      const last = runs.at(-1);
      if (
        last &&
        last.to === i - 1 &&
        (P.cut !== 1 ||
          p.clauses[i]!.sentence === p.clauses[last.to]!.sentence ||
          /^(?:he|she|they|it|its|it's|his|her|and|but|so|because|which|who|no|not|er|sie|il|elle|el|ella|y|et|und)\b/i.test(
            p.clauses[i]!.text,
          ) ||
          p.clauses[i]!.text.length < P.short)
      )
        last.to = i;
      else runs.push({ from: i, to: i });
    }
  });
  return runs.map(({ from, to }) => p.r.text.slice(p.clauses[from]!.start, p.clauses[to]!.end));
}
function measure(s: Scored[], t: number, a: number, tc: number) {
  let facts = 0,
    kept = 0,
    stored = 0,
    right = 0,
    nothing = 0,
    fal = 0;
  const has = (x: string, w: string) => x.toLowerCase().includes(String(w).toLowerCase());
  for (const x of s) {
    const got = runsOf(x, t, a, tc);
    const must = x.p.r.keep.map((k) => k.must ?? []);
    stored += got.length;
    right += got.filter((g) => must.some((m) => m.some((w) => has(g, w)))).length;
    facts += must.length;
    kept += must.filter((m) => got.some((g) => m.every((w) => has(g, w)))).length;
    if (must.length === 0) {
      nothing++;
      if (got.length) fal++;
    }
  }
  return { recall: kept / facts, precision: right / stored, fal: fal / nothing };
}
function report(name: string, s: Scored[]) {
  const f = (n: number) => n.toFixed(3);
  const a1 = auc(s.map((x) => [x.ps, x.p.r.keep.length ? 1 : 0]));
  const a2 = auc(s.map((x) => [x.ps * 0.6 + 0.4 * Math.max(-9, ...x.cs), x.p.r.keep.length ? 1 : 0]));
  const ca =
    s[0]!.p.r.keep.some((k) => k.span) || s.some((x) => x.p.labels.some(Boolean))
      ? auc(s.flatMap((x) => x.cs.map((c, i): [number, number] => [c + 0.35 * x.ps, x.p.labels[i]!])))
      : NaN;
  console.log(name, "n", s.length, "AUC passage", f(a1), "with clauses", f(a2), "clause", f(ca));
  // threshold at FP 10 %
  for (const tc of [-0.5, 0]) {
    const neg = s
      .filter((x) => x.p.r.keep.length === 0)
      .map((x) => 0.6 * x.ps + 0.4 * Math.max(-9, ...x.cs))
      .sort((x, y) => y - x);
    for (const fp of [0.05, 0.1]) {
      const t = neg[Math.floor(neg.length * fp)]! + 1e-6;
      const m = measure(s, t, 0.6, tc);
      console.log("   fp", fp, "t", f(t), "tc", tc, "recall", f(m.recall), "precision", f(m.precision));
    }
    const m = measure(s, 0, 0.6, tc);
    console.log("   t 0 tc", tc, "recall", f(m.recall), "precision", f(m.precision), "false", f(m.fal));
  }
}
console.time("prep");
const prepped = new Map([...authors].map(([k, v]) => [k, prep(v)]));
const z = prep(zero);
console.timeEnd("prep");
const total = [...prepped.values()].flat();
console.log(
  "messages",
  total.length,
  "clauses",
  total.reduce((n, p) => n + p.clauses.length, 0),
);
const oof: Scored[] = [];
console.time("cv");
for (const [k, v] of prepped) {
  const m = train([...prepped].filter(([o]) => o !== k).flatMap(([, x]) => x));
  oof.push(...score(m, v));
}
console.timeEnd("cv");
for (const lang of ["en", "de", "es", "fr", "zh"]) {
  const s = oof.filter((x) => x.p.r.lang === lang);
  if (s.length > 50) report(`cv ${lang}`, s);
}
const m = train(total);
const sz = score(m, z);
report(
  "round zero en",
  sz.filter((x) => x.p.r.lang === "en"),
);
report(
  "round zero other",
  sz.filter((x) => x.p.r.lang !== "en"),
);
if (P.corpus === 1) {
  const { FITTED, FRESH, HELD_OUT, HELD_OUT_LAST } = await import("../test/corpora/extraction.ts");
  for (const [n, cs] of Object.entries({ FITTED, HELD_OUT, HELD_OUT_LAST, FRESH })) {
    const by: Record<string, number[]> = {};
    let neg = 0,
      fal = 0;
    const miss: string[] = [];
    const fals: string[] = [];
    for (const c of cs) {
      const text = c.messages
        .filter((x) => x.role === "user")
        .map((x) => x.text)
        .join("\n");
      if (!text) continue;
      const [x] = score(m, prep([{ id: "", lang: c.language, text, keep: [] }]));
      const runs = runsOf(x!, 1.0, 0.6, -0.5);
      if (c.expected.length === 0) {
        neg++;
        if (runs.length) {
          fal++;
          fals.push(c.reason + ": " + text);
        }
      }
      for (const e of c.expected) {
        const b = (by[`${e.category}${e.key ? " key" : ""}`] ??= [0, 0]);
        b[1]!++;
        if (runs.some((r) => r.includes(e.content))) b[0]!++;
        else miss.push(`${e.category}${e.key ? " key" : ""}: ${e.content}`);
      }
    }
    console.log(
      n,
      "false",
      fal,
      "of",
      neg,
      Object.entries(by)
        .map(([k, [a, b]]) => `${k} ${a}/${b}`)
        .join("; "),
    );
    if (n === "FITTED") {
      console.log(miss.slice(0, 60).join("\n"));
      console.log("FALSE\n" + fals.slice(0, 40).join("\n---\n"));
    }
  }
}
