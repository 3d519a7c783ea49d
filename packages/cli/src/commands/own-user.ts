import type { Edgewise } from "@edgewise/client";
import { usageError } from "#cli/exit-code";

/**
 * The user of a personal key, by the app's id.
 * @throws EdgewiseError `invalid_input` with a server key: it acts for nobody in particular.
 */
export async function ownUserId(edgewise: Edgewise): Promise<string> {
  const { userId } = await edgewise.people.me();
  if (userId === null || userId === undefined) throw usageError("Name the user: --user alice, or EDGEWISE_USER.");
  return userId;
}
