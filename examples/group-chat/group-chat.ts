import { env } from "node:process";

const { EDGEWISE_URL = "http://127.0.0.1:8787", EDGEWISE_KEY } = env;

/** One request to Edgewise; `T` is the part of the answer that the caller reads. An error throws with its own sentence, which says what to change. */
async function edgewise<T>(method: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${EDGEWISE_URL}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${EDGEWISE_KEY}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as T & { code?: string; detail?: string };
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.code}. ${answer.detail}`);
  return answer;
}

// 1. Names to show. The ids (alice, bob) are your app's own.
await edgewise("PUT", "/users/alice", { name: "Alice" });
await edgewise("PUT", "/users/bob", { name: "Bob" });

// 2. The group, and who takes part in it now. Send this again when somebody joins or leaves.
await edgewise("PUT", "/sessions/tea-team", { userId: "alice", participants: ["alice", "bob"] });

// 3. What was said in the group. `userId` says who said it; take it from your login, never from a name that users choose.
await edgewise("POST", "/sessions/tea-team/episodes", {
  userId: "alice",
  messages: [
    { role: "user", userId: "alice", messageId: "tea-1", content: "I only drink oolong tea." },
    { role: "user", userId: "bob", messageId: "tea-2", content: "Coffee for me, without sugar." },
  ],
});

// 4. What Alice said to the assistant in private. A session that is not known is made, private to its user.
await edgewise("POST", "/sessions/alice-private/episodes", {
  userId: "alice",
  messages: [{ role: "user", messageId: "gift-1", content: "I am buying Bob a coffee grinder for his birthday." }],
});

// 5. Before each reply: what should the model know, for this user, in this place?
async function show(title: string, question: { userId: string; sessionId?: string; query: string }): Promise<void> {
  const { items, block } = await edgewise<{ items: object[]; block: string }>("POST", "/context", question);
  const lines = block.split("\n").filter((line) => line.startsWith("[M"));
  console.log(`${title}:${items.length === 0 ? " nothing" : ""}`);
  for (const line of lines) console.log(`  ${line}`);
}
const present = "What is the present for the birthday?";
await show("Alice, in the group, asks what the team drinks", {
  userId: "alice",
  sessionId: "tea-team",
  query: "Who drinks tea, and who drinks coffee?",
});
await show("Alice, in private, asks about her present", { userId: "alice", query: present });
await show("Alice, in the group, asks about the present", { userId: "alice", sessionId: "tea-team", query: present });
await show("Bob, in private, asks about the present", { userId: "bob", query: present });
