import { z } from "zod";

/** `host` is the number of the host that is shown; without it the one with the lowest score. */
export const assessmentSearch = z.object({ host: z.coerce.number().int().min(1).optional().catch(undefined) });
