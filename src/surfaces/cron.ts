import type { Services } from "#context";
import { sweep } from "#domain/lifecycle";

/** Every minute. */
export async function runCron(services: Services): Promise<void> {
  services.log("sweep", await sweep(services));
}
