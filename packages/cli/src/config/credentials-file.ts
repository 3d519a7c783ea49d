import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { CliError, ExitCode } from "#cli/exit-code";
import type { Host } from "#cli/host";

/** What `login` stores for one service. */
export type Login = { key: string; userId: string | null };

/** `current` is the service of commands that name none. */
export type Credentials = { current: string | null; services: Record<string, Login> };

const EMPTY: Credentials = { current: null, services: {} };

/** Permissions of anybody but the owner. */
const OTHERS = 0o077;

export type FileHost = Pick<Host, "env" | "platform" | "home">;

/** $XDG_CONFIG_HOME/edgewise/credentials.json; ~/.config where it is not set, %APPDATA% on Windows. */
export function credentialsPath({ env, platform, home }: FileHost): string {
  const xdg = env.XDG_CONFIG_HOME;
  // The specification says that a path that is not absolute is ignored.
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, "edgewise", "credentials.json");
  const appData = env.APPDATA;
  if (platform === "win32" && appData !== undefined) return path.join(appData, "edgewise", "credentials.json");
  return path.join(home, ".config", "edgewise", "credentials.json");
}

/** @throws CliError if other people of this machine may read the file, or it is damaged. */
export async function readCredentials(host: FileHost): Promise<Credentials> {
  const file = credentialsPath(host);
  const text = await readIfPresent(file);
  if (text === null) return EMPTY;
  if (host.platform !== "win32") await refuseOpenFile(file);
  const read = parseCredentials(text);
  if (read === null) {
    throw new CliError(`${file} is damaged. Delete it, then run \`edgewise login\`.`, ExitCode.forbidden);
  }
  return read;
}

/** Written beside and renamed, so that an interrupted write leaves the old file. */
export async function writeCredentials(host: FileHost, credentials: Credentials): Promise<void> {
  const file = credentialsPath(host);
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = path.join(folder, `.${randomUUID()}`);
  try {
    await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

async function refuseOpenFile(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & OTHERS) === 0) return;
  const octal = (mode & 0o777).toString(8);
  throw new CliError(
    `${file} can be read by others (mode ${octal}), so the keys in it are not used. Run \`chmod 600 ${file}\`, and replace the keys if others use this machine.`,
    ExitCode.forbidden,
  );
}

function parseCredentials(text: string): Credentials | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || !isRecord(value.services)) return null;
  const services: Record<string, Login> = {};
  for (const [url, login] of Object.entries(value.services)) {
    if (!isRecord(login) || typeof login.key !== "string") return null;
    services[url] = { key: login.key, userId: typeof login.userId === "string" ? login.userId : null };
  }
  const { current } = value;
  return { current: typeof current === "string" && current in services ? current : null, services };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
