import { describe, expect, it } from "vitest";
import { pack } from "./store-exchange.ts";

const said = (content: string, i: number) => ({ role: "user" as const, content, messageId: `${i}` });

describe("pack", () => {
  it("makes one episode of an exchange", () => {
    const exchange = [said("Hello", 1), { ...said("Hello!", 2), role: "assistant" as const }];
    expect(pack(exchange)).toEqual([[{ messages: exchange }]]);
    expect(pack([])).toEqual([]);
  });

  it("keeps what the service takes in an episode and in a request, and every message once and in order", () => {
    const many = Array.from({ length: 200 }, (_, i) => said("é".repeat(3_000), i));
    const appends = pack(many);
    expect(appends.flat().flatMap(({ messages }) => messages)).toEqual(many);
    for (const episodes of appends) {
      expect(new TextEncoder().encode(JSON.stringify({ episodes })).length).toBeLessThan(1_000_000);
      for (const { messages } of episodes) expect(messages.length).toBeLessThanOrEqual(50);
    }
  });
});
