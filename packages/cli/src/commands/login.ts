import { Edgewise, EdgewiseError } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { credentialsPath, readCredentials, writeCredentials } from "#cli/config/credentials-file";
import { isPlainRemote, normalizeUrl, requireKey } from "#cli/config/settings";
import { type GlobalFlags, loadSettings } from "#cli/connection";
import { usageError } from "#cli/exit-code";
import { type Host, readStdin } from "#cli/host";
import { askSecret, askText, canAsk } from "#cli/terminal/ask";
import { createOutput } from "#cli/terminal/output";
import { printableLine } from "#cli/terminal/printable";
import { withProgress } from "#cli/terminal/progress";

export function addLoginCommand(program: Base, host: Host): void {
  program
    .command("login")
    .summary("store the address of a service and a key")
    .description(
      "Checks the key with the service and stores it in a file that only you can read. --user stores whom later commands are for.",
    )
    .option("--key-stdin", "read the key from standard input instead of asking")
    .addHelpText(
      "after",
      examples(
        "edgewise login",
        "edgewise login --url https://memory.example.com --user alice",
        "npm run --silent dev:key | edgewise login --key-stdin",
      ),
    )
    .action(async ({ keyStdin }) => {
      const flags = program.opts();
      if (flags.session !== undefined || flags.project !== undefined)
        throw usageError("login stores a user, and no session or project.");
      const output = createOutput(host, { json: flags.json === true });
      const { url, key } = await readLogin(host, flags, keyStdin === true);
      if (isPlainRemote(url)) output.warn(`Warning: ${url} has no https. Whoever is on the way can read the key.`);
      const edgewise = new Edgewise({ baseUrl: url, token: key });
      const holder = await withProgress(host, "Checking the key", () => checkKey(edgewise));
      const userId = flags.user ?? null;
      const { services } = await readCredentials(host);
      await writeCredentials(host, { current: url, services: { ...services, [url]: { key, userId } } });
      const file = credentialsPath(host);
      output.show({ url, userId, key: holder, file }, () => [`Logged in to ${url}. The key is in ${printableLine(file)}.`]);
      output.note(holder.kind === "server" && userId === null ? SERVER_KEY : sentenceOf(holder));
    });
}

const SERVER_KEY =
  "It is a server key: say for whom each command is, with --user alice or EDGEWISE_USER, or store it: edgewise login --user alice.";

type Holder = { kind: "personal"; userId: string | null } | { kind: "server" } | { kind: "unknown" };

function sentenceOf(holder: Holder): string {
  if (holder.kind === "personal") return `It is the personal key of ${printableLine(holder.userId ?? "one user")}.`;
  return holder.kind === "server" ? "It is a server key." : "The key may not read.";
}

async function readLogin(host: Host, flags: GlobalFlags, fromStdin: boolean): Promise<{ url: string; key: string }> {
  if (fromStdin && flags.key !== undefined) throw usageError("Give the key once: --key-stdin or --key.");
  const settings = await loadSettings(host, flags);
  const asks = !fromStdin && flags.key === undefined;
  if (asks && !canAsk(host)) {
    throw usageError("There is no terminal to ask for the key. Send it to standard input: `edgewise login --key-stdin < file`.");
  }
  const named = flags.url !== undefined || !asks;
  const url = named ? settings.url : normalizeUrl(await askText(host, "Address of the service", settings.url, normalizeUrl));
  const key = flags.key ?? (fromStdin ? (await readStdin(host)).trim() : await askSecret(host, "Key (ew_…)"));
  if (key === "") throw usageError("Standard input has no key.");
  return { url, key: requireKey({ ...settings, url, key }) };
}

/**
 * Whose key it is: a call about the caller's own person names nobody, which only a personal key may do.
 * @throws EdgewiseError `unauthenticated` if the service does not know the key.
 */
async function checkKey(edgewise: Edgewise): Promise<Holder> {
  await edgewise.health.get();
  try {
    return { kind: "personal", userId: (await edgewise.people.me()).userId };
  } catch (error) {
    if (!(error instanceof EdgewiseError)) throw error;
    if (error.code === "invalid_input") return { kind: "server" };
    if (error.code === "forbidden") return { kind: "unknown" };
    throw error;
  }
}
