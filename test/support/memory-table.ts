import type { MemoryFacts, MemoryRefusal, MemoryViewer, MemoryVisibilityReason, Reach } from "#domain/visibility";

/** Dan is a person and no user. */
export const PEOPLE = ["ann", "ben", "cat", "dan"] as const;
export type Name = (typeof PEOPLE)[number];

type Stay = readonly [name: Name, from: number, to: number | null];
export type ProjectName = "garden" | "cellar" | "vault" | "yard";
type TableSession = { owner: Name; project: ProjectName | null; stays: readonly Stay[]; now: readonly Name[] };

/** A session with stays is a group. Who takes part `now` is said again by hand, because that is what the stays must come to. */
export const SESSIONS = {
  anns: { owner: "ann", project: null, stays: [], now: [] },
  "anns-beds": { owner: "ann", project: "garden", stays: [], now: [] },
  bens: { owner: "ben", project: null, stays: [], now: [] },
  "bens-beds": { owner: "ben", project: "garden", stays: [], now: [] },
  "anns-bottles": { owner: "ann", project: "cellar", stays: [], now: [] },
  "anns-safe": { owner: "ann", project: "vault", stays: [], now: [] },
  "anns-tools": { owner: "ann", project: "yard", stays: [], now: [] },
  "alone-in-garden": { owner: "ann", project: "garden", stays: [["ann", 10, null]], now: ["ann"] },
  "cats-visit": { owner: "cat", project: "garden", stays: [["cat", 10, null]], now: ["cat"] },
  "cats-beds": { owner: "cat", project: "garden", stays: [], now: [] },
  table: {
    owner: "ben",
    project: null,
    stays: [
      ["ann", 10, 20],
      ["ann", 30, null],
      ["ben", 10, null],
    ],
    now: ["ann", "ben"],
  },
  past: {
    owner: "ann",
    project: null,
    stays: [
      ["ann", 10, 20],
      ["cat", 10, null],
    ],
    now: ["cat"],
  },
  late: {
    owner: "cat",
    project: null,
    stays: [
      ["ann", 30, null],
      ["cat", 10, null],
    ],
    now: ["ann", "cat"],
  },
  club: {
    owner: "ben",
    project: null,
    stays: [
      ["ben", 10, null],
      ["cat", 10, null],
    ],
    now: ["ben", "cat"],
  },
  attic: {
    owner: "ann",
    project: null,
    stays: [
      ["ann", 10, null],
      ["cat", 10, 20],
    ],
    now: ["ann"],
  },
  gardeners: {
    owner: "ann",
    project: "garden",
    stays: [
      ["ann", 10, null],
      ["ben", 10, null],
    ],
    now: ["ann", "ben"],
  },
  visitors: {
    owner: "ann",
    project: "garden",
    stays: [
      ["ann", 10, null],
      ["cat", 10, null],
    ],
    now: ["ann", "cat"],
  },
} as const satisfies Record<string, TableSession>;
export type SessionName = keyof typeof SESSIONS;

type TableProject = { owner: Name; members: readonly Name[]; ownMemories: boolean };

/** Two that others read and two that nobody else does; of each, one that takes in its users' own memories. */
export const PROJECTS: Readonly<Record<ProjectName, TableProject>> = {
  garden: { owner: "ann", members: ["ben"], ownMemories: true },
  cellar: { owner: "ann", members: [], ownMemories: true },
  vault: { owner: "ann", members: [], ownMemories: false },
  yard: { owner: "ben", members: ["ann"], ownMemories: false },
};

/** `presentUserIds` is written by hand: for a group it is what its stays must come to, for a private session its owner. */
type Learned = { session: SessionName; at: number; presentUserIds: readonly Name[] };

const LEARNED: readonly (Learned | null)[] = [
  null,
  { session: "anns", at: 15, presentUserIds: ["ann"] },
  { session: "bens", at: 15, presentUserIds: ["ben"] },
  { session: "table", at: 9, presentUserIds: [] },
  { session: "table", at: 10, presentUserIds: ["ann", "ben"] },
  { session: "table", at: 20, presentUserIds: ["ben"] },
  { session: "table", at: 35, presentUserIds: ["ann", "ben"] },
  { session: "past", at: 19, presentUserIds: ["ann", "cat"] },
  { session: "past", at: 25, presentUserIds: ["cat"] },
  { session: "late", at: 29, presentUserIds: ["cat"] },
  { session: "late", at: 30, presentUserIds: ["ann", "cat"] },
  { session: "club", at: 15, presentUserIds: ["ben", "cat"] },
  { session: "attic", at: 15, presentUserIds: ["ann", "cat"] },
  { session: "attic", at: 25, presentUserIds: ["ann"] },
];

