/** A JSON schema, as far as a test reads it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
};

export type Path = readonly (string | number)[];

/** A member of an object whose names are free. */
export const ANY_NAME = "*";

/** Where a schema has strings, those behind a reference too; of a list the first item. */
export function stringFields(schema: Schema, schemas: Readonly<Record<string, Schema>>, path: Path = []): Path[] {
  const into = (inner: Schema, ...names: Path) => stringFields(inner, schemas, [...path, ...names]);
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref.replace("#/components/schemas/", "")];
  const { additionalProperties: free } = schema;
  const all = [
    ...(named === undefined ? [] : into(named)),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((variant) => into(variant)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => into(inner, name)),
    ...(schema.items === undefined ? [] : into(schema.items, 0)),
    ...(typeof free === "object" ? into(free, ANY_NAME) : free === true ? [[...path, ANY_NAME]] : []),
    ...([schema.type].flat().includes("string") ? [path] : []),
  ];
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

/** A copy with the value at that place, whose lists and objects are made where they are missing. */
export function withAt(whole: unknown, path: Path, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof name === "number") {
    const list = Array.isArray(whole) ? [...whole] : [];
    list[name] = withAt(list[name], rest, value);
    return list;
  }
  const members: Record<string, unknown> = typeof whole === "object" && whole !== null ? { ...whole } : {};
  members[name] = withAt(members[name], rest, value);
  return members;
}
