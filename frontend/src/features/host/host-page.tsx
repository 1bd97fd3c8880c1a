import { Link } from "@tanstack/react-router";
import { memo, useDeferredValue } from "react";
import { useHost } from "@/entities/host/queries";
import type { HostDetail } from "@/entities/host/types";
import { CsvDownload } from "@/entities/person/csv-download";
import type { Session } from "@/entities/person/types";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { QueryPanel } from "@/shared/ui/query-panel";
import { BaselineTab } from "./baseline-tab";
import { ChecksTab } from "./checks-tab";
import { Header } from "./header";
import styles from "./host.module.css";
import { JobsTab } from "./jobs-tab";
import { PathsTab } from "./paths-tab";
import { PerformanceTab } from "./performance-tab";
import { ScoreApart } from "./score-apart";
import type { HOST_TABS, HostSearch } from "./search";
import { SettingsTab } from "./settings-tab";
import { TimelineTab } from "./timeline-tab";

interface HostPageProps {
  hostId: string;
  search: HostSearch;
  setSearch: PatchSearch<HostSearch>;
  can: Partial<Session["can"]>;
}

export function HostPage({ hostId, search, setSearch, can }: HostPageProps) {
  const host = useHost(hostId);
  const tab = search.tab ?? "checks";
  // The tab is marked at once; what it shows, some hundred rows, follows without holding up what the person does next.
  const drawn = useDeferredValue(search);
  if (isMissing(host)) {
    return (
      <NotFound what="host" title="Host not found" to="/hosts">
        It may have been retired or merged, or you don't have access to its group.
      </NotFound>
    );
  }
  return (
    <>
      <QueryPanel query={host} height={84} lines={3}>
        {(data) => (
          <Header
            host={data}
            can={can}
            isApart={search.apart === "yes"}
            setApart={(isApart) => setSearch({ apart: isApart ? "yes" : undefined })}
          />
        )}
      </QueryPanel>
      {search.apart === "yes" ? (
        <ScoreApart hostId={hostId} by={search.by ?? "evidence"} setBy={(by) => setSearch({ by: by === "count" ? by : undefined }, true)} />
      ) : null}
      <Tabs hostId={hostId} tab={tab} />
      <TabContent hostId={hostId} host={host.data} search={drawn} setSearch={setSearch} canPlan={can.draft_plans ?? false} />
    </>
  );
}

interface TabContentProps extends Pick<HostPageProps, "hostId" | "search" | "setSearch"> {
  host: HostDetail | undefined;
  canPlan: boolean;
}

const TabContent = memo(function TabContent({ hostId, host, search, setSearch, canPlan }: TabContentProps) {
  const tab = search.tab ?? "checks";
  return (
    <>
      {LISTS[tab] ? (
        <div className={styles.take}>
          <CsvDownload table={`hosts/${hostId}/${LISTS[tab].table}.csv`} about={LISTS[tab].about} />
        </div>
      ) : null}
      {tab === "checks" ? <ChecksTab hostId={hostId} host={host} search={search} setSearch={setSearch} canPlan={canPlan} /> : null}
      {tab === "settings" ? <SettingsTab hostId={hostId} search={search} setSearch={setSearch} /> : null}
      {tab === "timeline" ? <TimelineTab hostId={hostId} search={search} setSearch={setSearch} /> : null}
      {tab === "baseline" ? <BaselineTab hostId={hostId} name={host?.name ?? "this host"} /> : null}
      {tab === "performance" ? (
        <PerformanceTab
          hostId={hostId}
          name={host?.name ?? "this host"}
          isFromBundle={host?.from_bundle != null}
          search={search}
          setSearch={setSearch}
        />
      ) : null}
      {tab === "paths" ? <PathsTab hostId={hostId} /> : null}
      {tab === "jobs" ? <JobsTab hostId={hostId} /> : null}
    </>
  );
});

/** Tabs whose whole table can be taken along; the others have a button of their own, or none. */
const LISTS: Partial<Record<string, { table: string; about: string }>> = {
  checks: { table: "findings", about: "all findings" },
  settings: { table: "settings", about: "all settings" },
  timeline: { table: "changes", about: "all changes" },
};

const tabs: { tab: (typeof HOST_TABS)[number]; label: string }[] = [
  { tab: "checks", label: "Checks" },
  { tab: "settings", label: "Settings" },
  { tab: "timeline", label: "Timeline" },
  { tab: "baseline", label: "Baseline" },
  { tab: "performance", label: "Performance" },
  { tab: "paths", label: "Paths" },
  { tab: "jobs", label: "Jobs" },
];

function Tabs({ hostId, tab }: { hostId: string; tab: string }) {
  return (
    <nav className={styles.tabs} aria-label="Host sections">
      {tabs.map((one) => (
        <Link
          key={one.tab}
          to="/hosts/$hostId"
          params={{ hostId }}
          search={one.tab === "checks" ? {} : { tab: one.tab }}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ "aria-current": undefined }}
          aria-current={one.tab === tab ? "page" : undefined}
        >
          {one.label}
        </Link>
      ))}
    </nav>
  );
}
