import path from "node:path";
import { expect, it } from "vitest";
import { unstable_readConfig } from "wrangler";

const CONFIG = path.join(import.meta.dirname, "..", "wrangler.toml");

it.each([undefined, "production"])("the variables say what the limiters of wrangler.toml count, in the environment %s", (env) => {
  const { vars, ratelimits } = unstable_readConfig(env === undefined ? { config: CONFIG } : { config: CONFIG, env });
  const limiters: { name: string; simple: { limit: number; period: number } }[] = ratelimits;
  const counted = Object.fromEntries(
    limiters.map(({ name, simple }) => [name.replace("LIMITER", "LIMIT"), `${simple.limit}/${simple.period}`]),
  );
  expect({ KEY_LIMIT: vars.KEY_LIMIT, STRANGER_LIMIT: vars.STRANGER_LIMIT }).toEqual(counted);
});
