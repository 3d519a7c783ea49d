import { expect, it } from "vitest";
import { createHarness } from "#test/harness";
import { makeRichTenant, questionsOf } from "#test/rich-tenant";
import { download, emptyDatabase, importLines, sendTo } from "./export-rows.ts";
import { broken, diagnose } from "./upkeep-rows.ts";

/** The same moment for every question, so that what depends on the clock is the same. */
const NOON = Date.parse("2027-01-01T12:00:00Z");

it("answers every question alike in an empty service that has imported it, and importing twice adds nothing", async () => {
  let now: number | null = null;
  const replace = () => ({ log: () => undefined, ...(now === null ? {} : { now: () => now ?? 0 }) });
  const first = await createHarness({ replace });
  const made = await makeRichTenant(sendTo(first));
  await first.settle();
  const { lines } = await download(first);
  const questions = questionsOf(made);
  now = NOON;
  const ask = async (send: ReturnType<typeof sendTo>) => {
    const answers: unknown[] = [];
    for (const { method, path, body } of questions) {
      const { status, json } = await send(method, path, body);
      // Of a problem, the id of the request differs.
      const { requestId: _, ...answer } = json;
      answers.push({ method, path, body, status, answer });
    }
    return answers;
  };
  const before = await ask(sendTo(first));
  now = null;

  await emptyDatabase();
  const second = await createHarness({ replace });
  const report = await importLines(second, lines);
  expect(report.problems).toEqual([]);
  await second.settle();
  now = NOON;
  const after = await ask(sendTo(second));
  for (const [i, answer] of before.entries()) expect(after[i]).toEqual(answer);
  now = null;
  expect(broken(await diagnose(second))).toEqual([]);

  const again = await importLines(second, lines, { importId: 2 });
  expect(again.problems).toEqual([]);
  expect(Object.keys(again.statistics)).toEqual(["alreadyThere"]);
  const { lines: twice } = await download(second);
  const countsOf = (all: typeof lines) => all.filter(({ kind }) => kind !== "usage").length;
  expect(countsOf(twice)).toBe(countsOf(lines));
});
