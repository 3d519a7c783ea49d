import { describe, expect, it } from "vitest";
import { FENCE_CLOSE, FENCE_OPEN } from "#core/text/memory-fence";
import { oneLine } from "./one-line.ts";
import {
  type ChatTurn,
  isByAsker,
  latestTexts,
  MAX_NEW_TURNS,
  MAX_SAID_CHARACTERS,
  packExchange,
  queryOf,
  readExchange,
  type Said,
  saidByAsker,
  shortened,
  textOf,
} from "./read-turns.ts";
import { createDuplicateCheck } from "./write-block.ts";

const user = (content: unknown, more: Record<string, unknown> = {}): ChatTurn => ({ role: "user", content, ...more });
const assistant = (content: unknown, more: Record<string, unknown> = {}): ChatTurn => ({ role: "assistant", content, ...more });

describe("the words of a message", () => {
  it.each([
    ["a text", user(" hello "), "hello"],
    [
      "parts",
      user([
        { type: "text", text: "one" },
        { type: "image_url", image_url: {} },
        { type: "text", text: "two" },
      ]),
      "one\ntwo",
    ],
    ["texts in a list", user(["one", "two"]), "one\ntwo"],
    ["no content", { role: "assistant", tool_calls: [] }, ""],
    ["null", assistant(null), ""],
    ["numbers and broken parts", user([1, null, { text: 2 }, {}]), ""],
    ["memory that was put into it", user(`${FENCE_OPEN}\n[M1] likes tea\n${FENCE_CLOSE}\nWhat now?`), "What now?"],
  ])("%s", (_, turn, text) => expect(textOf(turn)).toBe(text));
});

describe("what is looked for is the last user message", () => {
  const before = [user("Tell me about Lisbon in spring"), assistant("It is warm and full of flowers.")];

  it.each([
    "And in winter?",
    "What about Porto?",
    "Does she like it?",
    "Why?",
    "How much is that?",
    "und im Winter?",
    "Et en hiver ?",
    "¿Y en invierno?",
    "那冬天呢?",
    "Can they?",
    "Could you?",
    "Which one?",
  ])("with the one before, if it goes on from that: %s", (text) => {
    expect(queryOf([...before, user(text)])).toBe(`Tell me about Lisbon in spring\n${text}`);
  });

  it.each([
    "What is my favourite colour?",
    "Who is Bob?",
    "Plan a birthday dinner for eight people that Bob would enjoy, and tell me why it fits him",
    "Where do I live?",
  ])("and alone, if it says itself what it is about: %s", (text) => expect(queryOf([...before, user(text)])).toBe(text));

  it("also when the assistant or a tool spoke last, and never what they said", () => {
    expect(queryOf([user("Where is the key?"), assistant("I look."), { role: "tool", content: "drawer" }])).toBe(
      "Where is the key?",
    );
    expect(queryOf([{ role: "system", content: "Be brief." }, assistant("Hello")])).toBe("");
    expect(queryOf([])).toBe("");
  });

  it("passing over messages without words", () => {
    expect(queryOf([user("Where is the key?"), user([{ type: "image_url" }])])).toBe("Where is the key?");
  });
});

describe("what the model reads anyway", () => {
  it("is what the messages say, the latest first", () => {
    expect(latestTexts([user("one"), assistant(null), assistant("two")])).toEqual(["two", "", "one"]);
  });

  it("up to a length", () => {
    const texts = latestTexts([user("first"), user("a".repeat(150_000)), user("b".repeat(150_000))]);
    expect(texts.map((text) => text.length)).toEqual([150_000, 50_000]);
  });
});

