import { misconfigured, Unavailable, upstreamFailed } from "#core/errors";
import { Passing } from "./calls.ts";

const WHO = "Workers AI";

/** The part of `env.AI` that is used: `Ai` fits it. */
export type WorkersAiBinding = {
  run(model: string, inputs: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>;
};

/** The request's form was not accepted: another form may be. */
const UNREADABLE = ["3003", "3010", "5004", "5006"];

export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.includes(codeOf(error) ?? "");
}

/** Only the numeric code is used: the message may repeat what was sent. Codes: developers.cloudflare.com/workers-ai/platform/errors */
export function failureOf(error: unknown, { model, variable }: { model: string; variable: string }): Error {
  if (error instanceof Error && error.name === "TimeoutError")
    return new Unavailable(`${WHO} did not answer in time.`, { kind: "timeout" });
  const code = codeOf(error);
  switch (code) {
    case "3036":
      return new Unavailable(`${WHO} has used up the account's neurons for today (3036). They return at 00:00 UTC.`, {
        kind: "busy",
      });
    case "3006":
      return upstreamFailed(`${WHO} was sent a request that is too large (3006).`);
    case "3007":
    case "3008":
      return new Unavailable(`${WHO} did not answer in time (${code}).`, { kind: "timeout" });
    case "3040":
      return new Passing(new Unavailable(`${WHO} failed (3040).`, { kind: "busy" }));
    case "5007":
    case "3042":
      return misconfigured(`${WHO} knows no model ${model} (${code}). Set ${variable} to a model of its catalogue.`);
    case "3023":
    case "3041":
    case "5016":
    case "5018":
    case "5035":
      return misconfigured(`The account may not use ${model} (${code}). Its plan or the model's terms do not allow it.`);
    case "3003":
    case "3010":
    case "5004":
    case "5006":
      return upstreamFailed(`${WHO} could not read the request (${code}).`);
    default:
      return new Passing(new Unavailable(code === undefined ? `${WHO} did not answer.` : `${WHO} failed (${code}).`));
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? /(?:^|[\s:])(\d{4,5}):/.exec(error.message)?.[1] : undefined;
}