export const NOW = 100;

type Sensitivity = "public" | "personal" | "sensitive";

/** Types of what lastingly holds of somebody, and one that does not. */
const TYPES = ["identity", "preference", "relationship", "procedural", "knowledge"] as const;

/** The properties of a memory that do not depend on the viewer. */
type State = {
  type: (typeof TYPES)[number];
  status: "approved" | "pending" | "rejected";
  deleted: boolean;
  expiresAt: number | null;
  superseded: boolean;
  validFrom: number;
  validTo: number | null;
  workspace: string | null;
  scopeType: string | null;
  scopeId: string | null;
};

/** With neither owner nor group it is shared. */
export type TableMemory = State & {
  owner: Name | null;
  group: SessionName | null;
  learned: Learned | null;
  subjects: readonly Name[];
  statedBy: Name | null;
  sensitivity: Sensitivity;
  portable: boolean;
};

const PLAIN: State = {
  type: "identity",
  status: "approved",
  deleted: false,
  expiresAt: null,
  superseded: false,
  validFrom: 10,
  validTo: null,
  workspace: null,
  scopeType: null,
  scopeId: null,
};

export function memory(said: Partial<TableMemory>): TableMemory {
  return {
    ...PLAIN,
    owner: null,
    group: null,
    learned: null,
    subjects: [],
    statedBy: null,
    sensitivity: "public",
    portable: true,
    ...said,
  };
}

/** Every combination with one value from each list. */
export function combinations<T extends Record<string, readonly unknown[]>>(lists: T): { [K in keyof T]: T[K][number] }[] {
  let made: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(lists)) {
    made = made.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
  }
  return asCombinations<T>(made);
}

/** Each row has every name of the lists, with a value of that list. */
function asCombinations<T extends Record<string, readonly unknown[]>>(rows: Record<string, unknown>[]) {
  return rows as { [K in keyof T]: T[K][number] }[];
}

const SENSITIVITIES = ["public", "personal", "sensitive"] as const;

const SUBJECTS: readonly (readonly Name[])[] = PEOPLE.reduce<Name[][]>(
  (sets, name) => sets.flatMap((set) => [set, [...set, name]]),
  [[]],
);

const ORIGINS: readonly Pick<TableMemory, "owner" | "group">[] = [
  { owner: "ann", group: null },
  { owner: "cat", group: null },
  { owner: null, group: "table" },
  { owner: null, group: "past" },
  { owner: null, group: "attic" },
  { owner: null, group: null },
];

/** Every memory that privacy and reach can distinguish: 21,504. */
export function memoriesOfTheTable(): TableMemory[] {
  return combinations({
    origin: ORIGINS,
    learned: LEARNED,
    subjects: SUBJECTS,
    statedBy: [null, "ann", "cat"] as const,
    sensitivity: SENSITIVITIES,
    portable: [true, false],
  }).flatMap(({ origin, ...said }) =>
    isShared(origin) && said.sensitivity !== "public" ? [] : [memory({ ...origin, ...said })],
  );
}

/** Sessions in and outside of projects, in which memories were learned. */
const LEARNED_IN_PROJECTS: readonly (Learned | null)[] = [
  null,
  { session: "anns", at: 15, presentUserIds: ["ann"] },
  { session: "anns-beds", at: 15, presentUserIds: ["ann"] },
  { session: "bens-beds", at: 15, presentUserIds: ["ben"] },
  { session: "anns-bottles", at: 15, presentUserIds: ["ann"] },
  { session: "anns-safe", at: 15, presentUserIds: ["ann"] },
  { session: "anns-tools", at: 15, presentUserIds: ["ann"] },
  { session: "gardeners", at: 15, presentUserIds: ["ann", "ben"] },
  { session: "visitors", at: 15, presentUserIds: ["ann", "cat"] },
  { session: "alone-in-garden", at: 15, presentUserIds: ["ann"] },
];

const SCOPES_OF_PROJECTS = [
  { scopeType: null, scopeId: null },
  { scopeType: "project", scopeId: "garden" },
  { scopeType: "project", scopeId: "cellar" },
] as const;

