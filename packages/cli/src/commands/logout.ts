import { type Base, examples } from "#cli/base";
import { readCredentials, writeCredentials } from "#cli/config/credentials-file";
import { loadSettings } from "#cli/connection";
import { CliError, ExitCode } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { createOutput } from "#cli/terminal/output";

export function addLogoutCommand(program: Base, host: Host): void {
  program
    .command("logout")
    .summary("delete the stored key")
    .description(
      "Deletes the key that `login` stored for the service. The key itself stays valid: `edgewise keys revoke` ends it.",
    )
    .addHelpText("after", examples("edgewise logout", "edgewise logout --url https://memory.example.com"))
    .action(async (_options) => {
      const flags = program.opts();
      const { url } = await loadSettings(host, flags);
      const { current, services } = await readCredentials(host);
      if (!Object.hasOwn(services, url)) throw new CliError(`There is no stored key for ${url}.`, ExitCode.notFound);
      const { [url]: _removed, ...others } = services;
      const next = current === url ? null : current;
      await writeCredentials(host, { current: next, services: others });
      createOutput(host, { json: flags.json === true }).show({ url }, () => [`Logged out of ${url}.`]);
    });
}
