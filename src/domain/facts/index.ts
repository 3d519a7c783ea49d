export { answerQuestion } from "./answer-question.ts";
export { assertFacts } from "./assert-facts.ts";
export { factStatements } from "./fact-statements.ts";
export { findFactsOf, putBackFacts, removeFacts } from "./forget-facts.ts";
export { getFact, listFacts } from "./list-facts.ts";
export { refuseNoTopic } from "./place.ts";
export { beginsList } from "./read-lists.ts";
export { retractFacts } from "./retract-facts.ts";
export { ACTING_USER, readSaid, type SaidInAppend, type SaidMessage } from "./said-facts.ts";
export { deleteTopic, saveTopic } from "./save-topic.ts";
export {
  AnswerInput,
  AnswerView,
  AssertedManyView,
  AssertedView,
  AssertInput,
  FactInput,
  FactListInput,
  FactParams,
  FactPlaceInput,
  FactView,
  RetractedView,
  RetractInput,
  TopicInput,
  TopicKey,
  TopicListInput,
  TopicView,
} from "./schemas.ts";
export { getTopic, listTopics } from "./topics-of.ts";
