import { fenced } from "#core/text/memory-fence";
import { normalizeText } from "#core/text/normalize";
import { shortenRedacted } from "#core/text/redacted";

/** Line breaks of every kind, control characters, and a character that looks like a blank. */
const BREAKS = /[\s\p{Cc}\u2800]+/gu;
/** Scripts in which joiners shape letters. */
const JOINING = "Arab Syrc Nkoo Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr".split(" ");
/** Invisible characters where writing needs them: within emoji, after letters that join, after characters that have variants. */
const NEEDED = [
  String.raw`(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=[\d#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=(?=[\p{L}\p{M}])[${JOINING.map((script) => String.raw`\p{scx=${script}}`).join("")}])[\u200c\u200d]`,
  String.raw`(?<=\p{scx=Mong})[\u180b-\u180f]`,
  String.raw`(?<=\p{scx=Hani})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
];
/** Invisible characters and those that reorder others; the necessary ones are captured by the group. */
const HIDDEN = new RegExp(String.raw`(${NEEDED.join("|")})|[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`, "gu");
/** `[M2]`, `【M7】`, `[M1, M2]`: an old citation, or a forged one. */
const BRACKETED =
  /[[【〔〖〘〚⟦❲][\s([【〔〖〘〚⟦❲]{0,8}([^[\]【】〔〕〖〗〘〙〚〛⟦⟧❲❳]{1,400}?)[\s)\]】〕〗〙〛⟧❳]{0,8}[\]】〕〗〙〛⟧❳]/gu;
const NAMES_A_MARK = /(?<![\p{L}\p{N}(])M\s*\d/iu;
/** Role markers of chat templates: `<|im_start|>`, `[INST]`, `<<SYS>>`, `<start_of_turn>`, `</s>`. */
const ROLE_MARKS =
  /<(?=\|)|\[(?=\/?(?:inst|system|user|assistant)\])|<(?=<\/?sys>)|<(?=\/?(?:start_of_turn|end_of_turn|system|user|assistant|human|s)>)/giu;

/** A text as part of one line of the block: it cannot end its line or the fence, and cannot look like a citation or a role. */
export function oneLine(text: string): string {
  const flat = withoutMarkers(shortenRedacted(text.toWellFormed()).replace(HIDDEN, "$1").replace(BREAKS, " ").trim());
  // A model reads a marker in full-width or ornamental letters like a plain one, so a text with one is normalised.
  const plain = normalizeText(flat, "NFKC");
  const harmless = withoutMarkers(plain);
  return harmless === plain ? flat : harmless;
}

function withoutMarkers(text: string): string {
  const uncited = text.replace(BRACKETED, (whole, inner: string) => (NAMES_A_MARK.test(inner) ? `(${inner.trim()})` : whole));
  return fenced(uncited.replace(ROLE_MARKS, "$& "));
}

/** A type within the brackets of a line, without brackets or commas of its own. */
export function shortLabel(text: string): string {
  return shortened(withoutDividers(text));
}

const MOST_OF_PATH = 120;

/** A path in the place of a type: of a long one the end, which names the file. */
export function pathLabel(path: string): string {
  return [...oneLine(withoutDividers(path))].slice(-MOST_OF_PATH).join("").trim();
}

function withoutDividers(text: string): string {
  return text.replace(/[\p{Ps}\p{Pe}<>|,，、،;；]/gu, " ");
}

/**
 * A name in quotation marks that it cannot close, so that a person named "the user" is not mistaken for the user. "" for a name without
 * letters.
 */
export function quotedName(name: string): string {
  const unquoted = name.replace(/(?!['’])\p{Quotation_Mark}|[ʺ″〃]/gu, "");
  const plain = shortened(unquoted.replace(/[\p{Ps}\p{Pe}<>|]/gu, " "));
  return plain === "" ? "" : `"${plain}"`;
}

const MOST_CHARACTERS = 60;

function shortened(text: string): string {
  return [...oneLine(text)].slice(0, MOST_CHARACTERS).join("").trim();
}
