import { describe, expect, it } from "vitest";
import { KEY_FORMS, keyFrames, keysOf } from "#corpora/key-forms";
import { findSecrets, redactSecrets } from "./find-secrets.ts";

/** Lines of guides and docstrings of packages by others, and what people say of code. */
const CODE_TALK = [
  "You can pass `debug=True` to run.",
  "In this repo always pass `strict=True` to zip",
  "the next request. For simple continuation, you can pass `previous_response_id` instead.",
  "`ToolLoopAgent` delegates to `streamText`, and both always pass `experimental_context` when invoking the callback",
  "callers pass `timeout: 0` or a budget that fits the upload per request",
  "Alternatively you can pass a `request` method as first argument. This is great when using it in combination",
  "fix(openai): pass service_tier to API when using Responses API",
  "Pass type_comments=True to get back type comments where the syntax allows.",
  "large files, pass force_zip64 to use the ZIP64 format, which can handle large",
  "or pass capture_output=True to capture both.",
  "In addition you can pass `spec=True` or `spec_set=True`, which causes",
  "To prevent any command-line parsing, pass an empty list: `argv=[]`.",
  "    Pass the result to :meth:`Marker.evaluate_prepared` to reuse it across",
  "Columns hug their content, so pass `flex-1` to the first one",
  " *   Pass `app?.getHostContext()` to apply styles immediately on mount.",
  "you must pass: `--no-cache2`",
  "the first pass is O(n2), the second pass is `linear_scan`",
  "username, password = self.find_user_password(realm, host)",
  "            self.username, self.password = credentials",
  "                 credentials=None, secure=None, timeout=5.0):",
  "        password: URLPatternComponentResult;",
  "        password: BinaryLike,",
  "    clientCredentials: import('typebox').TOptional<import('typebox').TIntersect<[import('typebox')]>>",
  "OAuth2Implicit | SecuritySchemeOauth2Password | SecuritySchemeOauth2Application;",
  'password = f"{registry_id}-auth-token"',
  "run pwd and then `--depth=2`",
  "set the key `retry.max_attempts=5` and leave the token alone",
  '"ARN": "arn:aws:secretsmanager:us-west-2:123456789012:secret:MyTestSecret-a1b2c3",',
  '"LockToken":"7b3bcec2-374e-4c5a-b2b9-563bf47249f0",',
  "[`gfmFootnoteFromMarkdown`][api-gfmfootnotefrommarkdown] and",
  '"KeyPairId": "key-03c8d3aceb53b507"',
  "Release GPG key: DD8F2338BAE7501E3DD5AC78C273792F7D83545D",
  "secret_access_key: SandboxesSandboxAwsMountStaticAuthConfig.SecretAccessKey;",
  "the session key_01890a5d-ac96-774b-bcce-b302099a8057 was revoked",
];

/** Names that clusters, releases, trackers and version control give, whose first letters begin keys too. */
const GIVEN_NAMES = [
  "The pod sdk-7d9f8b6c5d-x2k4q crashed",
  "the pod sk-7d9f8b6c5d-x2k4q crashed",
  "restart mob-6b8f9c7d5f-abcd1 and jina-web-6b8f9c7d5f-abcd1",
  "the pod figd_web-6b8f9c7d5f-abcd1 is gone",
  "release ops_2024_11_28_build_0042a is out",
  "release secret_2024_11_28_build_0042a1b is out",
  "ico-2024-11-28-launch-notes1",
  "order re_9f8a7b6c5d4e3f2a1b0c is late",
  "the refund is re_3MmlLrLkdIwHu7ix0snN0B15",
  "ticket fc-9f8a7b6c5d4e3f2a1b0c",
  "branch fw_9f8a7b6c5d4e3f2a1b0c9d8e is merged",
  "branch fw_9f8a7b6c5d4e3f2a1b0c",
  "session id pa-9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8",
  "session id pa-9f8a7b6c5d4e3f2a1b0c",
  "the commit 4b1d9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e broke it",
  "the digest 4b1d9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f",
  "tracking number cio9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c",
  "e2b_9f8a7b6c5d4e3f2a1b0c and pul-2024-11-28-r0042a17",
];

