export { changeEntity } from "./change-entity.ts";
export { getEntity } from "./find-entity.ts";
export { forgetEntity } from "./forget-entity.ts";
export { ENTITIES } from "./index-entities.ts";
export { listEntities } from "./list-entities.ts";
export { listMentions } from "./list-mentions.ts";
export { type MentionCounts, recordMentions } from "./record-mentions.ts";
export { retagEntities, retagEntity } from "./retag-entities.ts";
export { saveEntity } from "./save-entity.ts";
export {
  EntityChange,
  EntityInput,
  EntityListInput,
  EntityPlaceInput,
  EntitySearchInput,
  EntitySearchView,
  EntityView,
  MentionListInput,
  MentionView,
  RetaggedManyView,
  RetaggedView,
  RetagManyInput,
  RetagOneInput,
  SavedEntityView,
  WriterInput,
} from "./schemas.ts";
export { findEntities, searchEntities } from "./search-entities.ts";
