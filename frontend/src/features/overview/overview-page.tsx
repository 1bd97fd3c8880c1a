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
            Another date
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
            title="No host checks in yet."
            action={
              canEnrol ? (
                <Button variant="filled" renderRoot={(props) => <Link to="/enrol" {...props} />}>
                  Enrol the first host
                </Button>
              ) : undefined
            }
          >
            {canEnrol
              ? "Make a token, run one command on a Windows or ESXi host, approve it here. Its score stands on this page a minute later."
              : "An admin enrols hosts; this page fills by itself as they check in."}
          </Empty>
        }
      >
        {(data) => <Fleet data={data} days={days} group={group} />}
      </QueryPanel>
    </>
  );
}

function Headline({ overview, group }: { overview: Overview | undefined; group: number | undefined }) {
  if (!overview) return <>Overview</>;
  const { headline } = overview;
  const within = group === undefined ? {} : { group: [group] };
  return (
    <>
      {plural(headline.hosts, "host")}:{" "}
      <a href="#worse" className="link">
        {headline.worse === 0 ? "none worse" : `${headline.worse} worse`}
      </a>
      {headline.conflicts > 0 ? (
        <>
          ,{" "}
          <Link to="/decisions" search={group === undefined ? {} : { group }} className="link">
            {plural(headline.conflicts, "decision")} needed
          </Link>
        </>
      ) : null}
      {headline.decisions > 0 ? (
        <>
          ,{" "}
          <Link to="/waivers" search={{ state: ["requested"] }} className="link">
            {plural(headline.decisions, "waiver")} to decide
          </Link>
        </>
      ) : null}
      {headline.waivers_ending > 0 ? (
        <>
          ,{" "}
          <Link to="/waivers" search={{ ends_within: "7" }} className="link">
            {plural(headline.waivers_ending, "waiver")} {headline.waivers_ending === 1 ? "ends" : "end"} this week
          </Link>
        </>
      ) : null}
      ,{" "}
      <Link to="/hosts" search={{ ...within, freshness: ["silent"] }} className="link">
        {headline.silent === 0 ? "none silent" : `${plural(headline.silent, "host")} silent`}
      </Link>
      {overview.waiting > 0 ? (
        <>
          ,{" "}
          <Link to="/hosts" search={{ ...within, state: ["waiting"] }} className="link">
            {overview.waiting} waiting for approval
          </Link>
        </>
      ) : null}
      .
    </>
  );
}

function Fleet({ data, days, group }: { data: Overview; days: number; group: number | undefined }) {
  return (
    <>
      <div className={styles.first}>
        <FleetScore score={data.score} days={days} group={group} />
        <Trend days={data.trend} events={data.events} />
        <Outcomes counts={data.outcomes} group={group} />
      </div>
      <Worse groups={data.worse} days={days} />
      <div className={`section ${styles.wideFirst}`}>
        <FailingRules rules={data.failing_rules} />
        <div className={styles.stack}>
          <NewlyFailing hosts={data.newly_failing} />
          <Silent hosts={data.silent} />
        </div>
      </div>
      <div className={`section ${styles.three}`}>
        <Breakdown title="By system" filter="os" bars={data.by_os} group={group} />
        <Breakdown title="By cluster" filter="cluster" bars={data.by_cluster} group={group} />
        <Distribution bands={data.distribution} group={group} />
      </div>
    </>
  );
}
