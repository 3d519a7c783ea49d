import { describe, expect, it } from "vitest";
import { asksToForget, readForgetRequests } from "./forget-requests.ts";

const ASKED = [
  "Please forget what I told you about my salary.",
  "can you delete everything I said about Karim?",
  "Delete my address please",
  "I'd rather you didn't keep my diagnosis, my partner reads this",
  "I don't want you to remember that I voted",
  "Would you mind deleting what I told you about my husband? It wasn't mine to share.",
  "don't store my weight",
  "scratch what I said about the affair",
  "remove my phone number from your memory",
  "What's a good soup? And please forget the door code.",
  "Bitte vergiss, was ich dir über meine Chefin gesagt habe",
  "Kannst du bitte meine Adresse löschen?",
  "Ich möchte, dass du vergisst, dass ich Lithium nehme.",
  "das mit dem Kredit bitte nicht speichern",
  "olvida lo que te dije de mi jefe",
  "¿Podrías borrar mi dirección?",
  "No guardes lo que dije de mi jefe.",
  "Efface ce que je t'ai dit sur mon frère",
  "Peux-tu oublier mon adresse ?",
  "ne garde pas ce que j'ai dit sur mon patron",
  "请忘掉我说过的关于我姐姐离婚的事。",
  "请把我告诉你的工资删掉",
  // Wishes, politeness and passives.
  "would you be so kind as to remove the part about the two keys",
  "I don't want his name in here",
  "you shouldn't keep where I bank",
  "No record of the hearing please.",
  "The lawyer: off the record.",
  "Meinen Lohn musst du dir nicht merken",
  "Mein Alter soll nicht gespeichert bleiben.",
  "quisiera que se borre lo de mi jefe",
  "Il vaut mieux ne rien garder sur mon frère",
  // What is meant stands before the request, or in a sentence before it.
  "I shouldn't have brought up the gambling thing. Would you kindly wipe that?",
  "It was silly of me to type the door code in here. Purge it.",
  "la dette, tu l'oublies",
  "工资别记了",
  "我姐离婚的事你忘掉吧",
  // The rest says other things.
  "The plumber was here, and he's dear. Don't keep my weight, by the way. What's a good soup?",
];

const NOT_ASKED = [
  // It names nothing.
  "forget that",
  "wipe it",
  "The museum is shut. Bin it.",
  "forget it, let's talk about lunch",
  "never mind",
  "scrap that",
  "drop the last bit",
  "I'm not sure about that",
  "vergiss es",
  "olvídalo",
  "oublie ça",
  "算了",
  // It says the opposite, or threatens.
  "Lösche meine Nummer nicht",
  "Vergiss meinen Bruder nicht",
  "Kannst du meinen Geburtstag bitte nie vergessen",
  "oublie pas ma sœur",
  "我的生日你别忘了",
  "Forget my name again and we're through",
  "forget my name? never",
  // It is of the world.
  "I need my tooth removed",
  "Can my tattoo be removed?",
  "please remove my cough",
  "Elimina mi ansiedad",
  "don't keep my sister waiting",
  "Don't keep my surprise party a secret",
  "don't store my tomatoes in the fridge",
  // It states something new.
  "scratch that, the wedding is in October",
  "forget what I said about September, it's October",
  "my anxiety is terrible and I am on propranolol, please remind me",
  "Please forget my address. My address is 9 Elm St.",
  "the museum is shut so bin it off",
  "forget the museum, let's do the park instead",
  "forget my old number, the new one is 0161",
  // No request.
  "don't forget my birthday",
  "I'll never forget my wedding",
  "i forgot my umbrella",
  "Karim asked me to delete his number",
  "how do I delete my account there",
  "will you forget my address when I close this?",
  "if I ask you to delete my salary, would you?",
  "I deleted what I said about Karim",
  "I want to forget my ex",
  "vergiss nicht die Milch",
  "no olvides la boda",
  "n'oublie pas le pain",
  "别忘了买牛奶",
  "我忘了带钥匙",
  // Of a text, a list or a file.
  "delete the second paragraph",
  "remove my photo from the page",
  "take milk off the list",
  "add coffee and bin bags",
  "remove eggs",
  "delete my draft",
  "lösch den zweiten Absatz",
  "quita la leche de la lista",
  "supprime le deuxième paragraphe",
  "把牛奶从清单上删掉",
];

describe("a request to forget", () => {
  it.each(ASKED)("is %j", (message) => {
    expect(asksToForget(message)).toBe(true);
  });

  it.each(NOT_ASKED)("is not %j", (message) => {
    expect(readForgetRequests(message)).toEqual([]);
  });

  it("names what it means by parts, and what may stay", () => {
    const [request] = readForgetRequests("Please forget what I said about my sister and the treatment, but keep the address.");
    expect(request?.parts).toEqual([["sister"], ["treatment"]]);
    expect(request?.kept).toEqual(["address"]);
  });

  it("without a name means the message before it", () => {
    for (const message of ["delete my last message", "please forget what I just said", "Lösche meine letzte Nachricht."])
      expect(readForgetRequests(message)).toMatchObject([{ parts: [] }]);
  });

  it("is a sentence of its message, with its place", () => {
    const message = "Thanks! Please forget my salary. What's for dinner?";
    const [request] = readForgetRequests(message);
    expect(message.slice(request?.start, request?.end)).toBe("Please forget my salary.");
  });

  it("is no part of a quotation", () => {
    expect(asksToForget('she wrote "please forget what I said about Karim" to him')).toBe(false);
  });

  it("may be an edit where a verb of deleting names something of the speaker's own", () => {
    expect(readForgetRequests("delete my address")).toMatchObject([{ mayEdit: true, needsAll: false }]);
    expect(readForgetRequests("delete the door code")).toMatchObject([{ mayEdit: true, needsAll: true }]);
    expect(readForgetRequests("delete my address from your memory")).toMatchObject([{ mayEdit: false }]);
  });
});
