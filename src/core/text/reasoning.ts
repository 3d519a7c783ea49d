/** What some servers leave in front of the answer of a model that reasons. An end may be missing, where the answer was cut. */
const REASONING = /^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/i;

/** What a reply says, and what its model thought before, if the reply begins with that. */
export function separateReasoning(reply: string): { reasoning: string; text: string } {
  const found = REASONING.exec(reply);
  return found === null ? { reasoning: "", text: reply } : { reasoning: found[1] ?? "", text: reply.slice(found[0].length) };
}
