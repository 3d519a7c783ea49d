import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of this run's identity providers; see `identityProvider`. */
    keysOrigin: string;
  }
}

/** What an address answers from now on. */
export type Published = { status?: number; body: string; headers?: Record<string, string>; delayMs?: number };

/** Publishes keys for tests in workerd: what was PUT to an address is served there, and `{address}/count` says how often. */
export default async function serveKeys(project: TestProject): Promise<() => Promise<void>> {
  const published = new Map<string, Published & { served: number }>();
  const serve = (response: ServerResponse, path: string) => {
    const entry = published.get(path);
    if (entry === undefined) return response.writeHead(404).end();
    entry.served += 1;
    const { status = 200, headers = {}, body, delayMs = 0 } = entry;
    return setTimeout(() => response.writeHead(status, { "content-type": "application/json", ...headers }).end(body), delayMs);
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    if (path.endsWith("/count")) return response.end(String(published.get(path.replace(/\/count$/, ""))?.served ?? 0));
    if (request.method !== "PUT") return serve(response, path);
    const served = published.get(path)?.served ?? 0;
    published.set(path, { ...JSON.parse(await text(request)), served });
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  project.provide("keysOrigin", `http://127.0.0.1:${address.port}`);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}
