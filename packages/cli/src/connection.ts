import { Edgewise } from "@edgewise/client";
import { readCredentials } from "./config/credentials-file.ts";
import { type Flags, requireKey, resolveSettings, type Settings } from "./config/settings.ts";
import { usageError } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { createOutput } from "./terminal/output.ts";

export type GlobalFlags = Flags & { json?: true | undefined; verbose?: true | undefined };

/** For whom a call acts and where its answer will be read, as the API names them; what nobody named is left out. */
export type Place = { userId?: string; sessionId?: string; projectId?: string };

export async function loadSettings(host: Host, flags: Flags): Promise<Settings> {
  return resolveSettings({ flags, env: host.env, credentials: await readCredentials(host) });
}

const FIELDS = { user: "userId", session: "sessionId", project: "projectId" } as const;

type PlaceFlag = keyof typeof FIELDS;

/**
 * `takes` are the parts of the place that the command has a use for. A flag for another one is refused rather than ignored: the answer
 * would be about something else than was asked for.
 * @throws CliError if there is no key.
 */
export async function connect<Flag extends PlaceFlag>(host: Host, flags: GlobalFlags, takes: readonly Flag[]) {
  refuseOthers(flags, takes);
  const settings = await loadSettings(host, flags);
  const key = requireKey(settings);
  const place: Pick<Place, (typeof FIELDS)[Flag]> = placeOf(settings, takes);
  return {
    edgewise: new Edgewise({ baseUrl: settings.url, token: key }),
    url: settings.url,
    key,
    place,
    output: createOutput(host, { json: flags.json === true }),
  };
}

function refuseOthers(flags: GlobalFlags, takes: readonly PlaceFlag[]): void {
  for (const flag of ["user", "session", "project"] as const) {
    if (flags[flag] !== undefined && !takes.includes(flag))
      throw usageError(`This command has no use for --${flag}. Leave it out.`);
  }
}

function placeOf(settings: Settings, takes: readonly PlaceFlag[]): Place {
  return Object.fromEntries(
    takes.map((flag) => [FIELDS[flag], settings[FIELDS[flag]]]).filter(([, value]) => value !== undefined),
  );
}
