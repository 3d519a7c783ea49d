import { expect, it } from "vitest";
import { parseProject } from "./claude-project.ts";

it("has the documents of a project, each under a path of its own and inside", () => {
  const docs = [
    { filename: "notes.md", content: "# Oats" },
    { filename: "notes.md", content: "Other" },
    { filename: "../../etc/passwd", content: "x" },
    { filename: "..", content: "y" },
    { filename: "empty.txt", content: " " },
    null,
  ];
  expect(parseProject({ uuid: "p1", name: "Breakfast", docs })).toEqual({
    ...{ id: "p1", name: "Breakfast" },
    files: [
      { path: "notes.md", content: "# Oats" },
      { path: "2-notes.md", content: "Other" },
      { path: "-..-etc-passwd", content: "x" },
      { path: "document.txt", content: "y" },
    ],
  });
  const named = (name: string) => parseProject({ uuid: "p1", name, docs }).name;
  expect([named("x".repeat(500)), named("…")]).toEqual(["x".repeat(200), null]);
  for (const value of [null, 7, "x", [], {}]) expect(parseProject(value)).toEqual({ id: null, name: null, files: [] });
});
