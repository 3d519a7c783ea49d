import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startChatServer } from "../test/support/chat-server.ts";
import { askService, createReporter } from "./demo/conversation.ts";
import { play } from "./demo/play.ts";
import { scripted } from "./demo/scripted-model.ts";
import { readDevKey } from "./dev-key-file.ts";
import { startService } from "./service.ts";
import { ROOT } from "./wrangler.ts";

const USAGE = `npm run demo [-- options]

A scripted conversation with a running service, printed as a person would read it. It ends with 1 if anything is not as printed.
Without a service on port 8787 (npm run dev), it starts one of its own, with a state that is gone afterwards.

  --url URL --key KEY   another service, and a key of it with the permission admin`;

const { values } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, help: { type: "boolean", default: false } },
});

if (values.help || (values.url === undefined) !== (values.key === undefined)) {
  console.error(USAGE);
  process.exit(2);
}

const Settings = z.object({ upstream: z.unknown() });
const reporter = createReporter((line) => console.log(line));
const service = await serviceFor(values);
const upstream = await startChatServer({ answering: scripted });
const ask = askService(service.url, service.key);
console.log(`Edgewise at ${service.url}${service.isOwn ? ", started for this demo alone" : ""}.`);
try {
  await ask("PATCH", "/v1/settings", { upstream: { url: upstream.url, apiKey: "sk-of-the-demo" } });
  await play({ ask, reporter, upstream, run: Date.now().toString(36) });
} catch (error) {
  reporter.expect(error instanceof Error ? error.message : String(error), false);
} finally {
  await ask("PATCH", "/v1/settings", { upstream: null });
  await upstream.close();
  await service.stop();
}
const wrong = reporter.wrong();
console.log(wrong === 0 ? "\nEverything was as printed." : `\n${wrong} of it not as it should be.`);
process.exitCode = wrong === 0 ? 0 : 1;

type Running = { url: string; key: string; isOwn: boolean; stop: () => Promise<void> };

/** The named service; else the one that runs here, unless it has an upstream that the demo would replace; else a new one. */
async function serviceFor(named: { url?: string | undefined; key?: string | undefined }): Promise<Running> {
  const nothing = async () => undefined;
  if (named.url !== undefined && named.key !== undefined) return { url: named.url, key: named.key, isOwn: false, stop: nothing };
  const url = "http://127.0.0.1:8787";
  const key = await readDevKey(path.join(ROOT, ".edgewise", "dev-key"));
  if (key !== null && (await isFree(url, key))) return { url, key, isOwn: false, stop: nothing };
  const own = await startService();
  return { url: own.url, key: own.key, isOwn: true, stop: own.stop };
}

/** Whether the service accepts this key and its tenant has no upstream. */
async function isFree(url: string, key: string): Promise<boolean> {
  const settings = await askService(url, key)("GET", "/v1/settings").catch(() => null);
  return settings !== null && Settings.parse(settings.body).upstream === null;
}
