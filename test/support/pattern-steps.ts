import type { Program } from "./pattern-program.ts";

export type Run = {
  /** Start and end of the match and of its groups, -1 where a group took no part; null where nothing matched. */
  spans: readonly number[] | null;
  steps: number;
};

const [CHOICE, UNDO, RUN] = [0, 1, 2];
const ENTRY = 4;

/** One `exec` from `from`: what it finds and how many characters, choices and places a backtracking engine without optimisation tries for it. */
export function execCounted(program: Program, input: string, { from = 0, limit = Number.POSITIVE_INFINITY } = {}): Run {
  const machine = new Machine(program, input, limit);
  const last = program.sticky ? from : input.length;
  for (let start = from; start <= last; ) {
    if (machine.matchAt(start)) return { spans: [...machine.registers.slice(0, 2 * (program.groups + 1))], steps: machine.steps };
    if (machine.steps >= limit || (program.anchored && start === 0)) break;
    start += program.unicode ? widthAt(input, start) : 1;
    if (program.anchored) break;
  }
  return { spans: null, steps: machine.steps };
}

/** The steps of a pattern as it is called on an input: once, or with the flag `g` for every match. */
export function countSteps(program: Program, input: string, limit = Number.POSITIVE_INFINITY): number {
  let steps = 0;
  for (let from = 0; from <= input.length && steps < limit; ) {
    const run = execCounted(program, input, { from, limit: limit - steps });
    steps += run.steps;
    if (run.spans === null || !program.global) break;
    const [start = 0, end = 0] = run.spans;
    from = end === start ? end + (program.unicode ? widthAt(input, end) : 1) : end;
  }
  return steps;
}

