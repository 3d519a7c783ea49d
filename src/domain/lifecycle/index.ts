export { checkHealth, DeepHealthView } from "./check-health.ts";
export { checkInvariants, repairInvariants } from "./doctor.ts";
export { type Evictable, evictionOrder } from "./eviction-order.ts";
export { startRebuild } from "./rebuild.ts";
export { runLifecycle } from "./run-tasks.ts";
export {
  DoctorInput,
  DoctorView,
  LifecycleInput,
  LifecycleView,
  RebuildInput,
  RebuildView,
  RepairInput,
  RepairView,
} from "./schemas.ts";
export { sweep } from "./sweep.ts";
export { work } from "./work.ts";
