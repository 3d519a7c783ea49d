import { expect, it } from "vitest";
import { ANSWERS_OTHERS, isOutage } from "./outage.ts";

it.each([
  "The embeddings server answered 503.",
  "The embeddings server answered 429.",
  "The embeddings server did not answer in time.",
  "The chat server could not be reached (TypeError).",
  "Workers AI did not answer.",
  "Workers AI did not answer in time (3007).",
  "Workers AI failed (3040).",
  "Vectorize did not answer.",
  "Vectorize refused the request (50001).",
  "Vectorize refused the request (40041).",
  "The vectors of a space could not be reached.",
  "The embedder does not answer.",
  "The embeddings server answered something that is no JSON.",
  "The chat server answered no completion.",
  "The embeddings server answered no list of vectors.",
])("an outage ended what says: %s", (sentence) => {
  expect(isOutage(`upstream_failed: ${sentence}`)).toBe(true);
});

it.each([
  "upstream_failed: The embeddings server answered 400.",
  "upstream_failed: Vectorize refused the request (40023).",
  `upstream_failed: The embeddings server answered 500. ${ANSWERS_OTHERS}`,
  `misconfigured: The embeddings server refused the key (403). Set EMBEDDINGS_API_KEY. ${ANSWERS_OTHERS}`,
  "Nothing of what the model said could be used: it was empty.",
  "internal: Its consumer ended before the job did, each time.",
  "TypeError",
])("no outage ended what says: %s", (reason) => {
  expect(isOutage(reason)).toBe(false);
});

it("what the operator has put right since is run again too", () => {
  expect(isOutage("misconfigured: The embeddings server refused the key (401). Set EMBEDDINGS_API_KEY.")).toBe(true);
});
