import type { PlanStep } from "./types";

/** What of a step the host forgets when it restarts, and how to make it last; each text once. Old plans have no such field. */
export const untilRestart = (step: Pick<PlanStep, "elements">): string[] => [
  ...new Set(step.elements.flatMap((one) => (one.until_restart ? [`Lasts ${one.until_restart}`] : []))),
];
