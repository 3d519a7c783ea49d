import { isPlaceholder } from "./plausible.ts";

export type StatedValue = {
  value: string;
  start: number;
  end: number;
  quoted: boolean;
  /** Whether it ends its clause. */
  last: boolean;
};

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "„": "“”",
  "«": "»",
  "‘": "’",
  "「": "」",
  "『": "』",
};
const MARKS = /[*_]{1,3}(?=["'`\w])/y;
/** Escapes of JSON within a string. */
const ESCAPES = /\\{1,7}(?=["'])/y;
const QUOTED_REACH = 128;
const RUN = /[^\s，。；！？、「」『』“”„«»（）]{1,512}/y;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** The start of the next setting on the line, or of a closing tag: `a=1;b=2`, `a=1&b=2`, `<p>a</p>`. */
const NEXT_SETTING = /[;&,|](?=[\w-]{1,32}[:=])|<\//;
const TRAILING = /(?<![.,;:)\]}>"'`*?’…])[.,;:)\]}>"'`*?’…]+$/;
const ENDS_CLAUSE =
  /^[\s)\]"'`*’”»]{0,3}(?:$|<\/|[.,;!?|\n\r，。！？、)]|\s[—–-]\s|\s(?:and|und|et|y|e|и|but|ok|okay|lol|btw|fyi|please|bitte|thanks)(?![\p{L}]))/u;

/** The value at an offset: the text within its quotation marks, or up to the next space without trailing punctuation. */
export function readValue(text: string, offset: number): StatedValue | null {
  MARKS.lastIndex = offset;
  const marked = MARKS.test(text) ? MARKS.lastIndex : offset;
  ESCAPES.lastIndex = marked;
  const escapes = ESCAPES.exec(text)?.[0] ?? "";
  const from = marked + escapes.length;
  const closing = QUOTES[text[from] ?? ""];
  if (closing !== undefined) {
    const inside = text.slice(from + 1, from + 1 + QUOTED_REACH);
    const length = [...closing].map((mark) => inside.indexOf(`${escapes}${mark}`)).find((at) => at > 0) ?? -1;
    if (length < 0 || inside.slice(0, length).includes("\n")) return null;
    return { value: inside.slice(0, length), start: from + 1, end: from + 1 + length, quoted: true, last: true };
  }
  RUN.lastIndex = from;
  const run = RUN.exec(text)?.[0] ?? "";
  if (run.endsWith(":") || run.endsWith("：")) return null;
  const value = trimmed(run);
  const end = from + value.length;
  return value === "" ? null : { value, start: from, end, quoted: false, last: ENDS_CLAUSE.test(text.slice(end, end + 16)) };
}

function trimmed(run: string): string {
  const script = run.search(CJK);
  const latin = script < 0 ? run : run.slice(0, script);
  const setting = latin.search(NEXT_SETTING);
  return (setting > 0 ? latin.slice(0, setting) : latin).replace(TRAILING, "");
}

const SYMBOL = /[!@#$%^&*_+=~|\\?€£§](?=.)|[!@#$%^&*+~€£§]$/u;
const WORD_LIKE = /^[\p{L}\p{M}]+(?:['’./-][\p{L}\p{M}]+)*[!?]*$/u;
const MEASURE =
  /^\d+(?:[-–+x/.,:]\d*)*(?:st|nd|rd|th|er|e|º|%|\+|x)?$|^\d+(?:[-–+]\d*)?[-+ ]?(?:bits?|bytes?|chars?|characters?|digits?|letters?|symbols?|words?|days?|hours?|minutes?|min|h|steps?|factor|weeks?|months?|years?|zeichen|stellig\p{L}*|caract\p{L}*|символ\p{L}*|位|文字|桁|자)$/iu;
const TECHNICAL =
  /^(?:base\d\d|sha-?\d\S*|md[45]|aes-?\d\S*|rsa-?\d*|x?chacha\d\S*|b?crypt\d*|s?crypt|argon2\S*|pbkdf2\S*|hmac\S*|utf-?\d+|oauth\d?|[23m]fa|fido2?|http\d?\S*|ipv[46]|v?\d+\.\d\S*|1password\S*|office365|web3|u2f|mp[34]|wpa[23]\S*|ios\d*|windows\d+|h264|c3po|r2d2|q[1-4]|top\d+|no\.?\d+)$/i;
const ADDRESS = /^[>)\]},.;:]|^[\w.+-]+@[\w-]+\.[\w.]+$|^[a-z][a-z0-9+.-]*:\/\/|^www\.|^\/|^~\//i;
const CODE =
  /^[\w$.]+[([]|^\$|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|=>|\|\||&&|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^%[A-Z_]+%$/;
const NAMES_ITSELF =
  /(?:^|[_-])(?:pass(?:word|wd)?|pwd|secret|token|key|env|config|input|hash|field|value|string|type)s?(?:[_-]|\d?$)/i;

/** An assignment, an option, an operator or a call: `strict=True`, `timeout: 0`, `--flag`, `f(x)`, `a|b`. */
const EXPRESSION = /^[\w$.*-]{1,64}\s?[:=!<>+-]?[:=]=?\s?\S|[()[\]{}<>|`;]|^[-+&*@~/.]/;
/** Words that a language joins to a name: `force_zip64`, `flex-1`, `runtime.bindings`. */
const JOINED = /^[A-Za-z]+\d{0,3}(?:[_.:/-][A-Za-z]*\d{0,3})+$/;

/** Whether it is an assignment, an option or a call of a program. */
export function isExpression(value: string): boolean {
  return EXPRESSION.test(value);
}

/** Whether it is written as code is. Where nothing but its place makes a value a password, such a value is none. */
export function isCode(value: string): boolean {
  return isExpression(value) || JOINED.test(value);
}

/** Whether it can be a password: no template, code, address, date or measure. */
export function isPossiblePassword(value: string): boolean {
  return (
    value.length >= 4 &&
    !isPlaceholder(value) &&
    !CODE.test(value) &&
    !ADDRESS.test(value) &&
    !TECHNICAL.test(value) &&
    !(NAMES_ITSELF.test(value) && /^[\w-]+$/.test(value) && !/\d{2}/.test(value)) &&
    (!MEASURE.test(value) || /^\d{4,}$/.test(value))
  );
}

/** Whether it is no ordinary word: letters with digits, a symbol inside, or digits alone. */
export function isStrongPassword(value: string): boolean {
  if (!isPossiblePassword(value) || WORD_LIKE.test(value)) return false;
  return /\d/.test(value) || SYMBOL.test(value);
}
