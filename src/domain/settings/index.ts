export { changeSettings } from "./change-settings.ts";
export { allowsOrigin, getSettings, getSettingsEvenStale, readSettings, wantsModel } from "./get-settings.ts";
export { findIdentityProvider } from "./identity-provider.ts";
export { SettingsChange, SettingsView } from "./schemas.ts";
export { openUpstream } from "./upstream.ts";
