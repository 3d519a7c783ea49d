import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { entropy, isPlaceholder, isRandom, isUuid } from "./plausible.ts";
import type { Secret, SecretKind } from "./secret.ts";

type KeyShape = { kind: SecretKind; shape: string };

/**
 * Keys with a known prefix that the secretlint preset lacks or knows in fewer forms.
 * Prefixes and lengths are those of gitleaks' rules (MIT, config/gitleaks.toml) and of the vendors' own pages.
 */
const KEY_SHAPES: readonly KeyShape[] = [
  { kind: "aws_access_key", shape: "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}" },
  { kind: "google_api_key", shape: String.raw`AIza[\w-]{35}` },
  { kind: "google_oauth_secret", shape: String.raw`GOCSPX-[\w-]{28}|ya29\.[\w-]{30,512}|1\/\/0[\w-]{60,120}` },
  { kind: "openai_key", shape: String.raw`sk-(?:proj|svcacct|admin)-[\w-]{40,200}|sk-[A-Za-z0-9]{48}` },
  { kind: "anthropic_key", shape: String.raw`sk-ant-[a-z]{3,6}\d\d-[\w-]{60,128}` },
  { kind: "stripe_key", shape: "(?:[sr]k_(?:live|test|prod)_|whsec_)[A-Za-z0-9+/]{20,247}" },
  { kind: "github_token", shape: String.raw`gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{60,255}` },
  {
    kind: "gitlab_token",
    shape: String.raw`gl(?:pat|dt|rt|ptt|oas|cbt|imt|ft|soat|agent|ffct)-[\w-]{20,64}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?|gldt-[\w-]{20}`,
  },
  {
    kind: "slack_token",
    shape: String.raw`xox[abeoprs]-(?:\d{1,20}-){0,4}[A-Za-z0-9-]{20,200}|xapp-\d-[A-Z0-9]{1,40}-\d{1,40}-[a-z0-9]{32,128}`,
  },
  { kind: "pypi_token", shape: String.raw`pypi-AgE[\w-]{50,1000}` },
  { kind: "sendgrid_key", shape: String.raw`SG\.[\w-]{20,24}\.[\w-]{39,50}` },
  { kind: "telegram_token", shape: String.raw`(?:bot)?\d{8,10}:AA[\w-]{33}` },
  { kind: "discord_token", shape: String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}|mfa\.[\w-]{84}` },
  { kind: "twilio_key", shape: "SK[0-9a-f]{32}" },
  { kind: "digitalocean_token", shape: "do[opr]_v1_[a-f0-9]{64}" },
  { kind: "cloudflare_token", shape: String.raw`v1\.0-[a-f0-9]{24}-[a-f0-9]{146}` },
  {
    kind: "slack_webhook",
    shape: String.raw`https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{30,80}`,
  },
  { kind: "private_key", shape: "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}" },
  {
    kind: "api_key",
    shape: [
      String.raw`https:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,80}`,
      // A dot or a random part before the vendor's mark.
      String.raw`[a-f0-9]{32}-us\d{1,2}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}|[\w~.]{3}\dQ~[\w~.-]{31,34}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`,
      String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,60}|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}|sl\.[\w-]{130,2000}|[sp]k\.eyJ[\w-]{20,400}\.[\w-]{20,30}`,
      // No separator after the prefix.
      "LTAI[A-Za-z0-9]{20}|AKID[A-Za-z0-9]{32}|AKCp[A-Za-z0-9]{69}|API-[A-Z0-9]{26}|EAA[A-Z][A-Za-z0-9]{100,400}|EZ[AT]K[A-Za-z0-9]{54}",
      "cnvca[A-Za-z0-9_-]{51}|oy2[a-z0-9]{43}|GR1348941[A-Za-z0-9_-]{20}|ABSK[A-Za-z0-9+/]{100,200}={0,2}",
      "sha256~[A-Za-z0-9_-]{43}|xprv[1-9A-HJ-NP-Za-km-z]{100,120}",
      "(?<=AccountKey=)[A-Za-z0-9+/]{86}==",
    ].join("|"),
  },
];

/**
 * What keys begin with, by their vendors' documentation, where nothing else is written so. What follows is random, of any length: a key
 * is found however long its vendor makes it.
 */
