import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLEAN_KNOWN, CLEAN_LATER, labelled, SECRETS_KNOWN, SECRETS_LATER } from "#corpora/secrets";
import { repeated } from "#test/hostile-inputs";
import { growthOf, MAX_LINEAR_GROWTH } from "#test/text-work";
import { findSecrets, redactSecrets, SECRET_KINDS, type Secret, type SecretKind } from "./find-secrets.ts";

const MARKER = /\[redacted:([a-z_]+)\]/g;

/** A quotation mark or a full stop taken with the secret does no harm; more would be another finding. */
const MAX_EXCESS = 2;

type Tally = { labelled: number; hit: number; found: number; right: number };

const SOURCES = { known: [...SECRETS_KNOWN, ...CLEAN_KNOWN], later: [...SECRETS_LATER, ...CLEAN_LATER] };

function tally(marked: readonly string[]): Map<SecretKind | "all", Tally> {
  const tallies = new Map<SecretKind | "all", Tally>();
  const add = (kind: SecretKind, change: Partial<Tally>) => {
    for (const key of ["all", kind] as const) {
      const now = tallies.get(key) ?? { labelled: 0, hit: 0, found: 0, right: 0 };
      for (const [name, by] of Object.entries(change)) now[name as keyof Tally] += by;
      tallies.set(key, now);
    }
  };
  for (const { text, secrets } of marked.map(labelled)) {
    const found = findSecrets(text);
    const matches = (secret: (typeof secrets)[number], { kind, start, end }: Secret) =>
      kind === secret.kind &&
      start <= secret.start &&
      end >= secret.start + secret.value.length &&
      end - start <= secret.value.length + MAX_EXCESS;
    for (const secret of secrets) add(secret.kind, { labelled: 1, hit: found.some((each) => matches(secret, each)) ? 1 : 0 });
    for (const each of found) add(each.kind, { found: 1, right: secrets.some((secret) => matches(secret, each)) ? 1 : 0 });
  }
  return tallies;
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? "   –" : (part / whole).toFixed(3);
}

function table(tallies: ReadonlyMap<string, Tally>): string {
  return [...tallies]
    .map(
      ([kind, { labelled: of, hit, found, right }]) =>
        `${kind.padEnd(20)} ${String(of).padStart(4)}  recall ${ratio(hit, of)}  precision ${ratio(right, found)}`,
    )
    .join("\n");
}

describe("findSecrets on the corpus", () => {
  it("is large and varied enough to say something", () => {
    const secrets = [...SECRETS_KNOWN, ...SECRETS_LATER].map(labelled);
    const clean = [...CLEAN_KNOWN, ...CLEAN_LATER].map(labelled);
    expect(secrets.length).toBeGreaterThanOrEqual(150);
    expect(secrets.every((each) => each.secrets.length > 0)).toBe(true);
    expect(clean.length).toBeGreaterThanOrEqual(300);
    expect(clean.every((each) => each.secrets.length === 0)).toBe(true);
    expect(new Set(secrets.flatMap((each) => each.secrets.map(({ kind }) => kind))).size).toBeGreaterThanOrEqual(15);
  });

  it.each([
    ["known", 0.99, 0.99],
    ["later", 0.98, 0.995],
  ] as const)("%s: recall %d and precision %d at least", (source, recall, precision) => {
    const tallies = tally(SOURCES[source]);
    // biome-ignore lint/suspicious/noConsole: what was reached, by kind, is what a reader of this test wants to know.
    console.log(`secrets, ${source}\n${table(tallies)}`);
    const all = tallies.get("all") ?? { labelled: 0, hit: 0, found: 0, right: 0 };
    expect(all.hit / all.labelled).toBeGreaterThanOrEqual(recall);
    expect(all.right / all.found).toBeGreaterThanOrEqual(precision);
  });
});

