import { afterEach, describe, expect, it, vi } from "vitest";
import { reportEntries } from "./count-functions.ts";

/** The ids that running the code reports, in order. */
function entered(code: string): unknown[] {
  const report = vi.fn();
  vi.stubGlobal("reportEntry", report);
  new Function(reportEntries("src/x.ts", code))();
  return report.mock.calls.flat();
}
afterEach(() => void vi.unstubAllGlobals());

describe("a function that reports its entry", () => {
  it.each([
    ["a declaration", "function f() { return 1 }\nf()", ["src/x.ts:1:1 function f"]],
    ["an arrow with an expression", "const f = (a) => a + 1;\nf(1)", ["src/x.ts:1:11 f"]],
    ["an arrow that answers an object", "const f = () => ({ a: 1 });\nf().a", ["src/x.ts:1:11 f"]],
    ["arrows in arrows", "const f = (a) => (b) => a + b; f(1)(2)", ["src/x.ts:1:11 f", "src/x.ts:1:18 callback"]],
    ["a callback", "[1, 2].map((a) => a)", ["src/x.ts:1:12 callback", "src/x.ts:1:12 callback"]],
    ["a method", "const o = { m() { return 1 } }; o.m()", ["src/x.ts:1:14 m"]],
    [
      "an accessor and a constructor",
      "class A { constructor() {} get b() { return 1 } } new A().b",
      ["src/x.ts:1:22 constructor", "src/x.ts:1:33 b"],
    ],
    ["a subclass", "class A {} class B extends A { constructor() { super() } } new B()", ["src/x.ts:1:43 constructor"]],
    ["characters of two units before", "const s = '𝒳é'; const f = () => s; f()", ["src/x.ts:1:28 f"]],
    ["nothing that is not called", "const f = () => 1; function g() {}", []],
  ])("%s", (_, code, ids) => {
    expect(entered(code)).toEqual(ids);
  });

  it("leaves out signatures without a body, and every line where it was", () => {
    const code = "function f(a: string): void;\nfunction f(a: unknown): void {\n  return;\n}\n";
    expect(reportEntries("src/x.ts", code)).toBe(
      'function f(a: string): void;\nfunction f(a: unknown): void {globalThis.reportEntry?.("src/x.ts:2:1 function f");\n  return;\n}\n',
    );
  });

  it("answers what it answered", () => {
    const code = reportEntries("src/x.ts", "const f = async (a) => await a, g = (a) => a ? 1 : 2; got = [f(1), g(0)]");
    const answered: unknown = new Function(`let got; ${code}; return got`)();
    expect(answered).toEqual([expect.any(Promise), 2]);
  });
});
