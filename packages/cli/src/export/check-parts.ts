import { createHash, type Hash } from "node:crypto";

/** What was read so far: rows by kind, and where the next part begins, null when the export is whole. */
export type Checked = { rows: Record<string, number>; nextFrom: string | null; isWhole: boolean };

/** A line that is not where or what it should be. The message says what is wrong with the file. */
export class BrokenExport extends Error {
  override readonly name = "BrokenExport";
}

type Count = { lines: number; hash: Hash };
type Manifest = Record<string, { lines: number; sha256: string }>;

const TOTAL = "";

/**
 * Checks an export of Edgewise line by line: each part has a header, its rows, and an end whose counts and hashes are those of the rows;
 * the next part begins where it ended.
 */
export function createChecker() {
  const rows: Record<string, number> = {};
  let counts = new Map<string, Count>();
  let [isInside, nextFrom, parts]: [boolean, string | null, number] = [false, null, 0];
  const count = (kind: string, line: string) => {
    const one = counts.get(kind) ?? { lines: 0, hash: createHash("sha256") };
    one.lines += 1;
    one.hash.update(`${line}\n`);
    counts.set(kind, one);
  };
  const begin = (line: string, header: Record<string, unknown>) => {
    if (isInside || header.format !== "edgewise")
      throw new BrokenExport("It is not an export of Edgewise, or a part of it has no end.");
    if (header.from !== (parts === 0 ? null : nextFrom) || (parts > 0 && nextFrom === null))
      throw new BrokenExport("A part of it is missing.");
    counts = new Map();
    isInside = true;
    count(TOTAL, line);
  };
  const end = ({ kinds, total, nextFrom: next }: Record<string, unknown>) => {
    const expected: Manifest = { ...(kinds as Manifest), [TOTAL]: total as Manifest[string] };
    for (const kind of new Set([...Object.keys(expected), ...counts.keys()])) {
      const found = counts.get(kind);
      const isSame = found?.lines === expected[kind]?.lines && found?.hash.digest("hex") === expected[kind]?.sha256;
      if (!isSame) throw new BrokenExport(`Its ${kind === TOTAL ? "lines" : kind} are not those that were exported.`);
      if (kind !== TOTAL) rows[kind] = (rows[kind] ?? 0) + (found?.lines ?? 0);
    }
    [isInside, nextFrom, parts] = [false, typeof next === "string" ? next : null, parts + 1];
  };
  return {
    /** @throws BrokenExport */
    add: (line: string): Record<string, unknown> => {
      const parsed = objectIn(line);
      const kind = String(parsed.kind);
      if (kind === "header") begin(line, parsed);
      else if (!isInside) throw new BrokenExport("It does not begin with the header of an export of Edgewise.");
      else if (kind === "end") end(parsed);
      else {
        count(TOTAL, line);
        count(kind, line);
      }
      return parsed;
    },
    checked: (): Checked => ({ rows, nextFrom, isWhole: parts > 0 && nextFrom === null }),
  };
}

function objectIn(line: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === "object" && parsed !== null) return { ...parsed };
  } catch {
    // The message of JSON.parse has a part of the line.
  }
  throw new BrokenExport("A line of it is cut off or damaged.");
}

export function totalOf({ rows }: Checked): number {
  return Object.values(rows).reduce((sum, lines) => sum + lines, 0);
}
