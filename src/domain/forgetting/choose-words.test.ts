import { describe, expect, it } from "vitest";
import { readForgetRequest } from "#core/language/forget-requests";
import { redactSpans } from "#core/text/redacted";
import { keysIn, worthOf } from "#domain/extraction";
import { builtInLikeness } from "#test/built-in-likeness";
import { chooseWords, type Meaning } from "./choose-words.ts";

const MEANING = { similarity: undefined, meanings: undefined, worth: worthOf, keysOf: keysIn };

/** What is left of these messages, the latest first, after the request. */
function left(asked: string, ...said: string[]): string[] {
  return leftBy(MEANING, asked, said);
}

function leftBy(meaning: Meaning, asked: string, said: readonly string[]): string[] {
  const request = readForgetRequest(asked);
  const chosen =
    request === null
      ? []
      : chooseWords(
          request,
          said.map((text) => ({ text, isHere: true, isList: text.includes(": ") })),
          meaning,
        );
  return said.map((text, i) =>
    redactSpans(
      text,
      chosen.flatMap(({ of, spans }) => (of === i ? spans : [])),
    ).replace(/█+/gu, "…"),
  );
}

describe("the words that a request means", () => {
  it("are the latest statement, if it names nothing", () => {
    const said = ["what's for lunch?", "Ruth owes me forty pounds", "The tap drips"];
    expect(left("please forget that", ...said)).toEqual(["what's for lunch?", "…", "The tap drips"]);
  });

  it("are those that share its words, whenever they were said", () => {
    const said = ["The tap drips", "My nephew was arrested on Sunday", "My niece won a medal"];
    expect(left("delete what i told you about my nephew", ...said)).toEqual(["The tap drips", "…", "My niece won a medal"]);
  });

  it.each([
    ["lives in Wels", "I live in Linz."],
    ["works at the mill", "I work at the bakery."],
    ["was fired", "I was fired on Monday."],
    ["likes jazz", "I row on Sundays."],
    ["has a dog", "My dog is called Rex."],
  ])("are none that somebody else is not mentioned in: Hal %s", (asked, said) => {
    expect(left(`please forget that Hal ${asked}`, said, "The tap drips")).toEqual([said, "The tap drips"]);
    expect(left(`please forget that Hal ${asked}`, said, `Hal ${asked}`)).toEqual([said, "…"]);
  });

  it("are all that were said of it, if it asks for all", () => {
    const said = ["Gus moved out", "The tap drips", "Gus likes jazz"];
    expect(left("forget everything about Gus", ...said)).toEqual(["…", "The tap drips", "…"]);
  });

  it.each([
    ["first", 3],
    ["second", 2],
    ["third", 1],
  ])("are the %s that were said, if it counts", (place, at) => {
    const said = ["the kettle is red", "i collect stamps", "my tent is green", "i row on sundays"];
    const expected = said.map((text, i) => (i === at ? "…" : text));
    expect(left(`the ${place} thing i wrote, please dont keep that`, ...said)).toEqual(expected);
  });

  it("leave the part that may stay", () => {
    expect(left("the loan bit can go, the choir is fine", "i owe my uncle a loan and i sing in a choir")).toEqual([
      "… and i sing in a choir",
    ]);
  });

  it.each([
    ["drop my address, the ducks may stay", "I keep ducks, I live at 3 Mill Yard in Otley, and I sing alto.", "3 Mill Yard"],
    ["Please erase the bit on drinking. Music is fine.", "I teach cello, I've been sober eleven months, and I am 40.", "sober"],
  ])("are never all of the only message, where something may stay: %j", (asked, said, gone) => {
    const [rest = ""] = leftBy({ ...MEANING, ...builtInLikeness }, asked, [said]);
    expect(rest).not.toContain(gone);
    expect(rest).toMatch(/ducks|cello/u);
  });

  it("are none, where it only may be a request and they are not worth keeping", () => {
    const request = readForgetRequest("cut the loan");
    const said = [{ text: "i owe my uncle a loan of 4000", isHere: true, isList: false }];
    const chosen = (worth: number) =>
      request === null ? null : chooseWords(request, said, { ...MEANING, worth: () => worth }).length;
    expect([chosen(3), chosen(-3)]).toEqual([1, 0]);
  });

  it("are the private statement, if it is named in other words", () => {
    const said = ["The tap drips on the left side", "I was diagnosed with epilepsy in spring"];
    expect(left("can you get rid of that stuff i told you on my illness", ...said)).toEqual([said[0], "…"]);
  });

  it("leave what may stay", () => {
    const said = "The studio is at 9 Mill Row, the door code is 4821";
    expect(left("wipe the door code. keep the address", said)).toEqual(["The studio is at 9 Mill Row, …"]);
    expect(left("take the code back out, the rest is fine", said)).toEqual(["The studio is at 9 Mill Row, …"]);
  });

  it("leave another subject of the same message", () => {
    const said = "Ivo failed his driving test. anyway, we painted the shed green";
    expect(left("forget what i said about Ivo", said)).toEqual(["…. anyway, we painted the shed green"]);
  });

  it("leave the other sentences, if certain words are named that one sentence says", () => {
    const said = "The boiler is a Vaillant. The alarm code is 5512.";
    expect(left("please remove the alarm code i gave you", said)).toEqual(["The boiler is a Vaillant. …."]);
  });

  it("are those of the only message that has a word of the request, though another looks more private", () => {
    const said = ["I was diagnosed with epilepsy in spring", "Gus got caught cheating in chess"];
    expect(left("lose the bit about Gus would you, i should not have told you", ...said)).toEqual([said[0], "…"]);
  });

  it("are the whole statement that was somebody else's", () => {
    const said = ["my cholesterol came back at 7.9, they rang me this morning"];
    expect(left("oh no wait, that was my sister's result, i read the wrong letter. not mine", ...said)).toEqual(["…"]);
  });

  it("are none where the request is about a text that was asked for", () => {
    const said = ["draft my retirement speech, with a joke about the boss"];
    expect(left("erase the bit about the boss, he will be in the room", ...said)).toEqual(said);
  });

  it("are none of an everyday verb whose object was not said, or that edits a list", () => {
    expect(left("drop the parcel", "The tap drips")).toEqual(["The tap drips"]);
    expect(left("remove the milk", "Shopping: milk, eggs")).toEqual(["Shopping: milk, eggs"]);
  });
});