/** Every memory that projects can distinguish. */
export function memoriesOfProjects(): TableMemory[] {
  return combinations({
    origin: [
      { owner: "ann", group: null },
      { owner: "ben", group: null },
      { owner: null, group: "gardeners" },
      { owner: null, group: "visitors" },
      { owner: null, group: "table" },
      { owner: null, group: null },
    ] as const,
    learned: LEARNED_IN_PROJECTS,
    subjects: [[], ["ann"], ["ben", "dan"], ["cat"]] as const,
    statedBy: ["ann", "ben"] as const,
    sensitivity: SENSITIVITIES,
    portable: [true, false],
    type: TYPES,
    scope: SCOPES_OF_PROJECTS,
  }).flatMap(({ origin, scope, ...said }) =>
    isShared(origin) && (said.sensitivity !== "public" || said.learned !== null)
      ? []
      : [memory({ ...origin, ...scope, ...said })],
  );
}

/** Memories of Ann about nobody, in every possible state. */
export function memoriesInEveryState(): TableMemory[] {
  return combinations({
    status: ["approved", "pending", "rejected"] as const,
    deleted: [false, true],
    expiresAt: [null, NOW - 1, NOW, NOW + 1],
    life: [
      { superseded: false, validFrom: 10, validTo: null },
      { superseded: true, validFrom: 10, validTo: 50 },
      { superseded: false, validFrom: 50, validTo: null },
    ],
    workspace: [null, "north", "south"],
    scope: [
      { scopeType: null, scopeId: null },
      { scopeType: "global", scopeId: null },
      { scopeType: "global", scopeId: "1" },
      { scopeType: "track", scopeId: null },
      { scopeType: "track", scopeId: "1" },
      { scopeType: "track", scopeId: "2" },
      { scopeType: "paper", scopeId: "1" },
      { scopeType: "project", scopeId: null },
      { scopeType: "project", scopeId: "garden" },
      { scopeType: "project", scopeId: "1" },
    ],
  }).map(({ life, scope, ...state }) => memory({ owner: "ann", ...life, ...scope, ...state }));
}

export type TablePlace = {
  user: Exclude<Name, "dan">;
  session: SessionName | null;
  project: ProjectName | null;
  /** Whether they may be in that place. */
  stands: boolean;
};

export const PLACES: readonly TablePlace[] = [
  { user: "ann", session: null, project: null, stands: true },
  { user: "ann", session: null, project: "garden", stands: true },
  { user: "ann", session: "anns", project: null, stands: true },
  { user: "ann", session: "anns-beds", project: null, stands: true },
  { user: "ann", session: "table", project: null, stands: true },
  { user: "ann", session: "late", project: null, stands: true },
  { user: "ann", session: "attic", project: null, stands: true },
  { user: "ann", session: "gardeners", project: null, stands: true },
  { user: "ann", session: "visitors", project: null, stands: true },
  { user: "ben", session: null, project: null, stands: true },
  { user: "ben", session: "table", project: null, stands: true },
  { user: "cat", session: null, project: null, stands: true },
  { user: "cat", session: "past", project: null, stands: true },
  { user: "ann", session: "bens", project: null, stands: false },
  { user: "ann", session: "past", project: null, stands: false },
  { user: "cat", session: "attic", project: null, stands: false },
  { user: "ann", session: "anns", project: "garden", stands: false },
  { user: "cat", session: "cats-beds", project: null, stands: false },
  { user: "cat", session: null, project: "garden", stands: false },
  { user: "ben", session: "anns", project: null, stands: false },
];

/** Beside projects, in them, and in their groups with others, with strangers and alone. */
export const PLACES_OF_PROJECTS: readonly TablePlace[] = [
  { user: "ann", session: null, project: null, stands: true },
  { user: "ann", session: "anns", project: null, stands: true },
  { user: "ann", session: "table", project: null, stands: true },
  { user: "ben", session: "table", project: null, stands: true },
  { user: "ann", session: "late", project: null, stands: true },
  { user: "cat", session: "late", project: null, stands: true },
  { user: "ann", session: "anns-beds", project: null, stands: true },
  { user: "ann", session: null, project: "garden", stands: true },
  { user: "ben", session: "bens-beds", project: null, stands: true },
  { user: "ben", session: null, project: "garden", stands: true },
  { user: "ann", session: "gardeners", project: null, stands: true },
  { user: "ben", session: "gardeners", project: null, stands: true },
  { user: "ann", session: "visitors", project: null, stands: true },
  { user: "cat", session: "visitors", project: null, stands: true },
  { user: "ann", session: "alone-in-garden", project: null, stands: true },
  { user: "cat", session: "cats-visit", project: null, stands: true },
  { user: "ann", session: "anns-bottles", project: null, stands: true },
  { user: "ann", session: null, project: "cellar", stands: true },
  { user: "ann", session: "anns-safe", project: null, stands: true },
  { user: "ann", session: "anns-tools", project: null, stands: true },
  { user: "ben", session: null, project: "yard", stands: true },
  { user: "ben", session: null, project: "cellar", stands: false },
];

