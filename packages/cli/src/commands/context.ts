import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import type { Host } from "#cli/host";
import { printable } from "#cli/terminal/printable";
import { readContent } from "./content.ts";
import { integer } from "./options.ts";

export function addContextCommand(program: Base, host: Host): void {
  program
    .command("context")
    .summary("what a model should know before it replies")
    .description("Prints the block of text to put before the conversation.")
    .argument("<query>", "the user's message; - reads it from standard input")
    .option("--max-tokens <n>", "how long the block may be", integer(0, 16_000))
    .addHelpText(
      "after",
      examples(
        'edgewise context "Book me a night train" --user alice',
        'edgewise context "Book me a night train" --user alice --session chat-1 --max-tokens 500',
      ),
    )
    .action(async (query, { maxTokens }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session", "project"]);
      const context = await edgewise.context({
        query: await readContent(host, query),
        ...place,
        ...(maxTokens === undefined ? {} : { maxTokens }),
      });
      for (const { channel, reason } of context.degraded) output.note(`Left out: ${channel} (${reason}).`);
      if (context.memory === "off") output.note("Memory is off in the settings of this service.");
      else if (context.block === "") output.note("Nothing is known that would help.");
      output.show(context, () => (context.block === "" ? [] : [printable(context.block).trimEnd()]));
    });
}
