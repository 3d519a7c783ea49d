export { WORD_MEANINGS } from "#adapters/word-meanings";
