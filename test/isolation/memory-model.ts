import type { Reach } from "#domain/visibility";
import type { Harness } from "#test/harness";
import type { Random } from "./random.ts";

export type ModelPerson = {
  id: number;
  publicId: string;
  user: ModelUser | null;
  createdBy: string;
  mergedInto: ModelPerson | null;
};
export type ModelUser = { id: number; name: string };
export type ModelProject = { id: number; name: string; owner: ModelUser; members: Set<ModelUser>; ownMemories: boolean };
/** Taking part has a from and a to. */
export type Stay = { user: ModelUser; from: number; to: number | null };
export type ModelSession = {
  id: number;
  name: string;
  kind: "private" | "group";
  owner: ModelUser;
  project: ModelProject | null;
  stays: Stay[];
};
export type ModelMemory = {
  publicId: string;
  content: string;
  type: "knowledge" | "preference" | "observation" | "identity" | "relationship" | "procedural";
  owner: ModelUser | null;
  session: ModelSession | null;
  status: "approved" | "pending" | "rejected";
  deleted: boolean;
  /** When it was forgotten last; null if it never was. */
  deletedAt: number | null;
  expiresAt: number | null;
  superseded: boolean;
  supersededBy: ModelMemory | null;
  /** What it replaces once it is approved. */
  supersedes: ModelMemory | null;
  validFrom: number;
  validTo: number | null;
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
  sensitivity: "public" | "personal" | "sensitive";
  portable: boolean;
  subjects: Set<ModelPerson>;
  statedBy: ModelPerson | null;
  learnedIn: ModelSession | null;
  learnedAt: number;
  /** What it says the contrary of; both stay. */
  contradicts: ModelMemory | null;
  /** What it was before each change. */
  versions: ModelVersion[];
};
export type ModelVersion = Pick<
  ModelMemory,
  "status" | "workspaceId" | "sensitivity" | "portable" | "subjects" | "statedBy" | "learnedIn" | "learnedAt"
>;
/** What a merge moved, so that undoing it moves that back. */
export type ModelMerge = {
  publicId: string;
  from: ModelPerson;
  into: ModelPerson;
  about: { memory: ModelMemory; both: boolean }[];
  stated: ModelMemory[];
};

/** What the test believes of one tenant, kept by its own reckoning and never read back. */
export type ModelTenant = {
  index: number;
  harness: Harness;
  users: Map<string, ModelUser>;
  people: ModelPerson[];
  projects: Map<string, ModelProject>;
  sessions: Map<string, ModelSession>;
  memories: ModelMemory[];
  merges: ModelMerge[];
  legacyDisclosure: boolean;
};

/** Time goes by only when the world says so. */
export type MemoryWorld = {
  tenants: [ModelTenant, ModelTenant];
  clock: { now: number };
  startedAt: number;
  random: Random;
  made: number;
  /** Called where the rule and the oracle differ. */
  differs: Differs;
};

export type Differs = (kind: "leaks" | "denials", what: string, of: { tenant: ModelTenant; memory: ModelMemory }) => void;

/** A viewer as a request names them; names may name nothing. */
export type Standing = {
  tenant: ModelTenant;
  user: string;
  session: string | null;
  project: string | null;
  workspaceId: string | null;
  scopeType: string | null;
  scopeId: string | null;
  ownProjectOnly: boolean;
  reach: Reach;
  about: "anyone" | readonly ModelPerson[];
  except: ModelUser | null;
  asOf: number | "ever" | null;
  /** Whether a user who is not stored counts as one who has said nothing yet: for what is read before a reply. */
  mayBeNew?: boolean;
};
