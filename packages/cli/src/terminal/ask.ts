import { confirm, isCancel, password, text } from "@clack/prompts";
import { CliError, ExitCode, usageError } from "#cli/exit-code";
import type { Host } from "#cli/host";

type Streams = Pick<Host, "stdin" | "stderr">;

/** Questions are asked on standard error, so that standard output has the answer alone. */
export const canAsk = ({ stdin, stderr }: Streams): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** @throws CliError without a terminal, where nobody could answer: `instead` says how to go on without being asked. */
export async function askConfirm(host: Streams, question: string, instead: string): Promise<boolean> {
  if (!canAsk(host)) throw usageError(`There is no terminal to ask on. ${instead}`);
  return answered(await confirm({ message: question, initialValue: false, input: host.stdin, output: host.stderr }));
}

export async function askText(host: Streams, message: string, initial: string, check: (value: string) => void): Promise<string> {
  const validate = (value: string | undefined) => problemOf(() => check(value ?? ""));
  return answered(await text({ message, initialValue: initial, validate, input: host.stdin, output: host.stderr }));
}

/** What is typed is not shown. */
export async function askSecret(host: Streams, message: string): Promise<string> {
  const validate = (value: string | undefined) => (value === undefined || value.trim() === "" ? "Paste the key." : undefined);
  return answered(await password({ message, validate, mask: "•", input: host.stdin, output: host.stderr })).trim();
}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (isAnswer(answer)) return answer;
  throw new CliError("Cancelled.", ExitCode.interrupted);
}

const isAnswer = <T>(answer: T): answer is Exclude<T, symbol> => !isCancel(answer);

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}
