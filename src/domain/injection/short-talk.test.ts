import { describe, expect, it } from "vitest";
import { readUtterance } from "#core/language/utterance";
import type { Asked } from "./asked.ts";
import type { Arrangeable, Line } from "./line.ts";
import { scoreShortTalk } from "./short-talk.ts";

type Said = {
  text: string;
  session?: string;
  role?: string;
  likeness?: number | null;
  kind?: Arrangeable["kind"];
  from?: string;
};

/** Lines said one after the other; ids are their places. */
function linesOf(said: readonly Said[]): Line<Arrangeable>[] {
  return said.map(({ text, session = "s", role = "user", likeness = null, kind = "episode", from }, i) => {
    const id = `e${i}`;
    const at = Date.UTC(2026, 2, 1, 9, i);
    return {
      item: {
        id,
        kind,
        text,
        occurredAt: new Date(at).toISOString(),
        episodeId: from ?? id,
        isInstruction: false,
        isOfOther: false,
        behind: null,
        likeness,
        view: { role: kind === "memory" ? null : role, score: 0, sessionId: session },
      },
      utterance: readUtterance(text),
      score: 0,
      at,
      isStatement: role === "user",
    };
  });
}

const NOTHING: Asked = { assistant: false, amount: false, person: false, known: true, self: true };

function scored(said: readonly Said[], asked = NOTHING): Line<Arrangeable>[] {
  const lines = linesOf(said);
  scoreShortTalk(lines, { asked, all: lines });
  return lines;
}

const scoresOf = (said: readonly Said[], asked = NOTHING) => scored(said, asked).map(({ score }) => score);

describe("scoreShortTalk", () => {
  it("gives probabilities", () => {
    const scores = scoresOf([
      { text: "We sleep in a tent" },
      { text: "The lamp is broken", likeness: 0.7 },
      { text: "Bob came late" },
    ]);
    expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 9);
  });

  it("by likeness to the question, whatever the range of the model's cosines", () => {
    const of = (near: number, far: number) => {
      const scores = scoresOf([
        { text: "We sleep in a small tent", session: "a", likeness: far },
        { text: "My boat leaks at night", session: "b", likeness: near },
        { text: "The lamp has a green shade", session: "c", likeness: far },
      ]);
      return scores.indexOf(Math.max(...scores));
    };
    expect(of(0.9, 0.7)).toBe(1);
    expect(of(0.3, -0.1)).toBe(1);
  });

  it("by that of the conversation: what follows a like message comes before an equal one elsewhere", () => {
    const [, , boat = 0, , lamp = 0] = scoresOf([
      { text: "Greetings from the harbour again", session: "a", likeness: 0.1 },
      { text: "Boats leak where the planks meet", session: "a", role: "assistant", likeness: 0.8 },
      { text: "Mine is from old Henrik", session: "a", likeness: 0.1 },
      { text: "Paint dries in two hours", session: "b", role: "assistant", likeness: 0.1 },
      { text: "Mine is from old Marta", session: "b", likeness: 0.1 },
    ]);
    expect(boat).toBeGreaterThan(lamp);
  });

  it("without any cosine as if all were alike", () => {
    const [one = 0, other = 0] = scoresOf([
      { text: "We sleep in a tent", session: "a" },
      { text: "We sleep in a boat", session: "b" },
    ]);
    expect(other / one).toBeLessThan(2);
  });

  it("the assistant's words where they are asked for, and the user's where not", () => {
    const said: Said[] = [
      { text: "Hello there again" },
      { text: "Soak the beans in cold water overnight", role: "assistant" },
      { text: "I left the beans in cold water overnight" },
    ];
    const [, theirs = 0, mine = 0] = scoresOf(said, { ...NOTHING, assistant: true });
    expect(theirs).toBeGreaterThan(mine);
    const [, theirsNow = 0, mineNow = 0] = scoresOf(said);
    expect(mineNow).toBeGreaterThan(theirsNow);
  });

  it("a memory has the place of the message from which it was learned", () => {
    const talk: Said[] = [
      { text: "Hello to you all", session: "a", likeness: 0.1 },
      { text: "Boats leak where planks meet", session: "a", role: "assistant", likeness: 0.8 },
      { text: "Mine is old and from Henrik", session: "a", likeness: 0.1 },
      { text: "The lamp is from Marta", session: "b", likeness: 0.1 },
      { text: "The paint is green", session: "b", likeness: 0.1 },
    ];
    const memory = (from: string): Said => ({ text: "Is from Henrik", kind: "memory", from, likeness: 0.1 });
    const [, , , , , near = 0] = scoresOf([...talk, memory("e2")]);
    const [, , , , , far = 0] = scoresOf([...talk, memory("e4")]);
    expect(near).toBeGreaterThan(far);
  });

  it("what the user tells of themselves before a request of the moment", () => {
    const [request = 0, told = 0] = scoresOf([
      { text: "Give me a tiebreaker about rivers for a pub quiz", session: "a" },
      { text: "I keep two old ferrets and my sister Jana feeds them", session: "b" },
    ]);
    expect(told).toBeGreaterThan(2 * request);
  });

  it("a limit before other statements where advice is asked for", () => {
    const said: Said[] = [
      { text: "I cannot eat the seeds of pines", session: "a" },
      { text: "I live at the river of pines", session: "b" },
    ];
    const share = (asked: Asked) => scoresOf(said, asked)[0] ?? 0;
    expect(share({ ...NOTHING, known: false })).toBeGreaterThan(share(NOTHING));
  });

  it("the messages of one episode each by their own likeness", () => {
    const share = (likeness: number, other: number) => {
      const lines = linesOf([
        { text: "The boat has a leak below the mast", likeness },
        { text: "I sing alto in the choir of the harbour", likeness: other },
        { text: "We slept in a tent near the big lake", likeness: 0.1 },
      ]);
      for (const line of lines.slice(0, 2)) line.item.id = "e0";
      scoreShortTalk(lines, { asked: NOTHING, all: lines });
      return lines[0]?.score ?? 0;
    };
    expect(share(0.9, 0.1)).toBeGreaterThan(share(0.1, 0.9));
  });

  it("and how likely any is needed: less for a question that has nothing to do with the user", () => {
    const of = (asked: Asked) => {
      const lines = linesOf([{ text: "We slept in a tent near the big lake" }, { text: "The boat has a leak below the mast" }]);
      return scoreShortTalk(lines, { asked, all: lines });
    };
    expect(of(NOTHING)).toBeGreaterThan(of({ ...NOTHING, self: false }));
  });

  it("nothing for no lines", () => {
    expect(scored([])).toEqual([]);
    expect(scoreShortTalk([], { asked: NOTHING, all: [] })).toBe(0);
  });
});
