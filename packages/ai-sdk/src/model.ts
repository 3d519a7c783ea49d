import type { PromptMessage } from "./prompt.ts";

/*
 * What memory needs of a language model, written out so that models and middlewares of the AI SDK 6 and 7 both fit, and neither version is
 * needed to compile or to run.
 */

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A part of a reply, or of its stream. */
export interface ReplyPart {
  readonly type: string;
}

export interface GenerateResult {
  readonly content: readonly ReplyPart[];
  readonly finishReason: FinishReason;
}

export interface StreamResult {
  readonly stream: ReadableStream<ReplyPart>;
}

/** A string before version 3 of the specification of models. */
type FinishReason = string | { readonly unified: string };

/** A language model of the AI SDK. */
export interface Model {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: unknown;
  doGenerate(options: CallOptions): PromiseLike<GenerateResult>;
  doStream(options: CallOptions): PromiseLike<StreamResult>;
}

/** Collects the text of a reply, and whether its turn goes on with the result of a tool. */
export class Reply {
  #text = "";
  #callsTool = false;

  /** A part of another form is passed over. */
  add(part: ReplyPart | null | undefined): void {
    if (typeof part !== "object" || part === null) return;
    if (part.type === "text") this.#text += stringIn(part, "text");
    if (part.type === "text-delta") this.#text += stringIn(part, "delta");
    // A loop continues when it has run a tool, whatever reason the provider gives for the end of the step.
    if (part.type === "tool-call" && !("providerExecuted" in part && part.providerExecuted === true)) this.#callsTool = true;
    if (part.type === "finish" && "finishReason" in part) this.finish(part.finishReason);
  }

  finish(reason: unknown): void {
    const unified = typeof reason === "object" && reason !== null && "unified" in reason ? reason.unified : reason;
    if (unified === "tool-calls") this.#callsTool = true;
  }

  /** The text so far; null for a step whose tool calls are answered before the user has a reply. */
  text(): string | null {
    return this.#callsTool ? null : this.#text;
  }
}

function stringIn(part: ReplyPart, name: string): string {
  const value: unknown = Reflect.get(part, name);
  return typeof value === "string" ? value : "";
}
