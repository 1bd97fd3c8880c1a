import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useFindings } from "@/entities/finding/queries";
import type { HostDetail } from "@/entities/host/types";
import { useCan } from "@/entities/person/queries";
import { TicketList } from "@/entities/ticket/ticket-list";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { toggled } from "@/shared/lib/search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { type Status, StatusIcon } from "@/shared/ui/status";
import { CounterAside } from "./counter-aside";
import { FindingEntry } from "./finding";
import { type FindingGroup, groupFindings, isUnanswered } from "./finding-groups";
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

/** Findings of the host by status, failing first; advisory ones, open attestations, what passes and what does not apply are folded. */
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
          {(data) => (
            <Groups
              groups={groupFindings(data.items)}
              hostId={hostId}
              search={search}
              setSearch={setSearch}
              plan={canPlan && host?.state === "active" ? { hostId, hostName: host.name } : undefined}
            />
          )}
        </QueryPanel>
      </section>
      <aside className={styles.side} aria-label="Paths, counters and sections">
        <PathAside hostId={hostId} />
        {host?.from_bundle ? null : <CounterAside hostId={hostId} />}
        {host && host.tickets.length > 0 ? (
          <section aria-label="Tickets about this host">
            <h2>
              Tickets <span className="dim">last 90 days</span>
            </h2>
            <TicketList tickets={host.tickets} />
          </section>
        ) : null}
        {host ? <Sections host={host} /> : null}
      </aside>
    </div>
  );
}

/** The groups that are open, in their order. */
const OPEN = [
  { standing: "fail", label: "Failing" },
  { standing: "unknown", label: "Unknown" },
  { standing: "excluded", label: "Excluded" },
  { standing: "waived", label: "Waived" },
] as const;

/** The groups that are folded, in their order; each is named so in the address. */
const FOLDED = [
  { standing: "advice", label: "advisory (not scored)" },
  { standing: "pass", label: "passing" },
  { standing: "not_applicable", label: "not applicable" },
] as const;

const isTarget = (group: FindingGroup, wanted: string | undefined): boolean =>
  wanted !== undefined &&
  group.findings.some((one) =>
    [`${one.pack}/${one.rule}`, ...one.same_as].some((name) => wanted === name || wanted === `${name}/${one.subject.id}`),
  );

const countOf = (groups: readonly FindingGroup[]): number => groups.reduce((sum, group) => sum + group.findings.length, 0);

interface GroupsProps {
  groups: FindingGroup[];
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
  plan: { hostId: string; hostName: string } | undefined;
}

function Groups({ groups, hostId, search, setSearch, plan }: GroupsProps) {
  const attestations = groups.filter(isUnanswered);
  const rest = groups.filter((group) => !isUnanswered(group));
  const entry = (group: FindingGroup) => (
    <FindingEntry key={group.key} hostId={hostId} group={group} isTarget={isTarget(group, search.finding)} plan={plan} />
  );
  const isQuiet = !rest.some((group) => group.first.standing === "fail" || group.first.standing === "unknown");
  const foldOf = (name: string, shown: FindingGroup[]) => ({
    name,
    isOpen: (search.open?.includes(name) ?? false) || shown.some((group) => isTarget(group, search.finding)),
    toggle: () => setSearch({ open: toggled(search.open, name) }, true),
  });
  return (
    <>
      {isQuiet ? <Empty title="No failures, nothing unknown" /> : null}
      {OPEN.map(({ standing, label }) => {
        const shown = rest.filter((group) => group.first.standing === standing);
        if (shown.length === 0) return null;
        return (
          <section key={standing} aria-label={label} className={styles.group}>
            <h2>
              {label} <span className="dim">{count(countOf(shown))}</span>
            </h2>
            {shown.map(entry)}
          </section>
        );
      })}
      {attestations.length > 0 ? <Attestations groups={attestations} hostId={hostId} {...foldOf("attestations", attestations)} /> : null}
      {FOLDED.map(({ standing, label }) => {
        const shown = rest.filter((group) => group.first.standing === standing);
        if (shown.length === 0) return null;
        return (
          <Fold
            key={standing}
            status={standing}
            label={`${count(countOf(shown))} ${label}`}
            summary={summaryOf(shown, standing)}
            {...foldOf(standing, shown)}
          >
            {shown.map(entry)}
          </Fold>
        );
      })}
    </>
  );
}

/** A few words on what is folded: why rules do not apply, or which ones only inform. */
function summaryOf(groups: FindingGroup[], standing: (typeof FOLDED)[number]["standing"]): string {
  if (standing === "pass") return "";
  const texts = groups.map(({ first }) => (standing === "not_applicable" ? first.reason : first.title));
  return [...new Set(texts)].filter(Boolean).slice(0, 3).join("; ");
}

interface FoldProps {
  status: Status;
  label: string;
  summary: string;
  isOpen: boolean;
  toggle: () => void;
  /** Beside the button, whether it is open or not. */
  act?: ReactNode;
  children: ReactNode;
}

function Fold({ status, label, summary, isOpen, toggle, act, children }: FoldProps) {
  return (
    <div className={styles.fold}>
      <div className={styles.foldHead}>
        <button type="button" aria-expanded={isOpen} onClick={toggle}>
          <StatusIcon status={status} size={14} />
          <span className="nowrap">{label}</span>
          <IconChevronRight size={14} aria-hidden="true" style={{ flex: "none", transform: isOpen ? "rotate(90deg)" : undefined }} />
          <span>{isOpen ? "" : visible(summary)}</span>
        </button>
        {act}
      </div>
      {isOpen ? children : null}
    </div>
  );
}

interface AttestationsProps {
  groups: FindingGroup[];
  hostId: string;
  isOpen: boolean;
  toggle: () => void;
}

/** What no host can report and nobody has answered: one line, which leads to where it is answered once for a group of hosts. */
function Attestations({ groups, hostId, ...fold }: AttestationsProps) {
  const canAttest = useCan().attest ?? false;
  return (
    <Fold
      status="unknown"
      label={`${plural(groups.length, "attestation")} open`}
      summary="No host can report these; a person confirms them, once for a group"
      act={
        canAttest ? (
          <Link to="/waivers" search={{ tab: "attestations" }} className="link small nowrap">
            Answer for a group
          </Link>
        ) : null
      }
      {...fold}
    >
      <ul className={styles.plain}>
        {groups.map(({ key, first }) => (
          <li key={key}>
            <Link to="/rules/$pack/$rule" params={{ pack: first.pack, rule: first.rule }} className="link">
              {first.title}
            </Link>
            {canAttest ? (
              <Link
                to="/waivers"
                search={{ tab: "attestations", attest: `${first.pack}/${first.rule}`, on: hostId }}
                className="link small nowrap"
                aria-label={`Attest ${first.title}`}
              >
                Attest for this host…
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </Fold>
  );
}
