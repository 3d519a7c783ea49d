import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { ExitCode } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { paragraph } from "#cli/terminal/output";

export function addAnswerCommand(program: Base, host: Host): void {
  program
    .command("answer")
    .summary("answer a question about lists, without a model")
    .description("Answers from the user's lists, such as favorite colors. Ends with 4 if there is no answer.")
    .argument("<question>", "as the user asks it")
    .addHelpText("after", examples('edgewise answer "What is my second favorite color?" --user alice'))
    .action(async (question, _options) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user", "session", "project"]);
      const answer = await edgewise.answer({ question, ...place });
      if (!answer.found) host.exitCode = ExitCode.notFound;
      if (!answer.routed) output.note("This is not a question about a list. Try `edgewise search` or `edgewise context`.");
      output.show(answer, () => (answer.text === null ? [] : paragraph(answer.text, output)));
    });
}
