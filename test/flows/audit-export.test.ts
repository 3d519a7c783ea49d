import { beforeEach, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "#test/harness";
import { createInterruption } from "#test/interruption";
import { remove, tamper, threeStretches, verify, writeMany } from "./audit-rows.ts";
import { rows } from "./requests.ts";

let h: Harness;
beforeEach(async () => {
  h = await createHarness({ replace: () => ({ log: () => undefined }) });
});

type Line = Record<string, unknown> & { kind: "row" | "seal" | "end"; seq: number };

const PREFIXES: Record<string, string> = { session: "ses", project: "prj", user: "usr" };

/** What docs/audit.md says of the chain, written again without the service's own code. */
async function recompute(lines: readonly Line[]): Promise<string[]> {
  const sha256 = async (text: string) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const faults: string[] = [];
  let hash = "0".repeat(64);
  let seq = 0;
  for (const line of lines) {
    if (line.kind === "seal" && line.hash !== hash) faults.push(`seal ${line.seq}`);
    if (line.kind !== "row") continue;
    seq += 1;
    if (line.seq !== seq) faults.push(`row ${seq}`);
    const content =
      line.erasedAt === null ? await sha256(`${line.salt}\n${JSON.stringify([line.userNumber, line.detail])}`) : line.contentHash;
    const record = [
      line.seq,
      line.id,
      line.at,
      line.actorKind,
      line.actorId,
      line.workspaceId,
      line.action,
      line.objectUuid === null ? line.objectId : `${PREFIXES[String(line.objectKind)]}_${line.objectUuid}`,
      line.requestId,
      content,
    ];
    hash = await sha256(`${hash}\n${JSON.stringify(record)}`);
  }
  return faults;
}

describe("the export", () => {
  const download = async (query = "") => {
    const { status, text, headers } = await h.fetch("GET", `/v1/audit/export${query}`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(text.endsWith("}\n")).toBe(true);
    return text
      .trimEnd()
      .split("\n")
      .map((line): Line => JSON.parse(line));
  };

  it("can be verified by anybody, erased rows and names of any script included", async () => {
    await threeStretches(h);
    await h.fetch("PUT", "/v1/users/%E6%9D%8E%22%F0%9F%90%A6", { body: { name: "李" } });
    await h.fetch("PUT", "/v1/projects/p", { body: { userId: '李"🐦' } });
    await h.fetch("PUT", '/v1/projects/p/members/%E2%80%A8"?userId=%E6%9D%8E%22%F0%9F%90%A6');
    await h.fetch("POST", "/v1/audit/erase", { body: { objectId: "nothing" } });
    const [row] = await rows<{ id: string }>("select id from audit where tenant_id = ? and seq = 5", h.tenantId);
    await h.fetch("POST", "/v1/audit/erase", { body: { ids: [row?.id] } });
    await verify(h);
    const lines = await download();
    expect(lines.filter(({ kind }) => kind === "seal").map(({ seq }) => seq)).toEqual([3, 6, 9, 12, 13]);
    expect(lines.at(-1)).toEqual({ kind: "end", nextFrom: null });
    expect(lines.find(({ seq }) => seq === 11)).toMatchObject({ userId: '李"🐦', detail: expect.any(String) });
    expect(await recompute(lines)).toEqual([]);
    expect(await recompute(lines.map((line) => (line.seq === 8 ? { ...line, detail: "{}" } : line)))).not.toEqual([]);
    await tamper(h, "detail = '{}'", 8);
    expect(await recompute(await download())).toEqual(["seal 9", "seal 12", "seal 13"]);
    await remove(h, "audit", "seq = 13");
    expect((await download()).filter(({ kind }) => kind === "seal")).toHaveLength(5);
  });

  it("comes in pages of bounded size, whole and in order", async () => {
    await writeMany(h, 2_500);
    await verify(h);
    await verify(h);
    const lines = await download();
    const order = lines.filter(({ kind }) => kind === "row").map(({ seq }) => seq);
    expect(order).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1));
    expect(await recompute(lines)).toEqual([]);
    expect((await download("?from=2000")).filter(({ kind }) => kind === "row")).toHaveLength(500);
    await rows("delete from audit where tenant_id = ? and seq > 2000", h.tenantId);
    expect((await download()).at(-1)).toEqual({ kind: "end", nextFrom: null });
  });

  it("that fails midway breaks off, and the log has no text of a message", async () => {
    const logged: string[] = [];
    const interruption = createInterruption();
    const failing = await createHarness({
      replace: ({ db }) => ({
        log: (event, facts) => void logged.push(JSON.stringify({ event, ...facts })),
        db: interruption.in(db),
      }),
    });
    await writeMany(failing, 1_500);
    interruption.beforeBatch(2, () => Promise.reject(new Error("the words of somebody")));
    await expect(failing.fetch("GET", "/v1/audit/export")).rejects.toThrow();
    expect(logged).toEqual([expect.stringContaining('"event":"audit.export_failed"')]);
    expect(logged.join()).not.toContain("words");
  });

  it("of nothing is its end", async () => {
    expect(await download()).toEqual([{ kind: "end", nextFrom: null }]);
  });
});
