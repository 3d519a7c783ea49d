import path from "node:path";
import { readTalk } from "../../scripts/judge/talk.ts";
import { ROOT } from "../../scripts/wrangler.ts";
import { readUnseen } from "./authors.ts";
import { judgeCost, linesTable } from "./judge-cost.ts";
import { readFirstContacts, readRounds } from "./talk.ts";
import { authorsTable, kindsTable, roundsTable } from "./talk-table.ts";
import { wishesTable } from "./wishes.ts";

const OUTSIDE = path.join(ROOT, "test/corpora/outside");

/** How messages are read whose authors knew nothing of the code; `talk`: a folder of the same form, in place of the repository's rounds. */
export async function outsideReport({ talk, authors }: { talk?: string | undefined; authors: boolean }): Promise<string> {
  const folder = talk ?? path.join(OUTSIDE, "rounds");
  const rounds = await readRounds(folder);
  const texts = [...rounds.values()].flat().map(({ text }) => text);
  const parts = [roundsTable(rounds, await readFirstContacts(folder)), await judgeCost(texts), await linesTable()];
  if (authors) {
    const talkOf = (name: string) => readTalk(path.join(OUTSIDE, name));
    const of = { authors: await talkOf("training"), wishAuthors: await talkOf("training-wishes") };
    const { messages, kinds, wishes } = readUnseen(of, (name) => console.error(`Training without ${name} …`));
    parts.push(authorsTable(messages), kindsTable(kinds), wishesTable(wishes.ofTalk, wishes.ofWishes));
  }
  return parts.join("\n\n");
}
