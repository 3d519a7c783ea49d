import { describe, expect, it } from "vitest";
import { type Counts, NOTHING, summarise } from "./counts.ts";
import { checkMemoryBudgets, type MemoryResult } from "./memory-budgets.ts";

function result(operation: string, counts: Partial<Counts>, place: Partial<MemoryResult> = {}): MemoryResult {
  const summary = summarise([{ ...NOTHING, ...counts }]);
  return { operation, place: "few", own: 1_000, summary, matches: 0, p50Ms: 0, ...place };
}

const broken = (...results: MemoryResult[]) => checkMemoryBudgets(results).filter(({ ok }) => !ok);
const ADDED = { trips: 2, rowsRead: 30, rowsWritten: 12 };

describe("checkMemoryBudgets", () => {
  it("is content with a memory inside its budget and names each count outside", () => {
    expect(broken(result("add a memory about a person", ADDED))).toEqual([]);
    expect(broken(result("add a memory about a person", { ...ADDED, trips: 3, rowsRead: 31, rowsWritten: 13 }))).toEqual([
      { name: "add a memory about a person: trips", ok: false, detail: "3, at most 2" },
      { name: "add a memory about a person: rowsWritten", ok: false, detail: "13, at most 12" },
      { name: "add a memory about a person: rowsRead", ok: false, detail: "31, at most 30" },
    ]);
  });

  it("lets a search ask for vectors twice and write nothing", () => {
    expect(broken(result("search memories", { trips: 2, embeddings: 1, vectorQueries: 2 }))).toEqual([]);
    expect(broken(result("search memories", { trips: 2, vectorQueries: 3, rowsWritten: 1 }))).toHaveLength(2);
  });

  it("lets a search read more for more matches only", () => {
    const search = (rowsRead: number) => result("search episodes and memories", { rowsRead }, { matches: 100 });
    expect(broken(search(4_800))).toEqual([]);
    expect(broken(search(4_801))).toHaveLength(1);
  });

  it.each(["tenant", "tenants"] as const)("finds a single row that the data of others cost: %s", (place) => {
    const search = (rowsRead: number, where: MemoryResult["place"]) => result("search memories", { rowsRead }, { place: where });
    expect(broken(search(100, "few"), search(100, place))).toEqual([]);
    expect(broken(search(100, "few"), search(101, place)).map(({ detail }) => detail)).toEqual([
      `rows read ×1.01000, round trips ×1.00 (${place}, of 1000)`,
    ]);
  });

  it("compares a viewer with themselves", () => {
    const search = (rowsRead: number, place: Partial<MemoryResult>) => result("search memories", { rowsRead }, place);
    expect(broken(search(100, { own: 1_000 }), search(500, { own: 5_000, place: "tenant" }))).toEqual([]);
  });

  it("finds that adding costs more to who has more", () => {
    const add = (rowsRead: number, own: number) => result("add a memory about a person", { ...ADDED, rowsRead }, { own });
    expect(broken(add(28, 1_000), add(28, 5_000))).toEqual([]);
    expect(broken(add(28, 1_000), add(29, 5_000)).map(({ name }) => name)).toEqual([
      "add a memory about a person: flat in what the owner holds",
    ]);
  });
});