it("a conversation of any length and of any shape is read in no time", () => {
  const runs = [".", " ", "\n", "<", "[M", "< ", "]", "-", "“", "<edgewise-memory"].map((piece) =>
    piece.repeat(300_000 / piece.length),
  );
  const startedAt = performance.now();
  for (const run of runs) {
    const messages = [user(`${run}x`), user(`x${run}`), assistant(`x${run}x`)];
    createDuplicateCheck(latestTexts(messages));
    queryOf(messages);
    oneLine(`x${run}x`);
  }
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it("of a long query the beginning and the end are looked for", () => {
  const long = `begin ${"x".repeat(50_000)} end`;
  expect(shortened("x".repeat(4_000))).toHaveLength(4_000);
  expect(shortened(long).length).toBeLessThanOrEqual(4_001);
  expect(shortened(long)).toMatch(/^begin x+\nx+ end$/);
  expect(shortened(`x${"😀".repeat(3_000)}`).isWellFormed()).toBe(true);
});

const calling = assistant(null, { tool_calls: [{ id: "1" }] });

const read = async (messages: ChatTurn[], reply = "Reply") =>
  (await readExchange(messages, reply)).map(({ role, text }) => `${role}: ${text}`);
const ids = async (messages: ChatTurn[], reply = "Reply") =>
  (await readExchange(messages, reply)).map(({ messageId }) => messageId);

describe("what an exchange adds", () => {
  it("is what the user said since the last reply, and the reply", async () => {
    expect(await read([user("one"), assistant("two"), user("three"), user("four")], "five")).toEqual([
      "user: three",
      "user: four",
      "assistant: five",
    ]);
  });

  it("is not instructions, tools' results or what was injected", async () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "developer", content: "Be kind." },
      user(`${FENCE_OPEN}\nknown\n${FENCE_CLOSE}`),
      user(`Hello ${FENCE_OPEN}known${FENCE_CLOSE}there`),
      { role: "tool", content: "42", tool_call_id: "1" },
    ];
    expect(await read(messages, `Well ${FENCE_OPEN}known${FENCE_CLOSE}`)).toEqual(["user: Hello there", "assistant: Well"]);
  });

  it("is the question too when the replies since only called tools", async () => {
    const tool = { role: "tool", content: "42", tool_call_id: "1" };
    expect(await read([user("before"), assistant("yes"), user("now"), calling, tool, calling, tool])).toEqual([
      "user: now",
      "assistant: Reply",
    ]);
    expect(await read([user("now"), assistant(null, { function_call: { name: "x" } }), tool])).toEqual([
      "user: now",
      "assistant: Reply",
    ]);
  });

  it("is the question too when the reply is begun by the client", async () => {
    expect(await read([user("one"), assistant("two"), user("three"), assistant("Well,")])).toEqual([
      "user: three",
      "assistant: Reply",
    ]);
    expect(await read([user("one"), assistant("two"), { role: "system", content: "Go on." }])).toEqual(["assistant: Reply"]);
  });

  it("is not what a model thought", async () => {
    expect(await read([user("one")], "<think>The user says one.</think>\n\nTwo")).toEqual(["user: one", "assistant: Two"]);
    expect(await read([user("one")], "<think>The user sa")).toEqual(["user: one"]);
  });

  it("is the text of parts, and no images", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(await read([user([{ type: "text", text: "Look" }, image, { type: "text", text: "here" }])], "")).toEqual([
      "user: Look\nhere",
    ]);
    expect(await read([user([image])], "")).toEqual([]);
  });

  it("is nothing where nobody said a word", async () => {
    expect(await read([user("  ")], " ")).toEqual([]);
    expect(await read([], "")).toEqual([]);
  });

  it("is cut where a message ends at most, and holds as many as an append", async () => {
    const [said, reply] = await readExchange([user("a".repeat(70_000))], "b".repeat(70_000));
    expect([said?.text.length, reply?.text.length]).toEqual([MAX_SAID_CHARACTERS, MAX_SAID_CHARACTERS]);
    const many = await read(Array.from({ length: MAX_NEW_TURNS + 2 }, (_, i) => user(`m${i}`)));
    expect([many.length, many[0], many.at(-2)]).toEqual([MAX_NEW_TURNS + 1, "user: m2", `user: m${MAX_NEW_TURNS + 1}`]);
  });

  it("has as its speaker the name that it gives", async () => {
    const messages = [user("Hello", { name: "Bob" }), user("Hi", { name: 7 }), user("Hey")];
    expect((await readExchange(messages, "")).map(({ speaker }) => speaker)).toEqual(["Bob", undefined, undefined]);
  });
});

