import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChainRow, contentHashOf, GENESIS, walk } from "./chain.ts";

const text = fc.string({ unit: "binary", maxLength: 12 });
const row: fc.Arbitrary<ChainRow> = fc.record({
  seq: fc.constant(0),
  id: text,
  at: fc.nat(),
  actorKind: fc.constantFrom("key", "job", "system"),
  actorId: text,
  workspaceId: fc.option(text),
  action: text,
  objectId: text,
  requestId: text,
  userId: fc.option(fc.nat()),
  detail: fc.json({ maxDepth: 1 }),
  salt: fc.stringMatching(/^[0-9a-f]{32}$/),
  contentHash: fc.constant(null),
  erased: fc.constant(false),
});
const chain = fc.array(row, { minLength: 1, maxLength: 6 }).map((rows) => rows.map((each, i) => ({ ...each, seq: i + 1 })));

const START = { seq: 0, hash: GENESIS };
const sha256 = (of: string) => createHash("sha256").update(of).digest("hex");
const erase = async (each: ChainRow): Promise<ChainRow> => ({
  ...each,
  userId: null,
  detail: null,
  salt: null,
  contentHash: await contentHashOf(each),
  erased: true,
});

describe("walk", () => {
  it("computes what its documentation says", async () => {
    await fc.assert(
      fc.asyncProperty(chain, async (rows) => {
        const expected = rows.reduce((hash, r) => {
          const content = sha256(`${r.salt}\n${JSON.stringify([r.userId, r.detail])}`);
          const record = [r.seq, r.id, r.at, r.actorKind, r.actorId, r.workspaceId, r.action, r.objectId, r.requestId, content];
          return sha256(`${hash}\n${JSON.stringify(record)}`);
        }, GENESIS);
        expect(await walk(START, rows)).toEqual({ hash: expected });
      }),
    );
  });

  it("goes on from any row to the same end", async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(), async (rows, at) => {
        const cut = at % (rows.length + 1);
        const first = await walk(START, rows.slice(0, cut));
        const hash = "hash" in first ? first.hash : "";
        expect(await walk({ seq: cut, hash }, rows.slice(cut))).toEqual(await walk(START, rows));
      }),
    );
  });

  it("goes through erased rows to the same end", async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), async (rows, erased) => {
        const after = await Promise.all(rows.map(async (each, i) => (erased[i] ? await erase(each) : each)));
        expect(await walk(START, after)).toEqual(await walk(START, rows));
      }),
    );
  });

  it("comes to another end, or to none, whatever else is changed", async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(), row, async (rows, at, other) => {
        const index = at % rows.length;
        const honest = await walk(START, rows);
        const fields = [
          "id",
          "at",
          "actorKind",
          "actorId",
          "workspaceId",
          "action",
          "objectId",
          "requestId",
          "userId",
          "detail",
          "salt",
        ] as const;
        for (const field of fields) {
          if (rows[index]?.[field] === other[field]) continue;
          expect(await walk(START, rows.with(index, { ...other, ...rows[index], [field]: other[field] })), field).not.toEqual(
            honest,
          );
        }
      }),
    );
  });

  it("stops where a row is missing, twice there, or out of place", async () => {
    await fc.assert(
      fc.asyncProperty(chain, fc.nat(), async (rows, at) => {
        const index = at % rows.length;
        const broken = { brokenAt: index + 1, kind: "missing_row" };
        if (index < rows.length - 1) expect(await walk(START, rows.toSpliced(index, 1))).toEqual(broken);
        expect(
          await walk(
            START,
            rows.flatMap((each, i) => (i === index ? [each, each] : [each])),
          ),
        ).toEqual({ ...broken, brokenAt: index + 2 });
        expect(await walk({ seq: 1, hash: GENESIS }, rows)).toEqual({ ...broken, brokenAt: 2 });
      }),
    );
  });

  it("takes no row that is neither whole nor erased", async () => {
    await fc.assert(
      fc.asyncProperty(row, async (each) => {
        const whole = { ...each, seq: 1 };
        const gone = await erase(whole);
        const halves: ChainRow[] = [
          { ...whole, salt: null },
          { ...whole, contentHash: gone.contentHash },
          { ...whole, erased: true },
          { ...gone, erased: false },
          { ...gone, detail: whole.detail },
          { ...gone, salt: whole.salt },
          { ...gone, userId: 1 },
          { ...gone, contentHash: null },
        ];
        for (const half of halves) expect(await walk(START, [half])).toEqual({ brokenAt: 1, kind: "changed_row" });
      }),
    );
  });

  it("distinguishes fields that would be equal when concatenated", async () => {
    const base: ChainRow = {
      seq: 1,
      id: "a",
      at: 1,
      actorKind: "key",
      actorId: "b",
      workspaceId: null,
      action: "c",
      objectId: "d",
      requestId: "e",
      userId: 1,
      detail: "{}",
      salt: "00",
      contentHash: null,
      erased: false,
    };
    const others = [
      { ...base, actorId: 'b",null,"c' },
      { ...base, action: "cd", objectId: "" },
      { ...base, workspaceId: "null" },
      { ...base, workspaceId: "" },
      { ...base, salt: '00\n[1,"{}"]' },
    ];
    const ends = await Promise.all([base, ...others].map(async (each) => JSON.stringify(await walk(START, [each]))));
    expect(new Set(ends).size).toBe(ends.length);
  });
});
