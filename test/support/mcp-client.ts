import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Harness } from "./harness.ts";

/** The two eras of the protocol: with `initialize` (2025-11-25 and before), and without sessions (2026-07-28). */
export const ERAS = ["legacy", "modern"] as const;
export type Era = (typeof ERAS)[number];

type Connecting = { era?: Era; key?: string | null; headers?: Record<string, string>; path?: string };

/** The official client over the app. A server key acts for alice, unless `headers` name somebody else. */
export async function connect(
  h: Harness,
  { era = "modern", key = h.key, headers, path = "/mcp" }: Connecting = {},
): Promise<Client> {
  const fetch = async (address: string | URL, init: RequestInit = {}) => {
    const body = init.body;
    const answer = await h.fetch(init.method ?? "GET", new URL(address).pathname, {
      ...(typeof body === "string" ? { body } : {}),
      headers: Object.fromEntries(new Headers(init.headers)),
      key,
      user: null,
    });
    return new Response(answer.text === "" ? null : answer.text, { status: answer.status, headers: answer.headers });
  };
  const transport = new StreamableHTTPClientTransport(new URL(`https://edgewise.test${path}`), {
    fetch,
    requestInit: { headers: headers ?? { "x-edgewise-user": "alice" } },
  });
  const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}

type Args = Record<string, unknown>;

/** What a tool answered: its text, and its structured result, which a test reads with the shape that it expects. */
export type Called<T> = { text: string; isError: boolean; json: T };

export async function callTool<T = Args>(client: Client, name: string, args: Args = {}): Promise<Called<T>> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { text: first?.type === "text" ? first.text : "", isError: isError === true, json: structuredContent as T };
}
