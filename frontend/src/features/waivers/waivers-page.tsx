import { Button, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure, useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { CsvDownload } from "@/entities/person/csv-download";
import type { Session } from "@/entities/person/types";
import { useWaiverNotices } from "@/entities/waiver/queries";
import type { WaiverNotices, WaiverRow } from "@/entities/waiver/types";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PagedList, usePages } from "@/shared/ui/paged-list";
import { Empty } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Attested } from "./attestations";
import { STATE, stateLabel } from "./labels";
import { useWaivers } from "./queries";
import type { WaiversSearch } from "./search";
import { WaiverFacets } from "./waiver-facets";
import styles from "./waivers.module.css";

interface WaiversPageProps {
  search: WaiversSearch;
  setSearch: PatchSearch<WaiversSearch>;
  can: Partial<Session["can"]>;
}

export function WaiversPage({ search, setSearch, can }: WaiversPageProps) {
  const tab = search.tab ?? "waivers";
  return (
    <>
      <div className="page-head">
        <h1>Waivers</h1>
        <span className="dim">Accepted failures with an owner and an end date. Counted separately, never as passing.</span>
        <div className="end">
          {can.request_waivers && tab === "waivers" ? (
            <Button variant="filled" renderRoot={(props) => <Link to="/waivers/new" {...props} />}>
              Request waiver
            </Button>
          ) : null}
        </div>
      </div>
      <nav className={styles.tabs} aria-label="Waivers and attestations">
        <Link
          to="/waivers"
          search={{}}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ "aria-current": undefined }}
          aria-current={tab === "waivers" ? "page" : undefined}
        >
          Waivers
        </Link>
        <Link
          to="/waivers"
          search={{ tab: "attestations" }}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ "aria-current": undefined }}
          aria-current={tab === "attestations" ? "page" : undefined}
        >
          Attestations
        </Link>
      </nav>
      {tab === "attestations" ? (
        <Attested canAttest={can.attest ?? false} search={search} setSearch={setSearch} />
      ) : (
        <Waivers search={search} setSearch={setSearch} />
      )}
    </>
  );
}

function Waivers({ search, setSearch }: Omit<WaiversPageProps, "can">) {
  const pages = usePages(useWaivers(search));
  const notices = useWaiverNotices();
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  const [isOpen, filters] = useDisclosure(false);
  const { first } = pages;
  const isFiltered = Object.entries(search).some(([name, given]) => name !== "tab" && given !== undefined);
  return (
    <>
      {notices.data ? <Notices notices={notices.data} /> : null}
      <div className={styles.grid}>
        <div>
          <WordFilter value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
          {isPhone ? (
            <Button fullWidth mt={10} onClick={filters.toggle} aria-expanded={isOpen}>
              {isOpen ? "Hide filters" : "Filter"}
            </Button>
          ) : null}
          {first && (!isPhone || isOpen) ? <WaiverFacets facets={first.facets} search={search} setSearch={setSearch} /> : null}
        </div>
        <section aria-label="List of waivers" style={{ minWidth: 0 }}>
          <PagedList
            pages={pages}
            height={360}
            lines={10}
            empty={
              <Empty
                title={isFiltered ? "No matching waivers" : "No waivers"}
                action={
                  isFiltered ? (
                    <Button renderRoot={(props) => <Link to="/waivers" search={{}} {...props} />}>Clear filters</Button>
                  ) : undefined
                }
              >
                {isFiltered
                  ? "Remove a filter or change the search."
                  : "To accept a failing finding for a limited time, choose Request waiver on the finding. Another person approves it."}
              </Empty>
            }
            aside={
              <>
                <CsvDownload
                  table="waivers.csv"
                  about="these waivers"
                  filters={{
                    state: search.state,
                    owner: search.owner,
                    age: search.age,
                    ends_within: search.ends_within,
                    q: search.q,
                    rule: search.rule,
                    host: search.host,
                  }}
                />
                <span className="dim small">
                  {count(pages.rows.length)} of {plural(first?.total ?? 0, "waiver")}
                </span>
              </>
            }
          >
            {(rows) => (
              <DataTable label="Waivers" columns={COLUMNS} rows={rows} rowKey={(row) => row.id} card={(row) => <WaiverCard row={row} />} />
            )}
          </PagedList>
        </section>
      </div>
    </>
  );
}

