import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { type Base, examples } from "#cli/base";

/** `edgewise completion zsh` prints a script, which calls the hidden `edgewise complete` at each Tab. */
export function addCompletionCommand(program: Base): void {
  const root = tab(asPlain(program), { completionCommandName: "completion" });
  // Flags of the program are flags of each command, which the library does not know.
  for (const { options } of root.commands.values()) {
    for (const [name, option] of root.options) if (!options.has(name)) options.set(name, option);
  }
  program.commands
    .find((command) => command.name() === "completion")
    ?.summary("completion of commands in the shell")
    .description("Prints a script that completes commands and flags at Tab. It calls `edgewise`, which must be on the PATH.")
    .addHelpText(
      "after",
      examples(
        "source <(edgewise completion bash)                                   # in ~/.bashrc",
        "source <(edgewise completion zsh)                                    # in ~/.zshrc, after compinit",
        "edgewise completion fish > ~/.config/fish/completions/edgewise.fish",
      ),
    );
}

/** Safe: the typed command is a class of Commander's own; only its declared types are narrower. */
function asPlain(program: unknown): Command {
  return program as Command;
}
