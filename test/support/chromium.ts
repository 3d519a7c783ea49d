import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The Chromium of this machine: the variable CHROMIUM, or where packages install it; undefined if there is none. */
export const CHROMIUM = process.env.CHROMIUM || PLACES.find((place) => existsSync(place));

export const NO_CHROMIUM =
  "The tests in test/browser are SKIPPED: there is no Chromium. Install it (Debian: apt-get install -y chromium; macOS: brew install --cask chromium), " +
  "or set CHROMIUM to the path of a Chromium or Chrome.";

/** Less than a test's own timeout, so that the message says what was waited for. */
const PATIENCE_MS = 100_000;

export async function launchChromium(): Promise<Browser> {
  // Chromium's sandbox does not start for root, as in a container.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await chromium.launch({ executablePath: CHROMIUM, args });
}

/** A page of the service in a browser of its own, and what it did that no page may do. */
export type WatchedPage = {
  page: Page;
  context: BrowserContext;
  /** Requests to other origins, violations of the policy, errors of scripts and of the console, and answers of 400 and above. */
  faults: string[];
  close: () => Promise<void>;
};

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // No test may fail because the machine does other work beside.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const { origin } = new URL(url);
  const faults: string[] = [];
  context.on("request", (request) => {
    const address = new URL(request.url());
    if (address.protocol !== "data:" && address.origin !== origin) faults.push(`request to ${address.origin}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} of ${response.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  await page.addInitScript({
    content: `document.addEventListener("securitypolicyviolation", (event) =>
      console.error("policy: " + event.effectiveDirective + " " + event.blockedURI + " " + event.sourceFile));`,
  });
  await page.goto(url);
  return { page, context, faults, close: () => context.close() };
}
