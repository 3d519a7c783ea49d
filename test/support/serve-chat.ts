import type { TestProject } from "vitest/node";
import { startChatServer } from "#test/chat-server";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of this run's chat server; see `chatChannel`. */
    chatOrigin: string;
  }
}

/** One chat server for every test in workerd, which cannot start one itself. */
export default async function serveChat(project: TestProject): Promise<() => Promise<void>> {
  const server = await startChatServer();
  project.provide("chatOrigin", server.origin);
  return () => server.close();
}
