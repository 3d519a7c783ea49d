import { misconfigured } from "#core/errors";

/** As `URL` writes them: a scheme's default port is empty. A port of null means any. `isSuffix`: any host that ends with it. */
type Rule = { protocol: string; host: string; port: string | null; isSuffix: boolean };

/** A scheme, a host and a port, of which only the host is required; no path, no user, no pattern. */
const ENTRY = /^(?:(https?):\/\/)?([^\s/?#@\\*]+?)(?::(\d+))?\/?$/iu;
/** As in `*.auth0.com`: one or more labels in its place. The rest has at least two labels, so that it is no top-level domain. */
const WILDCARD = /^\*\.(?=[^.]+\.[^.])/;

export type HostOptions = {
  /** Hosts as in `api.openai.com` (https on port 443) and `gw:8443` (https), or with a scheme as in `http://127.0.0.1` (any port) and `http://127.0.0.1:11434`. */
  hosts: readonly string[];
  /** The variable that lists them, for messages. */
  variable: string;
  /** Whether an entry may be as `*.auth0.com`. */
  wildcards: boolean;
};

/** Whether an address is one of a listed host. @throws misconfigured for an entry that is no host. */
export function createHostList({ hosts, variable, wildcards }: HostOptions): (url: URL) => boolean {
  const rules = hosts.map((entry, index) => toRule(entry, { index, variable, wildcards }));
  return (url) => rules.some((rule) => matches(rule, url));
}

function matches({ protocol, host, port, isSuffix }: Rule, url: URL): boolean {
  if (protocol !== url.protocol || (port !== null && port !== url.port)) return false;
  return isSuffix ? url.hostname.endsWith(`.${host}`) : url.hostname === host;
}

function toRule(entry: string, { index, variable, wildcards }: { index: number; variable: string; wildcards: boolean }): Rule {
  const isSuffix = wildcards && WILDCARD.test(entry);
  const [, scheme, host = "", port] = ENTRY.exec(isSuffix ? entry.slice(2) : entry) ?? [];
  const url = `${scheme ?? "https"}://${host}${port === undefined ? "" : `:${port}`}`;
  if (!URL.canParse(url))
    throw misconfigured(`${variable}: its entry ${index + 1} is no host. See "Configuration" in the README.`);
  const read = new URL(url);
  const isAnyPort = scheme !== undefined && port === undefined;
  return { protocol: read.protocol, host: read.hostname, port: isAnyPort ? null : read.port, isSuffix };
}