/** Queries that projects can distinguish, of a viewer in this place. */
export function viewersOfProjects(place: TablePlace): TableViewer[] {
  return combinations({ ask: ASKS_OF_PROJECTS, ownProjectOnly: [true, false] }).map(({ ask, ownProjectOnly }) =>
    viewer(place, { ...ask, ownProjectOnly, legacyDisclosure: false }),
  );
}

const ASKS_OF_PROJECTS: readonly (Pick<TableViewer, "reach" | "about" | "except"> & Partial<TableViewer>)[] = [
  { reach: "session", about: "anyone", except: null },
  { reach: "tenant", about: ["cat"], except: null },
  { reach: "tenant", about: "anyone", except: null },
  { reach: "tenant", about: "anyone", except: null, scopeType: "global" },
  { reach: "tenant", about: "anyone", except: null, scopeType: "project", scopeId: "garden" },
];

/** `zoe` is no user. */
export type TableViewer = TablePlace & {
  reach: Reach;
  about: "anyone" | readonly Name[];
  except: Name | "zoe" | null;
  legacyDisclosure: boolean;
  workspace: string | null;
  scopeType: string | null;
  scopeId: string | null;
  ownProjectOnly: boolean;
  asOf: number | "ever" | null;
};

const ASKS: readonly Pick<TableViewer, "reach" | "about" | "except">[] = [
  { reach: "session", about: "anyone", except: null },
  { reach: "user", about: "anyone", except: null },
  { reach: "tenant", about: [], except: null },
  { reach: "tenant", about: ["ann"], except: null },
  { reach: "tenant", about: ["cat"], except: "cat" },
  { reach: "tenant", about: ["ben", "dan"], except: null },
  { reach: "tenant", about: "anyone", except: null },
  { reach: "tenant", about: "anyone", except: "cat" },
  { reach: "tenant", about: "anyone", except: "zoe" },
];

export function viewer(place: TablePlace, asks: Partial<TableViewer> = {}): TableViewer {
  return {
    ...place,
    reach: "tenant",
    about: "anyone",
    except: null,
    legacyDisclosure: true,
    workspace: null,
    scopeType: null,
    scopeId: null,
    ownProjectOnly: false,
    asOf: null,
    ...asks,
  };
}

/** Every query of a viewer in this place that privacy and reach can distinguish. */
export function viewersAt(place: TablePlace): TableViewer[] {
  return combinations({ ask: ASKS, legacyDisclosure: [true, false] }).map(({ ask, legacyDisclosure }) =>
    viewer(place, { ...ask, legacyDisclosure }),
  );
}

/**
 * Ann, and the places that the filters for projects can distinguish: beside her project, in it without a session and with one, and in its
 * groups, one with a stranger.
 */
const ANNS_PLACES: readonly TablePlace[] = [
  { user: "ann", session: null, project: null, stands: true },
  { user: "ann", session: null, project: "garden", stands: true },
  { user: "ann", session: "anns", project: null, stands: true },
  { user: "ann", session: "anns-beds", project: null, stands: true },
  { user: "ann", session: "table", project: null, stands: true },
  { user: "ann", session: "gardeners", project: null, stands: true },
  { user: "ann", session: "visitors", project: null, stands: true },
];

/** Ann, asking in every workspace, scope and time, and of every project or of her own. */
export function viewersOfEveryState(): TableViewer[] {
  return combinations({
    place: ANNS_PLACES,
    ownProjectOnly: [false, true],
    asOf: [null, 9, 10, 49, 50, "ever"] as const,
    workspace: [null, "north", "west"],
    scope: [
      { scopeType: null, scopeId: null },
      { scopeType: null, scopeId: "1" },
      { scopeType: "global", scopeId: null },
      { scopeType: "global", scopeId: "1" },
      { scopeType: "track", scopeId: null },
      { scopeType: "track", scopeId: "1" },
      { scopeType: "paper", scopeId: "2" },
      { scopeType: "project", scopeId: null },
      { scopeType: "project", scopeId: "garden" },
    ],
  })
    .filter(({ place, ownProjectOnly, asOf, workspace }) =>
      ownProjectOnly ? asOf === null && workspace === null : place === ANNS_PLACES[0],
    )
    .map(({ scope, place, ...asks }) => viewer(place, { ...scope, ...asks }));
}

