/**
 * The layers of the code, lowest first: which may import which. This list is the only definition; `npm run check` enforces it
 * (scripts/layer-breaks.ts). A layer never imports a higher one.
 */
export type Layer = {
  name: string;
  /** A file, or a folder if it ends with a slash. */
  path: string;
  /** Layers that it may import, beside its own files. */
  imports: readonly string[];
  /** Layers of which it may import types only. */
  types?: readonly string[];
  /** Which of `PLATFORM` it may import. */
  platform?: readonly string[];
  /** The sentence that an error ends with. */
  rule: string;
};

/** Packages that belong to one layer. Any other package may be imported everywhere. */
export const PLATFORM = ["hono", "@hono", "drizzle-orm", "cloudflare", "@cloudflare"] as const;

export const LAYERS: readonly Layer[] = [
  {
    name: "core",
    path: "src/core/",
    imports: [],
    rule: "core imports nothing of ours, and no Hono, drizzle or Cloudflare module.",
  },
  {
    name: "ports",
    path: "src/ports/",
    imports: ["core"],
    rule: "A port may import core only, so that it does not depend on its adapters.",
  },
  {
    name: "adapters",
    path: "src/adapters/",
    imports: ["core", "ports"],
    platform: ["cloudflare", "@cloudflare"],
    rule: "An adapter may import its port, core and the vendor that it talks to.",
  },
  {
    name: "db",
    path: "src/db/",
    imports: ["core"],
    platform: ["drizzle-orm"],
    rule: "db may import core and drizzle.",
  },
  {
    name: "context",
    path: "src/context.ts",
    imports: ["core", "db"],
    types: ["ports"],
    rule: "context.ts may import core, db and types of ports.",
  },
  {
    name: "domain",
    path: "src/domain/",
    imports: ["core", "db", "context"],
    types: ["ports"],
    platform: ["drizzle-orm"],
    rule: "A domain may import core, db, #context, types of ports and lower domains: no surface, adapter, binding, Hono or Cloudflare module.",
  },
  {
    name: "env",
    path: "src/env.ts",
    imports: ["core"],
    types: ["adapters"],
    rule: "env.ts may import core and types of adapters.",
  },
  {
    name: "surfaces",
    path: "src/surfaces/",
    imports: ["core", "context", "domain", "env"],
    types: ["ports"],
    platform: ["hono", "@hono"],
    rule: "A surface calls the verbs of domains: it never imports an adapter, db, drizzle, bindings or a Cloudflare module.",
  },
  {
    name: "compose",
    path: "src/compose.ts",
    imports: ["core", "adapters", "db", "context", "domain", "env"],
    types: ["ports"],
    platform: ["cloudflare"],
    rule: "compose.ts makes services of bindings: it may import everything below surfaces.",
  },
  {
    name: "worker",
    path: "src/worker.ts",
    imports: ["adapters", "env", "surfaces", "compose"],
    platform: ["cloudflare"],
    rule: "worker.ts joins compose and surfaces, and exports the Durable Objects of adapters.",
  },
  {
    name: "packages",
    path: "packages/",
    imports: [],
    types: ["core", "ports", "domain", "surfaces"],
    rule: "A package may import types from src, and no code.",
  },
  {
    name: "examples",
    path: "examples/",
    imports: [],
    rule: "An example uses the service as a user does: it imports nothing of ours.",
  },
];

/**
 * The domains (folders of src/domain), lowest first. A domain may import the domains on the lines above its own, by `#domain/<name>`, which
 * is their index.ts. Domains on one line never import each other.
 */
export const DOMAINS: readonly (readonly string[])[] = [
  ["audit"],
  ["settings", "jobs", "usage", "embedding"],
  ["tenants"],
  ["visibility", "indexing"],
  // Facts are below sessions, because an append stores the lists that its messages state.
  ["people", "facts"],
  ["sessions", "memories", "entities", "sources"],
  ["retrieval", "profile"],
  ["extraction"],
  // A context shows what extraction says is worth keeping.
  ["injection"],
  // What a request to forget may mean is worth keeping as far as extraction says.
  ["forgetting"],
  ["summaries", "exports"],
  // What an export of Edgewise has in its lines is what an import of it reads.
  ["imports"],
  ["erasures"],
  // Repairs run the jobs of every other domain.
  ["lifecycle"],
];
