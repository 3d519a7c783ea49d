import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import type { Host } from "#cli/host";
import { dateTime } from "#cli/terminal/dates";
import { printableLine } from "#cli/terminal/printable";
import { duration } from "./options.ts";
import { ownUserId } from "./own-user.ts";

export function addTokensCommand(program: Base, host: Host): void {
  const tokens = program
    .command("tokens")
    .summary("tokens for browsers")
    .description("Tokens of one user, for minutes, as a browser holds them.");
  tokens
    .command("create")
    .summary("make a token")
    .description("Makes a token for one user and prints it alone, so that a script can take it.")
    .option("--expires-in <duration>", "how long it is valid, as in 15m; an hour at most", duration)
    .option("--only-session <id...>", "only in these sessions")
    .option("--read-only", "it may change nothing")
    .addHelpText(
      "after",
      examples("edgewise tokens create --user alice", "TOKEN=$(edgewise tokens create --user alice --expires-in 5m --read-only)"),
    )
    .action(async ({ expiresIn, onlySession, readOnly }) => {
      const { edgewise, place, output } = await connect(host, program.opts(), ["user"]);
      const token = await edgewise.tokens.create({
        userId: place.userId ?? (await ownUserId(edgewise)),
        ...(expiresIn === undefined ? {} : { expiresInSeconds: expiresIn }),
        ...(onlySession === undefined ? {} : { sessions: onlySession }),
        ...(readOnly === true ? { readOnly: true } : {}),
      });
      output.show(token, () => [printableLine(token.token)]);
      output.note(`Valid until ${dateTime(token.expiresAt)}.`);
    });
}
