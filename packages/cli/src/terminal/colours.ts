import pc from "picocolors";

export type Colours = ReturnType<typeof pc.createColors>;

type Terminal = { isTTY?: boolean | undefined };

/**
 * Colour only where somebody looks. FORCE_COLOR (not 0) turns it on for a pipe too and wins over NO_COLOR, as in Node itself; any NO_COLOR
 * turns it off.
 */
export function wantsColour(env: NodeJS.ProcessEnv, stream: Terminal): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

export const coloursOf = (env: NodeJS.ProcessEnv, stream: Terminal): Colours => pc.createColors(wantsColour(env, stream));
