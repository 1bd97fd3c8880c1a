import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useFindings } from "@/entities/finding/queries";
import type { HostDetail } from "@/entities/host/types";
import { count } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusIcon } from "@/shared/ui/status";
import { CounterAside } from "./counter-aside";
import { FindingEntry } from "./finding";
import { type FindingGroup, groupFindings } from "./finding-groups";
import styles from "./host.module.css";
import { PathAside } from "./path-aside";
import type { HostSearch } from "./search";
import { Sections } from "./sections";

interface ChecksTabProps {
  hostId: string;
  host: HostDetail | undefined;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
  canPlan: boolean;
}

/** Findings of the host, failing first; advice, what passes and what does not apply are folded. */
export function ChecksTab({ hostId, host, search, setSearch, canPlan }: ChecksTabProps) {
  const findings = useFindings(hostId);
  return (
    <div className={styles.two}>
      <section aria-label="Findings">
        <QueryPanel
          query={findings}
          height={480}
          lines={14}
          isEmpty={(data) => data.items.length === 0}
          empty={
            <Empty
              title="Not evaluated yet"
              action={
                <Link to="/rules" className="link">
                  View rules
                </Link>
              }
            >
              {host?.state === "waiting" ? "Approve the host to evaluate it." : "Findings appear after the first complete check-in."}
            </Empty>
          }
        >
          {(data) => {
            const groups = groupFindings(data.items);
            const failing = groups.filter((group) => group.first.standing === "fail");
            const open = groups.filter((group) => group.first.standing !== "fail" && !isFolded(group));
            return (
              <>
                {failing.length + open.length === 0 ? <Empty title="No failures, nothing unknown" /> : null}
                {failing.map((group) => (
                  <FindingEntry
                    key={group.key}
                    hostId={hostId}
                    group={group}
                    isTarget={isTarget(group, search.finding)}
                    plan={canPlan && host?.state === "active" ? { hostId, hostName: host.name } : undefined}
                  />
                ))}
                <Fold hostId={hostId} standing="advice" groups={groups} search={search} setSearch={setSearch} />
                {open.map((group) => (
                  <FindingEntry key={group.key} hostId={hostId} group={group} isTarget={isTarget(group, search.finding)} />
                ))}
                <Fold hostId={hostId} standing="pass" groups={groups} search={search} setSearch={setSearch} />
                <Fold hostId={hostId} standing="not_applicable" groups={groups} search={search} setSearch={setSearch} />
              </>
            );
          }}
        </QueryPanel>
      </section>
      <aside className={styles.side} aria-label="Paths, counters and sections">
        <PathAside hostId={hostId} />
        <CounterAside hostId={hostId} />
        {host ? <Sections host={host} /> : null}
      </aside>
    </div>
  );
}

type Folded = "advice" | "pass" | "not_applicable";

const FOLDED: Record<Folded, string> = { advice: "Advisory (not scored)", pass: "Passing", not_applicable: "Not applicable" };

const isFolded = (group: FindingGroup): boolean => group.first.standing in FOLDED;

const isTarget = (group: FindingGroup, wanted: string | undefined): boolean =>
  wanted !== undefined &&
  group.findings.some((one) =>
    [`${one.pack}/${one.rule}`, ...one.same_as].some((name) => wanted === name || wanted === `${name}/${one.subject.id}`),
  );

interface FoldProps {
  hostId: string;
  standing: Folded;
  groups: FindingGroup[];
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

function Fold({ hostId, standing, groups, search, setSearch }: FoldProps) {
  const ofStatus = groups.filter((group) => group.first.standing === standing);
  if (ofStatus.length === 0) return null;
  // A link to one finding opens the fold it lies in.
  const isOpen = (search.open?.includes(standing) ?? false) || ofStatus.some((group) => isTarget(group, search.finding));
  const number = ofStatus.reduce((sum, group) => sum + group.findings.length, 0);
  const summaries = [
    ...new Set(ofStatus.map(({ first }) => (standing === "not_applicable" ? first.reason : standing === "advice" ? first.title : ""))),
  ];
  return (
    <div className={styles.fold}>
      <button type="button" aria-expanded={isOpen} onClick={() => setSearch({ open: toggled(search.open, standing) }, true)}>
        <StatusIcon status={standing} size={14} />
        <span className="nowrap">
          {count(number)} {FOLDED[standing]}
        </span>
        <IconChevronRight size={14} aria-hidden="true" style={{ flex: "none", transform: isOpen ? "rotate(90deg)" : undefined }} />
        <span>{isOpen ? "" : visible(summaries.filter(Boolean).slice(0, 3).join("; "))}</span>
      </button>
      {isOpen
        ? ofStatus.map((group) => <FindingEntry key={group.key} hostId={hostId} group={group} isTarget={isTarget(group, search.finding)} />)
        : null}
    </div>
  );
}
