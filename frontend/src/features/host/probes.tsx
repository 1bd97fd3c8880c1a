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
  ok: { status: "pass", label: "came back whole" },
  too_big: { status: "fail", label: "too big for the way" },
  silent: { status: "unknown", label: "no answer at any size" },
  not_run: { status: "unknown", label: "not sent in time" },
};

/** Do-not-fragment pings over this host's own paths: what carries a frame size, before anything is changed. */
export function Probes({ hostId, canRun }: { hostId: string; canRun: boolean }) {
  const runs = useProbes(hostId);
  const isUnderWay = runs.data?.[0]?.state === "waiting" || runs.data?.[0]?.state === "running";
  return (
    <section className="section" aria-label="Frame size, end to end">
      <h2>Frame size, end to end</h2>
      <p className="dim">
        A ping that may not be cut into pieces, from every SAN address to every portal. Nothing is changed. What comes back whole proves the
        way for the other hosts of the same fabric for 24 hours.
      </p>
      {canRun ? <Ask hostId={hostId} isUnderWay={isUnderWay} /> : null}
      <QueryPanel
        query={runs}
        height={90}
        lines={2}
        isEmpty={(data) => data.length === 0}
        empty={<p className="dim">Nobody has asked this host for pings yet. Its own check-ins ping at its frame size.</p>}
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
    onError: (error) => notifications.show({ title: "No ping was sent", message: ApiProblem.of(error).message }),
  });
  return (
    <form
      className={styles.ask}
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
    >
      <label htmlFor={id}>Bytes of the whole packet</label>
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
        Run probes
      </Button>
    </form>
  );
}

const pingColumns = (bytes: number): Column<ProbeRun["pings"][number]>[] => [
  { head: "from", className: "nowrap", cell: (one) => visible(one.source) },
  { head: "adapter", cell: (one) => visible(one.adapter_name) },
  { head: "to portal", className: "nowrap", cell: (one) => visible(one.portal) },
  {
    head: `${bytes} bytes`,
    cell: (one) => {
      const result = RESULTS[one.outcome ?? "not_run"] ?? { status: "unknown" as const, label: "not known" };
      return <StatusLabel status={result.status}>{result.label}</StatusLabel>;
    },
  },
];

function Newest({ runs }: { runs: ProbeRun[] }) {
  const run = runs[0];
  if (!run) return null;
  return (
    <div role="status" aria-label="The newest pings">
      <p className={styles.explanation}>
        {run.state === "waiting" || run.state === "running" ? (
          <StatusLabel status="running">under way</StatusLabel>
        ) : run.state === "failed" ? (
          <StatusLabel status="unknown">not known</StatusLabel>
        ) : (
          <StatusLabel status={run.pings.every((one) => one.outcome === "ok") ? "pass" : "fail"}>done</StatusLabel>
        )}{" "}
        {visible(run.words)} <span className="dim">asked by {visible(run.asked_by.replace(/^person:\d+ /, ""))}</span>{" "}
        <TimeAgo at={run.finished_at ?? run.asked_at} />
      </p>
      {run.state === "done" ? (
        <DataTable columns={pingColumns(run.size_bytes)} rows={run.pings} rowKey={(one) => `${one.source}${one.adapter}${one.portal}`} />
      ) : null}
    </div>
  );
}
