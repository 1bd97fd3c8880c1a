import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Finding } from "@/entities/finding/types";
import { useCan } from "@/entities/person/queries";
import { PlanFixButton } from "@/entities/plan/plan-fix-button";
import { NO_DATA, shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { StatusIcon, StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Verbatim } from "@/shared/ui/verbatim";
import { areaLabel, type FindingGroup, groupHeadline, isNamedApart, subjectsText } from "./finding-groups";
import styles from "./host.module.css";
import { impactLabel } from "./labels";

interface FindingEntryProps {
  group: FindingGroup;
  isTarget: boolean;
  hostId: string;
  /** The host to plan a fix on; absent for who may not. */
  plan?: { hostId: string; hostName: string } | undefined;
}

/** One finding, or several that say the same of several subjects. */
export function FindingEntry({ group, isTarget, hostId, plan }: FindingEntryProps) {
  const { first } = group;
  const headline = visible(groupHeadline(group));
  const reason = first.reason_repeats ? "" : first.reason;
  const why = [first.why, first.effect].filter(Boolean);
  return (
    <article className={styles.finding} data-target={isTarget || undefined} aria-label={`${first.standing.replace("_", " ")}: ${headline}`}>
      <StatusIcon status={first.standing} size={14} />
      <div>
        <div className={styles.title}>
          <h3>
            <span className="hidden-visually">{first.standing.replace("_", " ")}: </span>
            <Link to="/rules/$pack/$rule" params={{ pack: first.pack, rule: first.rule }}>
              {headline}
            </Link>
          </h3>
          {isNamedApart(group) ? <span className="dim">{visible(subjectsText(group))}</span> : null}
          {first.standing === "waived" && first.waiver ? (
            <Link to="/waivers/$waiverId" params={{ waiverId: String(first.waiver.id) }}>
              <StatusLabel status={first.waiver.is_over ? "warn" : "waived"} isBadge>
                {first.waiver.is_over ? "waiver over since " : "waived until "}
                <TimeAgo at={first.waiver.expires_at} form="moment" />
              </StatusLabel>
            </Link>
          ) : null}
          {first.standing === "excluded" ? <SetAside finding={first} /> : null}
          {first.standing === "advice" ? (
            <StatusLabel status="advice" isBadge>
              advice, weighs nothing
            </StatusLabel>
          ) : null}
          {first.kind === "guard_rail" ? <span className="dim small">guard-rail</span> : null}
          {first.standing === "fail" ? <span className="dim small">{first.severity}</span> : null}
          <span className="dim small">{areaLabel(first.area)}</span>
        </div>
        {reason ? <div className={first.standing === "unknown" ? undefined : "dim"}>{visible(reason)}</div> : null}
        {why.length > 0 ? <div className="dim">{why.join(" ")}</div> : null}
        {first.waiver ? (
          <div className="dim">
            {first.waiver.is_over ? "Its waiver is over" : "Waived"}
            {first.waiver.owner ? `, owned by ${visible(first.waiver.owner)}` : ""}
            {first.waiver.approved_by ? `, approved by ${visible(first.waiver.approved_by)}` : ""}
            {first.waiver.ticket ? `, ${visible(first.waiver.ticket)}` : ""}: {visible(first.waiver.reason)}
          </div>
        ) : null}
        <Facts finding={first} />
        <Fix finding={first} />
        {plan && first.standing === "fail" && first.fix.length > 0 ? <PlanThis group={group} {...plan} /> : null}
        <Asks group={group} hostId={hostId} />
        {group.alsoAskedBy.length > 0 ? <div className="dim small">Also asked by {group.alsoAskedBy.join(", ")}; counted once.</div> : null}
        <HowRead group={group} />
      </div>
    </article>
  );
}

/** Why a finding does not count, and what ends that: a date, or a decision. */
function SetAside({ finding }: { finding: Finding }) {
  if (finding.excluded_by === "conflict" || finding.excluded_by === "decision")
    return (
      <Link to="/decisions">
        <StatusLabel status="excluded" isBadge>
          {finding.excluded_by === "conflict" ? "set aside: two packs contradict each other" : "set aside: decided for the other pack"}
        </StatusLabel>
      </Link>
    );
  return (
    <StatusLabel status="excluded" isBadge>
      {finding.excluded_by === "grace" && finding.grace_until ? (
        <>
          in grace: counts from <TimeAgo at={finding.grace_until} form="moment" /> on
        </>
      ) : (
        `set aside: ${visible(finding.excluded_by)}`
      )}
    </StatusLabel>
  );
}

function Facts({ finding }: { finding: Finding }) {
  const isBare = !finding.observed && !finding.expected;
  if (isBare && !finding.was && !finding.peers) return null;
  return (
    <dl className={styles.kv}>
      {finding.observed ? (
        <div>
          <dt>observed</dt>
          <dd>
            <Verbatim of={finding.observed} />
          </dd>
        </div>
      ) : null}
      {finding.expected ? (
        <div>
          <dt>expected</dt>
          <dd>
            <Verbatim of={finding.expected} />
          </dd>
        </div>
      ) : null}
      {finding.tested_value ? (
        <div>
          <dt>tested in the paper</dt>
          <dd>
            <Verbatim of={finding.tested_value} />
          </dd>
        </div>
      ) : null}
      {finding.was ? (
        <div>
          <dt>was</dt>
          <dd>
            <Verbatim of={finding.was.value} /> until <TimeAgo at={finding.was.until} form="moment" />
            {finding.was.cause_detail ? ` (${visible(finding.was.cause_detail)})` : ""}
          </dd>
        </div>
      ) : null}
      {finding.failing_since && finding.standing === "fail" ? (
        <div>
          <dt>failing for</dt>
          <dd>
            <TimeAgo at={finding.failing_since} form="age" />
          </dd>
        </div>
      ) : null}
      {finding.peers && finding.peers.of > 0 ? (
        <div>
          <dt>peers</dt>
          <dd>
            {finding.peers.same} of {finding.peers.of} the same
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

function Fix({ finding }: { finding: Finding }) {
  if (finding.standing !== "fail" && finding.standing !== "advice") return null;
  if (finding.fix.length === 0 && finding.manual.length === 0) return null;
  return (
    <div className={styles.fix}>
      {finding.fix.length > 0 ? (
        <>
          Fix:{" "}
          {finding.fix.map((line, index) => (
            <span key={line.setting}>
              {index > 0 ? ", " : ""}
              {line.label || line.setting} <Verbatim of={line.to} />
            </span>
          ))}
          , {impactLabel(finding.impact)}.
        </>
      ) : null}
      {finding.manual.map((line) => (
        <div key={line}>Manual step: {visible(line)}</div>
      ))}
      {finding.manual_because ? <div className="dim">Not automated: {visible(finding.manual_because)}</div> : null}
    </div>
  );
}

function PlanThis({ group, hostId, hostName }: { group: FindingGroup; hostId: string; hostName: string }) {
  return (
    <div className={styles.fix}>
      <PlanFixButton
        about={`${visible(groupHeadline(group))}, ${visible(hostName)}`}
        reason={`${visible(hostName)}: ${visible(groupHeadline(group))}`}
        wanted={{
          findings: group.findings.map(({ pack, rule, subject }) => ({
            host_id: hostId,
            pack,
            rule,
            subject_kind: subject.kind,
            subject_id: subject.id,
          })),
        }}
      />
    </div>
  );
}

/** What can be asked for from the finding itself: a waiver where it fails, an attestation where only a person can tell. */
function Asks({ group, hostId }: { group: FindingGroup; hostId: string }) {
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
        attest it
      </Link>
    );
  if (first.standing !== "fail" || !can.request_waivers) return null;
  // Of several subjects that fail alike the rule is waived on the host; of one, that subject alone.
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
      aria-label={`Waive ${first.title}`}
    >
      waive
    </Link>
  );
}

function HowRead({ group }: { group: FindingGroup }) {
  const [isOpen, setOpen] = useState(false);
  const read = group.findings.filter((finding) => finding.source !== null);
  if (read.length === 0 && group.first.evidence.length === 0) return null;
  return (
    <>
      <button type="button" className={styles.disclose} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconChevronRight size={14} aria-hidden="true" />
        how it was read
      </button>
      {isOpen ? (
        <>
          {read.map((finding) => (
            <Source key={`${finding.subject.kind}/${finding.subject.id}`} finding={finding} />
          ))}
          {read.length === 0 ? <p className="dim">No value was read for this finding.</p> : null}
          <EvidenceLine finding={group.first} />
        </>
      ) : null}
    </>
  );
}

function Source({ finding }: { finding: Finding }) {
  const { source } = finding;
  if (!source) return null;
  return (
    <dl className={styles.read}>
      <dt>subject</dt>
      <dd>
        {visible(finding.subject.label)} {finding.subject.id ? <CopyableText text={finding.subject.id} label="id" /> : null}
      </dd>
      <dt>section</dt>
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
      <dt>command</dt>
      <dd>{source.command ? <CopyableText text={source.command} label="command" /> : NO_DATA}</dd>
      <dt>field</dt>
      <dd>
        <Verbatim of={source.field} />
      </dd>
      <dt>the host said</dt>
      <dd>
        <Verbatim of={source.raw} />
      </dd>
      {source.is_proven ? null : (
        <>
          <dt>certainty</dt>
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
      Asked by {finding.pack} {finding.pack_version}, on the evidence of{" "}
      {finding.evidence.map((one) => `${one.paper} ${one.edition} ${one.at} (${one.strength})`.replace(/\s+/g, " ")).join("; ")}.
    </p>
  );
}
