import { type Base, examples } from "#cli/base";
import { connect, type Place } from "#cli/connection";
import type { Host } from "#cli/host";

export function addMcpCommand(program: Base, host: Host): void {
  program
    .command("mcp")
    .summary("an MCP server on standard input and output")
    .description(
      "Carries MCP messages between a client that starts programs and the service's /mcp. Standard output has the protocol alone; messages for people are on standard error.",
    )
    .addHelpText(
      "after",
      `${examples("edgewise mcp --user alice", "claude mcp add edgewise -- edgewise mcp --user alice")}

In the configuration of a client:
  { "command": "edgewise", "args": ["mcp", "--user", "alice"] }`,
    )
    .action(async (_options) => {
      const { url, key, place, output } = await connect(host, program.opts(), ["user", "session", "project"]);
      // Loaded here, because no other command needs it.
      const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
      const { bridge } = await import("#cli/mcp/bridge");
      const { explainTransportError } = await import("#cli/mcp/explain");
      const http = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: headersOf(key, place) } });
      const log = (line: string) => output.warn(`edgewise mcp: ${line}`);
      await bridge(host, { http, log, explain: (error) => explainTransportError(error, url) });
    });
}

function headersOf(key: string, { userId, sessionId, projectId }: Place): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    ...(userId === undefined ? {} : { "x-edgewise-user": encodeHeader(userId) }),
    ...(sessionId === undefined ? {} : { "x-edgewise-session": encodeHeader(sessionId) }),
    ...(projectId === undefined ? {} : { "x-edgewise-project": encodeHeader(projectId) }),
  };
}

/** The service reads percent-encoded ids, and refuses apostrophes in some places. */
const encodeHeader = (id: string) => encodeURIComponent(id).replaceAll("'", "%27");