function isShared({ owner, group }: Pick<TableMemory, "owner" | "group">): boolean {
  return owner === null && group === null;
}

type Asked = { memory: TableMemory; viewer: TableViewer };

/** The terms of docs/visibility.md, each with its meaning. */
const MEANING = {
  "a subject takes part": ({ memory, viewer }) => partakers(viewer).some((name) => memory.subjects.includes(name)),
  "the asker is a subject": ({ memory, viewer }) => memory.subjects.includes(viewer.user),
  "the asker is the owner": ({ memory, viewer }) => memory.owner === viewer.user,
  "the asker owns it and it has no subject": ({ memory, viewer }) => memory.owner === viewer.user && memory.subjects.length === 0,
  "the asker stated it": ({ memory, viewer }) => memory.statedBy === viewer.user,
  "the asker took part when it was learned": ({ memory, viewer }) =>
    memory.learned?.presentUserIds.includes(viewer.user) ?? false,
  "it is portable": ({ memory }) => memory.portable,
  "the asker is not the owner": ({ memory, viewer }) => memory.owner !== viewer.user,
  "it is shared": ({ memory }) => isShared(memory),
  "it has no subject": ({ memory }) => memory.subjects.length === 0,
  "it has no recorded session, which is allowed": ({ memory, viewer }) => memory.learned === null && viewer.legacyDisclosure,
} as const satisfies Record<string, (asked: Asked) => boolean>;
type Words = keyof typeof MEANING;

/** A cell holds if for each list one of its terms holds: an empty cell is `shown`, an empty list `never`. */
type Cell = readonly (readonly Words[])[];

const SHOWN: Cell = [];
const NEVER: Cell = [[]];
const TAKES_PART: readonly Words[] = ["a subject takes part"];
/** The star of the table. */
const DISCLOSED: readonly Words[] = [
  "the asker is a subject",
  "the asker stated it",
  "the asker took part when it was learned",
  "it has no subject",
  "it is shared",
  "it has no recorded session, which is allowed",
];

/** A group sees of the asker's own memories only portable ones. */
const MAY_LEAVE: readonly Words[] = ["it is portable", "the asker is not the owner"];

const PRIVACY: Readonly<Record<"group, this group" | "group, elsewhere" | "private, anywhere", Record<Sensitivity, Cell>>> = {
  "group, this group": { public: SHOWN, personal: [TAKES_PART], sensitive: [TAKES_PART] },
  "group, elsewhere": {
    public: [MAY_LEAVE, DISCLOSED],
    personal: [MAY_LEAVE, DISCLOSED, TAKES_PART, ["the asker is a subject", "the asker is the owner"]],
    sensitive: NEVER,
  },
  "private, anywhere": {
    public: [DISCLOSED],
    personal: [DISCLOSED, ["the asker is a subject", "the asker is the owner"]],
    sensitive: [DISCLOSED, ["the asker is a subject", "the asker owns it and it has no subject"]],
  },
};

/** Who takes part in the viewer's group; nobody where they are in none. */
function listeners({ session }: TableViewer): readonly Name[] {
  return session === null ? [] : SESSIONS[session].now;
}

/** The project of the viewer's place. */
function projectHere({ session, project }: TableViewer): ProjectName | null {
  return session === null ? project : SESSIONS[session].project;
}

/** Who may read what is written in the viewer's place: who takes part, and, in a project, everybody who belongs to it. */
function readers(viewer: TableViewer): readonly Name[] {
  const project = projectHere(viewer);
  const members = project === null ? [] : [PROJECTS[project].owner, ...PROJECTS[project].members];
  return [...new Set([viewer.user, ...listeners(viewer), ...members])];
}

/** Who counts as taking part: in a group of several those who talk, else all readers; nobody takes part where one is alone. */
function partakers(viewer: TableViewer): readonly Name[] {
  if (listeners(viewer).length > 1) return listeners(viewer);
  return readers(viewer).length > 1 ? readers(viewer) : [];
}

function isGroup(session: SessionName | null): boolean {
  return session !== null && SESSIONS[session].stays.length > 0;
}

