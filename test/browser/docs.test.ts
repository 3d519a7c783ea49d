import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import AxeBuilder from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/wrangler";
import { PAGE_POLICY } from "#surfaces/docs/layout";
import { STATUS } from "#surfaces/rest/problem";
import { CHROMIUM, launchChromium, NO_CHROMIUM, openPage, type WatchedPage } from "#test/chromium";
import { shellBlocks } from "#test/documented-calls";
import { type SharedService, sharedService } from "#test/start-service";

if (CHROMIUM === undefined) process.stderr.write(`\n${NO_CHROMIUM}\n\n`);

const PHONE = { viewport: { width: 390, height: 844 } };
/** Scalar's dialog for a request. */
const DIALOG = "[role=dialog], dialog";

let service: SharedService;
let browser: Browser;
let opened: WatchedPage[] = [];

type Document = {
  info: { description: string };
  tags: { name: string; "x-displayName": string }[];
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
};
let document: Document;
let guides: string[] = [];

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const watched = await openPage(browser, new URL(path, service.url).href, options);
  opened.push(watched);
  return watched.page;
}

/** The reference when Scalar has replaced the list. */
async function openReference(options: BrowserContextOptions = {}, path = "/docs"): Promise<Page> {
  const page = await open(path, options);
  await page.locator("#reference h1").first().waitFor();
  return page;
}

/** Opens the dialog in which the operation of this page can be tried. */
async function tryOperation(page: Page, name: string): Promise<void> {
  await page
    .locator(`section[id$="${name}"]`)
    .getByRole("button", { name: /test request/i })
    .first()
    .click();
  await page.locator(DIALOG).getByRole("button", { name: /^send/i }).locator("visible=true").first().waitFor();
}

