/** What a command ends with; the same list is in README.md. */
export const ExitCode = {
  ok: 0,
  /** The service could not be reached or failed, or it reports that something does not work. */
  failure: 1,
  /** The command line or the input is wrong. */
  usage: 2,
  /** There is no valid key, or it may not do this. */
  forbidden: 3,
  /** What was named does not exist or is not visible, or a question has no answer. */
  notFound: 4,
  /** Ended by Ctrl-C, as shells report it: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** An error of the command line itself. The message says what is wrong and what to do; it never holds a key. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string) => new CliError(message, ExitCode.usage);
