import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { app } from "#surfaces/rest/app";
import { openApiDocument } from "#surfaces/rest/openapi";
import { ROOT } from "./wrangler.ts";

/** Checks the OpenAPI document with the recommended rules of Redocly and Spectral. Ends with 1 on any error or warning. */
async function main(): Promise<void> {
  const json = JSON.stringify(openApiDocument(app, "http://127.0.0.1:8787"), null, 2);
  const problems = [...(await askRedocly(json)), ...(await askSpectral(json))];
  for (const problem of problems) console.error(problem);
  console.log(`OpenAPI: ${problems.length} problems by Redocly and Spectral.`);
  if (problems.length > 0) process.exitCode = 1;
}

type RedoclyReport = { problems: { ruleId: string; message: string; location: { pointer?: string }[] }[] };

async function askRedocly(json: string): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "edgewise-openapi-"));
  try {
    const file = path.join(folder, "openapi.json");
    await writeFile(file, json);
    const cli = path.join(ROOT, "node_modules", "@redocly", "cli", "bin", "cli.js");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const args = [cli, "lint", file, "--extends", "recommended", "--format", "json", "--max-problems", "1000"];
    // It exits with 1 when it finds an error; its findings are in its output in any case.
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env, maxBuffer: 50_000_000 }).catch(
      (error: { stdout: string }) => error,
    );
    const { problems } = JSON.parse(stdout) as RedoclyReport;
    return problems.map(({ ruleId, message, location: [first] }) => `Redocly ${ruleId} ${first?.pointer ?? ""}: ${message}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function askSpectral(json: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[asRuleset(spectralRulesets.oas), "recommended"]] });
  const results = await spectral.run(json);
  return results.map(({ code, message, path: at }) => `Spectral ${code} ${at.join("/")}: ${message}`);
}

/** Safe: the type of the ruleset only leaves out that others can extend it. */
function asRuleset(rules: unknown): RulesetDefinition {
  return rules as RulesetDefinition;
}

await main();
