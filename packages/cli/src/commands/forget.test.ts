import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ExitCode } from "#cli/exit-code";
import { run } from "#cli/run";

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs `forget` against a server whose answers to DELETE a real service gives only when the connection or the service fails. */
async function forget(args: string[], onDelete: Respond) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const id = request.url?.split("?")[0]?.split("/").at(-1) ?? "";
    requests.push(`${request.method} ${id}`);
    if (request.method === "DELETE") return onDelete(request, response);
    answer(response, 200, { id, type: "task", content: `about ${id}`, createdAt: "2026-11-22T09:30:00.000Z" });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const env = { EDGEWISE_KEY: "ew_test", EDGEWISE_URL: `http://127.0.0.1:${address.port}`, XDG_CONFIG_HOME: "/nowhere" };
  try {
    const host = { env, platform: "linux" as const, home: "/nowhere", stdin, stdout, stderr, exitCode: ExitCode.ok };
    const exitCode = await run(["forget", ...args, "--user", "alice"], host);
    return { exitCode, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? ""), requests };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const forgotten = (forgettingId: string | null) => ({
  forgettingId,
  memories: 1,
  facts: 0,
  redacted: [],
  undoUntil: "2026-12-22T09:30:00.000Z",
});
const missing = { code: "not_found", detail: "There is no such memory." };

it("goes on after a memory that is no longer there, and names what undoes each", async () => {
  const { exitCode, out, requests } = await forget(["mem_1", "mem_2", "mem_3", "--yes"], ({ url = "" }, response) =>
    url.includes("mem_1") ? answer(response, 404, missing) : answer(response, 200, forgotten("fgt_9")),
  );
  expect(requests.filter((request) => request.startsWith("DELETE"))).toEqual(["DELETE mem_1", "DELETE mem_2", "DELETE mem_3"]);
  expect(out).toContain("No longer there: mem_1\n  edgewise forget --undo mem_1\n");
  expect(out).toMatch(/Forgotten: mem_2\n.*edgewise forget --undo fgt_9\nForgotten: mem_3\n/);
  expect(exitCode).toBe(ExitCode.ok);
});

it("takes a memory as gone whose first answer was lost", async () => {
  let tries = 0;
  const { exitCode, out } = await forget(["mem_1", "--yes", "--json"], (request, response) => {
    tries++;
    if (tries === 1) request.socket.destroy();
    else answer(response, 404, missing);
  });
  expect(tries).toBe(2);
  expect(JSON.parse(out)).toEqual({ dryRun: false, items: [], gone: ["mem_1"], failed: null, untried: [] });
  expect(exitCode).toBe(ExitCode.ok);
});

it("shows what was forgotten before a failure, and what was not", async () => {
  const { exitCode, out, err } = await forget(["mem_1", "mem_2", "mem_3", "--yes"], ({ url = "" }, response) =>
    url.includes("mem_2")
      ? answer(response, 403, { code: "forbidden", detail: "It is not yours." })
      : answer(response, 200, forgotten(null)),
  );
  expect(out).toMatch(/Forgotten: mem_1\n.*edgewise forget --undo mem_1\nNot forgotten: mem_2\nNot forgotten: mem_3\n/);
  expect(err).toContain("It is not yours.");
  expect(exitCode).toBe(ExitCode.forbidden);
});

it("does not claim that a memory is there after an error of the server", async () => {
  const { exitCode, out } = await forget(["mem_1", "mem_2", "--yes"], (_request, response) =>
    answer(response, 500, { code: "internal", detail: "Something failed." }),
  );
  expect(out).toMatch(/^Perhaps forgotten: mem_1\n.*edgewise forget --undo mem_1\nNot forgotten: mem_2\n$/);
  expect(exitCode).toBe(ExitCode.failure);
});

it.each([[["--dry-run"]], [["--keep-source"]], [["--text", "oboe"]], [["mem_2"]]])(
  "refuses %j beside --undo, and restores nothing",
  async (beside) => {
    const { exitCode, err, requests } = await forget(["--undo", "mem_1", ...beside], (_request, response) =>
      answer(response, 200, {}),
    );
    expect(err).toContain("--undo takes one id");
    expect(requests).toEqual([]);
    expect(exitCode).toBe(ExitCode.usage);
  },
);