/**
 * Whether what was said in a session is open to all who read what is written here: in a group of several it is this group; in a project,
 * without a group or alone in one, every session of the project, for who belongs to it.
 */
function isOpenHere(session: SessionName, viewer: TableViewer): boolean {
  const project = projectHere(viewer);
  const belongs = project !== null && [PROJECTS[project].owner, ...PROJECTS[project].members].includes(viewer.user);
  if (listeners(viewer).length > 1 || !belongs) return session === viewer.session;
  return SESSIONS[session].project === project;
}

function rowOfTable({ memory, viewer }: Asked): keyof typeof PRIVACY {
  if (readers(viewer).length === 1) return "private, anywhere";
  const isHere = memory.group !== null && memory.group === viewer.session;
  const isSaidHere = memory.learned !== null && isOpenHere(memory.learned.session, viewer);
  return isHere || isSaidHere ? "group, this group" : "group, elsewhere";
}

const holds = (cell: Cell, asked: Asked) => cell.every((words) => words.some((word) => MEANING[word](asked)));

/** The reasons for which a memory can be visible at all; the first that holds names it. */
const VISIBILITY_REASONS: readonly [MemoryVisibilityReason, readonly Reach[], (asked: Asked) => boolean][] = [
  ["same_group", ["session", "user", "tenant"], ({ memory, viewer }) => memory.group !== null && memory.group === viewer.session],
  [
    "own",
    ["session"],
    ({ memory, viewer }) => memory.owner === viewer.user && memory.learned !== null && memory.learned.session === viewer.session,
  ],
  ["own", ["user", "tenant"], ({ memory, viewer }) => memory.owner === viewer.user],
  ["shared", ["tenant"], ({ memory }) => isShared(memory)],
  [
    "cross_context",
    ["tenant"],
    ({ memory, viewer: { about, except } }) =>
      memory.portable &&
      (except === null || memory.owner !== except) &&
      memory.subjects.some((name) => about === "anyone" || about.includes(name)),
  ],
];

function scopeFits({ memory, viewer }: Asked): boolean {
  const types = viewer.scopeType === "global" ? ["global", null] : [viewer.scopeType];
  const ofType = viewer.scopeType === null || types.includes(memory.scopeType);
  return ofType && [null, memory.scopeId].includes(viewer.scopeId);
}

/** The project in which a memory was said, or in whose group it is; null outside projects. What is shared was said nowhere. */
function saidIn({ group, learned, ...origin }: TableMemory): ProjectName | null {
  if (isShared({ group, ...origin })) return null;
  const session = group ?? learned?.session ?? null;
  return session === null ? null : SESSIONS[session].project;
}

const isOfAProject = (said: TableMemory): boolean => said.scopeType === "project" || saidIn(said) !== null;

/** Whether somebody takes part here who does not belong to the project. */
function hasOutsider(viewer: TableViewer): boolean {
  const here = projectHere(viewer);
  return here !== null && listeners(viewer).some((name) => ![PROJECTS[here].owner, ...PROJECTS[here].members].includes(name));
}

const isOfProjectHere = ({ memory, viewer }: Asked): boolean => {
  const here = projectHere(viewer);
  if (here === null) return false;
  if (hasOutsider(viewer)) return viewer.session !== null && [memory.group, memory.learned?.session].includes(viewer.session);
  return (memory.scopeType === "project" && memory.scopeId === here) || saidIn(memory) === here;
};

/**
 * What is of a project is shown in that project alone, and with an outsider in the group only what is of that group. Outside projects its
 * owner may list it still where nobody else reads, and a group what is its own.
 */
function projectFits(asked: Asked): boolean {
  const { memory, viewer } = asked;
  const isScopedHere = memory.scopeId !== null && memory.scopeId === projectHere(viewer);
  if (viewer.ownProjectOnly && memory.scopeType === "project" && !isScopedHere) return false;
  if (isShared(memory) || !isOfAProject(memory) || isOfProjectHere(asked)) return true;
  const isForThem =
    (memory.group !== null && memory.group === viewer.session) || (memory.owner === viewer.user && readers(viewer).length === 1);
  return projectHere(viewer) === null && !viewer.ownProjectOnly && isForThem;
}

