export { chooseProfile, type Limits, type ProfileEntry, SECTIONS, type Section } from "./choose-profile.ts";
export { findProfile } from "./find-profile.ts";
export { getProfile } from "./get-profile.ts";
export { ProfileInput, ProfileView } from "./schemas.ts";
