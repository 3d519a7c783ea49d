export {
  actingUser,
  boundUserOf,
  ensureUsers,
  isUser,
  type NamedUser,
  refuseOtherUsers,
  type UserRef,
  userIdOf,
  userNotNamed,
} from "./acting-user.ts";
export { type Authentication, authenticate } from "./authenticate.ts";
export { bootstrapTenant } from "./bootstrap.ts";
export { createToken } from "./create-token.ts";
export { issueKey } from "./issue-key.ts";
export { listKeys } from "./list-keys.ts";
export { revokeKey } from "./revoke-key.ts";
export { revokeTokens } from "./revoke-tokens.ts";
export { rotateTokenSecret } from "./rotate-token-secret.ts";
export { getUser, saveUser } from "./save-user.ts";
export {
  KeyInput,
  KeyView,
  NewKeyView,
  RevokedTokensView,
  RevokeTokensInput,
  RotatedView,
  TokenInput,
  TokenView,
  UserInput,
  UserView,
} from "./schemas.ts";
export { type BuriedKind, type ErasedKind, findTombstones, tombstoneHash } from "./tombstones.ts";
