import {
  Client,
  type OAuthClientProvider,
  type OAuthTokens,
  type StoredOAuthClientInformation,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Answer, Harness } from "./harness.ts";

export const ORIGIN = "https://edgewise.test";
export const RESOURCE = `${ORIGIN}/oauth/mcp`;
export const CALLBACK = "http://127.0.0.1:33418/callback";
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** `fetch` over the app, as a client's SDK calls it; every address is kept in `asked`. */
export function fetchOver(h: Harness, asked: string[] = []) {
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(address);
    asked.push(`${init.method ?? "GET"} ${pathname}`);
    const sent = new Request(address, init);
    const body = new TextDecoder().decode(await sent.arrayBuffer());
    const headers = Object.fromEntries(sent.headers);
    const request = { headers, key: null, user: null, ...(body === "" ? {} : { body }) };
    const answer = await h.fetch(sent.method, pathname + search, request);
    return new Response(answer.text === "" ? null : answer.text, { status: answer.status, headers: answer.headers });
  };
}

export type Page = { status: number; text: string; headers: Headers };

/** A browser in front of the consent page: it keeps cookies, and posts the form that it was shown. */
export function createBrowser(h: Harness) {
  const cookies = new Map<string, string>();
  const request = async (method: string, path: string, body?: string): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, ...(body === undefined ? {} : FORM) };
    const answer = await h.fetch(method, path, { key: null, user: null, headers, ...(body === undefined ? {} : { body }) });
    for (const line of answer.headers.getSetCookie()) keep(cookies, line);
    return answer;
  };
  return {
    open: (address: URL) => request("GET", address.pathname + address.search),
    submit: (page: Page, fields: Record<string, string>) =>
      request(
        "POST",
        "/oauth/authorize",
        new URLSearchParams({ handle: handleIn(page), decision: "allow", ...fields }).toString(),
      ),
  };
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (line.includes("Max-Age=0")) cookies.delete(name);
  else cookies.set(name, value);
}

function handleIn({ text }: Page): string {
  return /name="handle" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

/** Where the page sends the browser on. */
export function leadsTo({ text }: Page): URL {
  const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text)?.[1];
  if (address === undefined) throw new Error(`The page leads nowhere: ${text}`);
  return new URL(address.replaceAll("&amp;", "&"));
}

/** What an app stores, as the official client asks for it. */
export type App = OAuthClientProvider & { authorizationUrl: URL | null; saved: OAuthTokens | undefined };

export function createApp({ metadataUrl }: { metadataUrl?: string } = {}): App {
  let information: StoredOAuthClientInformation | undefined;
  let verifier = "";
  const app: App = {
    authorizationUrl: null,
    saved: undefined,
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "Test app", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    ...(metadataUrl === undefined ? {} : { clientMetadataUrl: metadataUrl }),
    state: () => "a-state",
    clientInformation: () => information,
    saveClientInformation: (given) => {
      information = given;
    },
    tokens: () => app.saved,
    saveTokens: (given) => {
      app.saved = given;
    },
    redirectToAuthorization: (url) => {
      app.authorizationUrl = url;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
  };
  return app;
}

export function transportOf(h: Harness, app: OAuthClientProvider, asked: string[] = []): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: app, fetch: fetchOver(h, asked) });
}

/** The client connected as the app that has tokens; without tokens it is null, and the app knows where to send its user. */
export async function connectApp(h: Harness, app: App): Promise<Client | null> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  try {
    await client.connect(transportOf(h, app));
    return client;
  } catch (error) {
    if (error instanceof UnauthorizedError) return null;
    throw error;
  }
}

/** The whole flow: the app is refused, its user enters the key, and the app exchanges the code. */
export async function authorize(h: Harness, app: App, key: string): Promise<URLSearchParams> {
  await connectApp(h, app);
  if (app.authorizationUrl === null) throw new Error("The app was not sent to the consent page.");
  const browser = createBrowser(h);
  const callback = leadsTo(await browser.submit(await browser.open(app.authorizationUrl), { key }));
  await transportOf(h, app).finishAuth(callback.searchParams);
  return callback.searchParams;
}

/** A request to the token endpoint, as curl sends it. */
export async function requestToken(h: Harness, fields: Record<string, string>): Promise<Answer<TokenAnswer>> {
  const body = new URLSearchParams(fields).toString();
  return await h.fetch<TokenAnswer>("POST", "/oauth/token", { key: null, user: null, headers: FORM, body });
}

export type TokenAnswer = { access_token: string; refresh_token: string; error: string; scope: string; expires_in: number };

export async function personalKey(h: Harness, userId = "alice", more: Record<string, unknown> = {}) {
  const body = { name: "an assistant", userId, permissions: ["read", "write"], ...more };
  const { json } = await h.fetch<{ id: string; key: string }>("POST", "/v1/keys", { body });
  return json;
}