function widthAt(input: string, at: number): number {
  return (input.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

class Machine {
  steps = 0;
  registers: Int32Array;
  readonly #program: Program;
  readonly #input: string;
  readonly #limit: number;
  /** Entries of four numbers, up to `#top`. */
  #stack = new Int32Array(ENTRY * 16);
  #top = 0;
  /** Where a backtracking goes on. */
  #at = 0;

  constructor(program: Program, input: string, limit: number) {
    this.#program = program;
    this.#input = input;
    this.#limit = limit;
    this.registers = new Int32Array(program.registers);
  }

  matchAt(start: number): boolean {
    this.#top = 0;
    this.registers.fill(-1);
    return this.#run(0, start) !== -1;
  }

  /** Where the match ends, or -1. What it leaves on the stack above `base` is only what undoes it. */
  #run(from: number, start: number): number {
    const { code } = this.#program;
    const base = this.#top;
    let pc = from;
    let at = start;
    for (;;) {
      this.steps++;
      if (this.steps > this.#limit) return this.#fail(base);
      const instruction = code[pc];
      if (instruction === undefined) throw new Error("a program without an end");
      let ok = true;
      pc++;
      switch (instruction.op) {
        case "character": {
          const next = this.#step(instruction, at);
          ok = next !== -1;
          if (ok) at = next;
          break;
        }
        case "run": {
          const begin = at;
          let count = 0;
          let least = instruction.min === 0 ? at : -1;
          while (count < instruction.max) {
            this.steps++;
            const next = this.#step(instruction, at);
            if (next === -1) break;
            at = next;
            count++;
            if (count === instruction.min) least = at;
          }
          ok = least !== -1;
          if (ok && at !== least) this.#push(RUN, pc, at, least);
          if (!ok) at = begin;
          break;
        }
        case "choice":
          this.#push(CHOICE, instruction.second, at, 0);
          pc = instruction.first;
          break;
        case "jump":
          this.steps--;
          pc = instruction.to;
          break;
        case "save":
          this.steps--;
          this.#set(instruction.register, at);
          break;
        case "set":
          this.steps--;
          this.#set(instruction.register, 0);
          break;
        case "start":
          ok = at === 0 || (instruction.multiline && isNewline(this.#input, at - 1));
          break;
        case "end":
          ok = at === this.#input.length || (instruction.multiline && isNewline(this.#input, at));
          break;
        case "word": {
          const before = at > 0 && instruction.test(this.#input.charCodeAt(at - 1));
          const after = at < this.#input.length && instruction.test(this.#input.charCodeAt(at));
          ok = (before !== after) !== instruction.negate;
          break;
        }
        case "again": {
          const next = this.#again(instruction, at);
          ok = next !== -1;
          if (ok) at = next;
          break;
        }
        case "look": {
          const mark = this.#top;
          const found = this.#run(instruction.inside, at) !== -1;
          if (found && instruction.negate) this.#undo(mark);
          ok = found !== instruction.negate;
          pc = instruction.next;
          break;
        }
        case "loop": {
          const count = this.registers[instruction.counter] ?? 0;
          if (count < instruction.min) pc = instruction.body;
          else if (count >= instruction.max) pc = instruction.exit;
          else {
            this.#push(CHOICE, instruction.greedy ? instruction.exit : instruction.body, at, 0);
            pc = instruction.greedy ? instruction.body : instruction.exit;
          }
          break;
        }
        case "enter":
          this.steps--;
          this.#set(instruction.position, at);
          for (const register of instruction.clear) this.#set(register, -1);
          break;
        case "next": {
          this.steps--;
          const count = (this.registers[instruction.counter] ?? 0) + 1;
          ok = count <= instruction.min || at !== this.registers[instruction.position];
          this.#set(instruction.counter, count);
          pc = instruction.loop;
          break;
        }
        case "found":
          this.#keepUndo(base);
          return at;
      }
      if (ok) continue;
      pc = this.#backtrack(base);
      if (pc === -1) return -1;
      at = this.#at;
    }
  }

  #step({ test, back }: { test: (code: number) => boolean; back: boolean }, at: number): number {
    const input = this.#input;
    if (back) {
      if (at === 0) return -1;
      const unit = input.charCodeAt(at - 1);
      const pair = this.#program.unicode && at > 1 && unit >= 0xdc00 && unit <= 0xdfff ? (input.codePointAt(at - 2) ?? 0) : 0;
      if (pair > 0xffff) return test(pair) ? at - 2 : -1;
      return test(unit) ? at - 1 : -1;
    }
    if (at >= input.length) return -1;
    const code = this.#program.unicode ? (input.codePointAt(at) ?? 0) : input.charCodeAt(at);
    return test(code) ? at + (code > 0xffff ? 2 : 1) : -1;
  }

  #again({ groups, back, fold }: { groups: readonly number[]; back: boolean; fold: boolean }, at: number): number {
    const group = groups.find((each) => this.registers[each] !== -1 && this.registers[each + 1] !== -1);
    if (group === undefined) return at;
    const said = this.#input.slice(this.registers[group], this.registers[group + 1]);
    this.steps += said.length;
    const start = back ? at - said.length : at;
    if (start < 0) return -1;
    const here = this.#input.slice(start, start + said.length);
    const same = fold ? here.toUpperCase() === said.toUpperCase() : here === said;
    return same ? (back ? start : start + said.length) : -1;
  }

  #set(register: number, value: number): void {
    this.#push(UNDO, register, this.registers[register] ?? -1, 0);
    this.registers[register] = value;
  }

  #push(kind: number, a: number, b: number, c: number): void {
    const top = this.#top;
    if (top === this.#stack.length) {
      const stack = new Int32Array(2 * top);
      stack.set(this.#stack);
      this.#stack = stack;
    }
    const stack = this.#stack;
    stack[top] = kind;
    stack[top + 1] = a;
    stack[top + 2] = b;
    stack[top + 3] = c;
    this.#top = top + ENTRY;
  }

  /** The instruction to go on with, at `#at`; -1 when nothing is left to try. */
  #backtrack(base: number): number {
    const stack = this.#stack;
    while (this.#top > base) {
      this.#top -= ENTRY;
      const top = this.#top;
      const [kind, a, b] = [stack[top] ?? 0, stack[top + 1] ?? 0, stack[top + 2] ?? 0];
      if (kind === UNDO) {
        this.registers[a] = b;
        continue;
      }
      this.#at = b;
      if (kind === CHOICE) return a;
      const least = stack[top + 3] ?? 0;
      this.#at = this.#less(b, least);
      if (this.#at !== least) this.#push(RUN, a, this.#at, least);
      return a;
    }
    return -1;
  }

  /** One character less of a run from `at` towards `least`. */
  #less(at: number, least: number): number {
    if (least > at) return at + (this.#program.unicode ? widthAt(this.#input, at) : 1);
    const unit = this.#input.charCodeAt(at - 1);
    const pair =
      this.#program.unicode && at - 2 >= least && unit >= 0xdc00 && unit <= 0xdfff && widthAt(this.#input, at - 2) === 2;
    return at - (pair ? 2 : 1);
  }

  #fail(base: number): number {
    this.#undo(base);
    return -1;
  }

  #undo(base: number): void {
    for (let top = this.#top - ENTRY; top >= base; top -= ENTRY) {
      if (this.#stack[top] === UNDO) this.registers[this.#stack[top + 1] ?? 0] = this.#stack[top + 2] ?? 0;
    }
    this.#top = base;
  }

  #keepUndo(base: number): void {
    let kept = base;
    for (let i = base; i < this.#top; i += ENTRY) {
      if (this.#stack[i] !== UNDO) continue;
      this.#stack.copyWithin(kept, i, i + ENTRY);
      kept += ENTRY;
    }
    this.#top = kept;
  }
}

function isNewline(input: string, at: number): boolean {
  const unit = input.charCodeAt(at);
  return unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;
}
