import { Button, NumberInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { QueryPanel } from "@/shared/ui/query-panel";
import { type Status, StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./paths.module.css";
import { probesKey, useProbes } from "./queries";
import type { ProbeRun } from "./types";

const SMALLEST = 576;
const LARGEST = 65_535;

const RESULTS: Record<string, { status: Status; label: string }> = {
  ok: { status: "pass", label: "Passed" },
  too_big: { status: "fail", label: "Too large for the path" },
  silent: { status: "unknown", label: "No reply at any size" },
  not_run: { status: "unknown", label: "Not sent in time" },
};

/** Do-not-fragment pings over this host's own paths: what carries a frame size, before anything is changed. */
export function Probes({ hostId, canRun }: { hostId: string; canRun: boolean }) {
  const runs = useProbes(hostId);
  const isUnderWay = runs.data?.[0]?.state === "waiting" || runs.data?.[0]?.state === "running";
  return (
    <section className="section" aria-label="Jumbo frame test (end to end)">
      <h2>Jumbo frame test (end to end)</h2>
      <p className="dim">
        Sends do-not-fragment pings from every SAN address to every portal. Nothing is changed. A success is valid for hosts on the same
        fabric for 24 hours.
      </p>
      {canRun ? <Ask hostId={hostId} isUnderWay={isUnderWay} /> : null}
      <QueryPanel
        query={runs}
        height={90}
        lines={2}
        isEmpty={(data) => data.length === 0}
        empty={<p className="dim">No tests run from here yet. Each check-in already pings at the host's own frame size.</p>}
      >
        {(data) => <Newest runs={data} />}
      </QueryPanel>
    </section>
  );
}

function Ask({ hostId, isUnderWay }: { hostId: string; isUnderWay: boolean }) {
  const id = useId();
  const client = useQueryClient();
  const [size, setSize] = useState<number | string>(9000);
  const ask = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/hosts/{host_id}/probes", { params: { path: { host_id: hostId } }, body: { size_bytes: Number(size) } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: probesKey(hostId) }),
    onError: (error) => notifications.show({ title: "Couldn't start the test", message: ApiProblem.of(error).message }),
  });
  return (
    <form
      className={styles.ask}
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
    >
      <label htmlFor={id}>Packet size (bytes)</label>
      <NumberInput
        id={id}
        size="xs"
        w={110}
        min={SMALLEST}
        max={LARGEST}
        clampBehavior="blur"
        allowDecimal={false}
        value={size}
        onChange={setSize}
      />
      <Button type="submit" loading={ask.isPending} disabled={isUnderWay || size === ""}>
        Run test
      </Button>
    </form>
  );
}

const pingColumns = (bytes: number): Column<ProbeRun["pings"][number]>[] => [
  { head: "From", className: "nowrap", cell: (one) => visible(one.source) },
  { head: "Adapter", cell: (one) => visible(one.adapter_name) },
  { head: "To portal", className: "nowrap", cell: (one) => visible(one.portal) },
  {
    head: `${bytes} bytes`,
    cell: (one) => {
      const result = RESULTS[one.outcome ?? "not_run"] ?? { status: "unknown" as const, label: "Unknown" };
      return <StatusLabel status={result.status}>{result.label}</StatusLabel>;
    },
  },
];

function Newest({ runs }: { runs: ProbeRun[] }) {
  const run = runs[0];
  if (!run) return null;
  return (
    <div role="status" aria-label="Latest test">
      <p className={styles.explanation}>
        {run.state === "waiting" || run.state === "running" ? (
          <StatusLabel status="running">Running</StatusLabel>
        ) : run.state === "failed" ? (
          <StatusLabel status="unknown">Unknown</StatusLabel>
        ) : (
          <StatusLabel status={run.pings.every((one) => one.outcome === "ok") ? "pass" : "fail"}>Done</StatusLabel>
        )}{" "}
        {visible(run.words)} <span className="dim">started by {visible(run.asked_by.replace(/^person:\d+ /, ""))}</span>{" "}
        <TimeAgo at={run.finished_at ?? run.asked_at} />
      </p>
      {run.state === "done" ? (
        <DataTable columns={pingColumns(run.size_bytes)} rows={run.pings} rowKey={(one) => `${one.source}${one.adapter}${one.portal}`} />
      ) : null}
    </div>
  );
}
