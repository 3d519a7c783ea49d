/** The reasoning that some servers leave in front of a model's answer. The closing tag is missing where the answer was cut. */
const REASONING = /^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/i;

/** A reply's text, and the reasoning that it begins with, if any. */
export function separateReasoning(reply: string): { reasoning: string; text: string } {
  const found = REASONING.exec(reply);
  return found === null ? { reasoning: "", text: reply } : { reasoning: found[1] ?? "", text: reply.slice(found[0].length) };
}
