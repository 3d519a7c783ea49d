import {
  createToken,
  RevokedTokensView,
  RevokeTokensInput,
  RotatedView,
  revokeTokens,
  rotateTokenSecret,
  TokenInput,
  TokenView,
} from "#domain/tenants";
import { answers, body } from "#surfaces/rest/answers";
import { REVOKE_TOKENS, REVOKED_TOKENS, ROTATED, TOKEN, TOKEN_INPUT } from "#surfaces/rest/examples/operations";
import { routesOf } from "#surfaces/rest/route";
import { createRouter } from "#surfaces/rest/router";

const route = routesOf({ tag: "tokens", answersContent: false });

export const tokenRoutes = createRouter()
  .openapi(
    route({
      method: "post",
      path: "/v1/tokens",
      operationId: "tokens.create",
      summary: "Make a user token",
      description:
        "A token for one user, which a page may hold. It may do no more than the key that makes it, and nothing that needs `admin`. It is in this answer and nowhere else.",
      // Not `admin`, which a server that only makes tokens should not have; not `read`, because a token is given to others.
      permission: "write",
      session: "nowhere",
      keysOnly: true,
      // A token is not stored, so a repeat makes another one.
      readOnly: true,
      request: body(TokenInput, TOKEN_INPUT),
      responses: answers(201, TokenView, { description: "The token", example: TOKEN }),
    }),
    async (c) => c.json(await createToken(c.var.ctx, c.req.valid("json")), 201),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/tokens/rotate",
      operationId: "tokens.rotate",
      summary: "Replace the secret of user tokens",
      description:
        "New tokens are signed with a new secret. The one before is accepted for an hour more, and one before that is dropped.",
      permission: "admin",
      session: "nowhere",
      replay: RotatedView,
      responses: answers(200, RotatedView, { description: "Until when earlier tokens are accepted", example: ROTATED }),
    }),
    async (c) => c.json(await rotateTokenSecret(c.var.ctx), 200),
  )
  .openapi(
    route({
      method: "post",
      path: "/v1/tokens/revoke",
      operationId: "tokens.revoke",
      summary: "Revoke user tokens",
      description:
        "Refuses the tokens of a user that were issued until now, everywhere within seconds, an identity provider's too. With `everybody`, those of all users, for which the permission `admin` is needed.",
      permission: "write",
      session: "nowhere",
      keysOnly: true,
      replay: RevokedTokensView,
      request: body(RevokeTokensInput, REVOKE_TOKENS),
      responses: answers(200, RevokedTokensView, { description: "What is refused from now on", example: REVOKED_TOKENS }),
    }),
    async (c) => c.json(await revokeTokens(c.var.ctx, c.req.valid("json")), 200),
  );
