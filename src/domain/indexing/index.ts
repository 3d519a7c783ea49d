export {
  type CheckResult,
  checkRows,
  checkVectors,
  checkWords,
  type IndexFinding,
  type IndexRepair,
  type Step,
} from "./check.ts";
export { indexRows, removeVectors } from "./embed.ts";
export { type Indexable, type IndexedRow, passageIn, vectorIdOf, vectorRefs } from "./indexable.ts";
export { reembed } from "./reembed.ts";
export { prepareIndexRepairs, type Repairs } from "./repair.ts";
export {
  ALL_ROWS,
  FIRST_PLACE,
  type Path,
  Place,
  type Places,
  placeOf,
  placesCte,
  readCursor,
  takeHits,
  toCursor,
  type Walked,
  walk,
} from "./walk.ts";
