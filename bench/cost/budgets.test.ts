import { describe, expect, it } from "vitest";
import { checkBudgets, type Result, ratios } from "./budgets.ts";
import { type Counts, summarise } from "./counts.ts";

const NONE: Counts = {
  trips: 2,
  statements: 4,
  rowsRead: 15,
  rowsWritten: 0,
  embeddings: 0,
  embeddingTokens: 0,
  vectorQueries: 0,
  vectorsWritten: 0,
  messages: 0,
  requests: 1,
};

function result(operation: string, counts: Partial<Counts>, place: Partial<Result> = {}): Result {
  const summary = summarise([{ ...NONE, ...counts }]);
  return { operation, viewer: "viewer", size: 1_000, own: 1_000, otherTenants: 1, summary, matches: 0, p50Ms: 0, ...place };
}

const broken = (results: readonly Result[]) => checkBudgets(results).filter(({ ok }) => !ok);

describe("checkBudgets", () => {
  it("is content with an append inside its budget and names each count outside", () => {
    expect(broken([result("append one episode", { rowsWritten: 12, rowsRead: 20 })])).toEqual([]);
    expect(broken([result("append one episode", { rowsWritten: 13, rowsRead: 20 })])).toEqual([
      { name: "append one episode: rowsWritten", ok: false, detail: "13, at most 12" },
    ]);
  });

  it("takes the worst of all places", () => {
    const places = [result("search text", { trips: 2 }), result("search text", { trips: 3 }, { viewer: "alone" })];
    expect(broken(places).map(({ detail }) => detail)).toContain("3, at most 2");
  });

  it("lets a search read more for more matches only", () => {
    expect(broken([result("search text", { rowsRead: 5_000 }, { matches: 1_000 })])).toEqual([]);
    expect(broken([result("search text", { rowsRead: 5_001 }, { matches: 1_000 })])).toHaveLength(1);
  });

  it("counts what a search within a project matches outside of it", () => {
    const whole = result("search hybrid", { rowsRead: 5_000 }, { matches: 1_000 });
    expect(broken([whole, result("search hybrid in a project", { rowsRead: 4_900 }, { matches: 200 })])).toEqual([]);
    expect(broken([result("search hybrid in a project", { rowsRead: 4_900 }, { matches: 200 })])).toHaveLength(1);
  });

  it("finds a single row that others' data cost", () => {
    const [least, most] = [{ rowsRead: 100 }, { rowsRead: 101 }].map((counts, i) =>
      result("search hybrid", counts, { size: 10 ** (3 + i), otherTenants: 1 + 99 * i }),
    );
    if (least === undefined || most === undefined) throw new Error("unreachable");
    expect(broken([most, least])).toEqual([
      { name: "search hybrid: flat in what others hold", ok: false, detail: "rows read ×1.01000, round trips ×1.00" },
    ]);
  });
});

describe("ratios", () => {
  it("compares the viewer's own measurements, the largest with the smallest", () => {
    const results = [
      result("search text", { rowsRead: 50 }, { p50Ms: 10 }),
      result("search text", { rowsRead: 70 }, { size: 10_000 }),
      result("search text", { rowsRead: 100 }, { size: 100_000, otherTenants: 100, p50Ms: 11 }),
      result("search text", { rowsRead: 900 }, { size: 100_000, viewer: "alone" }),
    ];
    expect(ratios(results)).toEqual([{ operation: "search text", rowsRead: 2, trips: 1, p50: 1.1 }]);
  });

  it("has nothing to say of one place", () => {
    expect(ratios([result("search text", {})])).toEqual([]);
  });
});
