import { isThereAlready, type ProductionNames, productionCommands } from "./production-commands.ts";

export type SetUp = {
  names: ProductionNames;
  /** Runs a wrangler command and returns its output; throws with the output when it fails. */
  run: (command: readonly string[]) => Promise<string>;
  print: (line: string) => void;
};

/** Makes what is not there yet. Throws at the first thing that cannot be made, with what to do about it. */
export async function setUpProduction({ names, run, print }: SetUp): Promise<void> {
  for (const command of productionCommands(names)) {
    print(`wrangler ${command.join(" ")}`);
    try {
      await run(command);
    } catch (error) {
      const output = error instanceof Error ? error.message : String(error);
      if (!isThereAlready(output)) throw new Error(`${output}${adviceOn(output)}`);
      print("  is there already");
      if (command[0] === "vectorize" && command[1] === "create") await requireDimensions(names, run);
    }
  }
}

/** An index's dimensions never change, so one of another length would take no vector of this configuration. */
async function requireDimensions({ vectorIndex, dimensions }: ProductionNames, run: SetUp["run"]): Promise<void> {
  const output = await run(["vectorize", "get", vectorIndex, "--json"]);
  const { config } = JSON.parse(output.slice(output.indexOf("{"))) as { config: { dimensions: number; metric: string } };
  if (config.dimensions === dimensions && config.metric === "cosine") return;
  throw new Error(
    `The Vectorize index "${vectorIndex}" is there already, with ${config.dimensions} dimensions and the metric ${config.metric}, but ${dimensions} and cosine are ` +
      "needed, and neither can be changed. Name another index as index_name of [[env.production.vectorize]] in wrangler.toml (it is made by this command), or set " +
      "EMBEDDING_DIMENSIONS and EMBEDDING_MODEL of [env.production.vars] to what the index was made for.",
  );
}

const ADVICE: readonly [RegExp, string][] = [
  [
    /more than one account/i,
    "Name the account: CLOUDFLARE_ACCOUNT_ID=<id> before this command and all later ones. `npx wrangler whoami` lists the ids.",
  ],
  [
    /\b10042\b|enable R2/i,
    "R2 has to be enabled once, in the Cloudflare dashboard under R2 object storage; it asks for a way to pay. Then run this command again.",
  ],
  [
    /not_entitled|code: 1005|paid plan/i,
    "The account needs the Workers Paid plan (Cloudflare dashboard, Workers & Pages, Plans). Then run this command again.",
  ],
];

function adviceOn(output: string): string {
  const advice = ADVICE.find(([pattern]) => pattern.test(output))?.[1];
  return advice === undefined ? "" : `\n\n${advice}`;
}
