import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { type Base, createBase, examples } from "./base.ts";
import { addAddCommand } from "./commands/add.ts";
import { addAnswerCommand } from "./commands/answer.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addContextCommand } from "./commands/context.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addEraseCommand } from "./commands/erase.ts";
import { addExportCommand } from "./commands/export.ts";
import { addForgetCommand } from "./commands/forget.ts";
import { addForgettingsCommand } from "./commands/forgettings.ts";
import { addImportCommand } from "./commands/import.ts";
import { addJobsCommand } from "./commands/jobs.ts";
import { addKeysCommand } from "./commands/keys.ts";
import { addListCommand } from "./commands/list.ts";
import { addLoginCommand } from "./commands/login.ts";
import { addLogoutCommand } from "./commands/logout.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addProfileCommand } from "./commands/profile.ts";
import { addSearchCommand } from "./commands/search.ts";
import { addStatusCommand } from "./commands/status.ts";
import { addSyncCommand } from "./commands/sync.ts";
import { addTokensCommand } from "./commands/tokens.ts";
import type { Host } from "./host.ts";

/** In the order of the help. */
const COMMANDS = [
  addLoginCommand,
  addLogoutCommand,
  addStatusCommand,
  addAddCommand,
  addSearchCommand,
  addListCommand,
  addContextCommand,
  addAnswerCommand,
  addProfileCommand,
  addForgetCommand,
  addForgettingsCommand,
  addImportCommand,
  addExportCommand,
  addEraseCommand,
  addKeysCommand,
  addTokensCommand,
  addSyncCommand,
  addJobsCommand,
  addDoctorCommand,
  addMcpCommand,
  addCompletionCommand,
];

export function createProgram(host: Host): Base {
  const program = createBase(host);
  program.addHelpText(
    "after",
    `${examples("edgewise login", 'edgewise add "I prefer window seats" --user alice', 'edgewise search "which seat?" --user alice')}\n
Exit codes: 0 done · 1 the service failed or is not well · 2 wrong usage or input · 3 no valid key or no permission · 4 not found`,
  );
  for (const add of COMMANDS) add(program, host);
  pointToHelp(program, "edgewise");
  return program;
}

/** After a wrong command line, the help that describes the right one. */
function pointToHelp(command: CommandUnknownOpts, name: string): void {
  command.showHelpAfterError(`See \`${name} --help\`.`);
  for (const child of command.commands) pointToHelp(child, `${name} ${child.name()}`);
}
