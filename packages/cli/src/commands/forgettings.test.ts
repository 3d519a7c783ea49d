import { once } from "node:events";
import { createServer } from "node:http";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ExitCode } from "#cli/exit-code";
import { run } from "#cli/run";

const found = (n: number) => ({
  ...{ id: `fgt_${n}`, userId: `user-${n}`, askedIn: "chat-1", explicit: false, memories: 1, facts: 0, passages: 2 },
  ...{ forgottenAt: "2026-11-22T09:30:00.000Z", undoUntil: "2026-12-22T09:30:00.000Z", undoneAt: null },
});

/** Runs `forgettings` against a server with two forgettings to review, the second on a second page. */
async function forgettings(...args: string[]) {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const part of request) body.push(Buffer.from(part));
    requests.push(`${request.method} ${request.url} ${Buffer.concat(body)}`.trim());
    const isSecond = request.url?.includes("cursor=next") === true;
    const page = { items: [found(isSecond ? 2 : 1)], nextCursor: isSecond ? null : "next" };
    const undone = { id: request.url?.split("/").at(-2), memories: 1, passages: 2, facts: 0 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.method === "GET" ? page : undone));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const env = { EDGEWISE_KEY: "ew_test", EDGEWISE_URL: `http://127.0.0.1:${address.port}`, XDG_CONFIG_HOME: "/nowhere" };
  try {
    const host = { env, platform: "linux" as const, home: "/nowhere", stdin, stdout, stderr, exitCode: ExitCode.ok };
    const exitCode = await run(["forgettings", ...args], host);
    return { exitCode, out: String(stdout.read() ?? ""), err: String(stderr.read() ?? ""), requests };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it("lists what no message explicitly asked for, of all pages, and undoes nothing", async () => {
  const { exitCode, out, requests } = await forgettings("--review");
  expect(out).toContain("fgt_1");
  expect(out).toContain("fgt_2");
  expect(requests.every((request) => request.startsWith("GET") && request.includes("review=true"))).toBe(true);
  expect(exitCode).toBe(ExitCode.ok);
});

it("brings it back for the users whose it is", async () => {
  const { exitCode, out, requests } = await forgettings("--review", "--undo", "--yes");
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([
    'POST /v1/forgettings/fgt_1/undo {"userId":"user-1"}',
    'POST /v1/forgettings/fgt_2/undo {"userId":"user-2"}',
  ]);
  expect(out).toBe("Brought back: fgt_1\nBrought back: fgt_2\n");
  expect(exitCode).toBe(ExitCode.ok);
});

it("undoes nothing without an answer to its question, nor without --review", async () => {
  const unanswered = await forgettings("--review", "--undo");
  expect(unanswered.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(unanswered.exitCode).not.toBe(ExitCode.ok);
  const { exitCode, err, requests } = await forgettings("--undo");
  expect(err).toContain("--undo goes with --review");
  expect(requests).toEqual([]);
  expect(exitCode).toBe(ExitCode.usage);
});
