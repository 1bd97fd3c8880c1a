import { z } from "zod";
import { number } from "@/lib/search";

/** What this page keeps in its address. A bad value counts as not given. */
export const reportsSearch = z.object({ report: number(1, 2 ** 31 - 1) });
