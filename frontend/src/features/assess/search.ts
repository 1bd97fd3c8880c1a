import { z } from "zod";
import { number } from "@/shared/lib/search";

/** `host` is the number of the host that is shown; without it the one with the lowest score. */
export const assessmentSearch = z.object({ host: number(1, 2 ** 31 - 1) });