describe("findSecrets", () => {
  it("takes the password out of a sentence and leaves the sentence", () => {
    expect(redactSecrets("my password is hunter2, and the cat is called Tom")).toEqual({
      text: "my password is [redacted:password], and the cat is called Tom",
      kinds: ["password"],
    });
  });

  it("names each kind once, in the order of the text", () => {
    const { kinds } = redactSecrets("pin: 4821, pw: Xk4$ffT0p, pw: Zz9!kkq1");
    expect(kinds).toEqual(["pin", "password"]);
  });

  it("cannot be switched off by the linter's own comment", () => {
    const key = `AKIA${"QRSTUVWX"}${"YZ234567"}`;
    expect(findSecrets(`// secretlint-disable\n${key}`)).toHaveLength(1);
  });

  it("covers all of a secret whose rule reports it by the offset of its name", () => {
    const secret = "ULh2GNqTmSH4BbyOA0HNkIn3OIOnHn2INL2io6VO";
    expect(redactSecrets(`aws_secret_access_key = ${secret}`).text).toBe("aws_secret_access_key = [redacted:aws_secret_key]");
  });

  it("accepts a card number and refuses a number that fails the check", () => {
    expect(findSecrets("4539 1488 0343 6467").map(({ kind }) => kind)).toEqual(["card_number"]);
    expect(findSecrets("4539 1488 0343 6468")).toEqual([]);
  });

  it("takes the expiry date and the code after a card's number for what they are", () => {
    expect(redactSecrets("4539 1488 0343 6467, 08/29, 318").text).toBe(
      "[redacted:card_number], 08/29, [redacted:card_security_code]",
    );
  });

  it("covers the whole of two finds that overlap, and names the surer kind", () => {
    expect(redactSecrets("https://bob:AKIAQRSTUVWXYZ234567!more@acme.test").text).toBe(
      "https://bob:[redacted:aws_access_key]@acme.test",
    );
  });

  it("redacts what only a redaction beside it shows to be a secret", () => {
    expect(redactSecrets("my password is sunshine AKIAQRSTUVWXYZ234567").text).toBe(
      "my password is [redacted:password] [redacted:aws_access_key]",
    );
  });

  it("leaves the sentence after a recovery phrase", () => {
    const phrase = "ocean velvet drum ladder fossil gentle marble orbit puzzle rocket saddle timber";
    expect(redactSecrets(`my seed phrase is ${phrase} keep it safe`).text).toBe(
      "my seed phrase is [redacted:seed_phrase] keep it safe",
    );
  });

  it.each([
    "my seed phrase: when are you and your sister going home for the long summer holidays this year",
    "the PIN code is 560001, that is Bengaluru",
    "API key: my_service_key_v2_prod_2024",
    "token 0x52908400098527886e0f7030069857d2e4169ee7",
    "secret: sha256-52908400098527886e0f7030069857d2e4169ee7",
  ])("finds nothing in %j", (input) => {
    expect(findSecrets(input)).toEqual([]);
  });

  it("covers a private key that was cut off", () => {
    const line = "MHcCAQEEIF9vH7Lm2QpR8tWxYzAbCdEfGhIjKlMnOpQrStUvWxYz0123456789AB";
    const { text } = redactSecrets(`-----BEGIN EC PRIVATE KEY-----\n${line}\n${line}\nis that ok?`);
    expect(text).toBe("[redacted:private_key]\nis that ok?");
  });

  it("never takes a marker for a secret, whatever comes before it", () => {
    for (const kind of SECRET_KINDS) {
      const text = `my password is [redacted:${kind}], api key: [redacted:${kind}] pin: [redacted:${kind}]`;
      expect(findSecrets(text)).toEqual([]);
    }
  });

  it("finds secrets on either side of a marker", () => {
    expect(redactSecrets("pw: hunter2[redacted:jwt] pw: Xk4$ffT0p").text).toBe(
      "pw: [redacted:password][redacted:jwt] pw: [redacted:password]",
    );
  });
});

