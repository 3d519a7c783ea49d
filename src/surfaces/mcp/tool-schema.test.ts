import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toolSchema } from "./tool-schema.ts";

const published = (schema: z.ZodType) => toolSchema(z.toJSONSchema(schema, { io: "input" }));

describe("toolSchema", () => {
  it("leaves objects open, at every depth", () => {
    const schema = z.strictObject({ list: z.array(z.strictObject({ a: z.string() })), any: z.record(z.string(), z.unknown()) });
    expect(published(schema)).toEqual({
      type: "object",
      required: ["list", "any"],
      properties: {
        list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
        any: { type: "object" },
      },
    });
  });

  it("keeps what a record's values are, bounds and formats, and drops patterns", () => {
    const schema = z.object({
      counts: z.record(z.string(), z.number()),
      at: z.iso.datetime(),
      n: z.int().min(1).max(5).default(2),
      kind: z.enum(["a", "b"]),
      name: z.string().max(9).regex(/x/),
    });
    expect(published(schema).properties).toEqual({
      counts: { type: "object", additionalProperties: { type: "number" } },
      at: { type: "string", format: "date-time" },
      n: { type: "integer", minimum: 1, maximum: 5, default: 2 },
      kind: { type: "string", enum: ["a", "b"] },
      name: { type: "string", maxLength: 9 },
    });
  });

  it("keeps a field's description, and none below it; a field may be called description or pattern", () => {
    const schema = z.object({
      people: z.array(z.string().describe("A person")).describe("Whom it is about"),
      description: z.string().optional(),
      pattern: z.string().optional(),
    });
    expect(published(schema)).toEqual({
      type: "object",
      required: ["people"],
      properties: {
        people: { type: "array", items: { type: "string" }, description: "Whom it is about" },
        description: { type: "string" },
        pattern: { type: "string" },
      },
    });
  });
});
