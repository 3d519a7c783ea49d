import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";

// Your own server. It holds the key, knows who is signed in, and does two things: it says who is in the group, and gives each page a token of
// its user. All else the pages do by themselves.
const { EDGEWISE_URL = "http://127.0.0.1:8787", EDGEWISE_KEY, PORT = "8080" } = process.env;

async function edgewise<T>(method: string, address: string, body?: object): Promise<T> {
  const response = await fetch(`${EDGEWISE_URL}/v1${address}`, {
    method,
    headers: { authorization: `Bearer ${EDGEWISE_KEY}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as T & { code?: string; detail?: string };
  if (!response.ok) throw new Error(`${method} ${address}: ${answer.code}. ${answer.detail}`);
  return answer;
}

/** The people, their zones, the group, and the origin from which pages may call. Send it again when somebody joins or leaves. */
async function prepare(origin: string): Promise<void> {
  await edgewise("PUT", "/users/anna", { name: "Anna", timeZone: "Europe/Stockholm" });
  await edgewise("PUT", "/users/ben", { name: "Ben", timeZone: "America/Los_Angeles" });
  await edgewise("PUT", "/sessions/sailing-trip", { userId: "anna", participants: ["anna", "ben"] });
  const { allowedOrigins } = await edgewise<{ allowedOrigins: string[] }>("GET", "/settings");
  if (!allowedOrigins.includes(origin)) await edgewise("PATCH", "/settings", { allowedOrigins: [...allowedOrigins, origin] });
}

/** Serves the page, and tokens to who is signed in. Here a header stands for your login: never take the user from anything a page can choose. */
export async function startServer(port = Number(PORT)): Promise<{ server: Server; origin: string }> {
  const files: Record<string, [file: string, type: string]> = {
    "/": ["page.html", "text/html"],
    "/group.js": ["group.js", "text/javascript"],
  };
  const server = createServer(async (request, response) => {
    try {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const file = files[url.pathname];
      if (request.method === "POST" && url.pathname === "/token") {
        const { token } = await edgewise<{ token: string }>("POST", "/tokens", { userId: request.headers["x-demo-login"] });
        response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" }).end(token);
      } else if (request.method === "GET" && file !== undefined) {
        const text = await readFile(path.join(import.meta.dirname, file[0]), "utf8");
        response.writeHead(200, { "content-type": file[1] }).end(text.replace("{{EDGEWISE_URL}}", EDGEWISE_URL));
      } else response.writeHead(404).end();
    } catch (error) {
      console.error(error);
      response.writeHead(502).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`;
  await prepare(origin);
  return { server, origin };
}

if (process.argv[1] === import.meta.filename) {
  const { origin } = await startServer();
  console.log(`Open ${origin}/?user=anna in one window, and ${origin}/?user=ben in another.`);
}
