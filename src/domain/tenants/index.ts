export {
  actingUser,
  authenticate,
  boundUserOf,
  ensureUsers,
  isUser,
  type NamedUser,
  refuseOtherUsers,
  type UserRef,
  userIdOf,
  userNotNamed,
} from "./authenticate.ts";
export { bootstrapTenant } from "./bootstrap.ts";
export { issueKey } from "./issue-key.ts";
export { listKeys } from "./list-keys.ts";
export { revokeKey } from "./revoke-key.ts";
export { getUser, saveUser } from "./save-user.ts";
export { KeyInput, KeyView, NewKeyView, UserInput, UserView } from "./schemas.ts";
