import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, createHarness, type Harness, type Request } from "#test/harness";
import { forgedTokens } from "./forged-tokens.ts";
import { type Ids, modelServer, ROUTES, type Route } from "./routes.ts";
import { dump, PRIVATE, thingsOf } from "./things.ts";

/** Every route with every kind of credential that may not use it, or may. */
const ORIGIN = "https://app.example.com";
const EVIL = "https://evil.example";

type Problem = { status: number; code: string; detail: string; reason?: string };

const secured = Object.entries(ROUTES).filter(([, { permission }]) => permission !== null);
/** What only keys may do. */
const isForKeys = ({ about, permission, keysOnly }: Route) => about === "tenant" || permission === "admin" || keysOnly === true;
/** Whether the route changes something: what only reads needs no permission but `read`. */
const changes = (route: Route) => route.permission !== "read";

/** By name, what is sent for it: 401 on every route. */
const REFUSED = [
  "none",
  "an empty one",
  "nonsense",
  "an unknown key",
  "own, expired",
  "own, issued in the future",
  "own, with the signature of another key",
  "own, with other claims under its signature",
  "own, with alg none",
  "own, with alg none and no signature",
  "own, without a signature",
  "own, signed with the provider's public key",
  "own, for another audience",
  "own, of another issuer",
  "own, of another tenant's name",
  "own, without a time of issue",
  "own, of no key",
  "own, of a key that was revoked",
  "own, of a user whose tokens were revoked",
  "own, of a tenant whose tokens were revoked",
  "own, of a secret that was rotated out",
  "the provider's, expired",
  "the provider's, issued in the future",
  "the provider's, for another audience",
  "the provider's, of another issuer",
  "the provider's, signed by a stranger",
  "the provider's, HS256 with its public key",
  "the provider's, with alg none",
];

/** Valid ones that may do something, and what each may not. */
const LIMITED = [
  "a key from a page",
  "a token from a page of another origin",
  "another user's token",
  "another tenant's token",
  "a token for another session",
  "a token for no session that the request names",
  "a token that is read only",
  "the user's token, from a page of an allowed origin",
  "a token for this session",
];

let ours: Harness;
let empty: Harness;
let ann: Ids;
let ben: Ids;
let refused: Record<string, string | null>;
const tokens: Record<string, string> = {};
let checked = 0;

async function mint(h: Harness, body: Record<string, unknown>): Promise<string> {
  return (await h.fetch<{ token: string }>("POST", "/v1/tokens", { body: { expiresInSeconds: 3_600, ...body } })).json.token;
}

beforeAll(async () => {
  // Nobody guesses here; thousands of refusals come from one address.
  const limiters = { stranger: { limit: async () => ({ success: true }), policy: undefined } };
  // And each of them would be logged.
  const options = { limiters, replace: () => ({ log: () => undefined }) };
  ours = await createHarness(options);
  empty = await createHarness(options);
  ann = await thingsOf(ours, "ann", "anns");
  ben = await thingsOf(ours, "ben", "bens");
  for (const h of [ours, empty])
    await h.fetch("PATCH", "/v1/settings", { body: { upstream: { url: modelServer() }, allowedOrigins: [ORIGIN] } });
  const forged = await forgedTokens(ours, await createHarness(options), "ann");
  refused = { none: null, "an empty one": "", nonsense: "nonsense", "an unknown key": `ew_${"a".repeat(40)}`, ...forged };
  tokens.ann = await mint(ours, { userId: "ann" });
  tokens.elsewhere = await mint(empty, { userId: "ann" });
  tokens.narrow = await mint(ours, { userId: "ann", sessions: ["another-session"] });
  tokens.readOnly = await mint(ours, { userId: "ann", readOnly: true });
  expect((await ours.fetch("GET", "/v1/people/me", { key: tokens.ann, user: null })).status).toBe(200);
});

const methodOf = (name: string) => (name.split(" ")[0] ?? "").toUpperCase();

/** The route's request about these things, with a credential. */
async function send(name: string, route: Route, ids: Ids, key: string | null, more: Request = {}): Promise<Answer<Problem>> {
  const { headers = {}, ...rest } = more;
  const answer = await ours.fetch<Problem>(methodOf(name), route.path(ids), {
    key,
    user: null,
    ...(route.body === undefined ? {} : { body: route.body(ids) }),
    ...rest,
    headers: { ...route.headers?.(ids), ...headers },
  });
  expect(answer.status, `${name} ${answer.text}`).toBeLessThan(500);
  return answer;
}

