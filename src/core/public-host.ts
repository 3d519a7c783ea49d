/** Names that lead to a machine of the caller's own network, or to none (RFC 2606, RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`). */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|test|example|invalid|onion|alt|home\.arpa)$/;

/**
 * Whether the address is https on the default port of a host with a public name. An IP address is none, however it is written: `URL` turns
 * every form of IPv4 into digits and dots. A public name may still resolve to a private address.
 */
export function hasPublicHost(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username, password } = new URL(address);
  if (protocol !== "https:" || port !== "" || username !== "" || password !== "") return false;
  const name = hostname.replace(/\.$/, "");
  return name.includes(".") && !/^[\d.]+$/.test(name) && !name.startsWith("[") && !PRIVATE_NAME.test(name);
}
