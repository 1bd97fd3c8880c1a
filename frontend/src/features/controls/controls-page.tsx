import { Link } from "@tanstack/react-router";
import type { Session } from "@/entities/person/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import styles from "./controls.module.css";
import { Freezes } from "./freezes";
import type { CONTROLS_TABS, ControlsSearch } from "./search";
import { Slots } from "./slots";
import { StandingApprovals } from "./standing-approvals";
import { StopSwitchPanel } from "./stop-switch";
import { Windows } from "./windows";
import { Workers } from "./workers";

interface SafetyPageProps {
  search: ControlsSearch;
  setSearch: PatchSearch<ControlsSearch>;
  session: Session;
}

const TABS: { tab: (typeof CONTROLS_TABS)[number]; label: string }[] = [
  { tab: "standing", label: "Standing approvals" },
  { tab: "windows", label: "Windows and freezes" },
  { tab: "slots", label: "Concurrency and workers" },
];

/** The controls over all changes: emergency stop, standing approvals, windows and freezes, concurrency limits. */
export function ControlsPage({ search, setSearch, session }: SafetyPageProps) {
  const tab = search.tab ?? "standing";
  const { can } = session;
  return (
    <>
      <div className="page-head">
        <h1>Safety</h1>
        <span className="dim">Emergency stop, standing approvals, maintenance windows and concurrency limits</span>
        <div className="end">
          <Link to="/remediate" className="link">
            View plans
          </Link>
        </div>
      </div>
      <StopSwitchPanel can={can} />
      <nav className={styles.tabs} aria-label="Safety sections">
        {TABS.map((one) => (
          <Link
            key={one.tab}
            to="/safety"
            search={one.tab === "standing" ? {} : { tab: one.tab }}
            activeOptions={{ exact: true, includeSearch: true }}
            activeProps={{ "aria-current": undefined }}
            aria-current={one.tab === tab ? "page" : undefined}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      {tab === "standing" ? <StandingApprovals search={search} setSearch={setSearch} can={can} personId={session.person.id} /> : null}
      {tab === "windows" ? (
        <>
          <Freezes canManage={can.manage_windows} />
          <Windows search={search} setSearch={setSearch} canManage={can.manage_windows} />
        </>
      ) : null}
      {tab === "slots" ? (
        <>
          <Slots canManage={can.manage_budgets} />
          <Workers />
        </>
      ) : null}
    </>
  );
}