describe("the names of messages", () => {
  it("are the same when a conversation is sent or generated again", async () => {
    const conversation = [user("one"), assistant("two"), user("three")];
    const [question, reply] = await ids(conversation);
    expect(await ids([{ role: "system", content: "It is 9:01" }, ...conversation])).toEqual([question, reply]);
    expect((await ids(conversation, "Another"))[0]).toBe(question);
    expect((await ids(conversation, "Another"))[1]).not.toBe(reply);
  });

  it("differ where anything before differs", async () => {
    const all = await Promise.all([
      ids([user("three")]),
      ids([user("one"), user("three")]),
      ids([user("one"), assistant("two"), user("three")]),
      ids([user("one"), assistant("too"), user("three")]),
      ids([user("onetwo"), assistant(""), user("three")]),
    ]);
    const questions = all.map((names) => names.at(-2));
    expect(new Set(questions).size).toBe(questions.length);
  });

  it("differ by speaker", async () => {
    const named = async (name: string) => (await readExchange([user("one", { name })], ""))[0]?.messageId;
    expect(await named("Kai")).not.toBe(await named("Kim"));
    expect(await named("Kai")).toBe(await named("Kai"));
  });

  it("of a long conversation are made in one reading of it", async () => {
    const history = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? user : assistant)("x".repeat(20_000)));
    const fresh = Array.from({ length: 49 }, (_, i) => user(`m${i}`));
    const started = performance.now();
    expect(await ids([...history, ...fresh])).toHaveLength(50);
    // Read anew for each of the fifty names, these eight million characters take seconds.
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("of a question stay while tools are called", async () => {
    const [question] = await ids([user("one")], "");
    expect((await ids([user("one"), calling, { role: "tool", content: "x" }]))[0]).toBe(question);
  });
});

describe("what the acting user says", () => {
  const names = ["Kai"];

  it("is what the user says, before the last reply and since", () => {
    const messages = [
      { role: "system", content: "s" },
      user("one"),
      assistant("two"),
      user("three", { name: "Kai" }),
      user("four"),
    ];
    expect(saidByAsker(messages, names)).toEqual({ before: ["one"], now: ["three", "four"] });
  });

  it("is what has no name or one of the acting user's own", () => {
    const messages = [
      user("one", { name: "Kai" }),
      user("two", { name: "Kim" }),
      assistant("so"),
      user("three"),
      user("four", { name: "KAI" }),
    ];
    expect(saidByAsker(messages, names)).toEqual({ before: ["one"], now: ["three", "four"] });
    expect(messages.map((turn) => isByAsker(turn, names))).toEqual([true, false, false, true, true]);
  });

  it("is the end of a long conversation", () => {
    const messages = [user("a".repeat(30_000)), user("b".repeat(30_000)), user("c")];
    expect(saidByAsker(messages, names).now.map((text) => text[0])).toEqual(["b", "c"]);
  });
});

const saidTimes = (count: number, text = "hello"): Said[] =>
  Array.from({ length: count }, (_, i) => ({ role: "user", text, messageId: `m${i}` }));
const sizes = (messages: Said[]) => packExchange(messages).map((append) => append.map((episode) => episode.messages.length));

it("an exchange is one episode, and of more messages than it holds several in one append", () => {
  expect([sizes([]), sizes(saidTimes(2)), sizes(saidTimes(50)), sizes(saidTimes(120))]).toEqual([
    [],
    [[2]],
    [[50]],
    [[50, 50, 20]],
  ]);
  expect(packExchange(saidTimes(120)).flatMap((append) => append.flatMap(({ messages }) => messages))).toEqual(saidTimes(120));
});

it("an append has a million bytes at most, whatever the script", () => {
  expect(sizes(saidTimes(24, "東".repeat(60_000)))).toEqual([[5], [5], [5], [5], [4]]);
});
