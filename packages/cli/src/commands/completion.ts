import tab from "@bomb.sh/tab/commander";
import type { Base } from "#cli/base";

/** `edgewise completion zsh` prints a script, which calls the hidden `edgewise complete` at each Tab. */
export function addCompletionCommand(program: Base): void {
  tab(program, { completionCommandName: "completion" });
}
