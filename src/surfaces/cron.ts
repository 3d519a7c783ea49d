import type { Services } from "#context";
import type { Costs } from "#core/costs";
import { sweep } from "#domain/lifecycle";

/** Runs every minute. */
export async function runCron({ services, costs }: { services: Services; costs: Costs }): Promise<void> {
  const report = await sweep(services, costs);
  services.log("sweep", { ...report, ...costs });
}
