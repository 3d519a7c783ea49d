import { type Output as Answer, type Edgewise, EdgewiseError } from "@edgewise/client";
import { type Base, examples } from "#cli/base";
import { connect } from "#cli/connection";
import { ExitCode } from "#cli/exit-code";
import type { Host } from "#cli/host";
import type { Output } from "#cli/terminal/output";
import { withProgress } from "#cli/terminal/progress";
import { table } from "#cli/terminal/table";

type Health = Answer<"health.deep">;
type Usage = Answer<"usage.get">;

/** `null` is what the key may not see. */
type Status = { url: string; working: boolean; health: Health | null; usage: Usage | null };

export function addStatusCommand(program: Base, host: Host): void {
  program
    .command("status")
    .summary("whether the service works, and what was used")
    .description(
      "Asks the service to test each of its parts, and for the usage of 30 days. Ends with 1 if something does not work.",
    )
    .addHelpText("after", examples("edgewise status", "edgewise status --json | jq .working"))
    .action(async (_options) => {
      const { edgewise, url, key, output } = await connect(host, program.opts(), []);
      const status = await withProgress(host, "Testing each part of the service", async (): Promise<Status> => {
        await edgewise.health.get();
        const health = await readHealth(edgewise, url, key);
        return { url, working: health?.working ?? true, health, usage: await allowed(edgewise.usage.get()) };
      });
      if (!status.working) host.exitCode = ExitCode.failure;
      output.show(status, () => statusLines(status, output));
    });
}

/** Without the client, because a service that is not well answers with 503 and the report that is wanted. */
async function readHealth(edgewise: Edgewise, url: string, key: string): Promise<Health | null> {
  const response = await fetch(`${url}/v1/health/deep`, { headers: { authorization: `Bearer ${key}` }, redirect: "manual" });
  const body: unknown = response.status === 503 ? await response.json().catch(() => null) : null;
  if (isHealth(body)) return body;
  return await allowed(edgewise.health.deep());
}

/** Only `working` and `checks` are looked at; the service's own schema says the rest. */
function isHealth(body: unknown): body is Health {
  return typeof body === "object" && body !== null && "working" in body && "checks" in body;
}

/** Null for what the key may not see: a personal key sees nothing of the tenant. */
async function allowed<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof EdgewiseError && error.code === "forbidden") return null;
    throw error;
  }
}

function statusLines({ url, working, health, usage }: Status, output: Output): string[] {
  const { bold, green, red, dim } = output.colours;
  const lines = [working ? green(`${url} works.`) : red(`${url} does not work as it should.`)];
  if (health === null) lines.push("", dim("The parts are not shown: testing them needs a key with the permission admin."));
  else lines.push("", ...table(["PART", "WORKS", "TIME", "ERROR"], partsOf(health), output.columns));
  if (usage !== null) lines.push("", bold(`Usage, ${usage.from} to ${usage.to}`), ...usageLines(usage));
  return lines;
}

const partsOf = ({ checks }: Health): string[][] =>
  Object.entries(checks).map(([part, { working, latencyMs, error }]) => [
    part,
    working ? "yes" : "no",
    `${latencyMs} ms`,
    error ?? "",
  ]);

function usageLines({ totals }: Usage): string[] {
  const share = totals.hitRate === null ? "" : `, ${Math.round(totals.hitRate * 100)} % with something in them`;
  const rows = [
    ["contexts", `${totals.contexts}${share}`],
    ["tokens added", `${totals.tokensInjected}`],
    ["answers", `${totals.answersFound} found of ${totals.answers}`],
    ["completions", `${totals.completions}`],
    ["memories learned", `${totals.memoriesExtracted}`],
  ];
  return table(["", ""], rows, undefined)
    .slice(1)
    .map((line) => `  ${line}`);
}
