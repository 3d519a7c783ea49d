import type { Host } from "#cli/host";
import { type Colours, coloursOf } from "./colours.ts";
import { printable, printableJson } from "./printable.ts";
import { widthOf, wrap } from "./width.ts";

export type Output = {
  colours: Colours;
  /** Of the terminal; undefined for a pipe or a file, where nothing is cut or wrapped. */
  columns: number | undefined;
  /** The API's answer with --json, else the lines. Text of the service is made printable before it gets here. */
  show: (answer: unknown, lines: () => string[]) => void;
  /** Standard error: for people, also where standard output is a file. Silent with --json, whose answer says the same. */
  note: (line: string) => void;
  /** Standard error, also with --json. */
  warn: (line: string) => void;
};

export function createOutput({ env, stdout, stderr }: Host, options: { json: boolean }): Output {
  const warn = (line: string) => void stderr.write(`${line}\n`);
  return {
    colours: coloursOf(env, stdout),
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    show: (answer, lines) => {
      const text = options.json ? printableJson(answer) : lines().join("\n");
      if (text !== "") stdout.write(`${text}\n`);
    },
    note: (line) => {
      if (!options.json) warn(line);
    },
    warn,
  };
}

/** A text of the service, indented and wrapped. */
export function paragraph(text: string, { columns }: Pick<Output, "columns">, indent = ""): string[] {
  const lines = columns === undefined ? printable(text).split("\n") : wrap(printable(text), columns - widthOf(indent));
  return lines.map((line) => (line === "" ? "" : indent + line));
}
