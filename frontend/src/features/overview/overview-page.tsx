import { Button, Select } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useOverview } from "@/entities/fleet/queries";
import { useGroupChoices } from "@/entities/group/queries";
import { plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { Breakdown, Distribution } from "./breakdown";
import { FailingRules, NewlyFailing, Silent } from "./cards";
import { FleetScore } from "./fleet-score";
import { NeedsYou } from "./needs-you";
import { Outcomes } from "./outcomes";
import styles from "./overview.module.css";
import type { OverviewSearch } from "./search";
import { Trend } from "./trend";
import type { Overview } from "./types";
import { Worse } from "./worse";

const PERIODS = [
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];

interface OverviewPageProps {
  search: OverviewSearch;
  setSearch: PatchSearch<OverviewSearch>;
  canEnrol: boolean;
}

export function OverviewPage({ search, setSearch, canEnrol }: OverviewPageProps) {
  const days = search.days ?? 7;
  const group = search.group;
  const overview = useOverview(group === undefined && days === 7 ? {} : { group, days });
  const groups = useGroupChoices();
  const choices = [{ value: "", label: "All groups" }, ...groups.slice(1)];
  return (
    <>
      <div className="page-head">
        <h1>
          <Headline overview={overview.data} group={group} />
        </h1>
        <div className="end">
          <Select
            aria-label="Period"
            size="xs"
            w={150}
            data={PERIODS}
            value={String(days)}
            onChange={(chosen) => setSearch({ days: chosen === null || chosen === "7" ? undefined : Number(chosen) })}
          />
          <Button size="xs" renderRoot={(props) => <Link to="/past" search={group === undefined ? {} : { group }} {...props} />}>
            View past state
          </Button>
          <Select
            aria-label="Group"
            size="xs"
            w={180}
            searchable={choices.length > 8}
            data={choices}
            value={group === undefined ? "" : String(group)}
            onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined })}
          />
        </div>
      </div>
      <QueryPanel
        query={overview}
        height={620}
        lines={16}
        isEmpty={(data) => data.headline.hosts === 0}
        empty={
          <Empty
            title="No hosts yet"
            action={
              <div className="row" style={{ gap: 12 }}>
                {canEnrol ? (
                  <Button variant="filled" renderRoot={(props) => <Link to="/enrol" {...props} />}>
                    Enrol hosts
                  </Button>
                ) : null}
                <Button renderRoot={(props) => <Link to="/assess" {...props} />}>Assess a bundle</Button>
              </div>
            }
          >
            {canEnrol
              ? "Create a token, run one command on a Windows or ESXi host, then approve it. Its score appears here within a minute."
              : "Ask an admin to enrol hosts. Data appears as they check in."}{" "}
            To try it first, drop a support bundle of a host: nothing is installed.
          </Empty>
        }
      >
        {(data) => <Fleet data={data} days={days} search={search} setSearch={setSearch} />}
      </QueryPanel>
    </>
  );
}

/** The fleet in one sentence; what waits for a person is listed below it. */
function Headline({ overview, group }: { overview: Overview | undefined; group: number | undefined }) {
  if (!overview || overview.headline.hosts === 0) return <>Overview</>;
  const { headline } = overview;
  const within = group === undefined ? {} : { group: [group] };
  return (
    <>
      {plural(headline.hosts, "host")}:{" "}
      <a href="#worse" className="link">
        {headline.worse === 0 ? "none got worse" : `${headline.worse} got worse`}
      </a>
      ,{" "}
      <Link to="/hosts" search={{ ...within, freshness: ["silent"] }} className="link">
        {headline.silent === 0 ? "all reporting" : `${headline.silent} not reporting`}
      </Link>
    </>
  );
}

interface FleetProps extends Pick<OverviewPageProps, "search" | "setSearch"> {
  data: Overview;
  days: number;
}

function Fleet({ data, days, search, setSearch }: FleetProps) {
  const { group } = search;
  return (
    <>
      <NeedsYou overview={data} group={group} />
      <Worse
        asOf={data.worse_as_of === data.as_of ? undefined : data.worse_as_of}
        groups={data.worse}
        stricter={data.stricter}
        within={group}
        days={days}
        open={search.worse}
        setOpen={(worse) => setSearch({ worse }, true)}
      />
      <div className={`section ${styles.first}`}>
        <FleetScore score={data.score} days={days} group={group} />
        <Trend days={data.trend} events={data.events} />
        <Outcomes counts={data.outcomes} group={group} />
      </div>
      <div className={`section ${styles.wideFirst}`}>
        <FailingRules rules={data.failing_rules} />
        <div className={styles.stack}>
          <NewlyFailing hosts={data.newly_failing} />
          <Silent hosts={data.silent} />
        </div>
      </div>
      <div className={`section ${styles.three}`}>
        <Breakdown title="By operating system" filter="os" bars={data.by_os} group={group} />
        <Breakdown title="By cluster" filter="cluster" bars={data.by_cluster} group={group} />
        <Distribution bands={data.distribution} group={group} />
      </div>
    </>
  );
}
