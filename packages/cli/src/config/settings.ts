import { CliError, ExitCode, usageError } from "#cli/exit-code";
import type { Credentials } from "./credentials-file.ts";

/** Where `npm run dev` serves. */
export const DEFAULT_URL = "http://127.0.0.1:8787";

/** Flags that every command takes. */
export type Flags = {
  url?: string | undefined;
  key?: string | undefined;
  user?: string | undefined;
  session?: string | undefined;
  project?: string | undefined;
};

export type Settings = {
  url: string;
  key: string | null;
  /** The service that EDGEWISE_KEY is for, where that is another one and the key is therefore not used. */
  environmentKeyOf: string | null;
  userId: string | undefined;
  sessionId: string | undefined;
  projectId: string | undefined;
};

type Sources = { flags: Flags; env: NodeJS.ProcessEnv; credentials: Credentials };

/**
 * Flags, then the environment, then the file. The file's key and user are used for the service that they were stored for and for no other.
 * EDGEWISE_KEY is for the service that EDGEWISE_URL names; where that is not set, for the one that is called, whatever names it.
 */
export function resolveSettings({ flags, env, credentials }: Sources): Settings {
  const named = flags.url ?? nonEmpty(env.EDGEWISE_URL);
  const url = normalizeUrl(named ?? credentials.current ?? DEFAULT_URL);
  const login = Object.hasOwn(credentials.services, url) ? credentials.services[url] : undefined;
  const environmentKeyOf = flags.key === undefined ? otherServiceOf(env, url) : null;
  const ownKey = flags.key ?? (environmentKeyOf === null ? nonEmpty(env.EDGEWISE_KEY) : undefined);
  return {
    url,
    key: ownKey ?? login?.key ?? null,
    environmentKeyOf,
    // A user that was stored with one key means nothing to another.
    userId: flags.user ?? nonEmpty(env.EDGEWISE_USER) ?? (ownKey === undefined ? (login?.userId ?? undefined) : undefined),
    sessionId: flags.session,
    projectId: flags.project,
  };
}

/** The service that the environment's key is for, if that is not the one that is called. */
function otherServiceOf(env: NodeJS.ProcessEnv, url: string): string | null {
  const named = nonEmpty(env.EDGEWISE_URL);
  if (named === undefined || nonEmpty(env.EDGEWISE_KEY) === undefined) return null;
  const service = normalizeUrl(named);
  return service === url ? null : service;
}

/** @throws CliError with the ways to give a key. */
export function requireKey({ key, url, environmentKeyOf }: Settings): string {
  if (key !== null) {
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    throw new CliError(
      "The key has characters that no key has, such as a line break or a space. Copy it again.",
      ExitCode.forbidden,
    );
  }
  if (environmentKeyOf !== null) {
    throw new CliError(
      `EDGEWISE_KEY is for ${environmentKeyOf}, which EDGEWISE_URL names, and is not sent to ${url}. Set EDGEWISE_URL to that service together with its key, or log in there: \`edgewise login --url ${url}\`.`,
      ExitCode.forbidden,
    );
  }
  throw new CliError(
    [
      `There is no key for ${url}. Give one in one of two ways:`,
      "  edgewise login                 asks for the address and the key, and stores them",
      "  export EDGEWISE_KEY=ew_…       for this shell; EDGEWISE_URL names the service",
      "For a service on this machine, `npm run --silent dev:key` in its folder prints its key.",
    ].join("\n"),
    ExitCode.forbidden,
  );
}

/** Without a slash at the end and without `/v1`, so that one service has one name. */
export function normalizeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw usageError("The service's URL is not valid. Write it as in http://127.0.0.1:8787 or https://memory.example.com.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw usageError("The service's URL must have no user name, password, query or fragment. The key goes into EDGEWISE_KEY.");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v1$/, "");
}

/** Whether a key that is sent there could be read on the way. */
export function isPlainRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** An empty variable counts as none. */
const nonEmpty = (value: string | undefined) => (value === undefined || value === "" ? undefined : value);
