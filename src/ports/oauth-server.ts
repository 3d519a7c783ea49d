/** The client of an authorization request. Whoever registered it chose every string, except the domain. */
export type OAuthClient = {
  name: string;
  /** The domain that publishes the client's metadata document; null for a client that registered itself. */
  domain: string | null;
  /** Where the authorization code is sent. */
  redirectHost: string;
  /** Whether that is a program on the user's own machine. */
  isLocal: boolean;
};

/** A consent page to show. `headers` bind its form to the browser; `handle` is the form's hidden value, valid once and for ten minutes. */
export type Consent = { client: OAuthClient; handle: string; headers: Headers };

/** `refused`: the client or its redirect address is not trusted, so that the page says why and leads nowhere. */
export type AskedConsent =
  | { kind: "consent"; consent: Consent }
  | { kind: "redirect"; location: string }
  | { kind: "refused"; reason: string };

/** Who consents: the credential that the client will act with, and its public id. */
export type Holder = { id: string; credential: string };

/** A form that came back. Its request is the one that was asked, whatever the form says; `approve` and `deny` answer where to send the browser. */
export type ReturnedConsent =
  | {
      kind: "returned";
      client: OAuthClient;
      headers: Headers;
      approve: (holder: Holder) => Promise<string>;
      deny: () => string;
      askAgain: () => Promise<Consent>;
    }
  | { kind: "refused"; reason: string };

/**
 * An OAuth 2.1 authorization server for one protected address. Its tokens stand for a credential that the user entered, which it stores
 * encrypted with a key that only the token's holder has.
 *
 * Every method throws upstream_failed if the store of grants does not answer.
 */
export interface OAuthServer {
  /** The metadata, token, revocation and registration endpoints. */
  answer(request: Request): Promise<Response>;
  /** Checks an authorization request. */
  ask(request: Request): Promise<AskedConsent>;
  /** Takes the form of a consent page, once. */
  takeBack(request: Request, handle: string): Promise<ReturnedConsent>;
  /** The credential behind an access token for the protected address; null for a token that is unknown, expired or for another address. */
  credentialOf(token: string): Promise<string | null>;
}