function expectForbidden(answer: Answer<Problem>, what: string, says: RegExp): void {
  checked += 1;
  expect([answer.status, answer.json.code], `${what} ${answer.text}`).toEqual([403, "forbidden"]);
  expect(answer.json.detail, what).toMatch(says);
}

function expectDone(answer: Answer<Problem>, what: string): void {
  checked += 1;
  expect(answer.status, `${what} ${answer.text}`).toBeLessThan(300);
}

const FOR_KEYS = /needs an API key/;
const FOR_SESSIONS = /for some sessions only/;

describe(`${secured.length} routes with ${REFUSED.length} credentials that are none`, () => {
  it("have all of them", () => {
    expect(Object.keys(refused)).toEqual(REFUSED);
    expect(new Set(Object.values(refused)).size).toBe(REFUSED.length);
  });

  it.each(secured)(
    "%s: 401, with one answer but for what has expired or was revoked, and nothing changes",
    async (name, route) => {
      const before = await dump();
      const plain = await send(name, route, ann, "nonsense");
      for (const [what, key] of Object.entries(refused)) {
        const answer = await send(name, route, ann, key);
        checked += 1;
        const { status, code, reason, detail } = answer.json;
        const known = /expired$/.test(what) ? "token_expired" : /revoked$/.test(what) ? "token_revoked" : undefined;
        expect({ what, status, code, reason }).toEqual({ what, status: 401, code: "unauthenticated", reason: known });
        if (known === undefined) expect(detail).toBe(plain.json.detail);
        const page = await send(name, route, ann, key, { headers: { origin: EVIL } });
        expect(page.headers.get("access-control-allow-origin"), what).toBe(page.status >= 400 ? EVIL : null);
      }
      expect(await dump()).toBe(before);
    },
  );
});

/** The request inside a session: what widens its place left out, and the session where the route takes it. */
function inside(route: Route, ids: Ids): Pick<Route, "path" | "body" | "headers"> {
  const url = new URL(route.path(ids), "https://edgewise.test");
  url.searchParams.delete("projectId");
  if (route.narrowed === "query") url.searchParams.set("sessionId", ids.session);
  const { projectId: _p, includeGroups: _g, workspaceId: _w, ...body } = route.body?.(ids) ?? {};
  return {
    path: () => `${url.pathname}${url.search}`,
    ...(route.body === undefined ? {} : { body: () => (route.narrowed === "body" ? { ...body, sessionId: ids.session } : body) }),
    ...(route.headers === undefined ? {} : { headers: route.headers }),
  };
}