const TALK = ["what should i cook tonight?", "The tap drips", "can you write me a poem about rain?", "my sister plays the cello"];

describe("a plain request for what was stated some messages before", () => {
  it.each([
    ["please forget my address", "I live at 12 Oak Lane"],
    ["erase my address", "I live at 12 Oak Lane"],
    ["forget where I live", "I live at 12 Oak Lane"],
    ["delete my phone number", "you can reach me on 07700 900123"],
    ["please forget my email address", "write to ann.lee@example.org please"],
    ["delete my birthday please", "I was born on 4 May 1988"],
    ["forget how much I make", "I'm on 71k a year at the council"],
    ["please forget my job", "I work as a nurse at St Mary's"],
    ["please forget about the counselling", "I started debt counselling last week"],
    ["forget that I'm in debt counselling", "I'm in debt counselling since March"],
    ["forget Paul", "Paul got arrested again"],
    ["please forget about the chlamydia", "tested positive for chlamydia yesterday"],
    ["vergiss bitte meine Adresse", "Ich wohne in der Lindenstraße 5 in Köln"],
    ["lösche meine Telefonnummer", "meine Nummer ist 0171 2345678"],
    ["olvida mi dirección por favor", "vivo en la calle Mayor 12"],
    ["oublie mon adresse s'il te plaît", "j'habite au 12 rue des Lilas"],
    ["请忘记我的地址", "我住在北京朝阳区幸福路12号"],
  ])("%j takes %j", (asked, stated) => {
    expect(left(asked, ...TALK, stated, "I like jazz")).toEqual([...TALK, "…", "I like jazz"]);
  });

  it.each([
    ["forget the pasta, make it rice", "I am making pasta with clams tonight"],
    ["delete the second paragraph", "My second son wrote a paragraph on eels"],
    ["Forget Portuguese, he will write it himself", "Translate this into Polish and Portuguese"],
    ["wipe my car", "my car is a red Fiat"],
    ["please forget my address", "I sing in a choir"],
    ["delete everything you know about me", "I take sertraline for my depression"],
  ])("is not, or finds nothing: %j", (asked, stated) => {
    expect(left(asked, ...TALK, stated)).toEqual([...TALK, stated]);
  });

  it("takes the clause that states it, and leaves what may stay", () => {
    expect(left("please forget my address", "I live at 12 Oak Lane and my dog is called Rex")).toEqual([
      "… and my dog is called Rex",
    ]);
    expect(left("erase my address", "home is 44 Elm Street, Leeds. My car is red")).toEqual(["…. My car is red"]);
    expect(left("please forget my diagnosis, the address can stay", "I live at Rua Augusta 12 and I'm HIV positive")).toEqual([
      "I live at Rua Augusta 12 …",
    ]);
    expect(left("forget the bit about my boss, the job is fine", "I work at Lidl and my boss is sleeping with Tom")).toEqual([
      "I work at Lidl …",
    ]);
  });

  it("takes what is nearer in meaning than a statement of the name alone", () => {
    const said = ["her name is Iris", "my daughter cuts herself", "I like jazz"];
    expect(leftBy({ ...MEANING, ...builtInLikeness }, "please forget what I said about Iris hurting herself", said)).toEqual([
      said[0],
      "…",
      said[2],
    ]);
  });
});

