import type { CallToolResult, StandardSchemaWithJSON, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Caller, Services } from "#context";
import { inputError } from "#surfaces/rest/problem";
import { messageOf } from "./failure.ts";
import type { McpPlace } from "./read-place.ts";
import { toolSchema } from "./tool-schema.ts";

/** One request: its caller and services, its place, and the service's own address. */
export type McpRequest = {
  ctx: Caller & Services;
  /** Throws if a server key names no user. */
  place: () => McpPlace;
  origin: string;
};

type Declared<I extends z.ZodType, O extends z.ZodObject> = {
  description: string;
  annotations: ToolAnnotations;
  input: I;
  /** Every object in it is open in the published schema, so that a field can be added later. */
  output: O;
  run: (request: McpRequest, input: z.output<I>) => Promise<Answer<z.input<O>>>;
};

/** `text` is for clients that do not read `structured`. */
type Answer<T> = { structured: T; text: string };

export type Tool = {
  description: string;
  annotations: ToolAnnotations;
  inputSchema: StandardSchemaWithJSON;
  outputSchema: StandardSchemaWithJSON;
  call: (request: McpRequest, input: unknown) => Promise<CallToolResult>;
};

/**
 * A tool with its arguments validated as a REST request is. What goes wrong is a result with `isError` and a sentence for the model, as the
 * specification asks for, also for arguments that are not valid; a protocol error would not reach the model.
 */
export function tool<I extends z.ZodType, O extends z.ZodObject>(declared: Declared<I, O>): Tool {
  const { description, annotations, input, output, run } = declared;
  return {
    description,
    annotations,
    inputSchema: published(input, "input"),
    outputSchema: published(output, "output"),
    call: async (request, given) => {
      try {
        const read = input.safeParse(given ?? {});
        if (!read.success) throw inputError(read.error, "arguments");
        const { structured, text } = await run(request, read.data);
        return { content: [{ type: "text", text }], structuredContent: structured };
      } catch (error) {
        return { content: [{ type: "text", text: messageOf(error, request.ctx) }], isError: true };
      }
    },
  };
}

/** Input of a domain's verb, validated by its own schema: a rule about several fields is broken in the words of the schema. */
export function inputOf<T extends z.ZodType>(schema: T, input: z.input<T>): z.output<T> {
  const read = schema.safeParse(input);
  if (!read.success) throw inputError(read.error, "arguments");
  return read.data;
}

/**
 * Only the fields that have a value: many clients convert schemas for models that know no null. TypeScript does not follow the filter, which
 * leaves out exactly null and undefined.
 */
export function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const having = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(having) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** The schema for `tools/list` alone: `tool` validates arguments itself, so that its errors have our words. */
function published(schema: z.ZodType, io: "input" | "output"): StandardSchemaWithJSON {
  const json = toolSchema(z.toJSONSchema(schema, { io }));
  return {
    "~standard": {
      version: 1,
      vendor: "edgewise",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
