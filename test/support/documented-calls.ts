/** The shell examples of a Markdown page. */
export function shellBlocks(page: string): string[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
}

export type Output = { call: string; answer: string };

/**
 * Each `ew` call of a script with the line of JSON that it printed. Calls whose output the script captures, as `BOB=$(ew …)`, are left out.
 */
export function outputsOf(script: string, printed: string): Output[] {
  const calls =
    script.replace(/\\\n/g, " ").match(/^(?:sleep \d+; )?ew [\s\S]*?(?=\n(?:\w+=|ew |sleep |#|$)|$(?![\s\S]))/gm) ?? [];
  const answers = printed.split("\n").filter((line) => line.startsWith("{"));
  if (calls.length !== answers.length) throw new Error(`${calls.length} calls printed ${answers.length} answers:\n${printed}`);
  return calls.map((call, i) => ({ call, answer: answers[i] ?? "" }));
}
