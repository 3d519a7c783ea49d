import { randomOf } from "#scripts/random-of";

/**
 * A vendor's key as its documentation and the public rule sets (gitleaks, secretlint, GitHub's supported patterns) describe it: a form in
 * which `{h32}` stands for 32 random characters of a class. Classes: `h` hexadecimal, `l` lower-case letters and digits, `u` capitals and
 * digits, `a` letters and digits, `z` letters, `w` letters, digits, `_` and `-`, `b` base64, `3` base32, `d` digits, `i` a UUID.
 */
export type KeyForm = readonly [name: string, form: string];

export const KEY_FORMS: readonly KeyForm[] = [
  ["OpenAI project", "sk-proj-{w74}T3BlbkFJ{w74}"],
  ["OpenAI service account", "sk-svcacct-{w58}T3BlbkFJ{w58}"],
  ["OpenAI user", "sk-{a20}T3BlbkFJ{a20}"],
  ["Anthropic", "sk-ant-api03-{w93}AA"],
  ["Anthropic admin", "sk-ant-admin01-{w93}AA"],
  ["DeepSeek, DashScope", "sk-{h32}"],
  ["Moonshot", "sk-{a48}"],
  ["LiteLLM", "sk-{w22}"],
  ["Langfuse", "sk-lf-{i}"],
  ["OpenRouter", "sk-or-v1-{h64}"],
  ["Hugging Face", "hf_{z34}"],
  ["Mem0", "m0-{a40}"],
  ["Groq", "gsk_{a52}"],
  ["xAI", "xai-{a80}"],
  ["Perplexity", "pplx-{a48}"],
  ["Replicate", "r8_{a37}"],
  ["ElevenLabs", "sk_{h48}"],
  ["LangSmith", "lsv2_pt_{h32}_{h10}"],
  ["Pinecone", "pcsk_{a6}_{a63}"],
  ["Tavily", "tvly-dev-{a32}"],
  ["Together", "tgp_v1_{w43}"],
  ["Fireworks", "fw_{a24}"],
  ["NVIDIA", "nvapi-{w64}"],
  ["Voyage", "pa-{w43}"],
  ["Jina", "jina_{h32}{w28}"],
  ["Cerebras", "csk-{l48}"],
  ["Firecrawl", "fc-{h32}"],
  ["E2B", "e2b_{h40}"],
  ["Google API", "AIza{w35}"],
  ["Google OAuth client", "GOCSPX-{w28}"],
  ["Google OAuth access", "ya29.{w120}"],
  ["AWS access key", "AKIA{316}"],
  ["Azure AD client secret", "{a3}8Q~{w34}"],
  ["Azure storage", "AccountKey={b86}=="],
  ["Alibaba Cloud", "LTAI{a20}"],
  ["Tencent Cloud", "AKID{a32}"],
  ["DigitalOcean", "dop_v1_{h64}"],
  ["Heroku", "HRKU-AA{w58}"],
  ["Fly.io", "fo1_{w43}"],
  ["Netlify", "nfp_{a36}"],
  ["Cloudflare origin CA", "v1.0-{h24}-{h146}"],
  ["GitHub personal", "ghp_{a36}"],
  ["GitHub fine-grained", "github_pat_{a22}_{a59}"],
  ["GitHub app", "ghs_{a36}"],
  ["GitLab personal", "glpat-{w20}"],
  ["GitLab runner", "glrt-{w20}"],
  ["Bitbucket, Atlassian", "ATATT3{w186}"],
  ["npm", "npm_{a36}"],
  ["PyPI", "pypi-AgEIcHlwaS5vcmc{w60}"],
  ["RubyGems", "rubygems_{h48}"],
  ["Docker Hub", "dckr_pat_{w27}"],
  ["Clojars", "CLOJARS_{l60}"],
  ["JFrog Artifactory", "AKCp{a69}"],
  ["Buildkite", "bkua_{h40}"],
  ["CircleCI", "CCIPAT_{a22}_{h40}"],
  ["SonarQube", "squ_{h40}"],
  ["Pulumi", "pul-{h40}"],
  ["HashiCorp Vault", "hvs.{w95}"],
  ["Terraform Cloud", "{a14}.atlasv1.{w67}"],
  ["Databricks", "dapi{h32}"],
  ["Supabase", "sbp_{h40}"],
  ["Neon", "napi_{l64}"],
  ["PlanetScale", "pscale_tkn_{w43}"],
  ["Stripe live", "sk_live_{a99}"],
  ["Stripe restricted", "rk_live_{a24}"],
  ["Stripe webhook", "whsec_{a32}"],
  ["Clerk", "sk_test_{a42}"],
  ["Square", "sq0atp-{w22}"],
  ["Shopify", "shpat_{h32}"],
  ["Flutterwave", "FLWSECK_TEST-{h32}-X"],
  ["Plaid", "access-sandbox-{i}"],
  ["Slack bot", "xoxb-{d12}-{d13}-{a24}"],
  ["Slack app", "xapp-1-A{u10}-{d13}-{h64}"],
  ["Telegram", "{d10}:AA{w33}"],
  ["Discord", "MT{a24}.G{a5}.{w38}"],
  ["Twilio", "SK{h32}"],
  ["SendGrid", "SG.{w22}.{w43}"],
  ["Mailgun", "key-{h32}"],
  ["Mailchimp", "{h32}-us12"],
  ["Brevo", "xkeysib-{h64}-{a16}"],
  ["Resend", "re_{a8}_{a24}"],
  ["HubSpot", "pat-na1-{i}"],
  ["Facebook", "EAAC{a120}"],
  ["Dropbox", "sl.{w135}"],
  ["Notion", "ntn_{d11}{a35}"],
  ["Linear", "lin_api_{a40}"],
  ["Airtable", "pat{a14}.{h64}"],
  ["Figma", "figd_{w40}"],
  ["Postman", "PMAK-{h24}-{h34}"],
  ["Contentful", "CFPAT-{w43}"],
  ["Adobe", "p8e-{l32}"],
  ["New Relic", "NRAK-{u27}"],
  ["Grafana", "glsa_{a32}_{h8}"],
  ["Sentry", "sntryu_{h64}"],
  ["PostHog", "phx_{a43}"],
  ["LaunchDarkly", "sdk-{i}"],
  ["Dynatrace", "dt0c01.{u24}.{u64}"],
  ["Doppler", "dp.pt.{a43}"],
  ["1Password", "ops_eyJ{b260}"],
  ["Tailscale", "tskey-auth-{a17}CNTRL-{a32}"],
  ["Mapbox", "sk.eyJ{a80}.{w22}"],
  ["age", "AGE-SECRET-KEY-1{Q58}"],
  ["Brave Search", "BSA{a28}"],
  ["Canva", "cnvca{w51}"],
  ["ClickHouse Cloud", "4b1d{a38}"],
  ["NuGet", "oy2{l43}"],
  ["crates.io", "cio{a32}"],
  ["OpenShift", "sha256~{w43}"],
  ["Apify", "apify_api_{a36}"],
  ["Inngest", "signkey-prod-{h64}"],
  ["TOTP address", "otpauth://totp/Acme:bob@acme.test?secret={332}&issuer=Acme"],
];

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const CLASSES: Readonly<Record<string, string>> = {
  h: `${DIGITS}abcdef`,
  l: LOWER + DIGITS,
  u: LOWER.toUpperCase() + DIGITS,
  a: LOWER + LOWER.toUpperCase() + DIGITS,
  z: LOWER + LOWER.toUpperCase(),
  w: `${LOWER}${LOWER.toUpperCase()}${DIGITS}_-`,
  b: `${LOWER}${LOWER.toUpperCase()}${DIGITS}+/`,
  "3": `${LOWER.toUpperCase()}234567`,
  d: DIGITS,
  Q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
};

/** Made-up keys of a form, always the same ones; each begins and ends with a letter or digit where the class allows others. */
export function keysOf(form: string, count: number): string[] {
  const random = randomOf(7);
  const pick = (from: string) => from[Math.floor(random() * from.length)] ?? "";
  const run = (name: string, length: number) => {
    const from = CLASSES[name] ?? "";
    const ends = from.replace(/[^A-Za-z0-9]/g, "");
    return Array.from({ length }, (_, at) => pick(at === 0 || at === length - 1 ? ends : from)).join("");
  };
  return Array.from({ length: count }, () =>
    form
      .replaceAll("{i}", () => [8, 4, 4, 4, 12].map((length) => run("h", length)).join("-"))
      .replace(/\{(\w)(\d+)\}/g, (_, name: string, length: string) => run(name, Number(length))),
  );
}

/** Where keys stand in talk and in code. */
export const keyFrames: Readonly<Record<string, (key: string) => string>> = {
  "in a sentence": (key) => `use this one: ${key} thanks`,
  "at its end": (key) => `I tried ${key}. It says that it is invalid`,
  "behind key:": (key) => `key: ${key}`,
  "in code": (key) => `const client = createClient("${key}");`,
  "in a setting": (key) => `export SERVICE=${key}`,
};
