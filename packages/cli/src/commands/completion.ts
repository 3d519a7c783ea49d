import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { type Base, examples } from "#cli/base";
import type { Host } from "#cli/host";

/**
 * The script for bash. The library's own needs the package bash-completion, which macOS lacks, and evaluates what is typed: a
 * `$(command)` in an argument would run at Tab.
 */
const BASH = `_edgewise() {
  local IFS=$'\\n'
  COMPREPLY=($(edgewise complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | sed -e '/^:[0-9]*$/d' -e $'s/\\t.*//'))
}
complete -o default -F _edgewise edgewise
`;

/** `edgewise completion zsh` prints a script, which calls the hidden `edgewise complete` at each Tab. */
export function addCompletionCommand(program: Base, host: Host): void {
  const plain = asPlain(program);
  const root = tab(plain, { completionCommandName: "completion" });
  // Flags of the program are flags of each command, which the library does not know.
  for (const { options } of root.commands.values()) {
    for (const [name, option] of root.options) if (!options.has(name)) options.set(name, option);
  }
  plain.commands
    .find((command) => command.name() === "completion")
    ?.summary("completion of commands in the shell")
    .description("Prints a script that completes commands and flags at Tab. It calls `edgewise`, which must be on the PATH.")
    .addHelpText(
      "after",
      examples(
        'eval "$(edgewise completion bash)"                                   # in ~/.bashrc',
        "source <(edgewise completion zsh)                                    # in ~/.zshrc, after compinit",
        "edgewise completion fish > ~/.config/fish/completions/edgewise.fish",
      ),
    )
    .action((shell: string) => {
      if (shell === "bash") host.stdout.write(BASH);
      else root.setup("edgewise", "edgewise", shell);
    });
}

/** Safe: the typed command is a class of Commander's own; only its declared types are narrower. */
function asPlain(program: unknown): Command {
  return program as Command;
}
