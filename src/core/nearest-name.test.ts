import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const SEARCH = ["query", "userId", "sessionId", "projectId", "strategy", "limit", "maxTokens", "from", "to", "explain"];

it.each([
  ["user_id", SEARCH, "userId"],
  ["UserID", SEARCH, "userId"],
  ["usrId", SEARCH, "userId"],
  ["session-id", SEARCH, "sessionId"],
  ["page_size", SEARCH, "limit"],
  ["topK", SEARCH, "limit"],
  ["top_k", SEARCH, "limit"],
  ["limits", SEARCH, "limit"],
  ["lmiit", SEARCH, "limit"],
  ["q", SEARCH, "query"],
  ["text", ["role", "content"], "content"],
  ["content", ["text", "cursor"], "text"],
  ["messsages", ["messages", "userId"], "messages"],
  ["page", ["cursor", "limit"], "cursor"],
  ["external_user_id", SEARCH, "userId"],
])("%s is nearest to a field of %j", (wrong, names, nearest) => {
  expect(nearestName(wrong, names)).toBe(nearest);
});

it.each(["xylophone", "a", "", "🎻", "temperature"])("nothing is near %s", (wrong) => {
  expect(nearestName(wrong, SEARCH)).toBeNull();
});
