import { z } from "zod";
import { listOf, number, numbers, oneOf, text } from "@/shared/lib/search";

const WAIVER_STATES = ["requested", "active", "expired", "tripped", "refused", "withdrawn", "replaced"] as const;

const hostId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .optional()
  .catch(undefined);

/** What the list keeps in its address. A bad value counts as not given. */
export const waiversSearch = z.object({
  tab: oneOf(["waivers", "attestations"]),
  state: listOf(WAIVER_STATES),
  owner: numbers,
  age: listOf(["30", "90", "older"]),
  ends_within: oneOf(["7", "30", "90"]),
  q: text,
  rule: text,
  host: text,
  // The rule ("pack/rule") whose attestation is being made, and the host it is about; without one, a group is chosen.
  attest: text,
  on: hostId,
});
export type WaiversSearch = z.infer<typeof waiversSearch>;

/** What a request is about. Hosts are given one by one, a group by its number; the form's own fields stay out of the address. */
export const askSearch = z.object({
  pack: text,
  rule: text,
  host: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .transform((given) => given.filter((one) => /^[0-9a-f]{32}$/.test(one)).slice(0, 500))
    .optional()
    .catch(undefined),
  group: number(1, 2 ** 31 - 1),
  skind: text,
  sid: text,
  replaces: number(1, 2 ** 31 - 1),
  // What the form begins with, from a proof.
  until: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .catch(undefined),
  evidence: z.string().max(2000).optional().catch(undefined),
  link: z
    .string()
    .regex(/^\/proofs\/\d{1,10}$/)
    .optional()
    .catch(undefined),
});
export type AskSearch = z.infer<typeof askSearch>;