const overflowOf = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describe.skipIf(CHROMIUM === undefined)("/docs in a browser", () => {
  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), launchChromium()]);
    document = asDocument(await (await fetch(`${service.url}/openapi.json`)).json());
    const index = await (await fetch(`${service.url}/docs/guides`)).text();
    guides = [...index.matchAll(/<dt><a href="(\/docs\/[\w-]+)">/g)].map(([, path = ""]) => path);
  });

  afterAll(async () => {
    await browser?.close();
  });

  afterEach(async () => {
    const faults = opened.flatMap((each) => each.faults);
    await Promise.all(opened.map((each) => each.close()));
    opened = [];
    expect(faults).toEqual([]);
  });

  describe("the reference", () => {
    it("shows the subjects in the document's order, and an operation with its example", async () => {
      const page = await openReference();
      const sidebar = await page.locator("#reference nav, #reference aside").first().innerText();
      // Above the list is the field "Search", which is a subject too.
      const subjects = sidebar.slice(sidebar.indexOf("Introduction"));
      const places = document.tags.map((tag) => subjects.indexOf(`\n${tag["x-displayName"]}\n`));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places[0]).toBeGreaterThan(0);
      await page.goto(`${service.url}/docs#tag/memories/POST/v1/memories`);
      await page.getByText("memories.add", { exact: true }).first().waitFor();
      await page.getByText("Alice is allergic to peanuts.").first().waitFor();
    });

    it("finds an operation by words", async () => {
      const page = await openReference();
      await page.keyboard.press("Control+k");
      await page
        .getByRole("combobox")
        .or(page.getByPlaceholder(/search/i))
        .locator("visible=true")
        .first()
        .fill("undo a forgetting");
      await page.getByText("/v1/forgettings/{forgettingId}/undo").locator("visible=true").first().click();
      await expect.poll(() => page.evaluate<string>("location.hash")).toContain("forgettings");
    });

    // The address of the page decides where calls go: the document says 127.0.0.1 for localhost, which is another origin.
    it.each(["127.0.0.1", "localhost"])(
      "calls the service of the page with the key that the reader types, at %s",
      async (host) => {
        const home = service.url.replace("127.0.0.1", host);
        const page = await openReference({}, `${home}/docs#tag/search/POST/v1/search`);
        await page.getByPlaceholder("Token").locator("visible=true").first().fill(service.key);
        await tryOperation(page, "search/POST/v1/search");
        const answered = page.waitForResponse((response) => response.url() === `${home}/v1/search`);
        await page.locator(DIALOG).getByRole("button", { name: /^send/i }).locator("visible=true").first().click();
        const answer = await answered;
        expect(answer.status()).toBe(200);
        expect(answer.request().headers().authorization).toBe(`Bearer ${service.key}`);
        expect(await answer.json()).toMatchObject({ hits: expect.any(Array) });
        await page.locator(DIALOG).getByText('"hits"').first().waitFor();
        expect(await keptBy(page)).not.toContain(service.key.slice(3, 20));
        await page.reload();
        await page.locator("#reference h1").first().waitFor();
        expect(await page.getByPlaceholder("Token").locator("visible=true").first().inputValue()).toBe("");
      },
    );

    it("leaves the plain list where its script is not loaded", async () => {
      const watched = await openPage(browser, "about:blank");
      await watched.context.route("**/standalone.esm.js", (route) => route.abort());
      const failed = watched.page.waitForEvent("requestfailed");
      await watched.page.goto(`${service.url}/docs`);
      await failed;
      expect(await watched.page.locator("#list h2").count()).toBe(document.tags.length);
      await watched.close();
    });
  });

  describe("without scripts", () => {
    it("lists every operation under its subject", async () => {
      const page = await open("/docs", { javaScriptEnabled: false });
      for (const { name } of document.tags) {
        expect(await page.locator(`nav a[href="#${name}"]`).count(), name).toBe(1);
        expect(await page.locator(`h2[id="${name}"]`).count(), name).toBe(1);
      }
      const listed = await page.locator("dt").allInnerTexts();
      const operations = Object.entries(document.paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(listed.toSorted()).toEqual(operations.toSorted());
    });

    it("shows a guide for every page of docs/, and what an error means at the address that problems name", async () => {
      expect(guides.length).toBeGreaterThan(20);
      const page = await open("/docs/errors#rate_limited", { javaScriptEnabled: false });
      for (const code of Object.keys(STATUS)) expect(await page.locator(`h2[id="${code}"]`).count(), code).toBe(1);
      expect(await page.locator("h2#rate_limited").isVisible()).toBe(true);
    });
  });

  it("runs the first calls of the introduction as they are written", async () => {
    const [script = ""] = shellBlocks(`${document.info.description}\n`);
    const env = { ...process.env, EDGEWISE_KEY: service.key };
    const { stdout } = await promisify(execFile)("bash", ["-ec", script], { env });
    expect(stdout).toContain('"block":"<edgewise-memory>');
    expect(stdout).toContain("[M1]");
  });

  it("answers the calls of docs/reference.md", async () => {
    const [script = ""] = shellBlocks(await readFile(path.join(ROOT, "docs", "reference.md"), "utf8"));
    const { stdout } = await promisify(execFile)("bash", ["-ec", script.replaceAll("http://127.0.0.1:8787", service.url)]);
    expect(stdout).toContain("<title>Edgewise API</title>");
    expect(stdout).toContain("<title>Guides · Edgewise</title>");
    expect(stdout).toContain('{"openapi":"3.1.0"');
  });

  it("has no link that leads nowhere", async () => {
    const broken: string[] = [];
    const pages = new Map<string, string>();
    const read = async (path: string) => {
      const known = pages.get(path);
      if (known !== undefined) return known;
      const answer = await fetch(service.url + path);
      const text = answer.ok ? await answer.text() : "";
      pages.set(path, text);
      return text;
    };
    for (const from of ["/docs", "/docs/guides", "/docs/nope", ...guides]) {
      const text = from === "/docs/nope" ? await (await fetch(service.url + from)).text() : await read(from);
      for (const [, href = ""] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [path = "", anchor] = href.split("#");
        const target = await read(path === "" ? from : path);
        if (target === "" || (anchor !== undefined && !target.includes(` id="${anchor}"`))) broken.push(`${from} → ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("sends static files with the policy of a page, and lets browsers keep what is named for its content", async () => {
    const get = (path: string) => fetch(service.url + path, { redirect: "manual" });
    const guide = await get("/docs/memories");
    expect(guide.headers.get("content-security-policy")).toBe(PAGE_POLICY);
    expect(guide.headers.get("cache-control")).toContain("must-revalidate");
    const [, folder = ""] = /"\.\/(scalar-[0-9a-f]{12})\//.exec(await (await get("/docs/assets/reference.js")).text()) ?? [];
    const scalar = await get(`/docs/assets/${folder}/standalone.esm.js`);
    expect([scalar.status, scalar.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    const slash = await get("/docs/");
    expect([slash.status, slash.headers.get("location")]).toEqual([301, "/docs"]);
    const missing = await fetch(`${service.url}/docs/nope`, { headers: { "sec-fetch-mode": "navigate" } });
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining("No such page")]);
  });

  describe("looks", () => {
    it.each([
      ["/docs", "#reference aside"],
      ["/docs/memories", "body"],
    ])("%s is light or dark as the reader's system is", async (path, part) => {
      const colors = [];
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await open(path, { colorScheme });
        await page.locator(part).first().waitFor();
        const colorOf = (selector: string) =>
          page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`);
        colors.push(await colorOf(part));
        expect(colors.at(-1)).toBe(await colorOf(".bar"));
      }
      expect(colors).toEqual(["rgb(255, 255, 255)", "rgb(21, 23, 26)"]);
    });

    it("fits a phone: the reference, its dialog, and the list", async () => {
      const page = await openReference(PHONE, "/docs#tag/memories/POST/v1/memories");
      expect(await overflowOf(page)).toBe(0);
      await tryOperation(page, "memories/POST/v1/memories");
      const send = await page
        .locator(DIALOG)
        .getByRole("button", { name: /^send/i })
        .locator("visible=true")
        .first()
        .boundingBox();
      expect((send?.x ?? 390) + (send?.width ?? 0)).toBeLessThanOrEqual(390);
      const list = await open("/docs", { ...PHONE, javaScriptEnabled: false });
      expect(await list.locator("h1").evaluate((title) => title.ownerDocument.documentElement.scrollWidth)).toBe(390);
    });

    it("fits a phone: every guide", async () => {
      const page = await open("/docs/guides", PHONE);
      const wide: string[] = [];
      for (const path of ["/docs/guides", "/docs/nope", ...guides]) {
        await page.goto(service.url + path);
        if ((await overflowOf(page)) !== 0) wide.push(path);
      }
      // The browser reports the page that does not exist.
      opened = opened.map((each) => ({ ...each, faults: each.faults.filter((fault) => !/404/.test(fault)) }));
      expect(wide).toEqual([]);
    });

    // In the dark only the colours differ.
    it.each([
      ["light", undefined],
      ["dark", ["color-contrast"]],
    ] as const)("has no serious barrier that axe finds, %s", async (colorScheme, rules) => {
      const context = { colorScheme, ...PHONE };
      const barriers: string[] = [];
      for (const path of ["/docs/guides", "/docs/readme", "/docs/errors"]) {
        barriers.push(...(await barriersOf(await open(path, context), rules)));
      }
      const list = await openPage(browser, "about:blank", context);
      await list.context.route("**/reference.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
      await list.page.goto(`${service.url}/docs`);
      barriers.push(...(await barriersOf(list.page, rules)));
      await list.close();
      expect(barriers).toEqual([]);
    });
  });
});

async function barriersOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe : axe.withRules([...rules])).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** Everything that the browser would keep of the page after it is closed. */
async function keptBy(page: Page): Promise<string> {
  const stored = await page.evaluate<string>(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])",
  );
  const databases = await page.evaluate<string>("indexedDB.databases().then((all) => JSON.stringify(all))");
  expect(databases).toBe("[]");
  return stored;
}

/** The test reads these parts of the document. */
function asDocument(json: unknown): Document {
  return json as Document;
}
