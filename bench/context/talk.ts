import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const Words = z.array(z.coerce.string());
const Base = z.object({ id: z.string(), lang: z.enum(["en", "de", "es", "fr", "zh"]).default("en") });

/** A statement and a later one that changes it: a line of the context has to contain every word of `current`, and none with a word of `stale` may stand before it. */
const Update = Base.extend({ first: z.string(), later: z.string(), question: z.string(), current: Words, stale: Words });

/** After `forget` nothing may return a word of `gone`; `keep` must still be found. */
const Forget = Base.extend({ first: z.string(), forget: z.string(), question: z.string(), gone: Words, keep: Words.default([]) });

/** `answer`: the items, `count:N`, `yes`, `no`, `not stored` or `not a list question`. */
const List = Base.extend({
  turns: z.array(z.string()),
  questions: z.array(z.object({ q: z.string(), answer: z.union([z.string(), Words]), ordered: z.boolean().default(false) })),
});

/** A private message is seen by its author alone, and in private only. */
const Group = Base.extend({
  participants: z.array(z.string()),
  messages: z.array(z.object({ by: z.string(), text: z.string(), private: z.boolean().default(false) })),
  asks: z.array(
    z.object({ by: z.string(), where: z.enum(["group", "private"]), q: z.string(), mustSee: Words, mustNotSee: Words }),
  ),
});

/** Messages of one user over weeks, and questions that share no word with what they need. */
const Profile = Base.extend({
  turns: z.array(z.string()),
  asks: z.array(z.object({ q: z.string(), mustSee: Words, mustNotSee: Words.default([]) })),
});

/** Conversations, and what a question needs of them: each entry lists the words of one message. */
const Chat = Base.extend({
  chats: z.array(z.array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() }))),
  asks: z.array(z.object({ q: z.string(), needed: z.array(Words) })),
});

/** Memories of one user, and which of them each question needs. */
const Precision = Base.extend({
  memories: z.array(z.object({ id: z.string(), text: z.string() })),
  questions: z.array(z.object({ q: z.string(), needed: z.array(z.string()) })),
});

export type Talk = {
  updates: z.infer<typeof Update>[];
  forget: z.infer<typeof Forget>[];
  lists: z.infer<typeof List>[];
  groups: z.infer<typeof Group>[];
  profile: z.infer<typeof Profile>[];
  chats: z.infer<typeof Chat>[];
  precision: z.infer<typeof Precision>[];
};
export type PartName = keyof Talk;
export const PART_NAMES = ["updates", "forget", "lists", "groups", "profile", "chats", "precision"] as const satisfies PartName[];

/** The talk of a folder: one file of JSON Lines for each part; a part without a file is empty. */
export async function readTalk(folder: string): Promise<Talk> {
  return {
    updates: await readPart(folder, "updates", Update),
    forget: await readPart(folder, "forget", Forget),
    lists: await readPart(folder, "lists", List),
    groups: await readPart(folder, "groups", Group),
    profile: await readPart(folder, "profile", Profile),
    chats: await readPart(folder, "chats", Chat),
    precision: await readPart(folder, "precision", Precision),
  };
}

/** The chats of one author's file. */
export function readChats(file: string): Promise<Talk["chats"]> {
  return readRows(file, Chat);
}

async function readPart<T>(folder: string, part: PartName, schema: z.ZodType<T>): Promise<T[]> {
  const file = path.join(folder, `${part}.jsonl`);
  return existsSync(file) ? await readRows(file, schema) : [];
}

async function readRows<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
