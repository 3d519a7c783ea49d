import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createR2Files } from "#adapters/r2-files";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder().decode(bytes));
const files = () => createR2Files(env.FILES);

/** A stream of these parts. */
const streamOf = (...parts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(bytesOf(part));
      controller.close();
    },
  });

it("gives back what was stored, and the latest of a key", async () => {
  await files().put("t1/a/1", bytesOf("first"), 5);
  await files().put("t1/a/1", streamOf("sec", "ond"), 6);
  expect(textOf(await files().get("t1/a/1"))).toBe("second");
  expect(await files().get("t1/b/1")).toBeNull();
});

it.each([
  ["longer", 3],
  ["shorter", 9],
])("stores nothing of a body that is %s than it said", async (_, bytes) => {
  await expect(files().put("t2/a/1", streamOf("sec", "ond"), bytes)).rejects.toMatchObject({ code: "invalid_input" });
  expect(await files().get("t2/a/1")).toBeNull();
});

it("lists the keys of a prefix, and removes those that are named", async () => {
  for (const key of ["t3/a/1", "t3/b/1", "t31/a/1"]) await files().put(key, bytesOf("x"), 1);
  expect(await files().list("t3/", null)).toEqual({ keys: ["t3/a/1", "t3/b/1"], next: null });
  expect((await files().list("t3/", "t3/a/1")).keys).toEqual(["t3/b/1"]);
  await files().remove(["t3/a/1", "t3/none"]);
  expect((await files().list("t3/", null)).keys).toEqual(["t3/b/1"]);
});
