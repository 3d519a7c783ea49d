export { checkHealth, DeepHealthView } from "./check-health.ts";
export { examine, treat } from "./doctor.ts";
export { type Evictable, evictionOrder } from "./eviction-order.ts";
export { runLifecycle } from "./run-lifecycle.ts";
export { DoctorInput, DoctorView, LifecycleInput, LifecycleView, TreatInput, TreatView } from "./schemas.ts";
export { sweep, work } from "./work.ts";
