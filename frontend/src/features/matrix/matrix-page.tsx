import { Button, SegmentedControl, Select, Switch } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useGroupChoices } from "@/entities/group/queries";
import { CsvDownload } from "@/entities/person/csv-download";
import { useRules } from "@/entities/rule/queries";
import { query } from "@/shared/api/client";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { GroupGrid } from "./group-grid";
import { HostGrid } from "./host-grid";
import styles from "./matrix.module.css";
import { ordered } from "./order";
import type { MatrixSearch } from "./search";
import type { Matrix } from "./types";

interface MatrixPageProps {
  search: MatrixSearch;
  setSearch: PatchSearch<MatrixSearch>;
}

/** Hosts x rules. Beyond what can be read cell by cell, hosts are summed up by cluster or group. */
export function MatrixPage({ search, setSearch }: MatrixPageProps) {
  const { group, cluster, pack, by, rules } = search;
  const matrix = query.useQuery("get", "/api/v1/matrix", {
    params: { query: { group, cluster, pack, by, rules, hosts: search.hosts === "yes" || undefined } },
  });
  const packs = useRules();
  const groups = useGroupChoices();
  const sort = search.sort ?? "failing";
  return (
    <>
      <div className="page-head">
        <h1>Matrix</h1>
        <span className="dim">
          {matrix.data
            ? `${plural(matrix.data.total_hosts, "host")} × ${plural(matrix.data.rules.length, "rule")}${cluster ? `, cluster ${visible(cluster)}` : ""}`
            : "Hosts × rules"}
        </span>
        <span className="dim small">{matrix.data ? <TimeAgo at={matrix.data.as_of} form="exact" /> : null}</span>
      </div>
      <div className={styles.filters}>
        <Select
          label="Group"
          size="xs"
          w={200}
          searchable={groups.length > 8}
          data={[{ value: "", label: "All groups" }, ...groups.slice(1)]}
          value={group === undefined ? "" : String(group)}
          onChange={(chosen) => setSearch({ group: chosen ? Number(chosen) : undefined, cluster: undefined })}
        />
        <Select
          label="Pack"
          size="xs"
          w={220}
          data={[{ value: "", label: "All packs" }, ...(packs.data?.packs ?? []).map((one) => ({ value: one.pack, label: one.title }))]}
          value={pack?.[0] ?? ""}
          onChange={(chosen) => setSearch({ pack: chosen ? [chosen] : undefined })}
        />
        {matrix.data?.is_aggregate ? (
          <SegmentedControl
            size="xs"
            aria-label="Rows"
            data={[
              { value: "cluster", label: "By cluster" },
              { value: "group", label: "By group" },
            ]}
            value={matrix.data.by}
            onChange={(chosen) => setSearch({ by: chosen === "group" ? "group" : "cluster" })}
          />
        ) : (
          <SegmentedControl
            size="xs"
            aria-label="Sort hosts"
            data={[
              { value: "failing", label: "Most failures" },
              { value: "cluster", label: "By cluster" },
              { value: "name", label: "By name" },
            ]}
            value={sort}
            onChange={(chosen) => setSearch({ sort: chosen === "failing" ? undefined : (chosen as "cluster" | "name") })}
          />
        )}
        <Switch
          size="xs"
          label="Show passing rules"
          checked={rules === "all"}
          onChange={(event) => setSearch({ rules: event.currentTarget.checked ? "all" : undefined })}
        />
        {cluster ? <Button onClick={() => setSearch({ cluster: undefined })}>Clear cluster filter</Button> : null}
        <CsvDownload
          table="matrix.csv"
          about="the matrix"
          filters={{ group, cluster, pack, by, rules, hosts: search.hosts === "yes" || undefined }}
        />
      </div>
      <QueryPanel
        query={matrix}
        height={480}
        lines={14}
        isEmpty={(data) => data.rules.length === 0 || data.total_hosts === 0}
        empty={
          <Empty
            title={matrix.data?.total_hosts === 0 ? "No hosts in this scope" : "No failures, nothing unknown"}
            action={rules === "all" ? undefined : <Button onClick={() => setSearch({ rules: "all" })}>Show passing rules</Button>}
          >
            {matrix.data?.total_hosts === 0 ? "Choose another group." : "All applicable rules pass on all hosts."}
          </Empty>
        }
      >
        {(data) => (
          <>
            <Legend matrix={data} />
            {data.is_aggregate ? (
              <GroupGrid matrix={data} by={data.by} search={search} />
            ) : (
              <HostGrid matrix={{ ...data, hosts: ordered(data.hosts, sort) }} isByCluster={sort === "cluster"} />
            )}
            <Below matrix={data} showFirst={() => setSearch({ hosts: "yes" })} />
          </>
        )}
      </QueryPanel>
    </>
  );
}

function Legend({ matrix }: { matrix: Matrix }) {
  if (matrix.is_aggregate)
    return (
      <p className="dim small" style={{ marginBottom: 10 }}>
        Each cell shows hosts failing the rule, out of hosts it applies to. Open a row to see its hosts.
      </p>
    );
  return (
    <div className={styles.legend}>
      {(["fail", "unknown", "waived", "excluded", "advice", "pass", "not_applicable"] as const).map((status) => (
        <StatusLabel key={status} status={status} />
      ))}
      <span className="dim">Arrow keys to move, Enter to open</span>
    </div>
  );
}

function Below({ matrix, showFirst }: { matrix: Matrix; showFirst: () => void }) {
  return (
    <p className="dim small" style={{ marginTop: 10 }}>
      {matrix.hidden_rules > 0 ? `${plural(matrix.hidden_rules, "rule")} hidden (all pass, or beyond the first 60). ` : ""}
      {matrix.is_aggregate ? (
        <>
          {matrix.more > 0
            ? `Showing the ${matrix.by}s with the lowest average scores. Choose a group to see the other ${count(matrix.more)}. `
            : ""}
          {matrix.by === "cluster" && matrix.hosts_apart > 0
            ? `${plural(matrix.hosts_apart, "host")} without a cluster: choose By group to see ${matrix.hosts_apart === 1 ? "it" : "them"}. `
            : ""}
          More than {count(matrix.most_hosts)} hosts are shown by cluster or group.{" "}
          <button
            type="button"
            className="link"
            style={{ border: 0, background: "none", font: "inherit", color: "inherit", padding: 0, cursor: "pointer" }}
            onClick={showFirst}
          >
            Show the first {count(matrix.most_hosts)} hosts anyway
          </button>
        </>
      ) : matrix.hosts.length < matrix.total_hosts ? (
        `Showing ${count(matrix.hosts.length)} of ${plural(matrix.total_hosts, "host")}. Choose a group or cluster to narrow down.`
      ) : null}{" "}
      <Link to="/rules" className="link">
        View rules list
      </Link>
    </p>
  );
}
