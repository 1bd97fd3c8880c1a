import { Button, MultiSelect, Select } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useState } from "react";
import { ApiProblem } from "@/shared/api/problem";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { duration, moment, relative } from "@/shared/lib/time";
import { useNow } from "@/shared/lib/use-now";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo, useZone } from "@/shared/ui/time-ago";
import { useActForm } from "@/shared/ui/use-act-form";
import { ChartsView } from "./charts-view";
import type { Watch } from "./types";
import styles from "./watch.module.css";
import { useHostWatches, useStartWatch, useStopWatch, useWatchCharts } from "./watch-queries";

interface WatchCountersProps {
  host: { id: string; name: string };
  /** The counters that are shown first; without them the usual ones. */
  series?: readonly string[] | undefined;
  /** An earlier watch that is shown, and what shows another one; without these only a watch that runs now is shown. */
  shown?: number | undefined;
  show?: (watch: number | undefined) => void;
  /** The watch that this job started is shown, also once it is over. */
  job?: number;
}

/** Counters of a host every few seconds, started by a person or a job: the button, the watch that runs, and on request an earlier one. */
export function WatchCounters({ host, series, shown, show, job }: WatchCountersProps) {
  const { data } = useHostWatches(host.id);
  // A watch that ended while it was on the page stays there until it is closed.
  const [followed, setFollowed] = useState<number | undefined>();
  const [isClosed, setIsClosed] = useState(false);
  const open = data?.watches.find((one) => one.state !== "ended");
  if (open && open.id !== followed) setFollowed(open.id);
  const ofJob = isClosed ? undefined : data?.watches.find((one) => one.job_id !== null && one.job_id === job && one.readings > 0);
  const current = open ?? data?.watches.find((one) => one.id === (shown ?? followed)) ?? ofJob;
  // A page about something else leaves out what can't be done; the host's own page says why.
  if (!data || (data.why_not && !current && !show)) return null;
  const earlier = show ? data.watches.filter((one) => one.id !== current?.id && one.readings > 0) : [];
  if (!current && !data.may_watch && earlier.length === 0) return null;
  const close = () => {
    setFollowed(undefined);
    setIsClosed(true);
    show?.(undefined);
  };
  return (
    <section aria-label="Watch" className={styles.watch}>
      {open ? null : (
        <div className={styles.line}>
          {data.may_watch ? <StartWatch host={host} isDisabled={data.why_not !== ""} /> : null}
          {data.may_watch && data.why_not ? <span className="dim small">{visible(data.why_not)}</span> : null}
          {earlier.length > 0 && show ? <Earlier watches={earlier} show={show} /> : null}
        </div>
      )}
      {current ? <Shown key={current.id} watch={current} series={series} mayStop={data.may_watch} close={close} /> : null}
    </section>
  );
}

/** Lines a person can still tell apart. */
const MOST = 8;

/** Without a reading for so long, the age of the last one is shown: the host is busy, or the session broke. */
const LATE_MS = 20_000;

const MINUTES = [
  { value: "1", label: "1 minute" },
  { value: "5", label: "5 minutes" },
  { value: "15", label: "15 minutes" },
];

function StartWatch({ host, isDisabled }: { host: WatchCountersProps["host"]; isDisabled: boolean }) {
  return (
    <FormDialog
      title={`Watch counters of ${visible(host.name)}`}
      opener={(open) => (
        <Button onClick={open} disabled={isDisabled}>
          Watch counters…
        </Button>
      )}
    >
      {(close) => <StartForm host={host} close={close} />}
    </FormDialog>
  );
}

function StartForm({ host, close }: { host: WatchCountersProps["host"]; close: () => void }) {
  const start = useStartWatch();
  const form = useActForm({
    initialValues: { minutes: "5" },
    send: ({ minutes }) => start.mutateAsync({ params: { path: { host_id: host.id } }, body: { minutes: Number(minutes) } }),
    whenDone: close,
  });
  return (
    <FormBody form={form} label="Start watch">
      <p className="dim small">
        Plumbline signs in to the host and reads its counters every 5 seconds, less often if reading takes the host long. Nothing is
        changed. The watch ends by itself.
      </p>
      <Select label="Duration" data={MINUTES} allowDeselect={false} {...form.getInputProps("minutes")} />
    </FormBody>
  );
}

