import type { SigningAlgorithm, Verified } from "#core/user-token";

/** What a tenant's settings say of its identity provider. */
export type TrustedIssuer = {
  issuer: string;
  audience: string;
  jwksUrl: string;
  algorithms: SigningAlgorithm[];
};

/** What a verified token of a provider says. Times are Unix milliseconds. */
export type ForeignClaims = { payload: Readonly<Record<string, unknown>>; issuedAt: number; expiresAt: number };

/** Verifies tokens of tenants' identity providers with the keys that these publish. */
export interface Identity {
  /** Why keys may not be loaded from this address, in a sentence for the developer; null if they may. */
  refusal(jwksUrl: string): string | null;
  /** @throws upstream_failed if the provider's keys cannot be loaded. */
  verify(token: string, trusted: TrustedIssuer): Promise<Verified<ForeignClaims>>;
}
