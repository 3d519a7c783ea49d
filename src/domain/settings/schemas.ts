import { z } from "zod";

const origin = z
  .string()
  .max(256)
  .refine(isOrigin, "An origin is a scheme, a host and perhaps a port, as in https://app.example.com.")
  .describe("A browser origin such as https://app.example.com");

export const SettingsChange = z
  .strictObject({
    allowedOrigins: z
      .array(origin)
      .max(50)
      .optional()
      .describe("Browser origins whose pages may read the answers of this tenant."),
  })
  .meta({ id: "SettingsChange" });

export const SettingsView = z.object({ allowedOrigins: z.array(z.string()), version: z.number().int() }).meta({ id: "Settings" });

export type SettingsChange = z.infer<typeof SettingsChange>;

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value && value !== "null";
}
