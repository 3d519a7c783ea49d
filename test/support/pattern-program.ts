import { type AST, parseRegExpLiteral } from "@eslint-community/regexpp";

/** Whether one character (a code point, or a UTF-16 unit without the flag `u`) is of a class. */
export type CharacterTest = (code: number) => boolean;

/** A regular expression as instructions of a backtracking machine, in the order in which the specification of ECMAScript tries them. */
export type Instruction =
  | { op: "character"; test: CharacterTest; back: boolean }
  | { op: "run"; test: CharacterTest; back: boolean; min: number; max: number }
  | { op: "choice"; first: number; second: number }
  | { op: "jump"; to: number }
  | { op: "save"; register: number }
  | { op: "set"; register: number }
  | { op: "start" | "end"; multiline: boolean }
  | { op: "word"; negate: boolean; test: CharacterTest }
  | { op: "again"; groups: readonly number[]; back: boolean; fold: boolean }
  | { op: "look"; inside: number; next: number; negate: boolean }
  | { op: "loop"; counter: number; min: number; max: number; greedy: boolean; body: number; exit: number }
  | { op: "enter"; position: number; clear: readonly number[] }
  | { op: "next"; counter: number; position: number; min: number; loop: number }
  | { op: "found" };

export type Program = {
  code: readonly Instruction[];
  registers: number;
  groups: number;
  unicode: boolean;
  sticky: boolean;
  global: boolean;
  /** Every alternative begins with `^` without the flag `m`: an engine tries one place only. */
  anchored: boolean;
};

type Mode = { ignoreCase: boolean; multiline: boolean; dotAll: boolean };

const tests = new Map<string, CharacterTest>();

/** A class is asked of the engine itself, one character at a time, and each answer is kept. */
function characterTest(raw: string, flags: string): CharacterTest {
  const known = tests.get(`${flags}/${raw}`);
  if (known !== undefined) return known;
  const pattern = new RegExp(`^(?:${raw})$`, flags);
  const isMember = (code: number) =>
    pattern.test(flags.includes("u") || flags.includes("v") ? String.fromCodePoint(code) : String.fromCharCode(code));
  // ASCII, which most inputs are made of, in a table.
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => Number(isMember(code)));
  const answers = new Map<number, boolean>();
  const test = (code: number) => {
    if (code < 128) return ascii[code] === 1;
    const answer = answers.get(code);
    if (answer !== undefined) return answer;
    const found = isMember(code);
    answers.set(code, found);
    return found;
  };
  tests.set(`${flags}/${raw}`, test);
  return test;
}

