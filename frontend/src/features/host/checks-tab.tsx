import { IconChevronRight } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { HostDetail } from "@/api/types";
import { Glyph } from "@/components/outcome";
import { Empty, Panel } from "@/components/panel";
import { count } from "@/lib/format";
import type { PatchSearch } from "@/lib/patch";
import { toggled } from "@/lib/search";
import { visible } from "@/lib/text";
import { CounterAside } from "./counter-aside";
import { FindingEntry } from "./finding";
import { type FindingGroup, groupFindings } from "./groups";
import styles from "./host.module.css";
import { PathAside } from "./path-aside";
import { useFindings } from "./queries";
import type { HostSearch } from "./search";
import { Sections } from "./sections";

interface ChecksTabProps {
  hostId: string;
  host: HostDetail | undefined;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

/** Findings of the host, failing first; what passes and what does not apply is folded. */
export function ChecksTab({ hostId, host, search, setSearch }: ChecksTabProps) {
  const findings = useFindings(hostId);
  return (
    <div className={styles.two}>
      <section aria-label="Findings">
        <Panel
          query={findings}
          height={480}
          lines={14}
          isEmpty={(data) => data.items.length === 0}
          empty={
            <Empty
              title="Nothing has been judged yet."
              action={
                <Link to="/rules" className="link">
                  See the rules
                </Link>
              }
            >
              {host?.state === "waiting"
                ? "A waiting host is not judged; approve it first."
                : "The first check-in with its sections brings the findings."}
            </Empty>
          }
        >
          {(data) => {
            const groups = groupFindings(data.items);
            const shown = groups.filter((group) => !isFolded(group));
            return (
              <>
                {shown.length === 0 ? <Empty title="Nothing fails, nothing is unknown." /> : null}
                {shown.map((group) => (
                  <FindingEntry key={group.key} group={group} isTarget={isTarget(group, search.finding)} />
                ))}
                <Fold standing="pass" groups={groups} search={search} setSearch={setSearch} />
                <Fold standing="not_applicable" groups={groups} search={search} setSearch={setSearch} />
              </>
            );
          }}
        </Panel>
      </section>
      <aside className={styles.side} aria-label="Paths, counters and sections">
        <PathAside hostId={hostId} />
        <CounterAside hostId={hostId} />
        {host ? <Sections host={host} /> : null}
      </aside>
    </div>
  );
}

const isFolded = (group: FindingGroup): boolean => group.first.standing === "pass" || group.first.standing === "not_applicable";

const isTarget = (group: FindingGroup, wanted: string | undefined): boolean =>
  wanted !== undefined &&
  group.findings.some((one) => wanted === `${one.pack}/${one.rule}` || wanted === `${one.pack}/${one.rule}/${one.subject.id}`);

interface FoldProps {
  standing: "pass" | "not_applicable";
  groups: FindingGroup[];
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
}

function Fold({ standing, groups, search, setSearch }: FoldProps) {
  const mine = groups.filter((group) => group.first.standing === standing);
  if (mine.length === 0) return null;
  const isOpen = search.open?.includes(standing) ?? false;
  const number = mine.reduce((sum, group) => sum + group.findings.length, 0);
  const reasons = standing === "not_applicable" ? [...new Set(mine.map((group) => group.first.reason).filter(Boolean))] : [];
  return (
    <div className={styles.fold}>
      <button type="button" aria-expanded={isOpen} onClick={() => setSearch({ open: toggled(search.open, standing) }, true)}>
        <Glyph status={standing} size={14} />
        <span className="nowrap">
          {count(number)} {standing === "pass" ? "pass" : "not applicable"}
        </span>
        <IconChevronRight size={14} aria-hidden="true" style={{ flex: "none", transform: isOpen ? "rotate(90deg)" : undefined }} />
        <span>{isOpen ? "" : visible(reasons.slice(0, 3).join("; "))}</span>
      </button>
      {isOpen ? mine.map((group) => <FindingEntry key={group.key} group={group} isTarget={isTarget(group, search.finding)} />) : null}
    </div>
  );
}
