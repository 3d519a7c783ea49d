import { fenced } from "#core/text/memory-fence";

/** Line breaks of every kind, control characters, and characters that change the order of others or show nothing at all. */
const BREAKS = /[\s\p{Cc}]+/gu;
const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** `[M2]`, whoever wrote it: an old citation, or a forged one. */
const CITATION = /\[\s*(M\s*\d+)\s*\]/giu;
/** Marks by which templates of chats tell roles apart: `<|im_start|>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `</s>`. */
const ROLE_MARKS =
  /<(?=\|)|\[(?=\/?(?:inst|system|user|assistant)\])|<(?=<\/?sys>)|<(?=\/?(?:start_of_turn|end_of_turn|system|user|assistant|human|s)>)/giu;

/** A text as a part of one line of the block: it can neither end its line, nor the fence, nor look like a citation or a role. */
export function oneLine(text: string): string {
  const flat = text.toWellFormed().replace(HIDDEN, "").replace(BREAKS, " ").trim();
  return fenced(flat.replace(CITATION, "($1)").replace(ROLE_MARKS, "$& "));
}

/** A name or a type, as it stands within the brackets of a line: never with brackets of its own. */
export function shortLabel(text: string, most = 60): string {
  const plain = oneLine(text.replace(/[()[\]<>|]/gu, " ")).trim();
  return [...plain].slice(0, most).join("").trim();
}
