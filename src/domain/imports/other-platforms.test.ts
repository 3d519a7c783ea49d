import { describe, expect, it } from "vitest";
import { parseClaude } from "./claude.ts";
import { parseGemini, SILENCE_MS } from "./gemini.ts";
import { parseOpenAi } from "./openai.ts";
import type { Parsed, ParsedConversation } from "./parsed.ts";

const NOW = Date.UTC(2026, 10, 26);

function read(parsed: Parsed | undefined): ParsedConversation {
  if (parsed === undefined || parsed.kind === "broken") throw new Error(parsed?.reason ?? "none");
  return parsed;
}
const texts = (parsed: Parsed | undefined) => read(parsed).messages.map(({ role, text }) => `${role}: ${text}`);

describe("Claude", () => {
  const chat = (messages: unknown[], extra = {}) => ({ uuid: "u1", name: "A chat", chat_messages: messages, ...extra });
  const claude = (raw: unknown) => parseClaude(raw, { now: NOW });

  it("reads flat texts, blocks, and blocks before a flat text that says less", () => {
    const raw = chat([
      { uuid: "a", sender: "human", text: "Hello", created_at: "2025-03-01T09:00:00.123456+00:00" },
      {
        uuid: "b",
        sender: "assistant",
        text: "This block is not supported.",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "Hi" },
          { type: "tool_use" },
          { type: "text", text: "there" },
        ],
      },
      { uuid: "c", sender: "human", content: [{ type: "text", text: "Bye" }] },
      { uuid: "d", sender: "assistant", content: [{ type: "tool_result", text: "no" }] },
      { uuid: "e", sender: "assistant", content: [{ type: "verse", text: "Of a new kind" }] },
    ]);
    expect(texts(claude(raw))).toEqual(["user: Hello", "assistant: Hi\n\nthere", "user: Bye", "assistant: Of a new kind"]);
    expect(read(claude(raw))).toMatchObject({
      messages: [{ id: "a", at: 1_740_819_600_123 }, {}, {}, {}],
      leftOut: { thinking: 1, tool: 2, empty: 1 },
    });
  });

  it("reads what was attached, and counts files without a text", () => {
    const attachments = [{ file_name: "notes.txt", extracted_content: "Buy oats" }, { file_name: "photo.png" }];
    const raw = chat([{ uuid: "a", sender: "human", text: "See", attachments, files: [{ file_name: "b.png" }] }]);
    expect(texts(claude(raw))).toEqual(["user: See\n\nnotes.txt:\nBuy oats"]);
    expect(read(claude(raw)).leftOut.parts).toBe(2);
  });

  it("numbers messages without an id, and leaves out those of others and what is no text", () => {
    const raw = chat([
      { sender: "human", text: "One", attachments: [{ extracted_content: "Oats" }] },
      { sender: "system", text: "Two" },
      { sender: "assistant", content: [{ type: "token_budget", text: "9" }] },
      { sender: "assistant", text: "Three" },
    ]);
    expect(read(claude(raw))).toMatchObject({
      messages: [
        { id: "message 0", text: "One\n\nOats" },
        { id: "message 3", role: "assistant", text: "Three" },
      ],
      leftOut: { hidden: 1, empty: 1 },
    });
  });

  it("is in the order of time where messages name none that they follow", () => {
    const at = (uuid: string, second: number, sender: string) => ({
      ...{ uuid, sender, text: uuid, created_at: `2025-06-15T10:00:0${second}Z` },
    });
    expect(texts(claude(chat([at("b", 5, "assistant"), at("a", 0, "human"), at("c", 9, "human")])))).toEqual([
      "user: a",
      "assistant: b",
      "user: c",
    ]);
  });

  it("has of edited messages the branch that the app shows, else the latest, and counts the others", () => {
    const node = (uuid: string, parent: string, second: number) => ({
      ...{ uuid, parent_message_uuid: parent, sender: Number(uuid) % 2 === 1 ? "human" : "assistant", text: `text ${uuid}` },
      created_at: `2025-06-15T10:00:0${second}Z`,
    });
    const root = "00000000-0000-4000-8000-000000000000";
    const messages = [node("1", root, 0), node("2", "1", 1), node("3", root, 2), node("4", "3", 3)];
    const latest = read(claude(chat(messages)));
    expect(latest.messages.map(({ id }) => id)).toEqual(["3", "4"]);
    expect([latest.leftOut.branches, latest.notes]).toEqual([2, []]);
    const shown = read(claude(chat(messages, { current_leaf_message_uuid: "2" })));
    expect(shown.messages.map(({ id }) => id)).toEqual(["1", "2"]);
    // Of messages that do not say what they follow, all are kept.
    const mixed = read(
      claude(chat([node("1", "", 0), node("2", "", 1), node("3", "", 2), node("4", "3", 3), node("5", "4", 4)])),
    );
    expect([mixed.messages.map(({ id }) => id), mixed.leftOut.branches]).toEqual([["1", "2", "3", "4", "5"], 0]);
    expect(mixed.notes).toEqual([expect.stringContaining("do not say")]);
    // Of a conversation that is sent in pieces, or whose first messages are gone, nothing is lost.
    const piece = read(claude(chat([node("1", root, 0), node("3", "gone", 2), node("4", "3", 3)])));
    expect([piece.messages.map(({ id }) => id), piece.notes]).toEqual([["1", "3", "4"], [expect.stringContaining("missing")]]);
  });

  it("has what the assistant wrote beside the conversation as its words", () => {
    const use = (name: string, input: unknown) => ({ type: "tool_use", name, input });
    const raw = chat([
      { uuid: "a", sender: "human", text: "A poem" },
      {
        uuid: "b",
        sender: "assistant",
        text: "",
        content: [
          use("artifacts", { command: "create", title: "Poem", content: "Rhubarb\n  in rows" }),
          use("artifacts", { command: "update", old_str: "rows", new_str: "beds" }),
          use("create_file", { path: "/out/poem.md", file_text: "Beds" }),
          use("web_search", { query: "rhubarb" }),
          { type: "text", text: "Here it is." },
        ],
      },
      { uuid: "c", sender: "assistant", text: 'So: <antArtifact identifier="x" title="Ode">Oh oats</antArtifact> Done.' },
    ]);
    expect(texts(claude(raw))).toEqual([
      "user: A poem",
      "assistant: Poem:\nRhubarb\n  in rows\n\nbeds\n\n/out/poem.md:\nBeds\n\nHere it is.",
      "assistant: So: Ode:\nOh oats Done.",
    ]);
    expect(read(claude(raw)).leftOut.tool).toBe(1);
  });

  it("says what is broken", () => {
    expect(claude({ name: "No id", chat_messages: [] })).toMatchObject({ kind: "broken", title: "No id" });
    expect(claude({ uuid: "u", name: "No list", chat_messages: {} })).toMatchObject({ kind: "broken", title: "No list" });
    for (const value of [null, 7, "x", [], {}]) expect(read(claude(chat([value]))).messages).toEqual([]);
  });
});