describe("a request for everything about somebody", () => {
  it("takes every clause of every message that names them", () => {
    const said = ["Paul is coming on Sunday", "I like plums", "Paul owes me money. Does it rain? Paul's van is grey"];
    const [first, second, third] = left("forget everything about Paul", ...said);
    expect([first, second]).toEqual(["…", "I like plums"]);
    expect(third).not.toMatch(/owes|van/u);
  });
});

describe("a request that names nothing", () => {
  it.each([
    "omg. that was not meant for here, take it back out",
    "oops, wrong window, please delete that",
    "you didn't hear that from me",
    "scratch that",
  ])("%j means the latest statement, though an older one looks more private", (asked) => {
    const said = [
      "last night I kissed someone who isn't my husband",
      "I was diagnosed with HIV in 2019",
      "I live at 12 Oak Lane",
    ];
    expect(leftBy({ ...MEANING, ...builtInLikeness }, asked, said)).toEqual(["…", said[1], said[2]]);
  });
});

/** What a person may have told, which no order about something else takes. */
const PRIVATE = [
  "I'm allergic to penicillin",
  "My dentist is Dr. Kim, her number is 555 0199",
  "I booked a trip to Rome in May, hotel Adler, 740 euros",
  "My Netflix password is Sunrise88",
  "Ich bin schwanger und nehme Tabletten gegen Migräne",
  "Tengo diabetes desde 2019",
  "J'ai une dépression depuis deux ans",
  "我有糖尿病,每天打胰岛素",
  "我的银行卡密码是739205",
];

const ORDERS = [
  ...["what have you stored about me", "did you forget what i told you", "you shouldn't have told me that", "undo that"],
  ...["burn the letters I told you about", "it wasn't me who broke it, it was my brother", "between you and me, my boss drinks"],
  ...["can you remove the part about my salary from the cover letter", "I shouldn't have told my boss about my depression"],
  ...["do you remember what i told you about my therapist", "keep that between us, the gym locker is 8812"],
  ...["she said to pretend it never happened", "i wish i had never told my mum about it", "keep it short please"],
  ...[
    "Get me up to speed",
    "Cancel my Netflix, how?",
    "take a guess",
    "Get a plumber",
    "drop the formal tone",
    "clear my schedule",
  ],
  ...["Withdraw 50 euros", "You don't need to explain so much", "Don't keep it too long", "Never save the file as PDF"],
  ...["I would rather not go by car", "It won't save my file", "Cancel my dentist appointment", "Cancel the trip to Rome"],
  ...[
    "Cancel the trip to Rome, but keep the hotel",
    "Remove the stains with vinegar",
    "Throw in a joke",
    "Pull up the weather report",
  ],
  ...["Cut the budget by ten percent", "Kill the background process", "Take the next train to Rome", "Get my dentist a present"],
  ...[
    "Hide the status bar",
    "Undo the last commit",
    "Edit my cover letter",
    "Burn the CD for me",
    "Strike a balance between both",
  ],
  ...[
    "Clear the cache and restart",
    "Don't hold the meeting without me",
    "You should get rid of the intro",
    "Lose the exclamation marks",
  ],
  ...["Delete the third paragraph", "Toss me some ideas", "Get the stuff from the garage", "Don't store the milk in the door"],
  ...[
    "I need to see the doctor gone by noon",
    "Let go of the handle",
    "Take my blood pressure into account",
    "Drop me a line tomorrow",
  ],
  ...["Nimm bitte den Zug", "Lösche das Licht", "Mach das Fenster auf", "Lass uns essen gehen", "Wirf einen Blick auf den Plan"],
  ...[
    "Streich die Wand blau",
    "Tu mir einen Gefallen",
    "Du musst das nicht so genau nehmen",
    "Nimm die Tabletten aus dem Schrank",
  ],
  ...[
    "Quita el ruido",
    "Saca la basura",
    "Tira los dados",
    "Limpia la cocina",
    "Elimina los duplicados del archivo",
    "Retira el arroz del fuego",
  ],
  ...[
    "Enlève la neige du toit",
    "Vide le lave-vaisselle",
    "Jette un œil au contrat",
    "Ne garde pas le chien dehors",
    "Retire deux cents euros",
  ],
  ...["Supprime les doublons du tableau", "帮我删掉重复的行", "别把牛奶留在外面", "清除浏览器缓存", "去掉多余的空格", "丢掉垃圾"],
];

describe("an order about something else", () => {
  it.each(ORDERS)("takes nothing that was told: %j", (order) => {
    const request = readForgetRequest(order);
    for (const text of PRIVATE) {
      const chosen = request === null ? [] : chooseWords(request, [{ text, isHere: true, isList: false }], MEANING);
      expect(chosen, text).toEqual([]);
    }
  });
});
