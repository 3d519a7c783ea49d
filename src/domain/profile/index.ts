export { chooseProfile, type ProfileEntry, SECTIONS, type Section } from "./choose-profile.ts";
export { findProfile } from "./find-profile.ts";
