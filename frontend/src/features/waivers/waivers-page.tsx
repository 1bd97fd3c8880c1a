import { Button, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDisclosure, useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Download } from "@/entities/person/csv-download";
import type { Session, WaiverNotices, WaiverRow } from "@/shared/api/types";
import { count, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { Attested } from "./attestations";
import { STATE, stateWord } from "./labels";
import { useNotices, useWaivers } from "./queries";
import type { WaiversSearch } from "./search";
import { Facets } from "./waiver-facets";
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
        <span className="dim">dated, owned acceptances of failing findings; counted apart, never as a pass</span>
        <div className="end">
          {can.request_waivers && tab === "waivers" ? (
            <Button variant="filled" renderRoot={(props) => <Link to="/waivers/new" {...props} />}>
              Ask for a waiver
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
  const pages = useWaivers(search);
  const notices = useNotices();
  const isPhone = useMediaQuery("(max-width: 720px)") ?? false;
  const [isOpen, filters] = useDisclosure(false);
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const first = pages.data?.pages[0];
  const isFiltered = Object.entries(search).some(([name, given]) => name !== "tab" && given !== undefined);
  return (
    <>
      {notices.data ? <Notices notices={notices.data} /> : null}
      <div className={styles.grid}>
        <div>
          <WordFilter value={search.q ?? ""} set={(q) => setSearch({ q: q || undefined }, true)} />
          {isPhone ? (
            <Button fullWidth mt={10} onClick={filters.toggle} aria-expanded={isOpen}>
              {isOpen ? "Hide the filters" : "Filter"}
            </Button>
          ) : null}
          {first && (!isPhone || isOpen) ? <Facets facets={first.facets} search={search} setSearch={setSearch} /> : null}
        </div>
        <section aria-label="List of waivers" style={{ minWidth: 0 }}>
          <Panel
            query={pages}
            height={360}
            lines={10}
            isEmpty={() => rows.length === 0}
            empty={
              <Empty
                title={isFiltered ? "No waiver matches." : "Nothing is waived here."}
                action={
                  isFiltered ? (
                    <Button renderRoot={(props) => <Link to="/waivers" search={{}} {...props} />}>Show all waivers</Button>
                  ) : undefined
                }
              >
                {isFiltered
                  ? "Take out a filter, or look for another word."
                  : "Where a finding has to be lived with for a while, ask for a waiver from the finding itself; somebody else decides on it."}
              </Empty>
            }
          >
            {() => (
              <>
                {isPhone ? <Cards rows={rows} /> : <Table rows={rows} />}
                <div className={styles.acts}>
                  {pages.hasNextPage ? (
                    <Button onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                      Show more
                    </Button>
                  ) : null}
                  <Download
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
                  <span className="dim small" style={{ alignSelf: "center" }}>
                    {count(rows.length)} of {plural(first?.total ?? 0, "waiver")}
                  </span>
                </div>
              </>
            )}
          </Panel>
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
      label="Find"
      placeholder="rule, reason, host, ticket"
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

/** What concerns the person who looks: decisions that wait, what of theirs ends soon, what ended. */
function Notices({ notices }: { notices: WaiverNotices }) {
  const { to_decide, ending, ended, attestations_ending } = notices;
  if (to_decide + ending.length + ended.length + attestations_ending === 0) return null;
  return (
    <section className={styles.notice} aria-label="For you">
      {to_decide > 0 ? (
        <span>
          <Link to="/waivers" search={{ state: ["requested"] }} className="link">
            {plural(to_decide, "request")} {to_decide === 1 ? "waits" : "wait"} for your decision
          </Link>
          .
        </span>
      ) : null}
      {ending.map((waiver) => (
        <span key={waiver.id}>
          Yours ends{" "}
          <b>
            <Instant at={waiver.expires_at} />
          </b>
          :{" "}
          <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.id) }} className="link">
            {waiver.rule.title}, {visible(waiver.scope.label)}
          </Link>
          . Put it right, or renew the waiver.
        </span>
      ))}
      {ended.map((waiver) => (
        <span key={waiver.id}>
          <Outcome status={STATE[waiver.state].status}>{stateWord(waiver.state)}</Outcome>{" "}
          <Link to="/waivers/$waiverId" params={{ waiverId: String(waiver.id) }} className="link">
            {waiver.rule.title}, {visible(waiver.scope.label)}
          </Link>
          {waiver.end_words ? `: ${visible(waiver.end_words)}` : ""}
        </span>
      ))}
      {attestations_ending > 0 ? (
        <span>
          <Link to="/waivers" search={{ tab: "attestations" }} className="link">
            {plural(attestations_ending, "attestation")} of yours {attestations_ending === 1 ? "ends" : "end"} soon
          </Link>
          .
        </span>
      ) : null}
    </section>
  );
}

const isOpenState = (state: WaiverRow["state"]) => state === "requested" || state === "active";

function Table({ rows }: { rows: WaiverRow[] }) {
  return (
    <ScrollX>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">rule</th>
            <th scope="col">where</th>
            <th scope="col">state</th>
            <th scope="col">ends</th>
            <th scope="col">owner</th>
            <th scope="col">approved by</th>
            <th scope="col" className="num">
              findings
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to="/waivers/$waiverId" params={{ waiverId: String(row.id) }} className="link">
                  {row.rule.title}
                </Link>
                <div className="dim small">{visible(row.reason.length > 110 ? `${row.reason.slice(0, 110)}…` : row.reason)}</div>
              </td>
              <td>{visible(row.scope.label)}</td>
              <td>
                <Outcome status={STATE[row.state].status}>{stateWord(row.state)}</Outcome>
              </td>
              <td className="nowrap">
                <Instant at={isOpenState(row.state) ? row.expires_at : (row.ended_at ?? row.expires_at)} />
              </td>
              <td>{visible(row.owner.name)}</td>
              <td>{row.approved_by ? visible(row.approved_by.name) : <span className="dim">nobody</span>}</td>
              <td className="num">{row.state === "active" ? count(row.findings) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Cards({ rows }: { rows: WaiverRow[] }) {
  return (
    <div className={styles.cards}>
      {rows.map((row) => (
        <article key={row.id} className={styles.card}>
          <h3>
            <Link to="/waivers/$waiverId" params={{ waiverId: String(row.id) }} className="link">
              {row.rule.title}
            </Link>
          </h3>
          <span>{visible(row.scope.label)}</span>
          <span>
            <Outcome status={STATE[row.state].status}>{stateWord(row.state)}</Outcome>{" "}
            <span className="dim">
              {isOpenState(row.state) ? "ends " : "ended "}
              <Instant at={isOpenState(row.state) ? row.expires_at : (row.ended_at ?? row.expires_at)} />, {visible(row.owner.name)}
            </span>
          </span>
        </article>
      ))}
    </div>
  );
}
