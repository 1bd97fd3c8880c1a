import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Finding } from "@/entities/finding/types";
import { useCan } from "@/entities/person/queries";
import { NO_DATA, shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { Disclose } from "@/shared/ui/disclose";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Verbatim } from "@/shared/ui/verbatim";
import { FindingCounters } from "./finding-counters";
import type { FindingGroup } from "./finding-groups";
import styles from "./host.module.css";
import { impactLabel } from "./labels";

/** All that is known of a finding: values, why it matters, the fix, who accepted it, and how it was read. */
export function FindingDetail({ group, hostId }: { group: FindingGroup; hostId: string }) {
  const { first } = group;
  const reason = first.reason_repeats ? "" : first.reason;
  const why = [first.why, first.effect].filter(Boolean);
  return (
    <>
      {reason ? <p>{visible(reason)}</p> : null}
      <Values finding={first} />
      {why.length > 0 ? <p className="dim">{why.join(" ")}</p> : null}
      {first.waiver ? (
        <p className="dim">
          <Link to="/waivers/$waiverId" params={{ waiverId: String(first.waiver.id) }} className="link">
            {first.waiver.is_over ? "Waiver expired" : "Waived"}
          </Link>
          {first.waiver.owner ? `, owned by ${visible(first.waiver.owner)}` : ""}
          {first.waiver.approved_by ? `, approved by ${visible(first.waiver.approved_by)}` : ""}
          {first.waiver.ticket ? `, ${visible(first.waiver.ticket)}` : ""}: {visible(first.waiver.reason)}
        </p>
      ) : null}
      <Fix finding={first} />
      {group.alsoAskedBy.length > 0 ? <p className="dim small">Also required by {group.alsoAskedBy.join(", ")}. Counted once.</p> : null}
      <div className={styles.links}>
        <Link to="/rules/$pack/$rule" params={{ pack: first.pack, rule: first.rule }} className="link small">
          View rule
        </Link>
        <Requests group={group} hostId={hostId} />
        {first.excluded_by === "conflict" || first.excluded_by === "decision" ? (
          <Link to="/decisions" className="link small">
            View conflict
          </Link>
        ) : null}
      </div>
      <FindingCounters group={group} hostId={hostId} />
      <HowRead group={group} />
    </>
  );
}

