import { isRawPrivateKey } from "./credentials.ts";
import { COUNTED } from "./labelled.ts";
import { isOrdinaryWord } from "./ordinary-words.ts";
import { PASS, PASSWORD, PASSWORD_WITH_STRONG_VALUE, PIN } from "./password-names.ts";
import { isRandomKey, isUuid } from "./plausible.ts";
import type { Secret, SecretKind } from "./secret.ts";
import { isCode, isExpression, isPossiblePassword, isStrongPassword, readValue, type StatedValue } from "./stated-value.ts";

/**
 * How a value is connected to its name: `pw: x`, `the pw is x`, `| pw | x |`, `the pw you need is x`, `the pw x`. Each form needs a more
 * certain value than the one before.
 */
type Tie = "written" | "said" | "cell" | "loose" | "bare";
type Statement = StatedValue & { tie: Tie; name: string; before: string };
type Label = { kind: SecretKind; name: RegExp; accepts(statement: Statement): boolean };

const PRIVATE_KEY =
  /private[\s_-]?key|priv[_-]?key|privater? schlüssel|clé privée|(?:clave|chave) privada|chiave privata|(?:приватный|закрытый) ключ|私钥|私鑰|秘密鍵/giu;
/** Tokens and keys that are no credentials: of pagination, forms, tables, public keys. */
const NO_CREDENTIAL = String.raw`(?<![\w]:)(?<!(?:page|csrf|xsrf|cursor|sync|next|public|publishable|gpg|pgp|ssh|host|object|primary|foreign|sort|partition|cache|idempotency|design)[\s_-]?)`;
const API_KEY = new RegExp(
  `${NO_CREDENTIAL}(?:${[
    String.raw`api[\s_-]?(?:keys?|token|secret|schlüssel|密[钥鑰]|キー|ключ)`,
    String.raw`(?:access|auth|account|secret|signing|encryption|master|subscription|consumer|application|app|service)[\s_-]?(?:access[\s_-]?)?key`,
    "clé (?:d['’])?api|(?:clave|chave) (?:de |da |do )?(?:la )?api|chiave (?:api|dell['’]api)|ключа? (?:к |от )?api",
    "secret|token|密[钥鑰]|令牌|トークン|токен",
  ].join("|")})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  "giu",
);

/** A key of an API, in talk; the value must be longer than that of a table or a cache. */
const KEY = new RegExp(String.raw`(?<![\p{L}\p{N}_.-])${NO_CREDENTIAL}keys?(?![\p{L}\p{N}_.-])`, "giu");
/** Says that a token opens something; a token without it may be any id. */
const OPENS = /(?:access|auth\p{L}{0,10}|bearer|api|refresh|bot|personal|user|admin|root|deploy|secret)[\s_-]?$/iu;

const ONE_TIME =
  /(?:one[- ]?time|single[- ]use|einmal-?|usage unique|un solo uso|usa e getta|одноразов\p{L}{0,6}|一次性|动态|動態|ワンタイム|otp|tan)[\s-]{0,8}$/iu;
const OWNED =
  /(?:my|our|his|her|their|your|mein\p{L}{0,8}|unser\p{L}{0,8}|sein\p{L}{0,8}|mon|ma|notre|mi|nuestra|mia|nostra|minha|nossa|мой|наш\p{L}{0,8}|wi-?fi|wlan|router|root|admin|master)(?:\s[\p{L}\p{N}.'’-]{1,20}){0,3}[\s-]{0,2}$/iu;
const PLAIN_WORD = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{M}'’-]+[!?]*$/u;

/** Minimum lengths of a key and of a password that only a space separates from its name. */
const MIN_BARE_KEY = 20;
const MIN_BARE_PASSWORD = 6;

const LABELS: readonly Label[] = [
  { kind: "password", name: PASSWORD, accepts: isStatedPassword },
  { kind: "password", name: PASSWORD_WITH_STRONG_VALUE, accepts: isStrongStatement },
  { kind: "password", name: PASS, accepts: isStatedPass },
  { kind: "pin", name: PIN, accepts: isStatedPin },
  { kind: "private_key", name: PRIVATE_KEY, accepts: ({ value }) => isRawPrivateKey(value) },
  {
    kind: "api_key",
    name: API_KEY,
    accepts: ({ value, tie, before, name }) =>
      isRandomKey(value) &&
      ((tie !== "bare" && tie !== "loose") || value.length >= MIN_BARE_KEY) &&
      !(isUuid(value) && /^token$/i.test(name) && !OPENS.test(before)),
  },
  {
    kind: "api_key",
    name: KEY,
    accepts: ({ value, tie }) =>
      (tie === "written" || tie === "said") &&
      value.length >= MIN_BARE_KEY &&
      /^[\w+=-]+$/.test(value) &&
      isRandomKey(value) &&
      !isUuid(value),
  },
];

/** A plain word counts only at the end of a clause and if the password has an owner; otherwise the text talks about passwords. */
function isStatedPassword({ value, quoted, last, tie, before, name }: Statement): boolean {
  if (ONE_TIME.test(before) || !isPossiblePassword(value)) return false;
  if (tie === "bare" && NUMBERED.test(value) && /^[a-z]/i.test(name) && !OWNED.test(before)) return false;
  if (isStrongPassword(value)) return isTied(value, tie) && !(tie === "cell" && IN_A_WORD.test(before));
  if (tie === "bare" || tie === "loose" || tie === "cell" || isOrdinaryWord(value) || name.toLowerCase() === "clave")
    return false;
  if (quoted) return true;
  return last && PLAIN_WORD.test(value) && (tie === "written" ? !isNameInCode(value, before) : OWNED.test(before));
}

/** A name with a number, or a number of a program: `field2`, `0x1f`. */
const NUMBERED = /^[a-z]+\d{1,3}$|^0x[0-9a-f]+$/;
const IN_A_WORD = /[\p{L}\p{N}]$/u;
const MEMBER = /[\w\])]\.$/;
const INDENTED_LINE = /^(?: {2}|\t)[\w \t*?]*$/;
const INNER_CAPITAL = /[a-z][A-Z]/;

/** A type or a variable: `  password: SecretStr`, `self.password = password_field`. */
function isNameInCode(value: string, before: string): boolean {
  return MEMBER.test(before) || (INNER_CAPITAL.test(value) && INDENTED_LINE.test(before.slice(before.lastIndexOf("\n") + 1)));
}

function isTied(value: string, tie: Tie): boolean {
  if (tie === "cell") return /\D/.test(value);
  if (tie !== "loose" && tie !== "bare") return true;
  return value.length >= MIN_BARE_PASSWORD && /\D/.test(value) && (tie === "loose" || !isCode(value));
}

const LOGIN = /(?<!\p{L})(?:user(?:name)?|log-?in|account|e-?mail)\W{1,3}\S{1,64}(?:\s{1,2}(?:and|with))?[\s,;/|]{1,4}$/iu;

/** At the start of a line or a field, or behind an article. */
const IS_NOUN = /(?:^|[\n;,|{([/]|(?<!\p{L})(?:the|le|la|el|il|das|die))[\s"'\x60*-]{0,8}$/iu;

function isStatedPass(statement: Statement): boolean {
  const { tie, before, value } = statement;
  if (isExpression(value) || !isStatedPassword(statement)) return false;
  return LOGIN.test(before) || ((tie === "written" || tie === "said") && (IS_NOUN.test(before) || OWNED.test(before)));
}

/** In languages without a list of ordinary words, a word may describe the password. */
function isStrongStatement(statement: Statement): boolean {
  return isStatedPassword(statement) && (isStrongPassword(statement.value) || statement.quoted);
}

/** Four to eight digits; an Indian postal code (PIN code) has six. */
function isStatedPin({ value, tie, before, name }: Statement): boolean {
  const postal = value.length === 6 && /code/i.test(name);
  if (/pins$/i.test(name) && tie === "said" && !OWNED.test(before)) return false;
  return tie !== "bare" && tie !== "loose" && /^\d{4,8}$/.test(value) && !ONE_TIME.test(before) && !postal;
}

const PREPOSITION =
  "for|of|to|on|at|in|from|with|für|fürs|zum|zur|vom|von|im|am|beim|bei|de|du|des|au|aux|pour|sur|para|del|al|en|di|dello|della|dei|degli|delle|dell['’]|per|nel|do|da|dos|das|pra|pro|no|na|на|от|для|к|ко|в|у|с|из";
/** Apostrophes are bounded, so that a name can be split into words in one way only. */
const NAME_WORD = String.raw`['’]?[\p{L}\p{N}.@&/_-]{1,32}(?:['’][\p{L}\p{N}.@&/_-]{1,32}){0,2}['’]?`;
const PHRASE = String.raw`(?:\s{1,2}(?:${PREPOSITION})(?:\s{1,2}|(?<=['’]))${NAME_WORD}(?:\s{1,2}${NAME_WORD}){0,4}?)?(?:\s?\([^()\n]{1,40}\))?`;
/** Words between the name and the verb, as in "the password you need is"; none of them may make it the name of something else. */
const LOOSE = String.raw`(?:,|\s(?!(?:manag|hint|reset|polic|length|field|hash|generat|recover|protect|strength|rotat|expir|chang|rule|require|prompt|box|input|file|vault|app|must|should|has|have|will|can|rate)\p{L}*)[\p{L}'’]{1,16}){1,3}?`;
const WRITTEN = String.raw`["'\x60*_\]\\]{0,6}\s{0,2}(?::=|=>|->|→|[:：=＝])[\s*]{0,3}|(?:\s[^<>\n]{1,64})?>(?=[^<>\n]{1,512}<\/)\s{0,8}`;
/** The next cell of a table, or the next element: `| pw | x |`, `<td>pw</td><td>x</td>`. */
const CELL = String.raw`[*_\x60]{0,3}\s{0,32}\|\s{0,32}|<\/[\w-]{1,20}>\s{0,8}<[\w-]{1,20}>\s{0,8}`;
const VERB =
  "is|was|are|were|used to be|will be|might be|could be|ist|sind|war|lautet|heißt|est|sont|c['’]est|es|son|era|è|é|sono|são|foi|это|будет|هي|هو|היא|הוא|είναι|je|là|adalah|er|är|este|jest";
const ADVERB = "now|still|just|currently|actually|simply|literally|always|jetzt|noch|maintenant|ahora|adesso|agora|теперь";
const SAID = String.raw`(?:['’]s|\s{1,2}(?:${VERB}))(?:\s{1,2}(?:${ADVERB}))?[\s:：]{1,3}|\s?(?:改成|改为|改為|换成|設為|设为|是|为|為|は|が|を|คือ)[\s:：]{0,2}`;
const ANSWERED = String.raw`\?\s{1,3}(?:(?:it|that)(?:['’]?s| is)|c['’]est|es ist|es|è|é)\s{1,2}`;
const CHANGED = String.raw`\s{1,2}(?:to|into|in|auf|à|en|a|por|para|на)\s{1,2}`;
const TIES = new RegExp(
  String.raw`${PHRASE}(?:(?<written>${WRITTEN})|(?<said>${SAID})|(?<cell>${CELL})|(?<loose>${ANSWERED}|\s{1,2}[—–-]\s{1,2}))|(?<changed>${CHANGED})|(?<looser>${LOOSE}(?!=)(?:${WRITTEN}|${SAID}))|(?:\s{1,2}|(?<=[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]))(?=\S)`,
  "iuy",
);
/** Verbs of change before the value, or after it where the verb comes last. */
const CHANGE =
  /(?:chang|reset|set|updat|switch|renew|änder|setz|modifi|cambi|actualiz|mud|troc|alter(?!nat)|смени|поменя|измени|установи)\p{L}{0,12}\s[^\n.!?]{0,48}$/iu;
const CHANGED_AFTER = /^\W{0,3}(?:ge|um|ver)?(?:ändert|setzt|stellt|wechselt)/iu;
const REVERSED =
  /(?:^|[\s"'`“(])([^\s"'`“”(]{6,64})["'`”]?\s(?:is|ist|est|es|è|é|as|als|comme|como|come)\s(?:my|our|his|her|mein|unser|mon|notre|mi|mia|la mia|minha|a minha|the (?:wi-?fi|admin|root|new))\s(?:[\p{L}-]{1,20}\s){0,2}$/iu;
const CONTEXT = 96;
/** "The pin on my skis is 4821 long" measures. */
const NOT_COUNTED = new RegExp(`^${COUNTED}`, "iu");

/** Values that the text calls a password, PIN, key or token. */
export function findStatedSecrets(text: string): Secret[] {
  const found: Secret[] = [];
  for (const label of LABELS) {
    for (const match of text.matchAll(label.name)) {
      const before = text.slice(Math.max(0, match.index - CONTEXT), match.index);
      found.push(...stated(text, { label, name: match[0], start: match.index, before }));
      if (label.kind === "password") found.push(...statedBefore(before, match.index));
    }
  }
  return found;
}

function stated(
  text: string,
  { label, name, start, before }: { label: Label; name: string; start: number; before: string },
): Secret[] {
  TIES.lastIndex = start + name.length;
  const tied = TIES.exec(text);
  if (tied === null) return [];
  const { written, said, changed, cell, loose, looser } = tied.groups ?? {};
  const value = readIn(text, { offset: tied.index + tied[0].length, isCell: cell !== undefined });
  const loosely: Tie = loose !== undefined || looser !== undefined ? "loose" : "bare";
  const spoken: Tie = said !== undefined || changed !== undefined ? "said" : loosely;
  const tie: Tie = written !== undefined ? "written" : cell !== undefined ? "cell" : spoken;
  if (value === null || !label.accepts({ ...value, tie, name, before })) return [];
  const after = text.slice(value.end, value.end + CONTEXT);
  if (label.kind === "pin" && !NOT_COUNTED.test(after)) return [];
  if (changed !== undefined && !CHANGE.test(before) && !CHANGED_AFTER.test(after)) return [];
  const secret = { kind: label.kind, start: value.start, end: value.end };
  return [secret, ...statedAfter(text, { label, name, before }, value.end)];
}

/** Without the stroke that ends a cell. */
function readIn(text: string, { offset, isCell }: { offset: number; isCell: boolean }): StatedValue | null {
  const value = readValue(text, offset);
  if (value === null || !isCell || !value.value.endsWith("|")) return value;
  const inner = value.value.replace(/(?<!\|)\|+$/, "");
  return { ...value, value: inner, end: value.start + inner.length };
}

/** Values that one name may have in a list; a longer list is something else. */
const MAX_VALUES = 20;
const PLURAL = /^(?:mots|palavras|parole)|(?:s|wörter|пароли)$/iu;
const CONJUNCTION = "and|or|und|oder|et|ou|y|o|e|u|и|или|en|of|och|eller|og|i|lub|和|或";
const MORE = new RegExp(
  String.raw`["'\x60’”]?(?:\s{0,2}[,;/&+、，]\s{0,2}(?:(?:${CONJUNCTION})\s{1,2})?|\s{1,2}(?:${CONJUNCTION})\s{1,2})`,
  "iuy",
);
const OR = /["'\x60’”]?\s{1,2}(?:or|oder|ou|o|или|of|eller|lub|或)\s{1,2}/iuy;

/** The second and later values: "the passwords are x, y and z", "the password is x or y". Each must look like a password by itself. */
function statedAfter(text: string, named: { label: Label; name: string; before: string }, from: number): Secret[] {
  const { label, name, before } = named;
  const more = PLURAL.test(name) ? MORE : OR;
  const found: Secret[] = [];
  let end = from;
  while (found.length < MAX_VALUES) {
    more.lastIndex = end;
    if (!more.test(text)) break;
    const value = readValue(text, more.lastIndex);
    if (value === null || !label.accepts({ ...value, tie: "said", name, before })) break;
    if (
      !value.quoted &&
      (!(isStrongPassword(value.value) || label.kind !== "password") || (!/\D/.test(value.value) && !value.last))
    )
      break;
    found.push({ kind: label.kind, start: value.start, end: value.end });
    end = value.end;
  }
  return found;
}

/** "x is my password", "x as my password". */
function statedBefore(before: string, end: number): Secret[] {
  const match = REVERSED.exec(before);
  const value = match?.[1];
  if (match === null || value === undefined || !isStrongPassword(value) || isCode(value)) return [];
  const start = end - before.length + match.index + match[0].indexOf(value);
  return [{ kind: "password", start, end: start + value.length }];
}

const NAMED_PAIR =
  /(?<![\p{L}\p{N}_])(?:credentials?|creds|log-?ins?(?: details| data| info)?|zugangsdaten|anmeldedaten|identifiants|credenciales|credenziali|credenciais|账号密码|user(?:name)?\s?[/&]\s?pass(?:word)?|логин[\s/]{1,2}пароль)(?:\s(?:for|to|on|für|pour|para|per|на|для)(?:\s[\p{L}\p{N}.'-]{1,24}){1,3}?)?\s{0,2}(?:[:：=]|is|are|sind|lauten|son|sont|sono|são)\s{0,2}[^\s/|,:]{2,64}(?:\s{0,2}[/|:,]|\s{1,2}(?:and|with|und|mit)(?=\s))\s{0,2}/giu;
/** A colon also separates a host from a path (`git@host:team/project`), so the value must have no slash and no dot. */
const MAIL_PAIR =
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,24}){1,3}(?:\s(?:\/{1,2}|\|)\s|:\s?(?=[^\s/.]{4,64}(?:\s|$)))/g;
const COMMAND =
  /(?<![\w-])(?:(?:sshpass|(?:docker|podman|az) login|mysql(?:dump|admin)?)(?=\s)[^\n|;]{0,80}?\s-p\s?|curl\s[^\n|;]{0,160}?(?:-u|--user)[= ]["']?[^\s:"']{1,64}:|redis-cli\s[^\n|;]{0,80}?-a\s)(?=\S)/g;

/** A password that is recognised by its position: the second of a login pair, or a command's password argument. */
export function findLogins(text: string): Secret[] {
  const found: Secret[] = [];
  for (const pattern of [NAMED_PAIR, MAIL_PAIR, COMMAND]) {
    for (const match of text.matchAll(pattern)) {
      const value = readValue(text, match.index + match[0].length);
      if (value !== null && isStrongPassword(value.value) && /\D/.test(value.value) && !isCode(value.value)) {
        found.push({ kind: "password", start: value.start, end: value.end });
      }
    }
  }
  return [...found, ...findNetworks(text)];
}

const NETWORK = /WIFI:(?:[A-OQ-Z]:(?:[^;\\]|\\.){0,64};){0,4}P:((?:[^;\\]|\\.){4,63});/g;

/** The password of a Wi-Fi QR code's text. */
function findNetworks(text: string): Secret[] {
  return [...text.matchAll(NETWORK)].map((match) => {
    const end = match.index + match[0].length - 1;
    return { kind: "password", start: end - (match[1] ?? "").length, end };
  });
}
