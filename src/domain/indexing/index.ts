export {
  type CheckResult,
  checkRows,
  checkWords,
  type IndexRepair,
  type Step,
} from "./check.ts";
export { checkVectors } from "./check-vectors.ts";
export { indexRows, removableVectors, removeVectors } from "./embed.ts";
export { prepareMissing } from "./index-missing.ts";
export { findingsOf, type Indexable, type IndexedRow, owns, passageIn, rowsPath, vectorIdOf, vectorRefs } from "./indexable.ts";
export { rebuildSections } from "./rebuild.ts";
export { reembed } from "./reembed.ts";
export { prepareIndexRepairs, type Repairs } from "./repair.ts";
export {
  ALL_ROWS,
  FIRST_PLACE,
  Place,
  type Places,
  placeOf,
  placesCte,
  readCursor,
  takeHits,
  toCursor,
  walk,
} from "./walk.ts";
