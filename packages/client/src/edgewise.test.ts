import { afterEach, describe, expect, it } from "vitest";
import { Edgewise } from "./edgewise.ts";
import { EdgewiseError } from "./errors.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

afterEach(() => {
  unhandled.length = 0;
});

/** A client whose requests this answers, with the addresses that it asked for. */
function clientOf(reply: (url: URL) => Response | Promise<Response>) {
  const asked: string[] = [];
  const fetch = async (input: unknown) => {
    const url = new URL(String(input));
    asked.push(url.pathname + url.search);
    return await reply(url);
  };
  return { asked, edgewise: new Edgewise({ baseUrl: "http://edgewise.test", token: "ew_1", fetch, maxRetries: 0 }) };
}

const PAGES: Record<string, object> = {
  "": { items: ["a", "b"], nextCursor: "2" },
  "2": { items: [], nextCursor: "3" },
  "3": { items: ["c"], nextCursor: null },
};
const paged = (url: URL) => Response.json(PAGES[url.searchParams.get("cursor") ?? ""]);
const refused = () => Response.json({ code: "forbidden", detail: "No." }, { status: 403 });

describe("a list", () => {
  it("is one page when awaited, and all items in a loop, with a request for a page only when it is needed", async () => {
    const { edgewise, asked } = clientOf(paged);
    expect(await edgewise.memories.list({ userId: "alice" })).toEqual(PAGES[""]);
    expect(asked).toEqual(["/v1/memories?userId=alice"]);
    const items: unknown[] = [];
    for await (const item of edgewise.memories.list({ userId: "alice" })) {
      items.push(item);
      if (items.length === 2) expect(asked).toHaveLength(2);
    }
    expect(items).toEqual(["a", "b", "c"]);
    expect(asked.slice(2)).toEqual(["/v1/memories?userId=alice&cursor=2", "/v1/memories?userId=alice&cursor=3"]);
  });

  it("throws in the loop and nowhere else", async () => {
    const { edgewise } = clientOf(refused);
    process.on("unhandledRejection", note);
    const loop = async () => {
      for await (const _ of edgewise.memories.list()) expect.unreachable();
    };
    await expect(loop()).rejects.toBeInstanceOf(EdgewiseError);
    await expect(edgewise.memories.list().withResponse()).rejects.toBeInstanceOf(EdgewiseError);
    // Node reports after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("a call", () => {
  it("is sent at once, and gives its headers too", async () => {
    const { edgewise, asked } = clientOf(() => Response.json({ id: "mem_1" }, { headers: { etag: '"3"' } }));
    const call = edgewise.memories.get({ memoryId: "mem_1", userId: "alice" });
    const { data, response } = await call.withResponse();
    expect([data, response.headers.get("etag"), asked.length]).toEqual([{ id: "mem_1" }, '"3"', 1]);
  });

  it("rejects when a part of the address is missing", async () => {
    const { edgewise, asked } = clientOf(refused);
    await expect(edgewise.users.get({ userId: "" })).rejects.toThrow("`userId`");
    expect(asked).toEqual([]);
  });

  it("has a random idempotency key that the service accepts", async () => {
    const keys = new Set<string>();
    const fetch = async (_: unknown, init: RequestInit = {}) => {
      keys.add(new Headers(init.headers).get("idempotency-key") ?? "");
      return Response.json({});
    };
    const edgewise = new Edgewise({ baseUrl: "http://edgewise.test", token: "ew_1", fetch });
    for (let i = 0; i < 100; i++) await edgewise.memories.add({ content: "a" });
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^\d{1,10}(-\d{1,10}){3}$/);
  });
});

describe("the options", () => {
  const address = /^`baseUrl` is missing, or no address such as http:\/\/127\.0\.0\.1:8787\.$/;

  it.each([undefined, "", "localhost:8787", "/v1", "http://", "http:///v1", "http://a.example?b", "http://a.example "])(
    "refuses the address %j",
    (baseUrl) => {
      expect(() => new Edgewise({ baseUrl: given(baseUrl), token: "ew_1" })).toThrow(address);
    },
  );

  it.each([undefined, ""])("refuses the token %j", (token) => {
    expect(() => new Edgewise({ baseUrl: "http://edgewise.test", token: given(token) })).toThrow(
      "`token` is missing: an API key or a user token.",
    );
  });

  it.each(["", "/", "/v1", "/v1/", "//v1//"])("adds /v1 once to an address with %j at its end", async (end) => {
    for (const root of ["http://edgewise.test", "https://[::1]:8787/memory", "HTTPS://v1"]) {
      const asked: string[] = [];
      const fetch = async (url: unknown) => {
        asked.push(String(url));
        return Response.json({});
      };
      await new Edgewise({ baseUrl: root + end, token: "ew_1", fetch }).health.get();
      expect(asked).toEqual([new URL(`${root}/v1/health`).href]);
    }
  });
});

/** What a program without types may give. */
function given(value: string | undefined): string {
  return value as string;
}

describe("isAvailable", () => {
  it("is true for an answer, and false for everything else", async () => {
    expect(await clientOf(() => Response.json({ status: "ok" })).edgewise.isAvailable()).toBe(true);
    expect(await clientOf(() => Response.json({ status: "down" })).edgewise.isAvailable()).toBe(false);
    expect(await clientOf(refused).edgewise.isAvailable()).toBe(false);
    expect(await clientOf(() => Promise.reject(new TypeError("fetch failed"))).edgewise.isAvailable()).toBe(false);
  });

  it("asks nobody for a token", async () => {
    const fetch = async () => Response.json({ status: "ok" });
    const token = () => Promise.reject(new Error("offline"));
    expect(await new Edgewise({ baseUrl: "http://edgewise.test", token, fetch }).isAvailable()).toBe(true);
  });
});
