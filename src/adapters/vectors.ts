import { AppError } from "#core/errors";
import type { VectorFilter, VectorItem, VectorMatch, VectorMetadata } from "#ports/vector-index";

export type FilterKey = keyof VectorFilter;
export type Comparison = "$eq" | "$ne" | "$lt" | "$lte" | "$gt" | "$gte";
type Membership = "$in" | "$nin";
export type Operand = VectorMetadata[FilterKey];

/** One condition of a filter; all conditions must hold. */
export type VectorCondition =
  | { key: FilterKey; operator: Comparison; value: Operand }
  | { key: FilterKey; operator: Membership; values: Operand[] };

/** The columns that a filter may name, in the object's own table. */
export const COLUMNS = {
  kind: "kind",
  session: "session",
  project: "project",
  workspace: "workspace",
  scope: "scope",
  type: "type",
  createdDay: "created_day",
  expiresDay: "expires_day",
  model: "model",
} as const satisfies Record<FilterKey, string>;

/** The keys of a literal are exactly those of its type. */
const KEYS = Object.keys(COLUMNS) as FilterKey[];

const OPERATORS: Record<Comparison, string> = { $eq: "=", $ne: "<>", $lt: "<", $lte: "<=", $gt: ">", $gte: ">=" };
const LOWER = new Set(["$gt", "$gte"]);
const UPPER = new Set(["$lt", "$lte"]);

/**
 * A filter as a list. A filter is refused if it breaks the rule that every index has: one operator for each key, or a lower and an upper
 * bound.
 */
export function toConditions(filter: VectorFilter): VectorCondition[] {
  return Object.entries(filter).flatMap(([key, condition]) => {
    if (!isFilterKey(key)) throw badFilter("A vector filter names a key that is not indexed.");
    if (condition === undefined) return [];
    if (typeof condition !== "object") return [{ key, operator: "$eq" as const, value: condition }];
    const conditions = Object.entries(condition).flatMap(([operator, operand]) => toCondition(key, operator, operand));
    if (!combines(conditions)) throw badFilter(`A vector filter combines operators on ${key} that no index combines.`);
    return conditions;
  });
}

function toCondition(key: FilterKey, operator: string, operand: unknown): VectorCondition[] {
  if (operand === undefined) return [];
  if (isMembership(operator) && Array.isArray(operand) && operand.every(isOperand))
    return [{ key, operator, values: [...operand] }];
  if (isComparison(operator) && isOperand(operand)) return [{ key, operator, value: operand }];
  throw badFilter(`A vector filter has an operator on ${key} that is not known.`);
}

function combines(conditions: readonly VectorCondition[]): boolean {
  if (conditions.length < 2) return true;
  const [first, second] = conditions.map(({ operator }) => operator).sort();
  return conditions.length === 2 && LOWER.has(String(first)) && UPPER.has(String(second));
}

function isFilterKey(key: string): key is FilterKey {
  return Object.hasOwn(COLUMNS, key);
}

function isComparison(operator: string): operator is Comparison {
  return Object.hasOwn(OPERATORS, operator);
}

function isMembership(operator: string): operator is Membership {
  return operator === "$in" || operator === "$nin";
}

function isOperand(value: unknown): value is Operand {
  return typeof value === "string" || typeof value === "number";
}

function badFilter(message: string): AppError {
  return new AppError("internal", message);
}

export type SqlCondition = { sql: string; parameters: (string | number)[] };

/** A filter as the rest of a WHERE. A list is one JSON parameter, because a statement takes a hundred parameters at most. */
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

/** Best first; equal scores by id, so that the same question has the same answer. */
export function bestOf(lists: readonly (readonly VectorMatch[])[], topK: number): VectorMatch[] {
  return lists
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, topK);
}

/** The last item of each id, so that the order in which batches arrive does not matter. */
export function lastOfEach(items: readonly VectorItem[]): VectorItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

/** Undefined for zero, infinite and not-a-number, which have no direction. */
export function toUnitVector(values: readonly number[] | Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of values) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  const unit = new Float32Array(values);
  return unit.map((value) => value / length);
}
