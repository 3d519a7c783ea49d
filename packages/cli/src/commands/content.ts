import { usageError } from "#cli/exit-code";
import { type Host, readStdin } from "#cli/host";

/** A text argument; `-` stands for standard input. */
export async function readContent(host: Pick<Host, "stdin">, argument: string): Promise<string> {
  const content = (argument === "-" ? await readStdin(host) : argument).trim();
  if (content !== "") return content;
  throw usageError(argument === "-" ? "Standard input is empty: there is nothing to send." : "The text is empty.");
}
