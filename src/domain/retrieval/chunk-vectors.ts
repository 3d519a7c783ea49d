import { passageIn } from "#domain/indexing";

/** The passage of a document that a vector is of, or null for another kind of vector. */
export function documentChunkOf(vectorId: string): number | null {
  return passageIn({ prefix: "chk" }, vectorId);
}
