import { redactSecrets } from "#core/safety/find-secrets";
import { piiRisk } from "#core/safety/pii-risk";
import { sensitivityOf } from "#core/safety/sensitivity";
import { analyse } from "#core/text/analyse";
import { chunkText } from "#core/text/chunk";
import { fenced, withoutMemory } from "#core/text/memory-fence";
import { nameKey } from "#core/text/normalize";
import { isOfTheMoment } from "#core/text/of-the-moment";
import { queryTerms } from "#core/text/query";
import { separateReasoning } from "#core/text/reasoning";
import { conversationMessages } from "../../src/domain/extraction/model/conversation.ts";
import { findJson } from "../../src/domain/extraction/model/find-json.ts";
import { isInstruction } from "../../src/domain/extraction/model/instruction.ts";
import { isExcluded } from "../../src/domain/extraction/model/is-excluded.ts";
import { messageClauses } from "../../src/domain/extraction/model/quoted-clauses.ts";
import { isSupported, statedIn } from "../../src/domain/extraction/model/support.ts";
import { takeMemories } from "../../src/domain/extraction/rules/take-memories.ts";
import { routeQuestion } from "../../src/domain/facts/route-question.ts";
import { ACTING_USER, saidFacts } from "../../src/domain/facts/said-facts.ts";
import { createTopicIndex } from "../../src/domain/facts/topics.ts";
import { oneLine } from "../../src/domain/injection/one-line.ts";
import { normaliseContent } from "../../src/domain/memories/content-hash.ts";
import { isFirstPerson } from "../../src/domain/memories/defaults.ts";
import { nameKeysIn } from "../../src/domain/retrieval/named.ts";

const TOPIC_INDEX = createTopicIndex([]);
const NOBODY = statedIn("");

/** Everything that reads a message, a question or a memory without a database or a model, by what it is called here. */
export const TEXT_PIPELINE: Readonly<Record<string, (text: string) => unknown>> = {
  "takes memories": (text) => takeMemories([{ role: "user", text: withoutMemory(text) }]),
  "reads facts": (text) =>
    saidFacts([{ text, userId: ACTING_USER, occurredAt: 0, messageId: null, offset: 0, ordinal: 0 }], TOPIC_INDEX),
  "routes a question": (text) => routeQuestion(text, TOPIC_INDEX),
  "finds secrets": (text) => redactSecrets(text),
  "finds identifiers": (text) => piiRisk(text),
  "tells sensitivity": (text) => sensitivityOf(text),
  "tells the moment": (text) => isOfTheMoment({ content: text, type: "knowledge" }),
  "analyses words": (text) => analyse(text),
  "cuts passages": (text) => chunkText(text),
  "reads a question": (text) => queryTerms(text),
  "finds names in a question": (text) => nameKeysIn(text),
  "writes a line": (text) => oneLine(text),
  fences: (text) => fenced(text),
  "folds a name": (text) => nameKey(text),
  "normalises content": (text) => normaliseContent(text),
  "tells the first person": (text) => isFirstPerson(text),
  "tells instructions": (text) => isInstruction({ type: null, content: text }),
  "reads what a model may learn from": (text) =>
    conversationMessages({ transcript: [{ index: 0, role: "user", speaker: null, text, at: 0 }], spoken: undefined }),
  "checks a statement": (text) => {
    const said = statedIn(text);
    return isSupported(text, { quoted: said, said, names: NOBODY });
  },
  "reads what a message asserts": (text) => messageClauses(text),
  "applies a tenant's instructions": (text) => [isExcluded(text, "Never keep prices or health."), isExcluded("Likes tea", text)],
  "reads a model's reply": (text) => findJson(separateReasoning(text).text),
};