describe("Gemini", () => {
  const activity = (title: string, minutes: number, html?: string, extra = {}) => ({
    header: "Gemini Apps",
    title,
    time: new Date(Date.UTC(2025, 2, 1, 9, minutes)).toISOString(),
    products: ["Gemini Apps"],
    ...(html === undefined ? {} : { safeHtmlItem: [{ html }] }),
    ...extra,
  });
  const gemini = (raws: unknown[]) => parseGemini(raws, { now: NOW });

  it("pairs prompts with answers, and begins a conversation after 30 minutes of silence", () => {
    const { parsed } = gemini([
      activity("Prompted And then?", 75, "<p>Then &amp; now</p>"),
      activity("Prompted Why?", 29),
      activity("Prompted Hello", 0, "<p>Hi</p><ul><li>one</li><li>two</li></ul>"),
    ]);
    expect(parsed.map(texts)).toEqual([
      ["user: Hello", "assistant: Hi\n\n- one\n- two", "user: Why?"],
      ["user: And then?", "assistant: Then & now"],
    ]);
    expect(parsed.map((one) => read(one).title)).toEqual(["Hello", "And then?"]);
    expect(SILENCE_MS).toBe(1_800_000);
  });

  it("measures the silence from the activity before, and 30 minutes are one", () => {
    const of = (...minutes: number[]) => gemini(minutes.map((minute) => activity(`Prompted At ${minute}`, minute))).parsed;
    expect([of(0, 29, 58).length, of(0, 30).length]).toEqual([1, 2]);
  });

  it("tells apart what was asked at the same moment, and shows a prompt's beginning as the title", () => {
    const long = `${"w".repeat(79)}😀 and more`;
    const { parsed } = gemini([activity(`Prompted ${long}\nof two lines`, 0), activity("Prompted Again, and longer", 0)]);
    const { messages, title } = read(parsed[0]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
    expect(title).toBe(`${"w".repeat(79)}\ufffd…`);
    expect(read(gemini([activity("Prompted One\ntwo", 0)]).parsed[0]).title).toBe("One");
  });

  it("finds the words before a prompt in any language, and leaves out what is no prompt", () => {
    const asked = [
      ...["Wie wird das Wetter?", "Was ist ein Moor?", "Schreibe ein Gedicht", "Nenne drei Flüsse", "Wer war Max Planck?"],
      ...["Übersetze das", "Ist Hafer gesund?", "Plane einen Urlaub", "Erkläre mir Zinsen", "Und dann?", "Danke"],
    ];
    const titles = asked.map((words, i) => activity(`Eingegebener Prompt: ${words}`, i, "<p>So</p>"));
    const { parsed, leftOut } = gemini([...titles, activity("Gutes Feedback gegeben", 6)]);
    expect(texts(parsed[0]).filter((line) => line.startsWith("user"))).toEqual(asked.map((words) => `user: ${words}`));
    expect(leftOut).toBe(1);
  });

  it("reads answers as documents are read: tables by cells, code with its indents", () => {
    const html =
      "<p>5 &lt; 6</p><pre><code>a = 1\n  b = 2</code></pre><table><tr><th>X</th><th>Y</th></tr><tr><td>1</td><td>2</td></tr></table>";
    const { parsed } = gemini([activity("Prompted Why?", 0, html)]);
    expect(texts(parsed[0])[1]).toBe("assistant: 5 < 6\n\na = 1\n  b = 2\n\nX | Y\n1 | 2");
    const deep = gemini([activity("Prompted Why?", 0, "<p>".repeat(10) + "<b>".repeat(2_000))]);
    expect(texts(deep.parsed[0])).toEqual(["user: Why?"]);
  });

  it("leaves out other products, and what has no time", () => {
    const search = activity("Searched for oats", 0, "<p>x</p>", { header: "Search", products: ["Search"] });
    expect(gemini([search, activity("Prompted x", 0, undefined, { time: "never" }), null, 7])).toEqual({
      parsed: [],
      leftOut: 4,
    });
  });
});

describe("OpenAI's messages", () => {
  const openAi = (raw: unknown, position = 0) => parseOpenAi(raw, { now: NOW, position });

  it("reads an array, an object with messages, and content in parts", () => {
    const messages = [
      { role: "system", content: "You are" },
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: {} },
        ],
      },
      { role: "assistant", content: null, tool_calls: [{}] },
      { role: "tool", content: "4" },
      { role: "function", content: "5" },
      { role: "assistant", content: "Seen", timestamp: 1_740_819_600 },
    ];
    expect(texts(openAi(messages))).toEqual(["user: Look", "assistant: Seen"]);
    expect(read(openAi({ id: "c9", title: "T", created_at: 1_740_819_600, messages }))).toMatchObject({
      ...{ id: "c9", title: "T", at: 1_740_819_600_000, notes: [], leftOut: { hidden: 1, tool: 3, parts: 1 } },
    });
    expect(read(openAi(messages)).messages[1]?.at).toBe(1_740_819_600_000);
  });

  it("knows a conversation without an id by its place and its first words", () => {
    const one = [{ role: "user", content: "Hello" }];
    expect(read(openAi(one)).id).toBe(read(openAi([...one, { role: "assistant", content: "Hi" }])).id);
    expect(read(openAi(one)).notes).toEqual([expect.stringContaining("no id")]);
    expect(read(openAi(one)).id).not.toBe(read(openAi(one, 1)).id);
    expect(openAi({ title: "None", messages: 7 })).toMatchObject({ kind: "broken", title: "None" });
  });
});
