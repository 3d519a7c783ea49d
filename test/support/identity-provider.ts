import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from "jose";
import { inject } from "vitest";
import type { Published } from "./serve-keys.ts";

export type Provider = {
  issuer: string;
  jwksUrl: string;
  /** The public key of the one that signs, as PEM. */
  publicKey: string;
  publicKeys: JWK[];
  /** Signs claims; `iss`, `iat` and `exp` are the provider's own unless they are named. */
  sign: (claims: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>;
  publish: (what: Published) => Promise<void>;
  /** How often its keys were loaded. */
  loads: () => Promise<number>;
};

type Options = { algorithm?: "RS256" | "ES256" | "EdDSA"; name?: string; kid?: string };

/** An identity provider of this test's own, whose keys are served on this machine. */
export async function identityProvider({
  algorithm = "RS256",
  name = crypto.randomUUID(),
  kid = "k1",
}: Options = {}): Promise<Provider> {
  const pair = await generateKeyPair(algorithm, { extractable: true });
  const base = `${inject("keysOrigin")}/${name}`;
  const jwksUrl = `${base}/jwks.json`;
  const publicKeys = [{ ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: "sig" }];
  const publish = async (what: Published) => {
    await (await fetch(jwksUrl, { method: "PUT", body: JSON.stringify(what) })).text();
  };
  await publish({ body: JSON.stringify({ keys: publicKeys }) });
  return {
    issuer: `${base}/`,
    jwksUrl,
    publicKey: await exportSPKI(pair.publicKey),
    publicKeys,
    publish,
    loads: async () => Number(await (await fetch(`${jwksUrl}/count`)).text()),
    sign: async (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      return await new SignJWT({ iss: `${base}/`, iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: algorithm, kid, ...header })
        .sign(pair.privateKey);
    },
  };
}
