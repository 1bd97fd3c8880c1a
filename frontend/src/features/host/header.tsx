import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useFindings } from "@/entities/finding/queries";
import { approveHost } from "@/entities/host/queries";
import type { HostDetail } from "@/entities/host/types";
import { usePendingEffects } from "@/entities/job/queries";
import type { Session } from "@/entities/person/types";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { ApiProblem } from "@/shared/api/problem";
import { NO_DATA, percent, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Callout } from "@/shared/ui/callout";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { ChangesLine } from "./changes-line";
import { CheckNow, CollectionLine } from "./check-now";
import { groupFindings } from "./finding-groups";
import styles from "./host.module.css";
import { HostMenu } from "./host-menu";
import { fixable, planOf } from "./plan-fix";
import { problemLines } from "./problem-lines";

interface HeaderProps {
  host: HostDetail;
  can: Partial<Session["can"]>;
  isApart: boolean;
  setApart: (isApart: boolean) => void;
}

export function Header({ host, can, isApart, setApart }: HeaderProps) {
  const isWeak = host.rule_coverage !== null && host.rule_coverage < 0.8;
  const system = [host.os_name, host.os_build && !host.os_name.includes(host.os_build) ? `(${host.os_build})` : ""]
    .filter(Boolean)
    .join(" ");
  return (
    <>
      <div className={styles.head}>
        <div
          className={styles.big}
          data-weak={isWeak || undefined}
          title={
            host.score === null ? "Not scored" : isWeak ? "Greyed out: too few applicable rules could be evaluated" : "Score out of 100"
          }
        >
          {host.score ?? NO_DATA}
        </div>
        <div className={styles.lines}>
          <div className={styles.facts}>
            <h1>{visible(host.name)}</h1>
            <span>{visible(system)}</span>
            <span>
              <Link to="/hosts" search={{ group: [host.group_id] }} className="link">
                {visible(host.group_name)}
              </Link>
              {host.cluster ? (
                <>
                  , cluster{" "}
                  <Link to="/hosts" search={{ cluster: [host.cluster] }} className="link">
                    {visible(host.cluster)}
                  </Link>
                </>
              ) : null}
            </span>
            {host.adapters_line ? <span>{visible(host.adapters_line)}</span> : null}
            <PathsFact host={host} />
            {host.from_bundle ? null : (
              <span>
                Last check-in <TimeAgo at={host.last_seen_at} />
              </span>
            )}
          </div>
          <Why host={host} isApart={isApart} setApart={setApart} />
        </div>
        <div className={styles.buttons}>
          {host.state === "waiting" && can.approve_hosts ? <ApproveButton host={host} /> : null}
          {can.check_now && host.state === "active" && !host.from_bundle ? <CheckNow host={host} /> : null}
          {can.draft_plans && host.state === "active" && !host.from_bundle ? <PlanFix host={host} /> : null}
          <Button renderRoot={(props) => <Link to="/hosts/$hostId/compare" params={{ hostId: host.id }} {...props} />}>Compare</Button>
          <HostMenu host={host} can={can} />
        </div>
      </div>
      {host.from_bundle ? <FromBundle from={host.from_bundle} /> : <ChangesLine host={host} can={can} />}
      {host.source === "collector" ? <CollectionLine hostId={host.id} /> : null}
      <Problems host={host} />
    </>
  );
}

/** At the head of every tab: all that is shown is of the day on which the bundle was collected. */
function FromBundle({ from }: { from: NonNullable<HostDetail["from_bundle"]> }) {
  return (
    <div className={styles.from}>
      <Callout status="neutral">
        <strong>
          As of <TimeAgo at={from.as_of} form="exact" />
          {from.tells_time ? "" : ", when it was uploaded"}
        </strong>
        . Known only from {visible(from.bundle)} ({from.kind_label}). To plan fixes, enrol an agent.
      </Callout>
    </div>
  );
}

