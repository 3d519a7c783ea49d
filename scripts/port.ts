import { createServer } from "node:net";

/** The port of a command line. Throws with the correct usage. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Error(`--port takes a number from 1 to 65535, not "${text}".`);
}

/** Throws unless `port` can be listened on at this moment. */
export async function requireFree(port: number): Promise<void> {
  try {
    await listen(port);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EADDRINUSE") throw new Error(`Port ${port} is taken. Stop what uses it, or choose another with --port.`);
    if (code === "EACCES") throw new Error(`Port ${port} may not be used by this account. Choose one above 1023 with --port.`);
    throw error;
  }
}

export async function freePort(): Promise<number> {
  return await listen(0);
}

/** Listens for a moment and returns the port. */
async function listen(port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
