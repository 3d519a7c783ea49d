import { breaksRule } from "#core/errors";
import { parseChatGpt } from "./chatgpt.ts";
import { parseClaude } from "./claude.ts";
import { parseGemini } from "./gemini.ts";
import { parseOpenAi } from "./openai.ts";
import { broken, type ImportPlatform, type Parsed } from "./parsed.ts";
import { PLATFORM_NAMES, platformOf } from "./recognise.ts";
import type { ImportPartInput } from "./schemas.ts";

/** A conversation of a part, and its place in the export. */
export type Placed = { parsed: Parsed; position: number | null };

/**
 * The conversations of a part. One that cannot be read is `broken`, and the others are read.
 * @throws unprocessable for the content of another platform.
 */
export function parsePart(
  platform: ImportPlatform,
  part: ImportPartInput,
  now: number,
): { conversations: Placed[]; activitiesLeftOut: number } {
  refuseOthers(platform, part);
  if (platform === "gemini") {
    const { parsed, leftOut } = parseGemini(part.activities ?? [], { now });
    return { conversations: parsed.map((each) => ({ parsed: each, position: null })), activitiesLeftOut: leftOut };
  }
  const from = part.position ?? 0;
  const conversations = (part.conversations ?? []).map((raw, i) => {
    const position = from + i;
    return { position, parsed: parseOne(raw, { platform, position, now, isPiece: part.isPiece === true }) };
  });
  return { conversations, activitiesLeftOut: 0 };
}

type How = { platform: Exclude<ImportPlatform, "gemini">; position: number; now: number; isPiece: boolean };

function parseOne(raw: unknown, { platform, position, now, isPiece }: How): Parsed {
  if (platformOf(raw) !== platform) return broken(null, `It has not the form of a conversation of ${PLATFORM_NAMES[platform]}.`);
  if (platform === "chatgpt") return parseChatGpt(raw, { now, isPiece });
  return platform === "claude" ? parseClaude(raw, { now }) : parseOpenAi(raw, { now, position });
}

/** A broken conversation is reported by itself; content whose form is another platform's means that the import names the wrong one. */
function refuseOthers(platform: ImportPlatform, part: ImportPartInput): void {
  const wanted = platform === "gemini" ? "activities" : "conversations";
  const given = (["conversations", "activities", "projects"] as const).filter((name) => part[name] !== undefined);
  if (given.length === 0) throw breaksRule(wanted, `A part of ${PLATFORM_NAMES[platform]} has \`${wanted}\`.`);
  for (const name of given) {
    if (name !== wanted && !(name === "projects" && platform === "claude"))
      throw breaksRule(name, `A part of ${PLATFORM_NAMES[platform]} has \`${wanted}\`, not \`${name}\`.`);
  }
  const other = (part[wanted] ?? []).map(platformOf).find((form) => form !== null && form !== platform);
  if (other != null)
    throw breaksRule(wanted, `These are of ${PLATFORM_NAMES[other]}, and the import is of ${PLATFORM_NAMES[platform]}.`);
}
