import { describe, expect, it } from "vitest";
import { readForgetRequest } from "./forget-requests.ts";

const ASKED = [
  "forget that",
  "Actually, please delete that.",
  "can you wipe what I said about the fine",
  "i'd rather you didn't keep my salary",
  "that was a lie about the exam, get rid of it",
  "pretend i never told you about the move",
  "don't store the result of the scan please",
  "I should not have shared my colleague's illness. Remove it at once.",
  "the thing about the club, i want that gone",
  "plz no record of me being in hospital",
  "Bitte vergiss, was ich über meine Chefin gesagt habe",
  "das mit dem Kredit bitte nicht speichern",
  "olvida lo que te dije de mi jefe",
  "lo del embarazo no lo apuntes",
  "efface ce que je t'ai dit sur mon frère",
  "ne garde pas ça en mémoire",
  "请删除我说过的关于离婚的事",
  "就当我没说过那件事",
];

/** In words that no rule has. */
const ASKED_OTHERWISE = [
  "that was my cousin's blood test, not mine, i opened the wrong one",
  "my little boy had the phone just now, none of that is true",
  "the debt business goes in the shredder please, my wife uses this too",
  "tu n'as rien entendu au sujet du loyer, d'accord ?",
  "das hat mein kleiner bruder geschrieben, stimmt alles nicht",
  "eso era broma, no tengo ningún barco, no te lo quedes",
];

const NOT_ASKED = [
  "can you delete my bank account?",
  "there is no record of the payment at the bank",
  "don't forget the bread",
  "I'll never forget that",
  "i forgot my umbrella",
  "forget it, let's talk about lunch",
  "how do i delete my account there",
  "delete the last sentence of this email",
  "i need to drop the kids off at 8",
  "i don't remember where i put it",
  "keep it short please",
  "i lost my job",
  "you never know",
  "drop it",
  "vergiss nicht die Milch",
  "ich kann mir Namen nicht merken",
  "no te olvides de llamar a mamá",
  "n'oublie pas le pain",
  "the rent is 640 now, they put it up",
  "别忘了买牛奶",
  "我忘了带钥匙",
];

describe("a request to forget", () => {
  it.each(ASKED_OTHERWISE)("may be %j", (message) => {
    expect(readForgetRequest(message)).not.toBeNull();
  });

  it.each(ASKED)("is %j", (message) => {
    expect(readForgetRequest(message)?.isSure).toBe(true);
  });

  it.each(NOT_ASKED)("is not %j", (message) => {
    expect(readForgetRequest(message)).toBeNull();
  });

  it("by an everyday verb is sure only if the message speaks of what was said", () => {
    expect(readForgetRequest("remove the gate number")).toMatchObject({ isSure: false, object: "the gate number" });
    expect(readForgetRequest("remove the gate number i gave you")?.isSure).toBe(true);
  });

  it("says what may stay, and of which clauses it consists", () => {
    const message = "Thanks! wipe the door code. leave the address, that's fine";
    const request = readForgetRequest(message);
    expect(request?.kept[0]).toBe("the address");
    expect(request?.spans.map(({ start, end }) => message.slice(start, end))).toContain("wipe the door code");
    expect(readForgetRequest("delete the code, you can keep the rest")?.keepsRest).toBe(true);
  });

  it("takes no words from other readers where it only may be one, in words that no rule has", () => {
    expect(readForgetRequest("that was my cousin's blood test, not mine, i opened the wrong one")?.spans).toEqual([
      { start: 0, end: 65 },
    ]);
    expect(readForgetRequest("that was for the other chat, wrong window")).toMatchObject({ isSure: false, spans: [] });
  });

  it("is no part of a quotation", () => {
    expect(readForgetRequest('she wrote "please forget what i said" to him')).toBeNull();
  });
});

describe("what a request points at in its own message", () => {
  it.each([
    ["My salary is 5200 a month, but don't remember that", "My salary is 5200 a month"],
    ["My gate code is 4417. Actually, forget that.", "My gate code is 4417"],
    ["Don't remember this: my sister Anna is pregnant", "my sister Anna is pregnant"],
    ["mi jefe bebe mucho, pero no lo guardes", "mi jefe bebe mucho"],
    ["My brother has bronchitis. The asthma was wrong, delete that.", undefined],
    ["please forget that, my flatmate reads this", undefined],
    ["forget what i told you about the ring", undefined],
  ])("of %j is %j", (message, own) => {
    const [span] = readForgetRequest(message)?.own ?? [];
    expect(span === undefined ? undefined : message.slice(span.start, span.end)).toBe(own);
  });
});
