/** What some servers leave in front of the answer of a model that reasons. An end may be missing, where the answer was cut. */
const THOUGHT = /^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/i;

/** What a reply says, and what its model thought before, if the reply begins with that. */
export function apartFromThought(reply: string): { thought: string; text: string } {
  const found = THOUGHT.exec(reply);
  return found === null ? { thought: "", text: reply } : { thought: found[1] ?? "", text: reply.slice(found[0].length) };
}
