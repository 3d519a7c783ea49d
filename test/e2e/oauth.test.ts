import { createServer, type Server } from "node:http";
import { AxeBuilder } from "@axe-core/playwright";
import {
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  type StoredOAuthClientInformation,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM, launchChromium, NO_CHROMIUM, openPage } from "#test/chromium";
import { type SharedService, sharedService } from "#test/start-service";

if (CHROMIUM === undefined) process.stderr.write(`\n${NO_CHROMIUM}\n\n`);

const PHONE = { viewport: { width: 360, height: 740 } };

let service: SharedService;
let browser: Browser;
let callbacks: Server;
let callback = "";
const received: URLSearchParams[] = [];
let personal = "";

beforeAll(async () => {
  service = await sharedService();
  callbacks = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", callback);
    if (pathname === "/callback") received.push(searchParams);
    response.end("You may close this window.");
  });
  await new Promise<void>((resolve) => callbacks.listen(0, "127.0.0.1", resolve));
  const address = callbacks.address();
  if (typeof address !== "object" || address === null) throw new Error("The callback has no port.");
  callback = `http://127.0.0.1:${address.port}/callback`;
  const response = await fetch(`${service.url}/v1/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "An assistant", userId: "ann", permissions: ["read", "write"] }),
  });
  personal = ((await response.json()) as { key: string }).key;
});

afterAll(async () => {
  await new Promise((resolve) => callbacks.close(resolve));
});

/** An app on this machine, as Claude Code is one. */
function createApp(onAuthorize: (url: URL) => void): OAuthClientProvider {
  let information: StoredOAuthClientInformation | undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = "";
  return {
    redirectUrl: callback,
    clientMetadata: { client_name: "An app", redirect_uris: [callback], token_endpoint_auth_method: "none" },
    clientMetadataUrl: "https://assistant.vendor.com/oauth/client.json",
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    redirectToAuthorization: onAuthorize,
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
  };
}

async function connect(authProvider: OAuthClientProvider): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/oauth/mcp`), { authProvider }));
  return client;
}

/** The address to which an app sends its user. */
async function authorizationUrl(): Promise<{ app: OAuthClientProvider; url: string }> {
  let url = "";
  const app = createApp((given) => {
    url = given.href;
  });
  await expect(connect(app)).rejects.toThrow(UnauthorizedError);
  return { app, url };
}

async function submit(page: Page, key: string): Promise<void> {
  await page.getByLabel("Your personal key").fill(key);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
}

it("never makes a client with a key start OAuth at /mcp, even when the key is wrong", async () => {
  const asked: string[] = [];
  const call = async (key: string) => {
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: async (address, init) => {
        asked.push(new URL(address).pathname);
        return await fetch(address, init);
      },
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    return await client.listTools();
  };
  expect((await call(personal)).tools.length).toBeGreaterThan(0);
  await expect(call(`ew_${"a".repeat(40)}`)).rejects.toThrow();
  expect([...new Set(asked)]).toEqual(["/mcp"]);
});

it("finds no OAuth for /mcp, whatever a client tries", async () => {
  const asked: string[] = [];
  const app = createApp(() => undefined);
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    authProvider: app,
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      asked.push(`${answer.status} ${new URL(address).pathname}`);
      return answer;
    },
  });
  await expect(new Client({ name: "test", version: "1" }).connect(transport)).rejects.toThrow();
  expect(asked.filter((line) => line.startsWith("2"))).toEqual([]);
  expect(asked).toContain("404 /.well-known/oauth-protected-resource/mcp");
});

describe.skipIf(CHROMIUM === undefined)("the consent page in a browser", () => {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it("lets the app in, after a wrong key and a server key", async () => {
    const { app, url } = await authorizationUrl();
    const { page, close } = await openPage(browser, url);
    await submit(page, `ew_${"a".repeat(40)}`);
    await page.getByRole("alert").filter({ hasText: "not valid" }).waitFor();
    await submit(page, service.key);
    await page.getByRole("alert").filter({ hasText: "server key" }).waitFor();
    await submit(page, personal);
    await page.getByText("You may close this window.").waitFor();
    const params = received.at(-1) ?? new URLSearchParams();
    await new StreamableHTTPClientTransport(new URL(`${service.url}/oauth/mcp`), { authProvider: app }).finishAuth(params);
    const client = await connect(app);
    await client.callTool({ name: "remember", arguments: { content: "Ann keeps bees." } });
    const found = await client.callTool({ name: "search", arguments: { query: "What does Ann keep?" } });
    expect(JSON.stringify(found.content)).toContain("bees");
    await close();
  });

  it("takes a refusal without a key", async () => {
    const { page, close } = await openPage(browser, (await authorizationUrl()).url);
    await page.getByRole("button", { name: "Do not allow" }).click();
    await page.getByText("You may close this window.").waitFor();
    expect(received.at(-1)?.get("error")).toBe("access_denied");
    await close();
  });

  it.each(["light", "dark"] as const)("is accessible and fits a phone, %s", async (colorScheme) => {
    const { page, faults, close } = await openPage(browser, (await authorizationUrl()).url, { ...PHONE, colorScheme });
    expect(faults).toEqual([]);
    for (const look of ["asked", "refused"]) {
      if (look === "refused") await submit(page, service.key);
      if (look === "refused") await page.getByRole("alert").waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${look}-${colorScheme}.png`, fullPage: true });
    }
    await close();
  });
});
