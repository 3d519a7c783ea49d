import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { Edgewise } from "@edgewise/client";

// Your own server: it knows who is logged in, holds the key, and gives the page of that user a token. The page talks to Edgewise by itself.
const { EDGEWISE_URL = "http://127.0.0.1:8787", EDGEWISE_KEY = "", PORT = "8080" } = process.env;
const edgewise = new Edgewise({ baseUrl: EDGEWISE_URL, token: EDGEWISE_KEY });

const server = createServer(async (request, response) => {
  try {
    // A page of another origin could not send this header without a preflight, which this server does not answer.
    if (request.method === "POST" && request.url === "/token" && request.headers["x-own-page"] === "1") {
      // The user comes from your own login. Here it is always alice.
      const { token } = await edgewise.tokens.create({ userId: "alice" });
      response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-store" }).end(token);
    } else if (request.method === "GET" && request.url === "/") {
      const page = await readFile(path.join(import.meta.dirname, "page.html"), "utf8");
      response.writeHead(200, { "content-type": "text/html" }).end(page.replace("{{EDGEWISE_URL}}", EDGEWISE_URL));
    } else response.writeHead(404).end();
  } catch (error) {
    console.error(error);
    response.writeHead(502).end();
  }
});

server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`Open http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : PORT}`);
});
