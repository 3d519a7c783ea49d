import { isRecord } from "#core/is-record";

type Schema = Record<string, unknown>;

/** They cost tokens and say little to a model; the service checks the values in any case. */
const LEFT_OUT = new Set(["$schema", "pattern", "propertyNames"]);

/**
 * A JSON Schema as a tool publishes it. It is open: `additionalProperties: false` would make a client refuse a field that is added later.
 * Only the fields at the top keep their descriptions and are said to be required.
 */
export function toolSchema(schema: Schema): Schema {
  const required = schema.required === undefined ? {} : { required: schema.required };
  return {
    ...required,
    ...shortened(schema),
    ...propertiesOf(schema, (property) => ({ ...shortened(property), ...descriptionOf(property) })),
  };
}

function shortened(schema: Schema): Schema {
  const { description: _, required: __, additionalProperties, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => !LEFT_OUT.has(name)));
  const value = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0 ? { additionalProperties } : {};
  const items = isRecord(schema.items) ? { items: shortened(schema.items) } : {};
  return { ...kept, ...value, ...items, ...propertiesOf(schema, shortened) };
}

function propertiesOf({ properties }: Schema, change: (property: Schema) => Schema): Schema {
  if (!isRecord(properties)) return {};
  const changed = Object.entries(properties).map(([name, property]) => [name, isRecord(property) ? change(property) : property]);
  return { properties: Object.fromEntries(changed) };
}

function descriptionOf({ description }: Schema): Schema {
  return description === undefined ? {} : { description };
}
