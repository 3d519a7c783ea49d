const TEMPLATE = /^[<{[(%$@].*[>}\])%@]?$|\$\{|\{\{|<[\w -]+>|^\$\w|\{[\w.]{1,40}\}/u;
const REPEATED = /([x*•·●.#_?-])\1{3,}|x{5,}|\*{3}|\.{3}|…|^(.)\2*$/iu;
const STAND_IN =
  /(?:^|[^a-z])(?:your|example|sample|dummy|placeholder|changeme|change-?me|change_me|insert|replace|redacted|undefined|goes-?here|abcdef|abc123)(?:[^a-z]|$)|EXAMPLE|1234567890|abcdefgh/i;
const ITS_OWN_NAME =
  /^(?:my|the|db|user|test|new|old)?[_-]?(?:pass(?:word|wort|wd|code|phrase)?|pwd?|secret|token|api[_-]?key|key|mdp|senha|contrase[nñ]a|пароль|密码|パスワード)$/iu;

/** Placeholders of documentation: templates, stars, YOUR_KEY, and a name given as its own value. */
export function isPlaceholder(value: string): boolean {
  return TEMPLATE.test(value) || REPEATED.test(value) || STAND_IN.test(value) || ITS_OWN_NAME.test(value);
}

/** Bits per character (Shannon, over the characters of the value itself). */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const KEY_CHARACTERS = /^[\w+/=.~:-]{16,}$/;
/** gitleaks asks for an entropy of 3.5 of a generic API key; 16 hexadecimal characters have less. */
const MIN_KEY_ENTROPY = 3;
const IDENTIFIER = /^(?:[a-z]+|[A-Z](?:[a-z]+|[A-Z]+)?|\d{1,4})(?:[_.:/-](?:[a-z]+|[A-Z](?:[a-z]+|[A-Z]+)?|\d{1,4}|v\d+))+$/;
/** An address, a path or a digest; also a public blockchain address, `0x` and forty digits. */
const LOCATOR = /^0x[0-9a-f]{40}$|^(?:[a-z][a-z0-9+.-]*:\/\/|\.{0,2}\/|~\/|sha\d+[:-])/i;

/** Runs of letters that may be a word of a name: `encryption`, `Secret`. */
const WORD = /[A-Z][a-z]{3,}|[a-z]{5,}|[A-Z]{6,}/g;
const PRONOUNCED = /^(?![^aeiouy]{4})(?:[^aeiouy]{0,4}[aeiouy]{1,3}){1,}[^aeiouy]{0,4}$/i;
/** Letters and digits outside words that a key has at least: `MyTestSecret-a1b2c3` has eight, 16 random characters have twelve on average. */
const MIN_OUTSIDE_WORDS = 9;

/** Whether a machine made it: long, with letters and digits, and neither joined words nor an address. */
export function isRandomKey(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  const letters = value.match(/[a-z]/gi)?.length ?? 0;
  return digits >= 2 && letters >= 2 && isRandom(value);
}

/** Whether a run behind the prefix of a key is random; it may have letters only. */
export function isRandom(value: string): boolean {
  if (!KEY_CHARACTERS.test(value) || isPlaceholder(value) || IDENTIFIER.test(value) || LOCATOR.test(value)) return false;
  if (entropy(value) < MIN_KEY_ENTROPY) return false;
  const outside = value.replace(WORD, (run) => (PRONOUNCED.test(run) ? "" : run)).replace(/[^A-Za-z0-9]/g, "");
  return outside.length >= MIN_OUTSIDE_WORDS;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether it is a UUID: an id, unless the text calls it a key. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}
