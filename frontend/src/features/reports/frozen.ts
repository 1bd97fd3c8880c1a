import { z } from "zod";

const outcomes = z.object({
  pass: z.number(),
  fail: z.number(),
  unknown: z.number(),
  waived: z.number(),
  excluded: z.number(),
  not_applicable: z.number(),
  guard_rail: z.number(),
});

const host = z.object({
  id: z.string(),
  name: z.string(),
  group: z.string(),
  system: z.string(),
  score: z.number().nullable(),
  capped_by: z.string(),
  pass: z.number(),
  fail: z.number(),
  unknown: z.number(),
  waived: z.number(),
  excluded: z.number(),
  not_applicable: z.number(),
  worst_headline: z.string(),
  freshness_words: z.string(),
  absent: z.string(),
});

const waiver = z.object({
  id: z.number(),
  rule: z.string(),
  scope: z.string(),
  state: z.enum(["active", "requested", "tripped", "expired", "refused", "withdrawn", "replaced"]),
  findings: z.number(),
  reason: z.string(),
  evidence: z.string(),
  owner: z.string(),
  approver: z.string(),
  age_days: z.number(),
  expires_at: z.string(),
  end_words: z.string(),
});

const plan = z.object({
  id: z.number(),
  title: z.string(),
  state_label: z.string(),
  hosts: z.number(),
  author: z.string(),
  approver_words: z.string(),
  is_by_another: z.boolean(),
  approved_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  has_run: z.boolean(),
  result: z.string(),
});

const gain = z.object({
  what: z.string(),
  jobs: z.number(),
  hosts: z.number(),
  counter: z.string(),
  change_words: z.string(),
  controls_words: z.string(),
  better: z.number(),
  worse: z.number(),
  no_effect: z.number(),
  cannot_tell: z.number(),
});

const proof = z.object({
  id: z.number(),
  title: z.string(),
  host: z.string(),
  rule: z.string(),
  grade_words: z.string(),
  outcome: z.enum(["better", "worse", "no_effect", "mixed", "run_again", "too_few_runs", "not_comparable"]),
  change_percent: z.number().nullable(),
});

const counters = z.object({
  from: z.string(),
  to: z.string(),
  step_hours: z.number(),
  places: z.number(),
  figures: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      unit: z.string(),
      limit: z.number().nullable(),
      limit_source: z.string(),
      highest: z.number(),
      mean_words: z.string(),
      highest_words: z.string(),
    }),
  ),
  steps: z.array(z.object({ place: z.number() }).catchall(z.union([z.number(), z.string(), z.null()]))),
  words: z.string(),
});

/** The part of a report's frozen data that its page shows. Reports of versions before 2 have another shape. */
export const frozenReport = z.object({
  report: z.object({
    version: z.union([z.literal(2), z.literal(3), z.literal(4)]),
    title: z.string(),
    scope_words: z.string(),
    period_words: z.string(),
    as_of: z.string(),
    is_past: z.boolean(),
    requested_by: z.string(),
    definition: z.string(),
    method: z.string(),
    packs: z.array(z.object({ pack: z.string(), version: z.string() })),
  }),
  score: z.object({
    mean: z.number().nullable(),
    median: z.number().nullable(),
    lowest: z.number().nullable(),
    change_words: z.string(),
    rule_coverage: z.number().nullable(),
    hosts_known: z.number(),
    hosts_fresh: z.number(),
    hosts_silent: z.number(),
    hosts_capped: z.number(),
    hosts_waiting: z.number(),
  }),
  outcomes,
  summary: z.array(z.string()),
  risks: z.object({
    bands: z.array(z.string()),
    rows: z.array(z.object({ label: z.string(), counts: z.array(z.number()), total: z.number() })),
    total: z.number(),
  }),
  failing_rules: z.array(
    z.object({ pack: z.string(), rule: z.string(), title: z.string(), hosts: z.number(), subjects: z.number(), effect: z.string() }),
  ),
  hosts: z.array(host),
  exceptions: z.array(waiver),
  waivers_by_state: z.record(z.string(), z.number()),
  waived_findings: z.number(),
  time_to_fix: z.object({ fixed: z.number(), median_words: z.string() }),
  turns: z.object({ began_to_fail: z.number(), fixed: z.number() }),
  plans: z.array(plan),
  approvals: z.object({
    decided: z.number(),
    by_another: z.number(),
    rate: z.number().nullable(),
    standing: z.number(),
    break_glass: z.number(),
  }),
  /** Version 2 has none. */
  gains: z
    .object({ jobs: z.number(), jobs_read: z.number(), words: z.array(z.string()), rows: z.array(gain), proofs: z.array(proof) })
    .optional(),
  /** Versions before 4 have none. */
  counters: counters.optional(),
});

export type FrozenReport = z.infer<typeof frozenReport>;
export type FrozenHost = z.infer<typeof host>;
export type FrozenWaiver = z.infer<typeof waiver>;
export type FrozenGains = NonNullable<FrozenReport["gains"]>;
export type FrozenCounters = NonNullable<FrozenReport["counters"]>;
export type FrozenPlan = z.infer<typeof plan>;

/** The frozen data, or null where this version cannot show them on a page: its files can still be downloaded. */
export function readFrozen(data: unknown): FrozenReport | null {
  const read = frozenReport.safeParse(data);
  return read.success ? read.data : null;
}
