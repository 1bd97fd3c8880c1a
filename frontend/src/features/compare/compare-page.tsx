import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CsvDownload } from "@/entities/person/csv-download";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { AsOf } from "@/shared/ui/as-of";
import { isMissing, NotFound } from "@/shared/ui/not-found";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { TimeAgo } from "@/shared/ui/time-ago";
import { BundleSide, ChangedFindings } from "./bundle-side";
import styles from "./compare.module.css";
import { Differences } from "./differences";
import { MakeLike } from "./make-like";
import { comparisonFilters, useComparison } from "./queries";
import type { CompareSearch } from "./search";
import type { HostComparison } from "./types";

interface ComparePageProps {
  hostId: string;
  search: CompareSearch;
  setSearch: PatchSearch<CompareSearch>;
}

const CHOICES = [
  { value: "peers", label: "Majority of its peers" },
  { value: "best", label: "Best peer" },
  { value: "baseline", label: "Accepted baseline" },
  { value: "date", label: "Itself on another date" },
  { value: "host", label: "Another host" },
  { value: "running", label: "Its running values" },
] as const;

/** One host beside another side, setting by setting; what differs can be planned back. */
export function ComparePage({ hostId, search, setSearch }: ComparePageProps) {
  const comparison = useComparison(hostId, search);
  const { reference } = comparisonFilters(search);
  if (isMissing(comparison) && reference !== "host") return <NotFound what="host" title="Host not found" to="/hosts" />;
  return (
    <QueryPanel query={comparison} height={520} lines={14}>
      {(data) => (
        <>
          <div className="page-head">
            <h1>
              Compare{" "}
              <Link to="/hosts/$hostId" params={{ hostId }} className="link">
                {visible(data.host.name)}
              </Link>
              {data.right_label ? ` with ${rightTitle(data)}` : ""}
            </h1>
          </div>
          {data.bundle ? <BundleSide bundle={data.bundle} /> : null}
          <Chooser data={data} search={search} setSearch={setSearch} />
          <Result data={data} hostId={hostId} search={search} setSearch={setSearch} />
        </>
      )}
    </QueryPanel>
  );
}

const rightTitle = (data: HostComparison): string =>
  data.other
    ? visible(data.other.name)
    : data.reference === "bundle"
      ? visible(data.right_label)
      : `${data.right_label.charAt(0).toLowerCase()}${visible(data.right_label.slice(1))}`;

function Chooser({ data, search, setSearch }: { data: HostComparison } & Pick<ComparePageProps, "search" | "setSearch">) {
  const chosen = search.with ?? "peers";
  const peersAre = data.peers_are === "cluster" ? "cluster nodes" : "similar hosts of its group";
  return (
    <div className={styles.chooser}>
      <Select
        label="Compare with"
        size="xs"
        w={210}
        allowDeselect={false}
        data={chosen === "bundle" ? [...CHOICES, { value: "bundle", label: "Support bundle" }] : [...CHOICES]}
        value={chosen}
        onChange={(next) =>
          setSearch({ with: (next ?? "peers") as CompareSearch["with"], other: undefined, at: undefined, assessed: undefined })
        }
      />
      {chosen === "host" ? (
        <Select
          label="Host"
          size="xs"
          w={230}
          searchable
          placeholder="Select a host"
          data={withCurrent(data)}
          value={search.other ?? null}
          onChange={(other) => setSearch({ other: other ?? undefined })}
        />
      ) : null}
      {chosen === "date" ? <WhichDate at={search.at} set={(at) => setSearch({ at })} /> : null}
      <Checkbox
        size="xs"
        label="Include equal settings"
        checked={search.same === "yes"}
        onChange={(event) => setSearch({ same: event.currentTarget.checked ? "yes" : undefined }, true)}
      />
      {data.peers.length > 0 && ["peers", "best", "host"].includes(chosen) ? (
        <span className="dim small">
          Peers: {plural(data.peers.length, "host")} ({peersAre})
        </span>
      ) : null}
    </div>
  );
}

/** The peers, and the host that is compared with even where it is none of them. */
function withCurrent({ peers, other }: HostComparison): { value: string; label: string }[] {
  const named = peers.map((peer) => ({ value: peer.id, label: visible(peer.name) }));
  return other && !peers.some((peer) => peer.id === other.id) ? [{ value: other.id, label: visible(other.name) }, ...named] : named;
}

function WhichDate({ at, set }: { at: string | undefined; set: (at: string | undefined) => void }) {
  const [entered, setEntered] = useState(at ? at.slice(0, 16) : "");
  return (
    <form
      className={styles.date}
      onSubmit={(event) => {
        event.preventDefault();
        set(entered ? `${entered}:00Z` : undefined);
      }}
    >
      <TextInput
        type="datetime-local"
        label="Date (UTC)"
        size="xs"
        value={entered}
        onChange={(event) => setEntered(event.currentTarget.value)}
      />
      <Button size="xs" type="submit" disabled={!entered}>
        Compare
      </Button>
    </form>
  );
}

function Result({ data, hostId, search, setSearch }: ComparePageProps & { data: HostComparison }) {
  const filters = comparisonFilters(search);
  if (data.problem) {
    return (
      <Empty
        title="Nothing to compare with"
        action={
          data.reference === "peers" ? (
            <Button onClick={() => setSearch({ with: "host" })}>Choose a host</Button>
          ) : (
            <Button onClick={() => setSearch({ with: undefined, other: undefined, at: undefined, assessed: undefined })}>
              Compare with peers
            </Button>
          )
        }
      >
        {visible(data.problem)}.
      </Empty>
    );
  }
  return (
    <>
      <div className={styles.sum}>
        <span aria-live="polite">
          <b>{data.differs === 1 ? "1 difference" : `${count(data.differs)} differences`}</b>, {count(data.same)} equal
          {data.not_known > 0 ? `, ${count(data.not_known)} unknown on one side` : ""}
        </span>
        <span className="dim small">
          {data.left_at ? (
            <>
              {visible(data.host.name)} as of <TimeAgo at={data.left_at} form="exact" />
            </>
          ) : null}
          {data.right_at ? (
            <>
              ; {rightTitle(data)} as of <TimeAgo at={data.right_at} form="exact" />
            </>
          ) : data.bundle ? (
            <>
              ; {rightTitle(data)} as of <AsOf at={data.bundle.captured_at} />
            </>
          ) : null}
        </span>
        <span className={styles.end}>
          {data.may_plan ? <MakeLike data={data} /> : null}
          <CsvDownload table={`hosts/${hostId}/comparison.csv`} about="this comparison" filters={filters} />
        </span>
      </div>
      {data.bundle ? <ChangedFindings data={data} /> : null}
      {data.items.length === 0 ? (
        <Empty title="No differences">All settings known on both sides are equal.</Empty>
      ) : (
        <Differences data={data} />
      )}
    </>
  );
}