export function compilePattern({ source, flags }: { source: string; flags: string }): Program {
  const { pattern } = parseRegExpLiteral(new RegExp(source, flags));
  const unicodeFlag = flags.includes("v") ? "v" : flags.includes("u") ? "u" : "";
  const groups = groupsIn(pattern);
  const code: Instruction[] = [];
  let registers = 2 * (groups.length + 1);
  const top: Mode = { ignoreCase: flags.includes("i"), multiline: flags.includes("m"), dotAll: flags.includes("s") };

  const flagsOf = (mode: Mode) => `${mode.ignoreCase ? "i" : ""}${mode.dotAll ? "s" : ""}${unicodeFlag}`;
  const emit = (instruction: Instruction) => code.push(instruction) - 1;
  const patch = (at: number, instruction: Instruction) => {
    code[at] = instruction;
  };

  function alternatives(list: readonly AST.Alternative[], mode: Mode, back: boolean): void {
    const ends: number[] = [];
    for (const [i, alternative] of list.entries()) {
      const choice = i < list.length - 1 ? emit({ op: "jump", to: 0 }) : -1;
      const elements = back ? alternative.elements.toReversed() : alternative.elements;
      for (const each of elements) element(each, mode, back);
      if (choice === -1) continue;
      ends.push(emit({ op: "jump", to: 0 }));
      patch(choice, { op: "choice", first: choice + 1, second: code.length });
    }
    for (const end of ends) patch(end, { op: "jump", to: code.length });
  }

  function element(node: AST.Element, mode: Mode, back: boolean): void {
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        emit({ op: "character", test: characterTest(node.raw, flagsOf(mode)), back });
        return;
      case "Group":
        alternatives(node.alternatives, modified(mode, node.modifiers), back);
        return;
      case "CapturingGroup": {
        const register = 2 * (groups.indexOf(node) + 1);
        emit({ op: "save", register: back ? register + 1 : register });
        alternatives(node.alternatives, mode, back);
        emit({ op: "save", register: back ? register : register + 1 });
        return;
      }
      case "Backreference": {
        const named = [node.resolved].flat();
        emit({ op: "again", groups: named.map((each) => 2 * (groups.indexOf(each) + 1)), back, fold: mode.ignoreCase });
        return;
      }
      case "Quantifier":
        quantifier(node, mode, back);
        return;
      case "Assertion":
        assertion(node, mode);
    }
  }

  function assertion(node: AST.Assertion, mode: Mode): void {
    if (node.kind === "word") emit({ op: "word", negate: node.negate, test: characterTest("\\w", flagsOf(mode)) });
    else if (!("alternatives" in node)) emit({ op: node.kind, multiline: mode.multiline });
    else {
      const look = emit({ op: "found" });
      alternatives(node.alternatives, mode, node.kind === "lookbehind");
      emit({ op: "found" });
      patch(look, { op: "look", inside: look + 1, next: code.length, negate: node.negate });
    }
  }

  function quantifier(node: AST.Quantifier, mode: Mode, back: boolean): void {
    const { min, max, greedy } = node;
    const inside = node.element;
    const single = inside.type === "Character" || inside.type === "CharacterSet" || inside.type === "CharacterClass";
    if (single && greedy) {
      emit({ op: "run", test: characterTest(inside.raw, flagsOf(mode)), back, min, max });
      return;
    }
    const [counter, position] = [registers, registers + 1];
    registers += 2;
    emit({ op: "set", register: counter });
    const loop = emit({ op: "found" });
    const clear = groupsIn(inside).flatMap((group) => [2 * (groups.indexOf(group) + 1), 2 * (groups.indexOf(group) + 1) + 1]);
    emit({ op: "enter", position, clear });
    element(inside, mode, back);
    emit({ op: "next", counter, position, min, loop });
    patch(loop, { op: "loop", counter, min, max, greedy, body: loop + 1, exit: code.length });
  }

  emit({ op: "save", register: 0 });
  alternatives(pattern.alternatives, top, false);
  emit({ op: "save", register: 1 });
  emit({ op: "found" });
  return {
    code,
    registers,
    groups: groups.length,
    unicode: unicodeFlag !== "",
    sticky: flags.includes("y"),
    global: flags.includes("g"),
    anchored: !top.multiline && pattern.alternatives.every(isAnchored),
  };
}

function isAnchored({ elements: [first] }: AST.Alternative): boolean {
  if (first?.type === "Group" || first?.type === "CapturingGroup") return first.alternatives.every(isAnchored);
  return first?.type === "Assertion" && first.kind === "start";
}

function modified(mode: Mode, modifiers: AST.Modifiers | null): Mode {
  const { add, remove } = modifiers ?? {};
  return {
    ignoreCase: add?.ignoreCase || (mode.ignoreCase && !remove?.ignoreCase),
    multiline: add?.multiline || (mode.multiline && !remove?.multiline),
    dotAll: add?.dotAll || (mode.dotAll && !remove?.dotAll),
  };
}

/** The capturing groups in a node, in the order of their numbers. */
function groupsIn(node: AST.Pattern | AST.Element): AST.CapturingGroup[] {
  if (node.type === "Quantifier") return groupsIn(node.element);
  const own = node.type === "CapturingGroup" ? [node] : [];
  return "alternatives" in node ? [...own, ...node.alternatives.flatMap(({ elements }) => elements.flatMap(groupsIn))] : own;
}