describe("a name that a machine gives", () => {
  it.each(GIVEN_NAMES)("is no key: %s", (text) => {
    expect(redactSecrets(text)).toEqual({ text, kinds: [] });
  });
});

describe("words and code that only stand near a name of a secret", () => {
  it.each(CODE_TALK)("%s", (text) => {
    expect(redactSecrets(text)).toEqual({ text, kinds: [] });
  });
});

describe("a key in the form that its vendor documents", () => {
  /** Of a hundred made-up keys, one may look like words or a placeholder. */
  const KEYS = 25;
  const MOST_LOST = 2;
  it.each(KEY_FORMS)("%s: %s", (_, form) => {
    for (const write of Object.values(keyFrames)) {
      const lost = keysOf(form, KEYS).filter((key) => findSecrets(write(key)).length === 0);
      expect(lost.length).toBeLessThanOrEqual(MOST_LOST);
    }
  });

  it.each([
    ["use this one: sk-13c751b2b3be6c60ca0d367e8a299310 thanks", "use this one: [redacted:api_key] thanks"],
    ["deepseek: sk-cdfb72d73cbb49580158534011e6c90b", "deepseek: [redacted:api_key]"],
    ["key: 5f2b8c1d9e7a4f60b3c2d1e0f9a8b7c6", "key: [redacted:api_key]"],
    ["my api key is re_9f8a7b6c5d4e3f2a1b0c", "my api key is [redacted:api_key]"],
    ["API key: fw_9f8a7b6c5d4e3f2a1b0c", "API key: [redacted:api_key]"],
  ])("%s", (text, redacted) => {
    expect(redactSecrets(text).text).toBe(redacted);
  });
});

describe("the seed of an authenticator app", () => {
  it.each([
    [
      "otpauth://totp/Acme:bob?secret=JBSWY3DPEHPK3PXP&issuer=Acme",
      "otpauth://totp/Acme:bob?secret=[redacted:totp_secret]&issuer=Acme",
    ],
    ["my 2FA secret is JBSWY3DPEHPK3PXP", "my 2FA secret is [redacted:totp_secret]"],
    ["TOTP seed: jbsw y3dp ehpk 3pxq", "TOTP seed: [redacted:totp_secret]"],
    ["Authenticator setup key for the bank: JBSW Y3DP EHPK 3PXP", "Authenticator setup key for the bank: [redacted:totp_secret]"],
    ["TOTP_SECRET=KRSXG5CTMVRXEZLU", "TOTP_SECRET=[redacted:totp_secret]"],
    ['{"totpSecret":"JBSWY3DPEHPK3PXP"}', '{"totpSecret":"[redacted:totp_secret]"}'],
  ])("%s", (text, redacted) => {
    expect(redactSecrets(text)).toEqual({ text: redacted, kinds: ["totp_secret"] });
  });

  it.each([
    "we use TOTP and 2FA at work",
    "the OTP code comes by SMS",
    "2FA FOR EVERYBODY IN ACCOUNTING",
    "2FA code: ABCD EFGH 2345 JKLM",
    "base32 is [A-Z2-7]",
  ])("is not in %j", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});

describe("a PIN", () => {
  it.each(["The PIN on my skis is 4821 long", "the pin is 1200 mm", "my pin is 1950 years old"])("is no measure: %s", (text) => {
    expect(findSecrets(text)).toEqual([]);
  });

  it.each(["The PIN on my card is 4821", "my PIN is 4821, longer than yours", "my pin is 4821 for the bank"])(
    "is found: %s",
    (text) => {
      expect(redactSecrets(text).kinds).toEqual(["pin"]);
    },
  );
});

describe("a password that is said with the word pass", () => {
  it.each([
    ["user: dthompson pass: mango$Tree18", "user: dthompson pass: [redacted:password]"],
    ["login bob, pass hunter2x", "login bob, pass [redacted:password]"],
    ["my pass is sunshine", "my pass is [redacted:password]"],
    ["the pass is kitteh_42", "the pass is [redacted:password]"],
    ["pass = gr8ful_dead", "pass = [redacted:password]"],
  ])("%s", (text, redacted) => {
    expect(redactSecrets(text).text).toBe(redacted);
  });
});