describe(`${secured.length} routes with ${LIMITED.length} credentials that may do something`, () => {
  it.each(secured)("%s", async (name, route) => {
    // Use is counted after the response, also that of the test before.
    const before = await dump({ counts: false });
    const page = async (key: string | null, origin: string) => await send(name, route, ann, key, { headers: { origin } });

    const key = await page(ours.key, ORIGIN);
    expectForbidden(key, "a key from a page", /POST \/v1\/tokens/);
    const foreign = await page(tokens.ann ?? "", EVIL);
    expectForbidden(foreign, "a token from a page of another origin", /allowedOrigins/);
    expect(foreign.headers.get("access-control-allow-origin")).toBe(EVIL);

    const other = await send(name, route, ben, tokens.ann ?? "");
    if (isForKeys(route)) expectForbidden(other, "another user's token", FOR_KEYS);
    else if (route.about !== "nobody") expectForbidden(other, "another user's token", /bound to one user/);
    else expectDone(other, "another user's token, for what is nobody's");

    const narrow = await send(name, { ...route, ...inside(route, ann) }, ann, tokens.narrow ?? "");
    if (isForKeys(route)) expectForbidden(narrow, "a token for another session", FOR_KEYS);
    else if (route.narrowed !== "any") expectForbidden(narrow, "a token for another session", FOR_SESSIONS);
    else expectDone(narrow, "a token for another session, for what is nobody's");

    const wide = await send(name, { ...route, ...withoutSession(route, ann) }, ann, tokens.narrow ?? "");
    if (isForKeys(route)) expectForbidden(wide, "a token for no session that the request names", FOR_KEYS);
    else if (route.narrowed !== "any") expectForbidden(wide, "a token for no session that the request names", FOR_SESSIONS);
    else expectDone(wide, "for what is nobody's");

    if (changes(route) || isForKeys(route)) {
      const readOnly = await send(name, route, ann, tokens.readOnly ?? "");
      expectForbidden(readOnly, "a token that is read only", isForKeys(route) ? FOR_KEYS : /lacks the permission "write"/);
    }
    expect(await dump({ counts: false })).toBe(before);
    // What follows may be counted as use.
    if (!changes(route) && !isForKeys(route))
      expectDone(await send(name, route, ann, tokens.readOnly ?? ""), "a token that is read only");

    await expectNothingOf(name, route);
    await expectOwn(name, route);
  });

  let unchanged: Promise<Ids> | null = null;

  /** For a route that changes something its own; all others may have the same. */
  async function ownThings(name: string, route: Route): Promise<Ids> {
    if (!changes(route) || isForKeys(route)) {
      unchanged ??= thingsOf(ours, "own", "own");
      return await unchanged;
    }
    const id = `own-${name.replaceAll(/\W+/g, "-")}`;
    return await thingsOf(ours, id, id);
  }

  /** Another tenant's user of the same name sees and changes nothing of ours. */
  async function expectNothingOf(name: string, route: Route): Promise<void> {
    const audited = async () =>
      JSON.stringify(
        await env.DB.prepare("select count(*) as n, max(seq) as seq from audit where tenant_id = ?").bind(ours.tenantId).first(),
      );
    const before = await audited();
    const answer = await send(name, route, ann, tokens.elsewhere ?? "");
    checked += 1;
    expect(answer.text).not.toContain(PRIVATE);
    expect(await audited()).toBe(before);
  }

  /** The user's own token from an allowed page, and one for the session alone, on things of their own. */
  async function expectOwn(name: string, route: Route): Promise<void> {
    const own = await ownThings(name, route);
    const token = await mint(ours, { userId: own.user });
    const narrow = await mint(ours, { userId: own.user, sessions: [own.session] });
    const confined = await send(name, { ...route, ...inside(route, own) }, own, narrow);
    if (isForKeys(route)) expectForbidden(confined, "a token for this session", FOR_KEYS);
    else if (route.narrowed === "closed") expectForbidden(confined, "a token for this session", FOR_SESSIONS);
    else {
      checked += 1;
      expect(confined.text).not.toMatch(FOR_SESSIONS);
    }
    const answer = await send(name, route, own, token, { headers: { origin: ORIGIN } });
    if (isForKeys(route)) return expectForbidden(answer, "the user's token", FOR_KEYS);
    // The token for the session may have done it already.
    checked += 1;
    if (answer.status >= 300) expect([404, 409, 422], `${name} ${answer.text}`).toContain(answer.status);
    if (answer.status >= 300) expect(confined.status, answer.text).toBeLessThan(300);
    expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(answer.headers.get("access-control-expose-headers")).toContain("x-edgewise-bookmark");
    expect(answer.headers.get("vary")).toContain("origin");
  }
});

/** The request with no session named, but in its path. */
function withoutSession(route: Route, ids: Ids): Pick<Route, "path" | "body" | "headers"> {
  const { path, body } = inside(route, ids);
  const url = new URL(path(ids), "https://edgewise.test");
  url.searchParams.delete("sessionId");
  const { sessionId: _s, learnedIn: _l, ...rest } = body?.(ids) ?? {};
  return {
    path: () => `${url.pathname}${url.search}`,
    ...(body === undefined ? {} : { body: () => rest }),
    ...(route.headers === undefined ? {} : { headers: () => ({}) }),
  };
}

const COMBINATIONS = secured.length * (REFUSED.length + LIMITED.length);

describe("the suite", () => {
  it(`checks ${secured.length} routes × ${REFUSED.length + LIMITED.length} credentials = ${COMBINATIONS} combinations`, () => {
    expect(checked).toBe(COMBINATIONS);
  });
});
