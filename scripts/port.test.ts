import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort, readPort, requireFree } from "./port.ts";

it.each(["abc", "", "0", "-1", "65536", "80.5", "0x50", " 80", "123456"])("takes %j for no port and says what one is", (text) => {
  expect(() => readPort(text)).toThrow(`--port takes a number from 1 to 65535, not "${text}".`);
});

it("reads a port", () => {
  expect(["1", "8787", "65535"].map(readPort)).toEqual([1, 8787, 65_535]);
});

it("says that a port is taken, and nothing about one that is free", async () => {
  const port = await freePort();
  await requireFree(port);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  try {
    await expect(requireFree(port)).rejects.toThrow(`Port ${port} is taken.`);
  } finally {
    server.close();
  }
});
