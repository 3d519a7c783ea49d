import { inject } from "vitest";
import { type Service, type ServiceOptions, startService as start } from "#scripts/service";

export type { Service } from "#scripts/service";

declare module "vitest" {
  interface ProvidedContext {
    /** A folder of a service's state with its migrations and its key; see `startService`. */
    preparedState: string;
  }
}

/** The whole service, on a copy of the state that `prepare-state.ts` makes once a run. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  return await start({ from: inject("preparedState"), ...options });
}
