import { type Answering, textOf } from "../../test/support/chat-answers.ts";

/** Replaces a model: repeats what the block before the conversation says about seats. */
export const scripted: Answering = ({ messages }) => {
  const context = messages.filter(({ role }) => role === "system").map(({ content }) => textOf(content));
  const line = context
    .join("\n")
    .split("\n")
    .find((text) => text.startsWith("[M") && text.includes("seat"));
  if (line === undefined) return "Of course. Which seat would you like?";
  const mark = /^\[M\d+\]/.exec(line)?.[0] ?? "";
  return `Of course: the night train, in a window seat as you like it ${mark}.`;
};
