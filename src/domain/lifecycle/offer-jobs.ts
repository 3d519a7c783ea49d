import type { Services } from "#context";
import { dueJobs, isAnswering, offer, serversWaitedFor, type WaitedFor, waitingJobs } from "#domain/jobs";
import type { JobRef } from "#ports/jobs";

/** Counts the D1 queries of an invocation so far. */
export type Meter = { readonly statements: number };

/** A part of what an invocation may use, from now on. */
export type Share = { isUsed: () => boolean };

export function shareOf(
  services: Pick<Services, "now">,
  meter: Meter,
  { ms, statements }: { ms: number; statements: number },
): Share {
  const until = services.now() + ms;
  const most = meter.statements + statements;
  return { isUsed: () => services.now() >= until || meter.statements >= most };
}

/** A job that has been due for this long has lost its message. */
const OVERDUE_MS = 60_000;
const JOBS_A_LOOK = 1_000;
/** How many jobs of one tenant a look takes, unless all tenants together do not fill it. */
const PER_TENANT = 100;
const OFFERED_A_SWEEP = 10_000;
/** Limits what a server gets that has just come back. */
const RELEASED_A_SWEEP = 2_000;

/** Sends overdue jobs to the queue, tenants taking turns, until none is left or the share is used. Returns how many. */
export async function offerBacklog(
  services: Services,
  { except, share }: { except: readonly JobRef[]; share: Share },
): Promise<number> {
  const taken = new Set(except.map(nameOf));
  const look = (perTenant: number) => dueJobs(services, JOBS_A_LOOK, { perTenant, overdueMs: OVERDUE_MS });
  const isFree = (ref: JobRef) => !taken.has(nameOf(ref));
  return await offerInTurns(services, look, { most: OFFERED_A_SWEEP, share, isFree });
}

/** Sends jobs whose server answers again to the queue, and leaves the others waiting. Returns how many. */
export async function offerWaiting(services: Services, share: Share): Promise<number> {
  const servers = await serversWaitedFor(services);
  const offered = servers.map((server) => release(services, server, share));
  return (await Promise.all(offered)).reduce((sum, count) => sum + count, 0);
}

async function release(services: Services, server: WaitedFor, share: Share): Promise<number> {
  if (!(await isAnswering(services, server))) return 0;
  const look = (perTenant: number) => waitingJobs(services, { server, limit: JOBS_A_LOOK, perTenant });
  const offered = await offerInTurns(services, look, { most: RELEASED_A_SWEEP, share, isFree: () => true });
  services.log("jobs.released", { server, jobs: offered });
  return offered;
}

type Bounds = { most: number; share: Share; isFree: (ref: JobRef) => boolean };

async function offerInTurns(
  services: Services,
  look: (perTenant: number) => Promise<JobRef[]>,
  { most, share, isFree }: Bounds,
): Promise<number> {
  let offered = 0;
  let perTenant = PER_TENANT;
  while (offered < most) {
    const refs = await look(perTenant);
    const free = refs.filter(isFree);
    await offer(services, free);
    offered += free.length;
    if (share.isUsed() || (refs.length < JOBS_A_LOOK && perTenant === JOBS_A_LOOK)) break;
    if (refs.length < JOBS_A_LOOK) perTenant = JOBS_A_LOOK;
  }
  return offered;
}

function nameOf({ tenantId, jobId }: JobRef): string {
  return `${tenantId} ${jobId}`;
}