const ISSUED_PREFIXES = [
  // Models and what serves them.
  "sk-(?:[a-z]{2,8}-)?|pplx-|tvly-|tgp_v1_|nvapi-|jina_|pcsk_|lsv2_|hf_oauth_",
  // Clouds and databases.
  "HRKU-|sb_secret_|pscale_(?:tkn|pw|oauth)_|doo_v1_|cf[ua]t_|tk-us-",
  // Code, packages and builds.
  "dckr_[po]at_|rubygems_|CLOJARS_|bk[ua][at]_|CCIP(?:AT|RJ)_|ATATT3|ATCTT3",
  // Payment, mail, chat and office.
  "sq0(?:atp|csp|idp)-|FLWSECK(?:_TEST)?-|shippo_(?:live|test)_|duffel_(?:live|test)_|access-(?:sandbox|development|production)-",
  "xkeysib-|xsmtpsib-|pat-[a-z]{2}\\d-|secret_|lin_(?:api|oauth)_|fig[duo]_|PMAK-|CFPAT-|rdme_|fio-u-",
  // What watches services.
  "NRAK-|NRII-|NRJS-|signkey-|cal_live_|polar_[a-z]{2,4}_|zpka_|vercel_blob_rw_|glsa_|sntry[su]_|tskey-",
  // Edgewise's own, as core/ids.ts makes them.
  "ew_",
].join("|");
/** Letters of both cases, which the ids of orders, branches and commits do not have. */
const BOTH_CASES = String.raw`(?=[\w-]{0,60}[a-z])(?=[\w-]{0,60}[A-Z])`;
const UUID_SHAPE = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/**
 * Keys whose prefix is so short that names of pods, branches, releases and orders begin with it too: they are what their vendor documents, with
 * its length and alphabet. Any other is found where the words before it call it a key (see `findStatedSecrets`).
 */
const SHORT_PREFIXED = [
  // Models and what serves them.
  `m0-[A-Za-z0-9]{40}|gsk_[A-Za-z0-9]{52}|xai-[A-Za-z0-9]{80}|r8_[A-Za-z0-9]{37}|csk-[a-z0-9]{48}|fc-[0-9a-f]{32}|e2b_[0-9a-f]{40}`,
  String.raw`fw_${BOTH_CASES}[A-Za-z0-9]{22,24}|pa-${BOTH_CASES}[\w-]{43}|bfl_[A-Za-z0-9]{32,64}`,
  // Clouds and databases.
  String.raw`nfp_[A-Za-z0-9]{36,40}|fo1_${BOTH_CASES}[\w-]{43}|fm[12][ar]?_[\w+/-]{100,1000}={0,2}|dapi[0-9a-f]{32}(?:-\d)?|napi_[a-z0-9]{64}`,
  `sbp_(?:oauth_)?[0-9a-f]{40}|vc[pk]_${BOTH_CASES}[A-Za-z0-9]{24,60}|rnd_${BOTH_CASES}[A-Za-z0-9]{24,40}|rpa_[A-Za-z0-9]{40,56}`,
  // Code, packages and builds.
  String.raw`sq[upa]_[0-9a-f]{40}|pul-[0-9a-f]{40}|pnu_[A-Za-z0-9]{36}|hv[sbr]\.${BOTH_CASES}[\w-]{24,300}|ATBB[A-Za-z0-9]{32}`,
  // Payment, mail, chat and office.
  String.raw`EAAA[\w-]{60}|re_${BOTH_CASES}[A-Za-z0-9]{8}_[A-Za-z0-9]{24}|ntn_\d{11}[A-Za-z0-9]{35}|p8e-[a-z0-9]{32}|tfp_[\w.=-]{59}`,
  // What watches services.
  String.raw`glc_eyJ[\w+/-]{40,1000}={0,2}|ph[xs]_${BOTH_CASES}[A-Za-z0-9]{40,48}|(?:sdk|mob)-${UUID_SHAPE}|ops_eyJ[\w+/-]{100,1000}={0,2}`,
  `ico-${BOTH_CASES}[A-Za-z0-9]{32}`,
  // No separator after the prefix.
  String.raw`4b1d${BOTH_CASES}[A-Za-z0-9]{38}|cio${BOTH_CASES}[A-Za-z0-9]{32}|BSA${BOTH_CASES}[\w-]{24,40}`,
].join("|");
/** A name that a cluster gives (`7d9f8b6c5d-x2k4q`), and one with a date in it. */
const GIVEN_NAME = /^(?:[a-z0-9]+-)*[a-z0-9]{8,10}-[a-z0-9]{5}$|(?<!\d)(?:19|20)\d\d([-_])\d\d\1\d\d(?!\d)/;
/** What a key calls itself, alone or with the name of its vendor and of its kind around it: `acme_api_key_`, `sk_live_`. */
const NAMED_KEY = "(?:[A-Za-z0-9]{1,12}[_-]){0,2}(?:sk|rk|api|key|secret|token|pat|sat|aat)(?:[_-][a-z0-9]{1,12}){0,2}[_-]";
const ISSUED = new RegExp(
  String.raw`(?<![A-Za-z0-9_-])(?:${ISSUED_PREFIXES}|(?<named>${NAMED_KEY}))(?<run>[A-Za-z0-9][\w+/-]{15,1000}={0,2})`,
  "g",
);
/** A shorter one may be the id of a key, as `key-03c8d3aceb53b507` is. */
const MIN_NAMED = 32;

