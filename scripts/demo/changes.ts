import { z } from "zod";
import { answer, type Place, recall, type Stage, say } from "./calls.ts";
import { until } from "./conversation.ts";

const Profile = z.object({ entries: z.array(z.object({ content: z.string() })) });

/** What changes: a value that is replaced, a list that is edited, words that are forgotten, and what is always known of a user. */
export async function changes(stage: Stage, { early, late }: { early: Place; late: Place }): Promise<void> {
  await update(stage, { early, late });
  await editList(stage, late);
  await forget(stage, late);
  await profile(stage, late);
}

async function update(stage: Stage, { early, late }: { early: Place; late: Place }): Promise<void> {
  const { reporter } = stage;
  reporter.chapter("An update: the current value stands first");
  await say(stage, early, "I live in Graz.", "Nice!");
  await until(async () => ((await shown(stage, late, "Where do I live?")).some((text) => text.includes("Graz")) ? true : null));
  await say(stage, early, "Quick update: I moved to Trieste last week.", "Good to know.");
  const [first] = (await until(async () => {
    const texts = await shown(stage, late, "Where do I live?");
    return texts[0]?.includes("Trieste") ? texts : null;
  })) ?? [""];
  reporter.says("Carol, in another session", "Where do I live?");
  reporter.note(`[M1] ${first}`);
  reporter.expect("the current value is the first item of the context", first?.includes("Trieste") === true);
}

async function editList(stage: Stage, place: Place): Promise<void> {
  const { reporter } = stage;
  reporter.chapter("A list: stated, edited and asked for in talk");
  await say(stage, place, "My shopping list: oats, lentils, candles");
  await say(stage, place, "add batteries to my shopping list");
  await say(stage, place, "remove lentils from my shopping list");
  const question = "What's on my shopping list?";
  const text = (await answer(stage, place, question)).text ?? "";
  reporter.says("Carol", question);
  reporter.says("Edgewise", text);
  reporter.expect("the list is as she left it", /oats.*candles.*batteries/su.test(text) && !text.includes("lentils"));
}

async function forget(stage: Stage, place: Place): Promise<void> {
  const { reporter } = stage;
  reporter.chapter("Forgetting: the words go, not only the memory");
  await say(stage, place, "The code of my bike lock is 4182.");
  await say(stage, place, "Please forget what I said about my bike lock.");
  const isGone = await until(async () => {
    const texts = await shown(stage, place, "What is the code of my bike lock?");
    return texts.some((text) => text.includes("4182")) ? null : true;
  });
  reporter.expect("nothing returns the code any more", isGone === true);
}

async function profile(stage: Stage, place: Place): Promise<void> {
  const { reporter } = stage;
  reporter.chapter("The profile: what is worth knowing whatever is asked");
  await say(stage, place, "I am vegetarian, and please never use emojis with me.");
  const entries = await until(async () => {
    const { body } = await stage.ask("GET", `/v1/users/${place.userId}/profile`);
    const contents = Profile.parse(body).entries.map(({ content }) => content);
    return contents.some((content) => content.includes("vegetarian")) ? contents : null;
  });
  for (const entry of entries ?? []) reporter.note(entry);
  const texts = await shown(stage, place, "Hello!");
  reporter.expect(
    '"Hello!" brings it too',
    texts.some((text) => text.includes("vegetarian")),
  );
}

async function shown(stage: Stage, place: Place, query: string): Promise<string[]> {
  return (await recall(stage, place, query)).items.map(({ content }) => content);
}
