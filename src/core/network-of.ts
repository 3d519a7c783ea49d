const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/** The /64 network of an IPv6 address, and any other address as it is. */
export function networkOf(address: string): string {
  // An IPv4 address in the form of IPv6 (::ffff:192.0.2.1) is one address.
  if (!/^[\da-f]*:[\da-f:]*$/i.test(address)) return address;
  const [before = "", after] = address.split("::", 2);
  const [first, last] = [groupsOf(before), groupsOf(after ?? "")];
  const missing = after === undefined ? 0 : Math.max(GROUPS - first.length - last.length, 0);
  const groups = [...first, ...Array.from({ length: missing }, () => "0"), ...last];
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(":")}::/64`;
}

function groupsOf(part: string): string[] {
  return part === "" ? [] : part.split(":").map((group) => group.toLowerCase().replace(/^0+(?=.)/, ""));
}
