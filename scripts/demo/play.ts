import { z } from "zod";
import { answer, ContextView, type Place, recall, type Stage, say } from "./calls.ts";
import { changes } from "./changes.ts";
import { until } from "./conversation.ts";

const Memories = z.object({ items: z.array(z.object({ content: z.string(), type: z.string(), metadata: z.looseObject({}) })) });
const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });
const Episodes = z.object({
  items: z.array(z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) })),
});
const Usage = z.object({ totals: z.looseObject({ contexts: z.number(), tokensInjected: z.number(), answers: z.number() }) });

/** The whole demo, chapter by chapter. */
export async function play(stage: Stage): Promise<void> {
  const alice = `alice-${stage.run}`;
  const [first, second] = [`monday-${stage.run}`, `tuesday-${stage.run}`].map((sessionId) => ({ userId: alice, sessionId }));
  if (first === undefined || second === undefined) return;
  await facts(stage, first);
  await preference(stage, { said: first, asked: second });
  await project(stage, { inside: { userId: alice, sessionId: `garden-${stage.run}` }, outside: second });
  await context(stage, { ...second, stranger: `bob-${stage.run}` });
  await changes(stage, {
    early: { userId: `carol-${stage.run}`, sessionId: `early-${stage.run}` },
    late: { userId: `carol-${stage.run}`, sessionId: `late-${stage.run}` },
  });
  await proxy(stage, { fresh: { userId: alice, sessionId: `wednesday-${stage.run}` }, first });
  await counted(stage);
}

