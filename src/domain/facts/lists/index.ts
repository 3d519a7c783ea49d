export { byRank, HERE, listsNow, topicOfList } from "./answer-lists.ts";
export { type ListAnswer, mayAskLists, namedList } from "./ask-list.ts";
export { type Asked, askLists } from "./choose-asked.ts";
export { findListTurns, type ListMessage, listMessagesIn, type StoredTurn, storeListMessages } from "./list-messages.ts";
export { type ListTurn, type ReplayedList, replayLists } from "./replay.ts";
