import { z } from "zod";
import { UserId, wholeNumber } from "#core/fields";

/** The version of the format, in the header of every part. An import refuses what it does not know. */
export const FORMAT_VERSION = 1;

export const MAX_LINES_A_PART = 1_000_000;

export const ExportRowsInput = z.strictObject({
  userId: UserId.optional().describe(
    "The user whose data it is, by the app's id. Without it, a personal key or a user token exports its own user, and a key with `admin` the whole tenant",
  ),
  from: z
    .string()
    .min(1)
    .max(4000)
    .regex(/^[A-Za-z0-9_-]*$/, "It is the nextFrom of the part before.")
    .optional()
    .describe("The nextFrom in the last line of the part before"),
  rows: wholeNumber({ min: 1, max: MAX_LINES_A_PART }).optional().describe("The most rows in this part"),
});

export type ExportRowsInput = z.infer<typeof ExportRowsInput>;
