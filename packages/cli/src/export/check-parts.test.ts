import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createChecker } from "./check-parts.ts";

const sha = (...lines: string[]) =>
  createHash("sha256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .digest("hex");

function part(
  rows: string[],
  { from = null, nextFrom = null }: { from?: string | null; nextFrom?: string | null } = {},
): string[] {
  const header = JSON.stringify({ kind: "header", format: "edgewise", version: 1, scope: "tenant", userId: null, from });
  const kinds = rows.length === 0 ? {} : { users: { lines: rows.length, sha256: sha(...rows) } };
  return [
    header,
    ...rows,
    JSON.stringify({ kind: "end", nextFrom, kinds, total: { lines: rows.length + 1, sha256: sha(header, ...rows) } }),
  ];
}

/** The part with another manifest, as somebody with an editor would change it. */
function withEnd(lines: readonly string[], change: object): string[] {
  return [...lines.slice(0, -1), JSON.stringify({ ...JSON.parse(lines.at(-1) ?? ""), ...change })];
}

const ann = JSON.stringify({ kind: "users", row: { id: 1 } });
const ben = JSON.stringify({ kind: "users", row: { id: 2 } });

function check(lines: readonly string[]) {
  const checker = createChecker();
  for (const line of lines) checker.add(line);
  return checker.checked();
}

describe("an export", () => {
  const first = part([ann], { nextFrom: "abc" });
  const second = part([ben], { from: "abc" });

  it("is whole when each part is, and the last has nothing behind it", () => {
    expect(check([...first, ...second])).toEqual({ rows: { users: 2 }, nextFrom: null, isWhole: true });
    expect(check(first)).toEqual({ rows: { users: 1 }, nextFrom: "abc", isWhole: false });
    expect(check(first.slice(0, 2)).isWhole).toBe(false);
    expect(check([]).isWhole).toBe(false);
  });

  it.each([
    ["a row that was changed", [first[0] ?? "", ben, first[2] ?? ""], "users"],
    ["a row that is missing", [first[0] ?? "", first[2] ?? ""], "users"],
    ["a count that was changed", withEnd(first, { kinds: { users: { lines: 2, sha256: sha(ann) } } }), "users"],
    ["a hash that was changed", withEnd(first, { kinds: { users: { lines: 1, sha256: sha(ben) } } }), "users"],
    ["a kind that the manifest lacks", withEnd(first, { kinds: {} }), "users"],
    [
      "a kind that it has not",
      withEnd(first, { kinds: { users: { lines: 1, sha256: sha(ann) }, facts: { lines: 0, sha256: sha() } } }),
      "facts",
    ],
    ["another header", [(first[0] ?? "").replace("tenant", "user"), ...first.slice(1)], "lines"],
    ["a part that is missing", second, "missing"],
    ["a part after the last", [...part([ann]), ...part([ben])], "missing"],
    ["a part without an end", [...first.slice(0, 2), ...second], "no end"],
    ["no header", [ann], "begin"],
    ["a line that is cut off", [first[0] ?? "", ann.slice(0, 9)], "cut off"],
  ])("is refused with %s", (_, lines, reason) => {
    expect(() => check(lines)).toThrow(reason);
  });
});
