import { Button, Switch } from "@mantine/core";
import { useCan } from "@/entities/person/queries";
import { useOnCall } from "@/entities/problem/queries";
import type { OnCall } from "@/entities/problem/types";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { ProblemCard } from "./card";
import { type DrawJob, FixInHand } from "./fix-in-hand";
import styles from "./oncall.module.css";
import type { OnCallSearch } from "./search";
import { Undoable } from "./undoable";

interface OnCallPageProps {
  search: OnCallSearch;
  setSearch: PatchSearch<OnCallSearch>;
  /** Draws a job with its live steps and its undo; `whenUndone` follows once that is asked for. */
  drawJob: DrawJob;
}

/** What wants a person now, the most urgent first, one card each; the fix in hand is above them. */
export function OnCallPage({ search, setSearch, drawJob }: OnCallPageProps) {
  const onCall = useOnCall();
  const can = useCan();
  return (
    <div className={styles.page}>
      <div className="page-head">
        <h1>On-call</h1>
        {onCall.data ? <Sums onCall={onCall.data} /> : null}
      </div>
      {search.plan !== undefined ? (
        <FixInHand
          key={search.plan}
          planId={search.plan}
          under={search.under}
          drawJob={drawJob}
          leave={() => setSearch({ plan: undefined, under: undefined })}
        />
      ) : null}
      {search.job !== undefined ? (
        <section className={styles.hand} aria-label="Chosen change">
          <div className={styles.handHead}>
            <h2>Job {search.job}</h2>
            <Button size="compact-sm" onClick={() => setSearch({ job: undefined })}>
              Close
            </Button>
          </div>
          {drawJob(search.job, (undo) => setSearch({ job: undo }))}
        </section>
      ) : null}
      <QueryPanel
        query={onCall}
        height={560}
        lines={12}
        isEmpty={(data) => data.problems.length === 0 && data.snoozed.length === 0}
        empty={
          <Empty title="No open problems">
            All paths are healthy, no guardrails are failing, no new failures in 24 hours, all hosts are reporting, and no job needs
            attention.
          </Empty>
        }
      >
        {(data) => <Cards onCall={data} search={search} setSearch={setSearch} />}
      </QueryPanel>
      {onCall.data ? (
        <Undoable
          jobs={onCall.data.undoable}
          canUndo={can.undo_jobs ?? false}
          open={(job) => {
            setSearch({ job, plan: undefined, under: undefined, problem: undefined });
            window.scrollTo({ top: 0 });
          }}
        />
      ) : null}
    </div>
  );
}

function Sums({ onCall }: { onCall: OnCall }) {
  const taken = onCall.problems.filter((one) => one.note !== null).length;
  return (
    <span className="dim">
      {plural(onCall.problems.length, "problem")}, {taken} acknowledged, {onCall.snoozed.length} snoozed · as of{" "}
      <TimeAgo at={onCall.as_of} form="moment" />
      {onCall.approvers_about.length > 0 ? ` · approvers online: ${visible(onCall.approvers_about.join(", "))}` : " · no approver online"}
    </span>
  );
}

function Cards({ onCall, search, setSearch }: { onCall: OnCall; search: OnCallSearch; setSearch: PatchSearch<OnCallSearch> }) {
  // With nothing chosen and no fix in hand the most urgent one is open: the way to its fix is a tap shorter.
  const first = search.plan === undefined && search.job === undefined ? onCall.problems.find((one) => one.note === null)?.key : undefined;
  const chosen = search.problem ?? first;
  const shown = [...onCall.problems, ...(search.snoozed === "yes" ? onCall.snoozed : [])];
  const isGone =
    search.problem !== undefined &&
    search.plan === undefined &&
    ![...onCall.problems, ...onCall.snoozed].some((one) => one.key === search.problem);
  return (
    <section aria-label="Problems">
      {isGone ? (
        <p className={styles.gone} role="status">
          This problem is resolved.
        </p>
      ) : null}
      {onCall.problems.length === 0 ? <Empty title="All open problems are snoozed" /> : null}
      {shown.map((one) => (
        <ProblemCard
          key={one.key}
          problem={one}
          approversAbout={onCall.approvers_about}
          isOpen={one.key === chosen}
          toggle={() => setSearch({ problem: one.key === chosen ? undefined : one.key })}
          take={(plan, under) => {
            setSearch({ plan, under, job: undefined, problem: undefined });
            window.scrollTo({ top: 0 });
          }}
        />
      ))}
      {onCall.total > onCall.problems.length + onCall.snoozed.length ? (
        <p className="dim section">
          {plural(onCall.total - onCall.problems.length - onCall.snoozed.length, "more problem")} with lower priority
        </p>
      ) : null}
      {onCall.snoozed.length > 0 ? (
        <Switch
          mt={20}
          label={`Show snoozed (${onCall.snoozed.length})`}
          checked={search.snoozed === "yes"}
          onChange={() => setSearch({ snoozed: search.snoozed === "yes" ? undefined : "yes" })}
        />
      ) : null}
    </section>
  );
}
