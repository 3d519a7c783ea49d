import { GERMAN } from "./de/index.ts";
import { ENGLISH } from "./en/index.ts";
import { SPANISH } from "./es/index.ts";
import { FRENCH } from "./fr/index.ts";
import type { LanguagePack } from "./pack.ts";
import { CHINESE } from "./zh/index.ts";

/** The languages that are read. Where two give a word another meaning, the first counts. */
export const PACKS: readonly LanguagePack[] = [ENGLISH, GERMAN, SPANISH, FRENCH, CHINESE];
