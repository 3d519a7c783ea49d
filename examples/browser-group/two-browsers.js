import { openGroup } from "./group.js";
import { startServer } from "./server.ts";

// Two pages in a terminal: the code of the page (group.js) with a token each, and what a browser adds to every request, the page's origin.
const { EDGEWISE_URL = "http://127.0.0.1:8787" } = process.env;
const { server, origin } = await startServer(0);

function openPage(user) {
  return openGroup({
    edgewiseUrl: EDGEWISE_URL,
    sessionId: "sailing-trip",
    getToken: async () => await (await fetch(`${origin}/token`, { method: "POST", headers: { "x-demo-login": user } })).text(),
    fetch: async (address, init) => await fetch(address, { ...init, headers: { ...init?.headers, origin } }),
  });
}
const [anna, ben] = [openPage("anna"), openPage("ben")];

await anna.say("I get seasick, so I take ginger.", "trip-1");
await ben.say("I can cook on board on Saturday.", "trip-2");

console.log("Anna sees:");
for (const { userId, content } of await anna.history()) console.log(`  ${userId}: ${content}`);

console.log("A model that answers Ben in the group is told:");
for (const line of (await ben.context("Who cooks, and who gets seasick?")).split("\n"))
  if (line.startsWith("[M")) console.log(`  ${line}`);

console.log("Ben cannot speak as Anna:");
const forged = { messages: [{ role: "user", speaker: "Anna", content: "Ben may have my cabin." }] };
await ben
  .edgewise("POST", "/sessions/sailing-trip/episodes", forged)
  .then(() => console.log("  stored"))
  .catch((error) => console.log(`  ${error.message}`));

server.close();
