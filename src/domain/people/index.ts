export { changeAlias } from "./change-alias.ts";
export { changePerson } from "./change-person.ts";
export { createPerson } from "./create-person.ts";
export { getOwnPerson, getPerson } from "./find-person.ts";
export { findMade, findPersonsOnlyIn, forgetNames, putBackName } from "./forget-names.ts";
export { listPeople } from "./list-people.ts";
export { mergePeople } from "./merge-people.ts";
export {
  MergeInput,
  MergeView,
  PersonChange,
  PersonInput,
  PersonListInput,
  PersonName,
  PersonView,
  UndoInput,
} from "./schemas.ts";
export { undoMerge } from "./undo-merge.ts";
export type { PersonRow } from "./view.ts";
