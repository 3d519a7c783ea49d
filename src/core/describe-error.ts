import { AppError } from "./errors.ts";

export type ErrorDescription = { error: string; code?: string; message?: string; frames: string[]; cause?: string };

/**
 * The part of an error that may be logged. The message of a foreign error can hold bound values (drizzle's does) or a model's reply, so
 * only its class, its frames and the class of its cause are kept; our own messages hold no user text.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { error: typeof error, frames: [] };
  return {
    error: error.name,
    ...(error instanceof AppError ? { code: error.code, message: error.message } : {}),
    frames: framesOf(error),
    ...(error.cause instanceof Error ? { cause: error.cause.name } : {}),
  };
}

/** The stack begins with the message, whose lines may look like frames, so the message is cut off first. */
function framesOf(error: Error): string[] {
  const stack = error.stack ?? "";
  const messageStart = error.message === "" ? -1 : stack.indexOf(error.message);
  const frames = messageStart < 0 ? stack : stack.slice(messageStart + error.message.length);
  const lines = frames.split("\n").filter((line) => /^\s+at /.test(line));
  return lines.slice(0, 6).map((line) => line.trim());
}