/** Each as a whole word, one pattern per kind. */
export const KEY_PATTERNS: readonly { kind: SecretKind; pattern: RegExp }[] = KEY_SHAPES.map(({ kind, shape }) => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z0-9_])(?:${shape})(?![A-Za-z0-9_])`, "g"),
}));

/** A longer word, or one with another part behind a hyphen, is something else. */
const SHORT_PREFIX = { kind: "api_key" as const, pattern: new RegExp(`(?<![\\w-])(?:${SHORT_PREFIXED})(?![\\w-])`, "g") };

type Report = { message: Readonly<Record<string, string>>; range: readonly [number, number] };
type Source = { content: string; contentType: "text"; filePath: string; ext: string };
type Context = { report(found: Report): void; createTranslator(): (id: string, values: Report["message"]) => Report["message"] };
type Rule = { meta: { id: string }; create(context: Context, options: object): { file?(source: Source): unknown } };

const PREFIX = "@secretlint/secretlint-rule-";

/**
 * Left out: filter-comments, with which a text could disable the other rules; gcp, which reads files; and two that find a whole address of
 * which only the password is secret (see `findConnectionStrings`).
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["filter-comments", "gcp", "basicauth", "database-connection-string"]);

/** Rules with a kind of their own; the others find an `api_key`. */
const KIND_OF_RULE: Readonly<Record<string, SecretKind>> = {
  anthropic: "anthropic_key",
  aws: "aws_secret_key",
  cloudflare: "cloudflare_token",
  github: "github_token",
  gitlab: "gitlab_token",
  huggingface: "huggingface_token",
  npm: "npm_token",
  openai: "openai_key",
  privatekey: "private_key",
  sendgrid: "sendgrid_key",
  shopify: "shopify_token",
  slack: "slack_token",
  stripe: "stripe_key",
};

const RULES = (rules as unknown as readonly Rule[])
  .map((rule) => ({ rule, name: rule.meta.id.replace(PREFIX, "") }))
  .filter(({ name }) => !LEFT_OUT.has(name))
  .map(({ rule, name }) => ({ rule, kind: KIND_OF_RULE[name] ?? ("api_key" as const) }));

/** Shorter values are names such as `xoxb-bot-token`; no vendor issues a key that short. */
const MIN_LENGTH = 20;
const MIN_ENTROPY = 2.5;

/** Keys in their vendor's format: by the rules of secretlint's recommended preset, called without its runner, then by KEY_PATTERNS. */
export function findVendorKeys(text: string): Secret[] {
  if (text.length < MIN_LENGTH) return [];
  const found: Secret[] = [];
  const source: Source = { content: text, contentType: "text", filePath: "message.txt", ext: ".txt" };
  for (const { rule, kind } of RULES) {
    const report = (reported: Report) => found.push(located(text, kind, reported));
    rule.create({ report, createTranslator: () => (_id, values) => values }, {}).file?.(source);
  }
  for (const { kind, pattern } of [...KEY_PATTERNS, SHORT_PREFIX]) {
    for (const match of text.matchAll(pattern)) found.push({ kind, start: match.index, end: match.index + match[0].length });
  }
  return [
    ...found.filter(({ kind, start, end }) => kind === "private_key" || isIssued(kind, text.slice(start, end))),
    ...findIssued(text),
  ];
}

/** Keys with a prefix of ISSUED_PREFIXES, or one that says what they are. */
function findIssued(text: string): Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(ISSUED)) {
    const { run = "", named } = match.groups ?? {};
    if (
      isRandom(run) &&
      isMixed(run) &&
      !GIVEN_NAME.test(run) &&
      (named === undefined || (run.length >= MIN_NAMED && !isUuid(run)))
    )
      found.push({ kind: "api_key", start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** Capitals and small letters, or digits: small letters alone are words. */
function isMixed(run: string): boolean {
  return /\d/.test(run) || (/[a-z]/.test(run) && /[A-Z]/.test(run));
}

/** Rules that match a name and its value (aws, npm) report the value's length at the name's offset, so the value is searched from there. */
function located(text: string, kind: SecretKind, { message, range }: Report): Secret {
  const value = Object.values(message).find((each) => each.length === range[1] - range[0]) ?? "";
  const start = Math.max(range[0], text.indexOf(value, range[0]));
  return { kind: value.startsWith("https://hooks.slack") ? "slack_webhook" : kind, start, end: start + range[1] - range[0] };
}

function isIssued(kind: SecretKind, value: string): boolean {
  if (kind === "aws_secret_key") return isRandom(value);
  return value.length >= MIN_LENGTH && !isPlaceholder(value) && entropy(value) >= MIN_ENTROPY;
}
