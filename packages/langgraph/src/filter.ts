const OPERATORS = {
  $eq: (value: unknown, asked: unknown) => value === asked,
  $ne: (value: unknown, asked: unknown) => value !== asked,
  $gt: (value: unknown, asked: unknown) => Number(value) > Number(asked),
  $gte: (value: unknown, asked: unknown) => Number(value) >= Number(asked),
  $lt: (value: unknown, asked: unknown) => Number(value) < Number(asked),
  $lte: (value: unknown, asked: unknown) => Number(value) <= Number(asked),
  $in: (value: unknown, asked: unknown) => Array.isArray(asked) && asked.includes(value),
  $nin: (value: unknown, asked: unknown) => !Array.isArray(asked) || !asked.includes(value),
};

export type Filter = Readonly<Record<string, unknown>>;

/** Whether a value passes a filter of its top fields, as LangGraph's own stores compare them. */
export function passes(value: Readonly<Record<string, unknown>>, filter: Filter = {}): boolean {
  return Object.entries(filter).every(([name, asked]) => passesOne(value[name], asked));
}

/** @throws TypeError for an operator that does not exist, which would otherwise match nothing. */
export function requireKnown(filter: Filter = {}): void {
  for (const asked of Object.values(filter))
    for (const operator of operatorsOf(asked))
      if (!isOperator(operator))
        throw new TypeError(`EdgewiseStore knows no operator ${operator}. It has ${Object.keys(OPERATORS).join(", ")}.`);
}

function passesOne(value: unknown, asked: unknown): boolean {
  if (!isRecord(asked)) return value === asked;
  const operators = Object.entries(asked);
  if (operators.some(([name]) => !isOperator(name))) return value === asked;
  return operators.every(([name, operand]) => isOperator(name) && OPERATORS[name](value, operand));
}

function operatorsOf(asked: unknown): string[] {
  return isRecord(asked) ? Object.keys(asked).filter((name) => name.startsWith("$")) : [];
}

function isOperator(name: string): name is keyof typeof OPERATORS {
  return Object.hasOwn(OPERATORS, name);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