function Earlier({ watches, show }: { watches: Watch[]; show: (watch: number) => void }) {
  const zone = useZone();
  return (
    <Select
      aria-label="Earlier watches"
      placeholder="Earlier watches"
      size="xs"
      w={230}
      value={null}
      data={watches.map((one) => ({
        value: String(one.id),
        label: `${moment(one.requested_at, zone)}, ${plural(one.readings, "reading")}`,
      }))}
      onChange={(chosen) => {
        if (chosen !== null) show(Number(chosen));
      }}
    />
  );
}

interface ShownProps {
  watch: Watch;
  series: readonly string[] | undefined;
  mayStop: boolean;
  close: () => void;
}

function Shown({ watch, series, mayStop, close }: ShownProps) {
  const isOver = watch.state === "ended";
  return (
    <div className={styles.panel}>
      <div className={styles.line}>
        <State watch={watch} />
        {isOver ? (
          <Button size="compact-sm" onClick={close}>
            Close watch
          </Button>
        ) : mayStop ? (
          <Stop watch={watch} />
        ) : null}
      </div>
      {watch.readings > 0 ? <Figures watch={watch} series={series} isOver={isOver} /> : null}
    </div>
  );
}

function State({ watch }: { watch: Watch }) {
  const now = useNow(1000);
  const left = watch.until ? Math.max(0, Math.round((Date.parse(watch.until) - now.getTime()) / 1000)) : null;
  return (
    <p role="status" aria-label="State of the watch">
      {watch.state === "ended" ? (
        <>
          <StatusLabel status={watch.readings > 0 ? "pass" : "warn"}>{watch.readings > 0 ? "Watch ended" : "Watch failed"}</StatusLabel>{" "}
          {watch.ended_at ? <TimeAgo at={watch.ended_at} form="moment" /> : null}
          {watch.end_words ? `: ${visible(watch.end_words)}` : "."}
        </>
      ) : watch.readings > 0 ? (
        <>
          <StatusLabel status="running">Watching</StatusLabel> {left === null ? "" : `for another ${duration(left)}`}
        </>
      ) : (
        <StatusLabel status="running">Signing in to the host…</StatusLabel>
      )}{" "}
      <span className="dim small">
        Started by {watch.job_id === null ? visible(watch.requested_by) : `job ${watch.job_id}`}
        {watch.readings > 0 ? `, ${plural(watch.readings, "reading")}` : ""}
        {watch.state !== "ended" && watch.last_at && now.getTime() - Date.parse(watch.last_at) > LATE_MS
          ? `, the last ${relative(watch.last_at, now)}`
          : ""}
      </span>
    </p>
  );
}

function Stop({ watch }: { watch: Watch }) {
  const stop = useStopWatch();
  return (
    <Button
      size="compact-sm"
      loading={stop.isPending}
      onClick={() =>
        stop.mutate(
          { params: { path: { watch_id: watch.id } } },
          { onError: (error) => notifications.show({ title: "Couldn't stop the watch", message: ApiProblem.of(error).message }) },
        )
      }
    >
      Stop watch
    </Button>
  );
}

function Figures({ watch, series, isOver }: Pick<ShownProps, "watch" | "series"> & { isOver: boolean }) {
  const [picked, setPicked] = useState<string[] | undefined>(series?.slice(0, MOST));
  const charts = useWatchCharts(watch.id, picked ?? [], isOver);
  const { refetch } = charts;
  // The last readings came after the charts were read.
  useEffect(() => {
    if (isOver) void refetch();
  }, [isOver, refetch]);
  return (
    <QueryPanel query={charts} height={260} isEmpty={() => watch.readings < 2} empty={<p className="dim">Rates need two readings.</p>}>
      {(data) => (
        <>
          <MultiSelect
            label="Counters of the watch"
            size="xs"
            mt={8}
            maxValues={MOST}
            searchable
            hidePickedOptions
            clearable={picked !== undefined}
            clearButtonProps={{ "aria-label": "Reset counters of the watch" }}
            data={data.hosts[0]?.choices.map((one) => ({ value: `${watch.host.id}~${one.id}`, label: visible(one.label) })) ?? []}
            value={data.series.map((line) => line.id)}
            onChange={(chosen) => setPicked(chosen.length > 0 ? chosen : undefined)}
          />
          <ChartsView data={data} height={140} />
        </>
      )}
    </QueryPanel>
  );
}
