/** A statement that can delete rows on D1 while a migration reports success (docs/storage.md#migrations). */
export type Danger = { line: number; what: string };

const DANGERS: readonly [RegExp, string][] = [
  [/\bDROP\s+TABLE\b/i, "DROP TABLE"],
  [/__new_/i, "__new_"],
  [/\bPRAGMA\s+(?:defer_)?foreign_keys\b/i, "PRAGMA foreign_keys"],
  [/\bON\s+DELETE\s+CASCADE\b/i, "ON DELETE CASCADE"],
  [/\bINSERT\s+OR\s+REPLACE\b/i, "INSERT OR REPLACE"],
];

/** Dangerous lines of a migration, except those whose previous line says why they are safe: `-- safe: …`. */
export function findDangers(sql: string): Danger[] {
  const lines = sql.split(/\r?\n/);
  return lines.flatMap((text, i) => {
    const code = text.replace(/--.*$/, "");
    const excused = /^\s*--\s*safe:\s*\S/.test(lines[i - 1] ?? "");
    const found = DANGERS.find(([pattern]) => pattern.test(code));
    return found === undefined || excused ? [] : [{ line: i + 1, what: found[1] }];
  });
}
