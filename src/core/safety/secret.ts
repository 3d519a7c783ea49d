/** Stable names: they appear in answers, markers and audit rows. */
export const SECRET_KINDS = [
  "password",
  "pin",
  "private_key",
  "seed_phrase",
  "totp_secret",
  "card_number",
  "card_security_code",
  "connection_string",
  "basic_auth",
  "bearer_token",
  "jwt",
  "api_key",
  "aws_access_key",
  "aws_secret_key",
  "github_token",
  "gitlab_token",
  "slack_token",
  "slack_webhook",
  "google_api_key",
  "google_oauth_secret",
  "stripe_key",
  "openai_key",
  "anthropic_key",
  "huggingface_token",
  "npm_token",
  "pypi_token",
  "sendgrid_key",
  "telegram_token",
  "discord_token",
  "twilio_key",
  "digitalocean_token",
  "shopify_token",
  "cloudflare_token",
] as const;

export type SecretKind = (typeof SECRET_KINDS)[number];

/** `start` and `end` (exclusive) are UTF-16 offsets. */
export type Secret = { kind: SecretKind; start: number; end: number };
