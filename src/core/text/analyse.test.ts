import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { analyse } from "./analyse.ts";

/** Any string at all, lone surrogates and control characters with it. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units));
const mixedText = fc
  .array(
    fc.constantFrom(
      "a",
      "É",
      "'",
      "-",
      "_",
      ".",
      "3",
      "字",
      "の",
      "ア",
      "ก",
      "ำ",
      "ال",
      "한",
      "😀",
      "\ud800",
      "\u0301",
      "C++",
      "ß",
      " ",
      "İ",
      "ﷺ",
    ),
    {
      maxLength: 80,
    },
  )
  .map((parts) => parts.join(""));

function finds(question: string, text: string): boolean {
  const tokens = new Set(analyse(text));
  return analyse(question).some((token) => tokens.has(token));
}

describe("every token", () => {
  it.each([
    ["any code units", anyText],
    ["letters of many scripts", mixedText],
  ])("is one that FTS5's ascii tokenizer keeps whole: %s", (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const token of analyse(text)) {
          expect(token).toMatch(/^[a-z0-9\u0080-\u{10ffff}]+$/u);
          expect(token.isWellFormed()).toBe(true);
          expect(token.length).toBeLessThanOrEqual(64);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("is the same whatever the case, the normal form and the width", () => {
    expect(analyse("CAFÉ")).toEqual(analyse("cafe\u0301"));
    expect(analyse("ＡＢＣ ｶﾒﾗ")).toEqual(analyse("abc カメラ"));
  });

  it("is cut at 64 units, between characters", () => {
    expect(analyse("x".repeat(70))).toEqual(["x".repeat(64)]);
    expect(analyse("𐐨".repeat(40))).toEqual(["𐐨".repeat(32)]);
    expect(analyse(`a${"𐐨".repeat(40)}`)[0]?.isWellFormed()).toBe(true);
  });

  it.each(["a", "aA", "a1", "字", "あ", "ก", "-", "a-", "a'", "1,", "\ud800", "😀", "é", "c+", " .net"])(
    "takes work in proportion to its length for a run of %j",
    (unit) => {
      expect(growthOf(analyse, repeated(unit))).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
    },
  );
});

describe("English", () => {
  it.each([
    ["went", "go"],
    ["bought", "buys"],
    ["children", "child"],
    ["hiking", "hikes"],
    ["swam", "swimmer"],
    ["women", "woman"],
    ["decision", "decided"],
    ["colours", "color"],
    ["Mum", "mother"],
    ["photos", "photography"],
    ["three", "3"],
    ["Sept", "September"],
  ])("%s is %s", (form, lemma) => {
    expect(analyse(form)).toEqual(analyse(lemma));
  });

  it("loses the possessive, with either apostrophe", () => {
    expect(analyse("Caroline's boss’s")).toEqual(analyse("Caroline boss"));
  });

  it("spells contractions out", () => {
    expect(analyse("I don't, I'm, won't, they've, he'd, you're, we'll")).toEqual(
      analyse("I do not I am will not they have he would you are we will"),
    );
    expect(analyse("can't, shan't, ain't, y'all")).toEqual(analyse("can not shall not be not you all"));
  });

  it("closes up a name with an apostrophe", () => {
    expect(analyse("O'Brien")).toEqual(["obrien"]);
  });
});

describe("words of the trade", () => {
  it.each([
    ["C++", "cplusplus"],
    ["C#", "csharp"],
    [".NET", "dotnet"],
    ["10,000", "10000"],
    ["7th", "7"],
  ])("%s is %s", (text, token) => {
    expect(analyse(text)).toEqual([token]);
  });

  it("does not take C++ and C# for C", () => {
    expect(finds("C++", "C and C#")).toBe(false);
  });

  it.each([
    ["github", "GitHub"],
    ["email", "e-mail"],
    ["userid", "user_id"],
    ["id", "user_id"],
    ["smith", "anna.smith@example.com"],
    ["example", "https://www.example.com/path?q=1"],
    ["3.11", "Python 3.11"],
    ["python 3", "Python 3.11"],
    ["bob", "@bob"],
    ["holiday", "#holiday"],
    ["iphone 15", "my iPhone15"],
    ["5 pm", "5pm"],
    ["5 pm", "5 p.m."],
    ["USA", "U.S.A."],
  ])("%s finds %s", (question, text) => {
    expect(analyse(text)).toEqual(expect.arrayContaining([...analyse(question)]));
  });

  it("tells a version from a number that shares a part", () => {
    expect(analyse("3.11")[0]).not.toBe("3");
    expect(analyse("3.12")).not.toContain(analyse("3.11")[0]);
  });

  it("keeps an address's scheme out of the index", () => {
    expect(analyse("https://www.example.com")).not.toContain("http");
  });
});

describe("Chinese", () => {
  it("finds a word inside a longer one", () => {
    expect(finds("大学", "北京大学生")).toBe(true);
    expect(analyse("研究生院")).toEqual(expect.arrayContaining(["研究", "究生", "生院"]));
    expect(finds("计算机", "学习计算机科学")).toBe(true);
  });

  it("finds a word in a sentence without spaces", () => {
    expect(finds("上海", "小明昨天去了上海")).toBe(true);
    expect(finds("东京", "小明昨天去了上海")).toBe(false);
  });

  it("cuts no character of a run that is too long for the dictionary at once", () => {
    expect(analyse(`字${"𠀀".repeat(3_000)}`).every((token) => token.isWellFormed())).toBe(true);
  });

  it("finds a verb with or without its particle", () => {
    expect(finds("去", "昨天去了")).toBe(true);
  });

  it("finds a word that the dictionary takes together with the next", () => {
    expect(finds("狗", "我的狗叫旺财")).toBe(true);
  });

  it("pairs single characters, as in names, but not with particles", () => {
    expect(analyse("鑫淼")).toContain("鑫淼");
    expect(analyse("去的")).not.toContain("去的");
  });
});

describe("Japanese", () => {
  it("finds a verb in another form by its kanji", () => {
    expect(finds("食べる", "昨日、寿司を食べました")).toBe(true);
  });

  it("reads katakana as hiragana, of any width and with or without the last long mark", () => {
    expect(analyse("リンゴ")).toEqual(analyse("りんご"));
    expect(analyse("ｺﾝﾋﾟｭｰﾀ")).toEqual(analyse("コンピューター"));
  });

  it("keeps the voiced sound marks", () => {
    expect(analyse("ハ゛ス")).not.toEqual(analyse("ハス"));
    expect(analyse("バス")).not.toEqual(analyse("ハス"));
  });
});

describe("Thai", () => {
  it("finds a word in a sentence without spaces", () => {
    expect(finds("ข้าวผัด", "ฉันชอบกินข้าวผัด")).toBe(true);
  });

  it("keeps vowel signs and tone marks", () => {
    expect(analyse("น้ำ")).toEqual(["น้ำ"]);
    expect(analyse("ป่า")).not.toEqual(analyse("ปา"));
  });
});

describe("German", () => {
  it.each([
    ["Hund", "Wir haben zwei Hunde"],
    ["Welcher Tag?", "Die Tage sind schön"],
    ["Haus", "Die Häuser sind alt, ich mag das"],
    ["Welche Blume?", "Ich mag Blumen"],
    ["München", "Ich wohne in Muenchen"],
    ["Muenchen", "Ich wohne in München"],
    ["Munchen", "Ich wohne in München"],
    ["Strasse", "Straße"],
  ])("%s finds %s", (question, text) => {
    const asked = new Set(analyse(question));
    expect(analyse(text).filter((token) => asked.has(token) && token.length > 2)).not.toEqual([]);
  });

  it("leaves English words alone", () => {
    expect(analyse("listen, the garden was lovely")).not.toContain("gard");
  });
});

describe("Arabic", () => {
  it("finds a word with its article, its vowels or another alef", () => {
    expect(analyse("الكتاب")).toEqual(analyse("كتاب"));
    expect(analyse("كِتَابٌ")).toEqual(analyse("كتاب"));
    expect(analyse("أحمد")).toEqual(analyse("احمد"));
    expect(analyse("٢٠٢٣")).toEqual(["2023"]);
  });

  it("keeps short words whole", () => {
    expect(analyse("الله")).toEqual(["الله"]);
  });
});

describe("other scripts", () => {
  it("finds a Korean noun with its particle", () => {
    expect(finds("학교", "학교에서 공부해요")).toBe(true);
  });

  it("folds Hebrew points, Greek and Cyrillic accents", () => {
    expect(analyse("שָׁלוֹם")).toEqual(analyse("שלום"));
    expect(analyse("Αθήνα")).toEqual(analyse("αθηνα"));
    expect(analyse("Ещё")).toEqual(analyse("еще"));
  });

  it("keeps the vowel signs of Hindi", () => {
    expect(analyse("की")).not.toEqual(analyse("का"));
  });

  it("drops the elided word of French", () => {
    expect(finds("école", "l'école d’Anna")).toBe(true);
  });

  it("has a token for a picture, whatever its skin and gender", () => {
    expect(analyse("👍🏽")).toContain("👍");
    expect(analyse("👩‍💻")).toEqual(["👩", "💻"]);
    expect(analyse("🇩🇪")).toEqual(["🇩🇪"]);
  });
});