async function facts(stage: Stage, place: Place): Promise<void> {
  stage.reporter.chapter("Facts: stored by rule, asked back by rule");
  await say(stage, place, "My favorite colors are 1) Blue, 2) Green, 3) Black.");
  await asks(stage, place, { question: "What's my second favorite color?", expected: /\bGreen\b/ });
  await asks(stage, place, { question: "And the last one?", expected: /\bBlack\b/ });
  await asks(stage, place, { question: "What's my second favorite TV show?", expected: /^I don't have that stored yet\.$/ });
  const { routed } = await answer(stage, place, "What should I paint the fence with?");
  stage.reporter.says("Alice", "What should I paint the fence with?");
  stage.reporter.expect("that is no question for facts, so it is left to the model", !routed);
}

async function preference(stage: Stage, { said, asked }: { said: Place; asked: Place }): Promise<void> {
  const { reporter } = stage;
  reporter.chapter("A preference: extracted from a message, recalled in another session");
  await say(stage, said, "By the way, I prefer window seats on night trains.", "Noted!");
  const learned = await until(async () => {
    const { body } = await stage.ask("GET", `/v1/memories?${new URLSearchParams({ userId: said.userId, type: "preference" })}`);
    return Memories.parse(body).items.find(({ content }) => content.includes("window seats")) ?? null;
  });
  reporter.note(`learned in the background: "${learned?.content}" (${learned?.type}, by ${learned?.metadata.source})`);
  reporter.expect("the preference was extracted, without a model", learned?.type === "preference");
  const { items } = await recall(stage, asked, "Which seat should I book on the night train?");
  reporter.expect(
    "in another session it is in the context of the reply",
    items.some(({ content }) => content.includes("window seats")),
  );
}

async function project(stage: Stage, { inside, outside }: { inside: Place; outside: Place }): Promise<void> {
  const { ask, reporter, run } = stage;
  reporter.chapter("A project: kept apart");
  await ask("PUT", `/v1/projects/garden-${run}`, { userId: inside.userId, name: "The garden" });
  await ask("PUT", `/v1/sessions/${inside.sessionId}`, { userId: inside.userId, projectId: `garden-${run}` });
  await say(stage, inside, "The tomatoes go beside the south wall.");
  await say(stage, inside, "My favorite candies: 1. Licorice 2. Nougat");
  const question = "Where do the tomatoes go?";
  const mentions = ({ items }: z.infer<typeof ContextView>) => items.some(({ content }) => content.includes("south wall"));
  reporter.says("Alice, in the project", question);
  reporter.expect("inside the project it is returned", mentions(await recall(stage, inside, question)));
  reporter.says("Alice, outside", question);
  reporter.expect("outside it is not returned", !mentions(await recall(stage, outside, question)));
  await asks(stage, outside, { question: "What's my favorite candy number one?", expected: /^I don't have that stored yet\.$/ });
}

async function context(stage: Stage, { stranger, ...place }: Place & { stranger: string }): Promise<void> {
  const { reporter } = stage;
  reporter.chapter("The block that goes before a reply");
  const query = "Plan my trip on the night train.";
  const { block, tokens } = await recall(stage, place, query);
  reporter.block(block);
  reporter.expect(
    `it is cited, and about ${tokens.used} of ${tokens.budget} tokens`,
    block.includes("[M1]") && tokens.used <= tokens.budget,
  );
  const { body } = await stage.ask("POST", "/v1/context", { userId: stranger, query });
  reporter.expect("another user gets nothing of it", ContextView.parse(body).block === "");
}

async function proxy(stage: Stage, { fresh, first }: { fresh: Place; first: Place }): Promise<void> {
  const { ask, reporter, upstream } = stage;
  reporter.chapter("The proxy: a chat completion with memory (the model behind it is a script)");
  const said = "Please book the night train to Vienna.";
  reporter.says("Alice", said);
  const reply = await complete(stage, fresh, said);
  reporter.says("Assistant", reply.text);
  reporter.expect("the model had the seat in its context", reply.text.includes("window"));
  const stored = await until(async () => {
    const { body } = await ask(
      "GET",
      `/v1/sessions/${fresh.sessionId}/episodes?${new URLSearchParams({ userId: fresh.userId })}`,
    ).catch(() => ({ body: { items: [] } }));
    return Episodes.parse(body).items[0] ?? null;
  });
  const texts = stored?.messages.map(({ content }) => content) ?? [];
  reporter.expect(
    "the exchange was stored after the reply, without what was injected",
    texts.join("|") === `${said}|${reply.text}`,
  );
  const asked = upstream.requests.length;
  reporter.says("Alice, on Monday's chat", "What's my third favorite color?");
  const fact = await complete(stage, first, "What's my third favorite color?");
  reporter.says("Assistant", fact.text);
  reporter.expect(
    "a fact was answered without asking the model",
    /\bBlack\b/.test(fact.text) && upstream.requests.length === asked,
  );
}

async function counted({ ask, reporter }: Stage): Promise<void> {
  reporter.chapter("Usage today");
  const totals = await until(async () => {
    const { body } = await ask("GET", "/v1/usage");
    const { totals: found } = Usage.parse(body);
    return found.contexts > 0 && found.answers > 0 ? found : null;
  });
  reporter.note(
    `${totals?.contexts} contexts, about ${totals?.tokensInjected} tokens of memory, ${totals?.answers} questions answered from facts`,
  );
  reporter.expect("it was counted", totals !== null);
}

async function asks(stage: Stage, place: Place, { question, expected }: { question: string; expected: RegExp }): Promise<void> {
  stage.reporter.says("Alice", question);
  const { text } = await answer(stage, place, question);
  stage.reporter.says("Edgewise", text ?? "(not routed)");
  stage.reporter.expect("answered without a model", expected.test(text ?? ""));
}

async function complete({ ask }: Stage, { userId, sessionId }: Place, content: string): Promise<{ text: string }> {
  const { body } = await ask(
    "POST",
    "/v1/chat/completions",
    { model: "scripted", messages: [{ role: "user", content }] },
    { "x-edgewise-user": userId, "x-edgewise-session": sessionId },
  );
  return { text: Completion.parse(body).choices[0]?.message.content ?? "" };
}
