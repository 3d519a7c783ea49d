import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { KEY_PATTERNS } from "./key-shapes.ts";
import { entropy, isPlaceholder } from "./plausible.ts";
import type { Secret, SecretKind } from "./secret.ts";

type Report = { message: Readonly<Record<string, string>>; range: readonly [number, number] };
type Source = { content: string; contentType: "text"; filePath: string; ext: string };
type Context = { report(found: Report): void; createTranslator(): (id: string, values: Report["message"]) => Report["message"] };
type Rule = { meta: { id: string }; create(context: Context, options: object): { file?(source: Source): unknown } };

const PREFIX = "@secretlint/secretlint-rule-";

/**
 * Left out: filter-comments, by which a text could switch the others off; gcp, which reads files; and two whose
 * finding is a whole address where only its password is secret (connection-strings.ts).
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["filter-comments", "gcp", "basicauth", "database-connection-string"]);

/** Kinds of the rules that have a kind of their own; the others find an `api_key`. */
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

/** Below it are names such as `xoxb-bot-token`; no vendor issues a key so short. */
const MIN_LENGTH = 20;
const MIN_ENTROPY = 2.5;

/** Keys whose vendor gave them a shape: the rules of secretlint's recommended preset, called without its runner, then KEY_PATTERNS. */
export function findVendorKeys(text: string): Secret[] {
  if (text.length < MIN_LENGTH) return [];
  const found: Secret[] = [];
  const source: Source = { content: text, contentType: "text", filePath: "message.txt", ext: ".txt" };
  for (const { rule, kind } of RULES) {
    const report = (reported: Report) => found.push(located(text, kind, reported));
    rule.create({ report, createTranslator: () => (_id, values) => values }, {}).file?.(source);
  }
  for (const { kind, pattern } of KEY_PATTERNS) {
    for (const match of text.matchAll(pattern)) found.push({ kind, start: match.index, end: match.index + match[0].length });
  }
  return found.filter(({ kind, start, end }) => kind === "private_key" || isIssued(text.slice(start, end)));
}

/** A rule that matches a name and its value (aws, npm) reports the value's length at the name's offset, so its value is looked for from there. */
function located(text: string, kind: SecretKind, { message, range }: Report): Secret {
  const value = Object.values(message).find((each) => each.length === range[1] - range[0]) ?? "";
  const start = Math.max(range[0], text.indexOf(value, range[0]));
  return { kind: value.startsWith("https://hooks.slack") ? "slack_webhook" : kind, start, end: start + range[1] - range[0] };
}

function isIssued(value: string): boolean {
  return value.length >= MIN_LENGTH && !isPlaceholder(value) && entropy(value) >= MIN_ENTROPY;
}
