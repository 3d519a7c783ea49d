import type { Output as Answer } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { CliError, ExitCode } from "#cli/exit-code";
import type { Host } from "#cli/host";
import { askConfirm } from "#cli/terminal/ask";
import { dateTime, day } from "#cli/terminal/dates";
import { printableLine } from "#cli/terminal/printable";
import { table } from "#cli/terminal/table";
import { among, integer, timeAhead } from "./options.ts";

type Key = Answer<"keys.list">["items"][number];

const PERMISSIONS = ["read", "write", "admin"] as const;
const TITLES = ["ID", "PREFIX", "USER", "MAY", "CREATED", "ENDS", "NAME"];

export function addKeysCommand(program: Base, host: Host): void {
  const keys = program
    .command("keys")
    .summary("list, create and revoke keys")
    .description("API keys of the tenant. They need the permission admin.");
  addList(program, keys, host);
  addCreate(program, keys, host);
  addRevoke(program, keys, host);
}

type Group = ReturnType<Base["command"]>;

function addList(program: Base, keys: Group, host: Host): void {
  keys
    .command("list")
    .summary("list keys")
    .description("Newest first. The keys themselves are never shown again.")
    .option("--limit <n>", "how many", integer(1, 100))
    .option("--cursor <cursor>", "the nextCursor of the page before")
    .addHelpText("after", examples("edgewise keys list", "edgewise keys list --json"))
    .action(async ({ limit, cursor }) => {
      const { edgewise, output } = await connect(host, program.opts(), []);
      const page = await edgewise.keys.list({
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (page.nextCursor !== null) output.note(`There are more: --cursor ${printableLine(page.nextCursor)}`);
      output.show(page, () => table(TITLES, page.items.map(cellsOf), output.columns));
    });
}

const cellsOf = (key: Key): string[] => [
  key.id,
  key.prefix,
  key.userId ?? "-",
  key.permissions.join(","),
  day(key.createdAt),
  key.revokedAt === null ? day(key.expiresAt) : "revoked",
  key.name,
];

function addCreate(program: Base, keys: Group, host: Host): void {
  keys
    .command("create")
    .summary("make a key")
    .description("Makes a key and prints it once: a server key, or with --for the personal key of one user.")
    .argument("<name>", "what it is for")
    .option("--for <user>", "a personal key of this user, by the app's id")
    .option("--permission <names>", "read, write and admin, separated by commas", among(PERMISSIONS))
    .option("--expires <time>", "when it ends, as in 30d or 2026-12-31", timeAhead)
    .addHelpText(
      "after",
      examples(
        'edgewise keys create "Back end" --permission read,write',
        'edgewise keys create "Alice\'s laptop" --for alice --expires 90d',
      ),
    )
    .action(async (name, { for: userId, permission, expires }) => {
      const { edgewise, output } = await connect(host, program.opts(), []);
      const key = await edgewise.keys.create({
        name,
        ...(userId === undefined ? {} : { userId }),
        ...(permission === undefined ? {} : { permissions: permission }),
        ...(expires === undefined ? {} : { expiresAt: expires }),
      });
      if (key.key === undefined) throw madeButLost(key.id);
      output.note(
        `${key.id} ends ${key.expiresAt === null || key.expiresAt === undefined ? "never" : dateTime(key.expiresAt)}. Keep the key: it is shown only now.`,
      );
      output.show(key, () => [printableLine(key.key ?? "")]);
    });
}

/** The answer to a repeated request has no key, because the service does not know it any more. */
const madeButLost = (id: string) =>
  new CliError(
    `The key was made (${printableLine(id)}), but the connection broke before it arrived. Revoke it and make another.`,
    ExitCode.failure,
  );

function addRevoke(program: Base, keys: Group, host: Host): void {
  keys
    .command("revoke")
    .summary("revoke a key")
    .description("Refuses the key everywhere within seconds. This cannot be undone.")
    .argument("<id>", "as `edgewise keys list` shows it: key_…")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("edgewise keys revoke key_01a2038b-… --yes"))
    .action(async (keyId, { yes }) => {
      const { edgewise, output } = await connect(host, program.opts(), []);
      const sure =
        yes === true ||
        (await askConfirm(host, `Revoke ${printableLine(keyId)}? Whoever uses it is refused.`, "Say --yes to revoke it."));
      if (!sure) throw new CliError("Nothing was revoked.", ExitCode.interrupted);
      await edgewise.keys.revoke({ keyId });
      output.show({ id: keyId, revoked: true }, () => [`Revoked: ${printableLine(keyId)}`]);
    });
}
