import { z } from "zod";
import { list, number, oneOf, text } from "@/shared/lib/search";

/** What the matrix keeps in its address. A bad value counts as not given. */
export const matrixSearch = z.object({
  group: number(1, 2 ** 31 - 1),
  cluster: text,
  pack: list,
  by: oneOf(["cluster", "group"]),
  /** Passing rules are left out unless this asks for them. */
  rules: oneOf(["failing", "all"]),
  sort: oneOf(["failing", "name", "cluster"]),
  /** Hosts one by one, though there are more than fit. */
  hosts: oneOf(["yes"]),
});
export type MatrixSearch = z.infer<typeof matrixSearch>;
