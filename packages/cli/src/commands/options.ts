import type { Input } from "@edgewise/client";
import { InvalidArgumentError } from "commander";

export const MEMORY_TYPES = [
  "preference",
  "identity",
  "relationship",
  "knowledge",
  "procedural",
  "context",
  "event",
  "task",
  "observation",
] as const satisfies readonly NonNullable<Input<"search.query">["types"]>[number][];

/** A value of `--limit`, `--timeout` and the like. */
export function integer(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

const isUnit = (text: string): text is keyof typeof UNIT_SECONDS => text in UNIT_SECONDS;

/** `90s`, `15m`, `1h`, `30d` in seconds. */
export function duration(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([a-z])$/.exec(text) ?? [];
  if (!isUnit(unit)) throw new InvalidArgumentError("Write a duration as in 90s, 15m, 1h or 30d.");
  return Number(number) * UNIT_SECONDS[unit];
}

/** A day or a time as the API takes it: `2026-11-22`, or `2026-11-22T09:30:00Z`. */
export function time(text: string): string {
  const value = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) || Number.isNaN(value.getTime())) {
    throw new InvalidArgumentError("Write a day as in 2026-11-22, or a time as in 2026-11-22T09:30:00Z.");
  }
  return value.toISOString();
}

/** The same, or how long ago as in `30d`. */
export function timeOrAge(text: string): string {
  return /^\d+[a-z]$/.test(text) ? new Date(Date.now() - duration(text) * 1000).toISOString() : time(text);
}

/** The same, or how long from now as in `30d`. */
export function timeAhead(text: string): string {
  return /^\d+[a-z]$/.test(text) ? new Date(Date.now() + duration(text) * 1000).toISOString() : time(text);
}

/** Options that may be repeated, or hold several values separated by commas. */
export function among<T extends string>(choices: readonly T[]) {
  const isChoice = (text: string): text is T => choices.some((choice) => choice === text);
  return (text: string, before: T[] | undefined): T[] => {
    const values = text.split(",").map((value) => value.trim());
    const chosen = values.filter(isChoice);
    if (chosen.length === values.length) return [...(before ?? []), ...chosen];
    throw new InvalidArgumentError(`Choose among ${choices.join(", ")}.`);
  };
}
