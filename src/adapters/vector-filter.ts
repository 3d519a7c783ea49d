import { AppError } from "#core/errors";
import type { VectorFilter, VectorMetadata } from "#ports/vector-index";

export type FilterKey = keyof VectorFilter;
export type Comparison = "$eq" | "$ne" | "$lt" | "$lte" | "$gt" | "$gte";
type Membership = "$in" | "$nin";
export type Operand = VectorMetadata[FilterKey];

/** One condition of a filter; a filter is all of its conditions. */
export type VectorCondition =
  | { key: FilterKey; operator: Comparison; value: Operand }
  | { key: FilterKey; operator: Membership; values: Operand[] };

const KEYS: Record<FilterKey, true> = {
  kind: true,
  session: true,
  project: true,
  owner: true,
  workspace: true,
  type: true,
  createdDay: true,
  expiresDay: true,
  model: true,
};
const LOWER = new Set(["$gt", "$gte"]);
const UPPER = new Set(["$lt", "$lte"]);

/** A filter as a list, refused when it breaks the rule that every index keeps: one operator a key, or a lower and an upper bound. */
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
  return Object.hasOwn(KEYS, key);
}

function isComparison(operator: string): operator is Comparison {
  return ["$eq", "$ne", "$lt", "$lte", "$gt", "$gte"].includes(operator);
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
