export { allowsOrigin } from "./allows-origin.ts";
export { changeSettings } from "./change-settings.ts";
export { readSettings } from "./get-settings.ts";
export { SettingsChange, SettingsView } from "./schemas.ts";
