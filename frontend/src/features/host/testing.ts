import type { Finding } from "@/entities/finding/types";

/** A finding with everything filled in; a test names only what it is about. */
export function makeFinding(about: Partial<Finding> = {}): Finding {
  return {
    pack: "dell-bp1057-2012",
    pack_version: "1.0.0",
    rule: "bp1057.flow_control",
    rule_no: 1,
    title: "Flow control on SAN adapters",
    kind: "recommended",
    area: "adapter",
    severity: "medium",
    subject: { kind: "adapter", id: "0010189b7a10", label: "SAN1" },
    outcome: "fail",
    standing: "fail",
    reason: "",
    observed: "off",
    expected: "rx_tx",
    why: "",
    effect: "",
    evidence: [],
    source: null,
    since: "2026-11-20T00:00:00Z",
    failing_since: null,
    was: null,
    impact: "adapter_restart",
    fix: [],
    manual: [],
    peers: null,
    waiver: null,
    excluded_by: "",
    grace_until: null,
    same_as: [],
    tested_value: "",
    ...about,
  };
}