/** Whether it holds lastingly of the asker: "identity, preference, relationship, standing wishes". */
function holdsOfAsker({ memory, viewer }: Asked): boolean {
  const isTheirs = memory.owner === viewer.user;
  const isOfThem = memory.subjects.includes(viewer.user);
  switch (memory.type) {
    case "identity":
    case "preference":
      return isOfThem || (isTheirs && memory.subjects.length === 0);
    case "relationship":
      return isOfThem || isTheirs;
    case "procedural":
      return isTheirs && memory.statedBy === viewer.user;
    case "knowledge":
      return false;
  }
}

/** Whether it stays where it was said: outside of the project in which the viewer is. */
function staysOutside(asked: Asked): boolean {
  const here = projectHere(asked.viewer);
  if (here === null || isShared(asked.memory) || isOfProjectHere(asked)) return false;
  return !(PROJECTS[here].ownMemories && holdsOfAsker(asked));
}

/** The reason for which a memory is filtered out for this viewer. */
const UNCOUNTED: readonly [MemoryRefusal, (asked: Asked) => boolean][] = [
  ["nowhere", ({ viewer }) => !viewer.stands],
  ["deleted", ({ memory }) => memory.deleted],
  ["not_approved", ({ memory }) => ["pending", "rejected"].includes(memory.status)],
  ["expired", ({ memory }) => memory.expiresAt !== null && NOW >= memory.expiresAt],
  ["superseded", ({ memory, viewer }) => memory.superseded && viewer.asOf === null],
  [
    "not_valid_then",
    ({ memory, viewer: { asOf } }) =>
      typeof asOf === "number" && (asOf < memory.validFrom || (memory.validTo !== null && asOf >= memory.validTo)),
  ],
  ["other_workspace", ({ memory, viewer }) => ![null, viewer.workspace].includes(memory.workspace)],
  ["other_scope", (asked) => !scopeFits(asked)],
  ["other_project", (asked) => !projectFits(asked)],
  ["stays_where_said", staysOutside],
];

/** What each refusal for privacy claims; it must hold wherever the rule gives it. */
const CLAIMS: Readonly<Record<string, (asked: Asked) => boolean>> = {
  no_subject_takes_part: (asked) => rowOfTable(asked) !== "private, anywhere" && !MEANING["a subject takes part"](asked),
  asker_is_neither_subject_nor_owner: (asked) =>
    rowOfTable(asked) === "group, elsewhere" &&
    !holds([["the asker is a subject", "the asker is the owner"]], asked) &&
    asked.memory.sensitivity === "personal",
  sensitive_elsewhere: (asked) => rowOfTable(asked) === "group, elsewhere" && asked.memory.sensitivity === "sensitive",
  personal_to_others: (asked) =>
    rowOfTable(asked) === "private, anywhere" &&
    asked.memory.sensitivity === "personal" &&
    !holds([["the asker is a subject", "the asker is the owner"]], asked),
  sensitive_to_others: (asked) =>
    rowOfTable(asked) === "private, anywhere" &&
    asked.memory.sensitivity === "sensitive" &&
    !holds([["the asker is a subject", "the asker owns it and it has no subject"]], asked),
  not_portable: (asked) => rowOfTable(asked) === "group, elsewhere" && !holds([MAY_LEAVE], asked),
  said_in_confidence: (asked) => rowOfTable(asked) !== "group, this group" && !holds([DISCLOSED], asked),
};

/** The expectation by docs/visibility.md: the reason for which the memory is visible, or that it is not. */
export function expectedVisibilityReason(asked: Asked): MemoryVisibilityReason | null {
  if (UNCOUNTED.some(([, isSo]) => isSo(asked))) return null;
  const visibilityReason = VISIBILITY_REASONS.find(([, reaches, isSo]) => reaches.includes(asked.viewer.reach) && isSo(asked));
  if (visibilityReason === undefined) return null;
  if (!holds(PRIVACY[rowOfTable(asked)][asked.memory.sensitivity], asked)) return null;
  const isFromOutside = projectHere(asked.viewer) !== null && !isOfProjectHere(asked);
  return visibilityReason[0] === "own" && isFromOutside ? "own_lasting" : visibilityReason[0];
}

/** Whether the reason of a refusal is correct. */
export function isTrueOf(reason: MemoryRefusal, asked: Asked): boolean {
  const uncounted = UNCOUNTED.find(([name]) => name === reason);
  if (uncounted !== undefined) return uncounted[1](asked);
  if (reason !== "out_of_reach") return CLAIMS[reason]?.(asked) ?? false;
  return !VISIBILITY_REASONS.some(([, reaches, isSo]) => reaches.includes(asked.viewer.reach) && isSo(asked));
}

