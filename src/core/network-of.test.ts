import { expect, it } from "vitest";
import { networkOf } from "./network-of.ts";

it.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "::ffff:203.0.113.9"],
  ["unknown", "unknown"],
])("the network of %s is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