const PIECES = [
  ..."aZ09 :=@/.,-_!\n\t\"'`()[]{}<>$%&|\\密é".split(""),
  "password",
  "my password is ",
  "pw: ",
  "пароль: ",
  "密码是",
  "パスワードは",
  "hunter2",
  "api key = ",
  "token ",
  "Bearer ",
  "https://a:b1c2d3@host",
  "4539 1488 0343 6467",
  "-----BEGIN PRIVATE KEY-----",
  "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJlc2ln",
  "[redacted:password]",
  "[redacted:",
  "\ud83d",
  "\ude00",
  "to ",
  "is my password",
  "AKIAQRSTUVWXYZ234567",
  "0123456789abcdef0123456789ABCDEF",
  "seed phrase: ",
];
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join("")),
  fc
    .array(fc.constantFrom(...[...SECRETS_KNOWN, ...CLEAN_LATER].map((marked) => labelled(marked).text)), { maxLength: 3 })
    .map((texts) => texts.join(" ")),
);

describe("laws", () => {
  it("finds in order, without overlaps, within the text", () => {
    fc.assert(
      fc.property(text, (input) => {
        let from = 0;
        for (const { kind, start, end } of findSecrets(input)) {
          expect(SECRET_KINDS).toContain(kind);
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          from = end;
        }
        expect(from).toBeLessThanOrEqual(input.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("redacts all there is, so that redacting twice changes nothing", () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = redactSecrets(input);
        expect(findSecrets(once.text)).toEqual([]);
        expect(redactSecrets(once.text)).toEqual({ text: once.text, kinds: [] });
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves a text without secrets as it is, and no other", () => {
    fc.assert(
      fc.property(text, (input) => {
        const { text: redacted, kinds } = redactSecrets(input);
        expect(redacted === input).toBe(findSecrets(input).length === 0);
        expect(kinds.every((kind) => [...redacted.matchAll(MARKER)].some(([, named]) => named === kind))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

const HOSTILE = [
  ..."a 04-.:/@_=\"'`([\n\\密\ud800".split(""),
  "4 ",
  "4111 ",
  "eyJ",
  "eyJaaaaaaaa.",
  "eyJaaaaaaaa.eyJaaaaaaaa.",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIabc ",
  "https://a:b",
  "a:",
  "a@a.aa",
  "a@a.aa:b1 ",
  "bearer ",
  "basic dTpw ",
  "password",
  "password ",
  "password: ",
  'passwd="',
  "password a a a ",
  "password for a a a ",
  "my password is aaaaaaaaaa ",
  "x is my password ",
  "as my a ",
  "密码是",
  "пароль ",
  "token ",
  "secret=",
  "api_key=abcdef0123456789 ",
  "private key ",
  "seed phrase is ",
  "seed: abc ",
  "abc ",
  "1. abc ",
  "creds a / ",
  "docker login ",
  "curl a -u a:",
  "WIFI:S:",
  "cvv ",
  "pin ",
  "AKIA",
  "AKIAABCDEFGHIJKLMNOP ",
  "ghs_1_a.",
  "xoxb-1-a-",
  "SG.aaaaaaaaaaaaaaaaaaaaaa.",
  "https://hooks.slack.com/services/Ta/Ba/",
  "aws_secret_access_key = ",
  "k=v;",
  "sk-",
  "a_api_a_",
  "key-a1b2-",
  "JBSW ",
  "2fa JBSWY3DPEHPK3PXP ",
  "otpauth://totp/a?secret=",
  "login a pass ",
  "key: ",
  "[redacted:password]",
  "password: [redacted:password] ",
];

describe("hostile texts", () => {
  it.each(HOSTILE.map((unit) => [unit]))("64 KB of %j take work in proportion, and nothing is left to find", (unit) => {
    let redacted = "";
    const redact = (text: string) => {
      redacted = redactSecrets(text).text;
    };
    expect(growthOf(redact, repeated(unit))).toBeLessThanOrEqual(MAX_LINEAR_GROWTH);
    expect(findSecrets(redacted)).toEqual([]);
  });
});
