import { z } from "zod";
import { list, listOf, oneOf } from "@/shared/lib/search";
import { PLAN_STATES } from "./labels";

/** What these pages keep in their addresses. A bad value counts as not given. */
export const plansSearch = z.object({ state: listOf(PLAN_STATES), mine: oneOf(["yes"]) });
export type PlansSearch = z.infer<typeof plansSearch>;

/** Hosts that are opened beside the canary, by id. */
export const planSearch = z.object({ open: list });
export type PlanSearch = z.infer<typeof planSearch>;