function WordFilter({ value, set }: { value: string; set: (q: string) => void }) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(set, 250);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      label="Search"
      placeholder="Rule, reason, host, ticket"
      size="xs"
      mb={14}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}

/** What concerns this user: requests to approve, waivers and attestations of theirs that expire soon or ended. */
function Notices({ notices }: { notices: WaiverNotices }) {
  const { to_decide, ending, ended, attestations_ending } = notices;
  if (to_decide + ending.length + ended.length + attestations_ending === 0) return null;
  return (
    <section className={styles.notice} aria-label="Your waivers">
      {to_decide > 0 ? (
        <span>
          <Link to="/waivers" search={{ state: ["requested"] }} className="link">
            {to_decide === 1 ? "1 request needs" : `${count(to_decide)} requests need`} your approval
          </Link>
          .
        </span>
      ) : null}
      {ending.map((waiver) => (
        <span key={waiver.id}>
          Your waiver expires{" "}
          <b>
            <TimeAgo at={waiver.expires_at} />
          </b>
          :{" "}
          <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.id) }} className="link">
            {waiver.rule.title}, {visible(waiver.scope.label)}
          </Link>
          . Fix the finding or renew the waiver.
        </span>
      ))}
      {ended.map((waiver) => (
        <span key={waiver.id}>
          <StatusLabel status={STATE[waiver.state].status}>{stateLabel(waiver.state)}</StatusLabel>{" "}
          <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.id) }} className="link">
            {waiver.rule.title}, {visible(waiver.scope.label)}
          </Link>
          {waiver.end_words ? `: ${visible(waiver.end_words)}` : ""}
        </span>
      ))}
      {attestations_ending > 0 ? (
        <span>
          <Link to="/waivers" search={{ tab: "attestations" }} className="link">
            {attestations_ending === 1 ? "1 of your attestations expires" : `${count(attestations_ending)} of your attestations expire`}{" "}
            soon
          </Link>
          .
        </span>
      ) : null}
    </section>
  );
}

const isOpenState = (state: WaiverRow["state"]) => state === "requested" || state === "active";

const COLUMNS: Column<WaiverRow>[] = [
  {
    head: "Rule",
    cell: (row) => (
      <>
        <Link to="/waivers/$waiverId" params={{ waiverId: String(row.id) }} className="link">
          {row.rule.title}
        </Link>
        <div className="dim small">{visible(row.reason.length > 110 ? `${row.reason.slice(0, 110)}…` : row.reason)}</div>
      </>
    ),
  },
  { head: "Scope", cell: (row) => visible(row.scope.label) },
  { head: "State", cell: (row) => <StatusLabel status={STATE[row.state].status}>{stateLabel(row.state)}</StatusLabel> },
  {
    head: "Expires / ended",
    className: "nowrap",
    cell: (row) => <TimeAgo at={isOpenState(row.state) ? row.expires_at : (row.ended_at ?? row.expires_at)} />,
  },
  { head: "Owner", cell: (row) => visible(row.owner.name) },
  { head: "Approved by", cell: (row) => (row.approved_by ? visible(row.approved_by.name) : <span className="dim">Not yet</span>) },
  { head: "Findings", isNumber: true, cell: (row) => (row.state === "active" ? count(row.findings) : "–") },
];

function WaiverCard({ row }: { row: WaiverRow }) {
  return (
    <>
      <h3>
        <Link to="/waivers/$waiverId" params={{ waiverId: String(row.id) }} className="link">
          {row.rule.title}
        </Link>
      </h3>
      <span>{visible(row.scope.label)}</span>
      <span>
        <StatusLabel status={STATE[row.state].status}>{stateLabel(row.state)}</StatusLabel>{" "}
        <span className="dim">
          {isOpenState(row.state) ? "Expires " : "Ended "}
          <TimeAgo at={isOpenState(row.state) ? row.expires_at : (row.ended_at ?? row.expires_at)} />, {visible(row.owner.name)}
        </span>
      </span>
    </>
  );
}