/** One plan for every failing finding that a plan can fix. */
function PlanFix({ host }: { host: HostDetail }) {
  const findings = useFindings(host.id);
  const groups = fixable(groupFindings(findings.data?.items ?? []));
  if (groups.length === 0) return null;
  return (
    <PlanFixButton
      {...planOf(groups, { hostId: host.id, hostName: host.name })}
      label={`Plan fix (${groups.length})`}
      about={`all failing findings of ${visible(host.name)}`}
      isMain
    />
  );
}

/** Where a failing guardrail, or a volume with fewer than two healthy paths, holds a score (backend, core/rules/score.py). */
const CAP = 59;

function PathsFact({ host }: { host: HostDetail }) {
  if (host.paths_total === null || host.paths_healthy === null)
    return <span>Path state unknown{host.path_problem ? `: ${visible(host.path_problem)}` : ""}</span>;
  const text = `${host.paths_healthy} of ${host.paths_total} paths healthy`;
  return (
    <Link to="/hosts/$hostId" params={{ hostId: host.id }} search={{ tab: "paths" }} className="link">
      {host.paths_healthy < host.paths_total ? <StatusLabel status="fail">{text}</StatusLabel> : text}
    </Link>
  );
}

function Why({ host, isApart, setApart }: { host: HostDetail; isApart: boolean; setApart: (isApart: boolean) => void }) {
  if (host.score === null) {
    return (
      <div className={styles.facts}>
        <span>
          {host.state === "waiting"
            ? "Pending approval. Its check-ins are stored but not scored or counted."
            : "No score yet: no rule has passed or failed."}
        </span>
        <PastLink host={host} />
      </div>
    );
  }
  return (
    <div className={styles.facts}>
      <span>
        <b>Points lost:</b> {host.why.length === 0 ? "none" : null}
        {host.why.slice(0, 3).map((one, index) => (
          <span key={`${one.pack}/${one.rule}`}>
            {index > 0 ? " · " : ""}
            <Link to="/rules/$pack/$rule" params={{ pack: one.pack, rule: one.rule }} className="link">
              {visible(one.headline || one.title)}
            </Link>{" "}
            −{one.points_lost < 1 ? "<1" : Math.round(one.points_lost)}
          </span>
        ))}
        {host.why.length > 3 ? ` · ${plural(host.why.length - 3, "more", "more")}` : ""}
      </span>
      <span>
        {host.cause_of_cap || host.capped_by
          ? `${host.score < CAP ? "Also capped" : "Capped"} at ${CAP} by ${visible(host.cause_of_cap || host.capped_by)}`
          : "Not capped"}
      </span>
      <span>{percent(host.rule_coverage)} coverage</span>
      <button
        type="button"
        className="link"
        style={{ border: 0, background: "none", font: "inherit", color: "inherit", padding: 0, cursor: "pointer" }}
        aria-expanded={isApart}
        onClick={() => setApart(!isApart)}
      >
        {isApart ? "Hide breakdown" : "Score breakdown"}
      </button>
      <PastLink host={host} />
    </div>
  );
}

/** Also of a host without a score: what it was may be all that is left of it. */
function PastLink({ host }: { host: HostDetail }) {
  return (
    <Link to="/hosts/$hostId/past" params={{ hostId: host.id }} className="link">
      View past state
    </Link>
  );
}

function Problems({ host }: { host: HostDetail }) {
  const pending = usePendingEffects(host.id);
  const lines = problemLines(host, pending.data ?? []);
  if (lines.length === 0) return null;
  return (
    <ul className={styles.problems} aria-label="Warnings">
      {lines.map((line) => (
        <li key={line}>{visible(line)}</li>
      ))}
    </ul>
  );
}

function ApproveButton({ host }: { host: HostDetail }) {
  const client = useQueryClient();
  const approve = useMutation({
    mutationFn: () => approveHost(host.id),
    onSuccess: () => {
      notifications.show({ message: `${host.name} approved. It is scored from its next check-in.` });
      void client.invalidateQueries();
    },
    onError: (error) => notifications.show({ title: "Couldn't approve the host", message: ApiProblem.of(error).message }),
  });
  return (
    <Button variant="filled" onClick={() => approve.mutate()} loading={approve.isPending}>
      Approve
    </Button>
  );
}
