import type { Comparison, FilterKey, Operand, VectorCondition } from "#adapters/vector-filter";

export const COLUMNS = {
  kind: "kind",
  session: "session",
  project: "project",
  owner: "owner",
  workspace: "workspace",
  type: "type",
  createdDay: "created_day",
  expiresDay: "expires_day",
  model: "model",
} as const satisfies Record<FilterKey, string>;

/** The keys of a literal are exactly those of its type. */
const KEYS = Object.keys(COLUMNS) as FilterKey[];

const OPERATORS: Record<Comparison, string> = { $eq: "=", $ne: "<>", $lt: "<", $lte: "<=", $gt: ">", $gte: ">=" };

export type SqlCondition = { sql: string; parameters: (string | number)[] };

/** One parameter a condition: a list travels as JSON, because a statement takes a hundred parameters at most. */
export function toSql(conditions: readonly VectorCondition[]): SqlCondition {
  const parts = conditions.map(toSqlPart);
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(""), parameters: parts.flatMap(({ parameters }) => parameters) };
}

function toSqlPart(condition: VectorCondition): SqlCondition {
  const column = COLUMNS[condition.key];
  if (!("values" in condition)) return { sql: `${column} ${OPERATORS[condition.operator]} ?`, parameters: [condition.value] };
  const among = condition.operator === "$in" ? "IN" : "NOT IN";
  return { sql: `${column} ${among} (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(condition.values)] };
}

/** The columns that `metadata` gives a value, always in the order of `COLUMNS`. */
export function toColumns(metadata: Partial<Record<FilterKey, Operand>>): { column: string; value: Operand }[] {
  return KEYS.flatMap((key) => {
    const value = metadata[key];
    return value === undefined ? [] : [{ column: COLUMNS[key], value }];
  });
}
