import type { Settings } from "#context";
import type { SettingsView } from "./schemas.ts";
import { showUpstream } from "./upstream.ts";

export function toSettings(settings: Settings): SettingsView {
  return { ...settings, upstream: showUpstream(settings.upstream) };
}
