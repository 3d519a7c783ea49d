export { checkHealth, DeepHealthView } from "./check-health.ts";
export { checkInvariants, repairInvariants } from "./doctor.ts";
export { type Evictable, evictionOrder } from "./eviction-order.ts";
export { runLifecycle } from "./run-lifecycle.ts";
export { DoctorInput, DoctorView, LifecycleInput, LifecycleView, RepairInput, RepairView } from "./schemas.ts";
export { sweep, work } from "./work.ts";