function Values({ finding }: { finding: Finding }) {
  const { was, peers } = finding;
  const values: [string, ReactNode][] = [];
  if (finding.observed) values.push(["Observed", <Verbatim key="o" of={finding.observed} />]);
  if (finding.expected) values.push(["Expected", <Verbatim key="e" of={finding.expected} />]);
  if (finding.tested_value) values.push(["Tested value", <Verbatim key="t" of={finding.tested_value} />]);
  if (was)
    values.push([
      "Previously",
      <span key="w">
        <Verbatim of={was.value} /> until <TimeAgo at={was.until} form="moment" />
        {was.cause_detail ? ` (${visible(was.cause_detail)})` : ""}
      </span>,
    ]);
  if (finding.failing_since && finding.standing === "fail")
    values.push(["Failing for", <TimeAgo key="f" at={finding.failing_since} form="age" />]);
  if (peers && peers.of > 0) values.push(["Cluster peers", `${peers.same} of ${peers.of} match`]);
  if (values.length === 0) return null;
  return (
    <dl className={styles.kv}>
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether there is anything to do: "Nothing to do: both values are fine." is said of a rule that only informs. */
const hasNothingToDo = (finding: Finding): boolean =>
  finding.fix.length === 0 && finding.manual.every((step) => /^nothing to do\b/i.test(step));

/** The automated fix, the manual steps, and apart from them why no plan carries them out. */
function Fix({ finding }: { finding: Finding }) {
  if (finding.standing !== "fail" && finding.standing !== "advice") return null;
  if (hasNothingToDo(finding)) return null;
  return (
    <div className={styles.fix}>
      {finding.fix.length > 0 ? (
        <p>
          Fix:{" "}
          {finding.fix.map((line, index) => (
            <span key={line.setting}>
              {index > 0 ? ", " : ""}
              {line.label || line.setting} <Verbatim of={line.to} />
            </span>
          ))}{" "}
          ({impactLabel(finding.impact)})
          {finding.fix.map((line) =>
            line.until_restart ? <span key={line.setting}> It lasts {visible(line.until_restart)}.</span> : null,
          )}
        </p>
      ) : null}
      {finding.manual.length > 0 ? (
        <>
          <p>Manual steps</p>
          <ol>
            {finding.manual.map((step) => (
              <li key={step}>{visible(step)}</li>
            ))}
          </ol>
        </>
      ) : null}
      {finding.manual_because ? <p className="dim small">Not automated: {visible(finding.manual_because)}</p> : null}
    </div>
  );
}

/** What can be requested from the finding itself: a waiver where it fails, an attestation where only a person can tell. */
function Requests({ group, hostId }: { group: FindingGroup; hostId: string }) {
  const can = useCan();
  const { first } = group;
  if (first.kind === "attestation" && first.standing !== "not_applicable" && can.attest)
    return (
      <Link
        to="/waivers"
        search={{ tab: "attestations", attest: `${first.pack}/${first.rule}`, on: hostId }}
        className="link small"
        aria-label={`Attest ${first.title}`}
      >
        Attest…
      </Link>
    );
  if (first.standing !== "fail" || !can.request_waivers) return null;
  // Of several items that fail alike the rule is waived on the host; of one, that item alone.
  const isOne = group.findings.length === 1 && first.subject.kind !== "host";
  return (
    <Link
      to="/waivers/new"
      search={{
        pack: first.pack,
        rule: first.rule,
        host: [hostId],
        ...(isOne ? { skind: first.subject.kind, sid: first.subject.id } : {}),
      }}
      className="link small"
      aria-label={`Request waiver for ${first.title}`}
    >
      Request waiver…
    </Link>
  );
}

/** The one place that says how the values of a finding were read, and on what evidence they are required. */
function HowRead({ group }: { group: FindingGroup }) {
  const read = group.findings.filter((finding) => finding.source !== null);
  if (read.length === 0 && group.first.evidence.length === 0) return null;
  return (
    <Disclose label="How this was read">
      {() => (
        <>
          {read.map((finding) => (
            <Source key={`${finding.subject.kind}/${finding.subject.id}`} finding={finding} />
          ))}
          {read.length === 0 ? <p className="dim">No value was read.</p> : null}
          <EvidenceLine finding={group.first} />
        </>
      )}
    </Disclose>
  );
}

function Source({ finding }: { finding: Finding }) {
  const { source } = finding;
  if (!source) return null;
  return (
    <dl className={styles.read}>
      <dt>Item</dt>
      <dd>
        {visible(finding.subject.label)} {finding.subject.id ? <CopyableText text={finding.subject.id} label="ID" /> : null}
      </dd>
      <dt>Section</dt>
      <dd>
        {source.section}
        {source.read_at ? (
          <>
            , <TimeAgo at={source.read_at} form="exact" />
          </>
        ) : null}
        {source.sha256 ? (
          <>
            , digest <CopyableText text={source.sha256} shown={shortDigest(source.sha256)} label="digest" />
          </>
        ) : null}
      </dd>
      {source.member ? (
        <>
          <dt>File</dt>
          <dd>
            <CopyableText text={source.member} label="file" />
          </dd>
        </>
      ) : null}
      <dt>Command</dt>
      <dd>{source.command ? <CopyableText text={source.command} label="command" /> : NO_DATA}</dd>
      <dt>Field</dt>
      <dd>
        <Verbatim of={source.field} />
      </dd>
      <dt>Raw value</dt>
      <dd>
        <Verbatim of={source.raw} />
      </dd>
      {source.is_proven ? null : (
        <>
          <dt>Certainty</dt>
          <dd>Not yet confirmed on a real host</dd>
        </>
      )}
    </dl>
  );
}

function EvidenceLine({ finding }: { finding: Finding }) {
  if (finding.evidence.length === 0) return null;
  return (
    <p className="dim small" style={{ marginTop: 6 }}>
      Required by {finding.pack} {finding.pack_version}. Evidence:{" "}
      {finding.evidence.map((one) => `${one.paper} ${one.edition} ${one.at} (${one.strength})`.replace(/\s+/g, " ")).join("; ")}.
    </p>
  );
}
