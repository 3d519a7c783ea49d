import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";

type Source = { source: string; flags: string };

/** Characters that represent the kinds that patterns distinguish. */
const CHARACTERS = [..."1aAé我ب٣ \t\n.,;:-'’\"`(<[{/|\\@_=+*#$%&?!~•、。：\ufffc\u200b😀"];

/** Repetitions and mixtures without regard to a pattern: what an attacker would try first. */
export const PLAIN_SHAPES: Readonly<Record<string, (units: number) => string>> = {
  ...Object.fromEntries(CHARACTERS.map((character) => [`run of ${JSON.stringify(character)}`, repeated(character)])),
  "digits behind a preference": (units) => `I prefer tea because ${"1".repeat(units)}`,
  "digits and commas": repeated("1,"),
  "digits and spaces": repeated("1 "),
  "grouped digits": repeated("1234 "),
  "digits and hyphens": repeated("12-"),
  "dots and digits": repeated("1."),
  words: repeated("word "),
  "capitalised words": repeated("Word "),
  "hyphened letters": repeated("a-"),
  "letters with apostrophes": repeated("a'"),
  "letters and commas": repeated("a, "),
  subjects: repeated("I "),
  "short sentences": repeated("I am. "),
  questions: repeated("what? "),
  lines: repeated("a\n"),
  "blank lines": repeated(" \n"),
  "list marks": repeated("- a\n"),
  "numbered list": repeated("1) a "),
  "quoted lines": repeated("> a\n"),
  quotes: repeated('"a" '),
  "opened quotes": repeated(' "a'),
  "escaped quotes": repeated('\\"'),
  "nested brackets": (units) => "(".repeat(units / 2) + ")".repeat(units / 2),
  brackets: repeated("(a) "),
  tags: repeated("<a>"),
  "opened tags": repeated("<a "),
  fences: repeated("```\n"),
  equations: repeated("a="),
  addresses: repeated("a@a."),
  links: repeated("http://a.b/"),
  scripts: repeated("aя我ا"),
  "combining marks": repeated("e\u0301"),
  "marks in two orders": (units) => `a${"\u0301\u0316".repeat(units / 2)}`,
  "carriage returns": repeated("a\r\n"),
  base64: repeated("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0"),
};

export function repeated(part: string): (units: number) => string {
  return (units) => part.repeat(Math.ceil(units / part.length)).slice(0, units);
}

/** What a shape repeats: `lead`, then `pump` as often as there is room, then `tail`. */
export type Shape = { lead: string; pump: string; tail: string };

export function build({ lead, pump, tail }: Shape, units: number): string {
  return lead + repeated(pump)(Math.max(0, units - lead.length - tail.length)) + tail;
}

/** Ends that break what was about to match. */
const TAILS = ["\u0000", "!"];
/** Alternatives of a repeated group that are pumped. */
const MOST_PUMPS = 48;
/** What may be repeated less often than this makes no long run. */
const LEAST_PUMPED = 5;

/**
 * Near misses of a pattern, from its own syntax: each quantifier is pumped with what it repeats, behind what leads to it and before what breaks it,
 * and what leads to it is repeated as a whole, since a search begins anew at each of its places.
 */
export function nearMisses(pattern: Source): Shape[] {
  const { pattern: tree } = parseRegExpLiteral(new RegExp(pattern.source, pattern.flags));
  const sampler = new Sampler(pattern.flags);
  const shapes = new Map<string, Shape>();
  const add = (shape: Shape) => {
    if (shape.pump !== "") shapes.set(JSON.stringify(shape), shape);
  };
  const visit = (node: AST.Pattern | AST.Element | AST.Alternative, lead: string): void => {
    if (node.type === "Alternative") {
      let before = lead;
      for (const element of node.elements) {
        visit(element, before);
        before += sampler.sample(element);
      }
      if (node.elements.some((each) => each.type === "Quantifier")) add({ lead: "", pump: before, tail: "\u0000" });
      return;
    }
    if (node.type === "Quantifier") {
      for (const pump of node.max >= LEAST_PUMPED ? sampler.pumps(node.element) : []) {
        for (const tail of TAILS) add({ lead, pump, tail });
        if (lead !== "") add({ lead: "", pump: lead + pump, tail: "" });
      }
      visit(node.element, lead);
    } else if ("alternatives" in node) for (const each of node.alternatives) visit(each, lead);
  };
  visit(tree, "");
  return [...shapes.values()];
}

class Sampler {
  readonly #flags: string;
  readonly #known = new Map<string, readonly string[]>();

  constructor(flags: string) {
    this.#flags = flags.replace(/[gyd]/g, "");
  }

  /** A short text that the node matches; nothing for what only looks. */
  sample(node: AST.Element, pick = 0): string {
    switch (node.type) {
      case "Quantifier":
        return this.sample(node.element, pick).repeat(Math.min(node.min, 40));
      case "Group":
      case "CapturingGroup":
        return (node.alternatives[pick % node.alternatives.length]?.elements ?? [])
          .map((each) => this.sample(each, pick))
          .join("");
      case "Assertion":
        return node.kind === "lookbehind" && !node.negate
          ? (node.alternatives[0]?.elements ?? []).map((each) => this.sample(each)).join("")
          : "";
      case "Backreference": {
        const group = [node.resolved].flat()[0];
        return group === undefined ? "" : this.sample(group, pick);
      }
      default: {
        const matching = this.#matching(node.raw);
        return matching[pick % Math.max(1, matching.length)] ?? "";
      }
    }
  }

  /** Texts that the repeated node matches: each character of a class, each alternative of a group. */
  pumps(node: AST.QuantifiableElement): string[] {
    const single = node.type === "Character" || node.type === "CharacterSet" || node.type === "CharacterClass";
    if (single) return [...this.#matching(node.raw)];
    const count = "alternatives" in node ? Math.min(MOST_PUMPS, Math.max(2, node.alternatives.length)) : 1;
    return [...new Set(Array.from({ length: count }, (_, pick) => this.sample(node, pick)))];
  }

  #matching(raw: string): readonly string[] {
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const pattern = new RegExp(`^(?:${raw})$`, this.#flags);
    const found = CHARACTERS.filter((character) => pattern.test(character));
    const matching = found.length > 0 ? found : anyMatching(pattern, raw);
    this.#known.set(raw, matching);
    return matching;
  }
}

/** For classes that have none of the usual characters, what is written in them. */
function anyMatching(pattern: RegExp, raw: string): string[] {
  const written = [...raw, ...Array.from({ length: 0x250 }, (_, code) => String.fromCharCode(code)), ..."あア한देאα가กя号路"];
  return written.filter((character) => pattern.test(character)).slice(0, 2);
}
