import { Select } from "@mantine/core";
import { useState } from "react";
import { judged } from "@/entities/proof/labels";
import type { RunRow } from "@/entities/proof/types";
import { Callout } from "@/shared/ui/callout";
import { Failed } from "@/shared/ui/query-panel";
import type { Status } from "@/shared/ui/status";
import styles from "./proofs.module.css";
import { useShare } from "./queries";

const WORDS: Record<string, { status: Status; words: string }> = {
  within: { status: "pass", words: "Storage gets the share that its traffic class is configured for" },
  below: { status: "fail", words: "Storage gets less than the share that its traffic class is configured for" },
  above: { status: "pass", words: "Storage gets more than its configured share: others left it unused" },
  unmanaged: { status: "warn", words: "No share is configured for storage, so nothing is guaranteed" },
  unknown: { status: "unknown", words: "The run alone moved no data, so there is no share" },
};

/** QoS conformance: what storage reaches beside other traffic, as a share of what it reaches alone. */
export function ShareCheck({ runs }: { runs: RunRow[] }) {
  const [alone, setAlone] = useState<string | null>(null);
  const [beside, setBeside] = useState<string | null>(null);
  const share = useShare(alone ? Number(alone) : undefined, beside ? Number(beside) : undefined);
  const data = runs
    .filter((run) => run.results.bytes_per_second !== null)
    .map((run) => ({ value: String(run.id), label: `Run ${run.id}: ${run.load.words}, ${judged(run)}` }));
  if (data.length < 2) return null;
  const found = share.data ? WORDS[share.data.conformance] : undefined;
  return (
    <section className="section" aria-label="Share of storage traffic">
      <h2>
        Share of storage traffic <span className="dim">what a QoS traffic class achieves beside other traffic</span>
      </h2>
      <div className={styles.fields}>
        <Select label="Run without other traffic" size="xs" searchable data={data} value={alone} onChange={setAlone} />
        <Select label="Run beside other traffic" size="xs" searchable data={data} value={beside} onChange={setBeside} />
      </div>
      {share.error ? <Failed error={share.error} /> : null}
      {share.data && found ? (
        <Callout status={found.status}>
          {found.words}: {share.data.achieved_percent?.toFixed(1) ?? "–"}%
          {share.data.configured_percent === null
            ? ""
            : ` of ${share.data.configured_percent.toFixed(0)}% configured (tolerance ${share.data.tolerance_points} points)`}
          .{share.data.classes.length > 0 ? ` Classes at that time: ${share.data.classes.join(", ")}.` : ""}
        </Callout>
      ) : null}
    </section>
  );
}