/** The input of the rule, in the ids of a database. */
export type TableIds = {
  tenant: number;
  users: Readonly<Record<string, number>>;
  persons: Readonly<Record<string, number>>;
  sessions: Readonly<Record<string, number>>;
  projects: Readonly<Record<string, number>>;
};

export function idOf(ids: Readonly<Record<string, number>>, name: string): number {
  const id = ids[name];
  if (id === undefined) throw new Error(`Nobody made ${name}.`);
  return id;
}

export function factsOf(memory: TableMemory, ids: TableIds): MemoryFacts {
  const { owner, group, learned, subjects, statedBy, sensitivity, workspace, ...rest } = memory;
  return {
    successors: [],
    ...rest,
    tenantId: ids.tenant,
    ownerId: owner === null ? null : idOf(ids.users, owner),
    sessionId: group === null ? null : idOf(ids.sessions, group),
    workspaceId: workspace,
    sensitivity,
    subjects: subjects.map((name) => ({ personId: idOf(ids.persons, name), userId: ids.users[name] ?? null })),
    statedBy: statedBy === null ? null : idOf(ids.persons, statedBy),
    learnedIn: learned === null ? null : idOf(ids.sessions, learned.session),
    learnedInProject: learned === null ? null : projectId(SESSIONS[learned.session].project, ids),
    sessionProject: group === null ? null : projectId(SESSIONS[group].project, ids),
    presentUserIds: (learned?.presentUserIds ?? []).map((name) => idOf(ids.users, name)),
  };
}

function projectId(name: ProjectName | null, ids: TableIds): number | null {
  return name === null ? null : idOf(ids.projects, name);
}

function projectOf(name: ProjectName, ids: TableIds): MemoryViewer["project"] {
  const { owner, members, ownMemories } = PROJECTS[name];
  return {
    id: idOf(ids.projects, name),
    tenantId: ids.tenant,
    externalId: name,
    ownerId: idOf(ids.users, owner),
    memberIds: members.map((member) => idOf(ids.users, member)),
    ownMemories,
  };
}

export function ruleViewerOf(viewer: TableViewer, ids: TableIds): MemoryViewer {
  const { user, session, about, except, workspace, reach, scopeType, scopeId, ownProjectOnly, asOf, legacyDisclosure } = viewer;
  const here = session === null ? null : SESSIONS[session];
  const projectName = viewer.project ?? here?.project ?? null;
  return {
    tenantId: ids.tenant,
    userId: idOf(ids.users, user),
    personId: idOf(ids.persons, user),
    session:
      here === null || session === null
        ? null
        : {
            id: idOf(ids.sessions, session),
            tenantId: ids.tenant,
            kind: isGroup(session) ? "group" : "private",
            ownerId: idOf(ids.users, here.owner),
            projectId: projectId(here.project, ids),
            participantIds: here.now.map((name) => idOf(ids.users, name)),
          },
    project: projectName === null ? null : projectOf(projectName, ids),
    includeGroups: false,
    workspaceId: workspace,
    scopeType,
    scopeId,
    ownProjectOnly,
    reach,
    about: about === "anyone" ? about : about.map((name) => idOf(ids.persons, name)),
    exceptOwnerId: except === null ? null : (ids.users[except] ?? null),
    asOf,
    now: NOW,
    legacyDisclosure,
  };
}

/** In private, in a group, and by whom: the memories that answer Bob's question "what do you know about me?". */
export const BOBS_QUESTIONS = [
  ["Bob asks in private", { user: "ben", session: null, project: null, stands: true }, ["public", "personal", "sensitive"]],
  ["Bob asks in a group", { user: "ben", session: "gardeners", project: null, stands: true }, ["public", "personal"]],
  ["another, who was not there, asks in that group", { user: "ann", session: "gardeners", project: null, stands: true }, []],
] as const satisfies readonly [string, TablePlace, Sensitivity[]][];

/** What Cat said of Bob in a club that Ann is not in, as the group's memory and as Cat's own. */
export const SAID_OF_BOB: readonly TableMemory[] = combinations({
  origin: [
    { owner: null, group: "club" },
    { owner: "cat", group: null },
  ] as const,
  sensitivity: SENSITIVITIES,
}).map(({ origin, sensitivity }) =>
  memory({
    ...origin,
    sensitivity,
    subjects: ["ben"],
    statedBy: "cat",
    learned: { session: "club", at: 15, presentUserIds: ["ben", "cat"] },
  }),
);
