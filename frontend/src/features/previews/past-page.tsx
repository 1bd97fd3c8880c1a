import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Run, RunFigures } from "@/entities/pack/types";
import { Download } from "@/entities/person/csv-download";
import { useGroupChoices } from "@/entities/person/queries";
import styles from "@/features/packs/packs.module.css";
import { useAskPast, usePacks, useRun } from "@/features/packs/queries";
import type { PastSearch } from "@/features/packs/search";
import { query } from "@/shared/api/client";
import { fromField, toField } from "@/shared/lib/date-field";
import { count, NO_DATA, percent, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { visible } from "@/shared/lib/text";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { MovedGroups, PastBanner } from "./past-banner";
import { AtWork, useRunHosts } from "./preview-report";

/** Every published version as a choice, by pack. Packs are few. */
export function useVersionChoices() {
  const packs = usePacks();
  const details = useQueries({
    queries: (packs.data?.items ?? []).map((pack) =>
      query.queryOptions("get", "/api/v1/packs/{pack}", { params: { path: { pack: pack.pack } } }),
    ),
  });
  return details.flatMap(({ data }) =>
    data
      ? [{ group: data.title, items: data.versions.map((one) => ({ value: String(one.id), label: `${data.pack} ${one.version}` })) }]
      : [],
  );
}

/** The fleet as it was on any date, judged by what was in force then or by other versions. */
export function PastPage({ search, setSearch }: { search: PastSearch; setSearch: PatchSearch<PastSearch> }) {
  const run = useRun(search.run);
  return (
    <>
      <div className="page-head">
        <h1>The fleet on another date</h1>
      </div>
      {search.run !== undefined && run.data?.kind === "past" ? (
        <PastBanner at={run.data.as_of} of={run.data.group.name} chosen={run.data.chosen.map((one) => `${one.pack} ${one.version}`)}>
          <Link to="/" search={run.data.group.id === 1 ? {} : { group: run.data.group.id }} className="link">
            back to now
          </Link>
        </PastBanner>
      ) : null}
      <Ask key={`${search.at}${search.group}`} search={search} setSearch={setSearch} />
      {search.run === undefined ? (
        <Empty title="Choose a date.">
          Hosts are judged from the configurations that were stored then, with the waivers that stood then. Nothing is changed.
        </Empty>
      ) : (
        <Panel query={run} height={420} lines={10}>
          {(data) =>
            data.state === "failed" ? (
              <Failed error={new Error(data.error)} />
            ) : data.figures ? (
              <Then run={data} figures={data.figures} versions={search.version ?? []} />
            ) : (
              <AtWork run={data} />
            )
          }
        </Panel>
      )}
    </>
  );
}

function Ask({ search, setSearch }: { search: PastSearch; setSearch: PatchSearch<PastSearch> }) {
  const groups = useGroupChoices();
  const versions = useVersionChoices();
  const ask = useAskPast();
  const [at, setAt] = useState(toField(search.at));
  const group = search.group === undefined ? groups[0]?.value : String(search.group);
  const instant = fromField(at);
  return (
    <form
      className={styles.form}
      style={{ marginBottom: 22 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (instant === undefined || group === undefined) return;
        ask.mutate(
          { at: instant, group: Number(group), versions: search.version ?? [] },
          { onSuccess: (run) => setSearch({ at: instant, run: run.id }) },
        );
      }}
    >
      <TextInput
        size="xs"
        type="datetime-local"
        label="Date and time (UTC)"
        max={toField(new Date().toISOString())}
        value={at}
        onChange={(event) => setAt(event.currentTarget.value)}
      />
      <Select
        size="xs"
        label="Group, and all below it"
        searchable={groups.length > 8}
        data={groups}
        value={group ?? null}
        onChange={(value) => setSearch({ group: value ? Number(value) : undefined, run: undefined })}
      />
      <MultiSelect
        className={styles.grow}
        size="xs"
        label="Under other versions than those of then"
        placeholder={search.version ? undefined : "those in force then"}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Those in force then" }}
        data={versions}
        value={(search.version ?? []).map(String)}
        onChange={(chosen) => setSearch({ version: chosen.length > 0 ? chosen.map(Number) : undefined, run: undefined })}
      />
      <Button type="submit" size="xs" variant="filled" disabled={instant === undefined || group === undefined} loading={ask.isPending}>
        Look
      </Button>
      {ask.error ? <Failed error={ask.error} /> : null}
    </form>
  );
}

const WORDS = [
  ["pass", "pass"],
  ["fail", "fail"],
  ["unknown", "unknown"],
  ["waived", "waived"],
  ["excluded", "excluded"],
  ["not_applicable", "not_applicable"],
] as const;

function Then({ run, figures, versions }: { run: Run; figures: RunFigures; versions: number[] }) {
  const { after } = figures;
  return (
    <>
      <MovedGroups groups={run.moved_groups} />
      <div className={styles.figures}>
        <Figure name="score, mean of hosts" value={after.mean ?? NO_DATA} more={`median ${after.median ?? NO_DATA}`} />
        <Figure
          name="hosts judged"
          value={count(figures.hosts_judged)}
          more={`${plural(figures.hosts_absent, "host")} not there, or nothing read`}
        />
        <Figure name="rule coverage" value={percent(figures.rule_coverage)} more="of what applies was known" />
        <Figure name="capped at 59" value={count(after.capped)} more="by a guard-rail or too few paths" />
      </div>
      <section aria-label="Outcomes then">
        <h2>Outcomes then</h2>
        <div className="row" style={{ gap: 18 }}>
          {WORDS.map(([word, status]) => (
            <Outcome key={word} status={status}>
              {count(figures.words[word] ?? 0)} {status === "not_applicable" ? "n/a" : status === "excluded" ? "set aside" : status}
            </Outcome>
          ))}
        </div>
      </section>
      <Bands bands={after.bands} />
      <ByRule figures={figures} />
      <Hosts run={run} versions={versions} />
    </>
  );
}

function Figure({ name, value, more }: { name: string; value: string | number; more: string }) {
  return (
    <div className={styles.figure}>
      <span className="dim small">{name}</span>
      <strong>{value}</strong>
      <span className="dim small">{more}</span>
    </div>
  );
}

/** Hosts by ten points of score; the table behind it is for who cannot see the bars. */
function Bands({ bands }: { bands: number[] }) {
  const most = Math.max(1, ...bands);
  const label = (index: number) => `${index * 10} to ${index === 9 ? 100 : index * 10 + 9}`;
  return (
    <section className="section" aria-label="Distribution">
      <h2>Hosts by score</h2>
      <div className={styles.bands} aria-hidden="true">
        {bands.map((hosts, index) => (
          <span key={label(index)} style={{ height: `${(100 * hosts) / most}%` }} title={`${label(index)}: ${hosts}`} />
        ))}
      </div>
      <p className="dim small">0 to 100, ten points a bar; the highest bar is {plural(most, "host")}</p>
      <ul className="hidden-visually">
        {bands.map((hosts, index) => (
          <li key={label(index)}>
            {label(index)}: {plural(hosts, "host")}
          </li>
        ))}
      </ul>
    </section>
  );
}

function ByRule({ figures }: { figures: RunFigures }) {
  const failing = figures.rules.filter((rule) => (rule.hosts.fail ?? 0) > 0);
  return (
    <section className="section" aria-label="Failing then">
      <h2>
        Failing then <span className="dim">{plural(failing.length, "rule")}</span>
      </h2>
      {failing.length === 0 ? (
        <p className="dim">No rule failed.</p>
      ) : (
        <ScrollX>
          <table className="data">
            <thead>
              <tr>
                <th scope="col">rule</th>
                <th scope="col">pack</th>
                <th scope="col" className="num">
                  hosts failing
                </th>
                <th scope="col" className="num">
                  pass
                </th>
                <th scope="col" className="num">
                  unknown
                </th>
              </tr>
            </thead>
            <tbody>
              {failing.map((rule) => (
                <tr key={`${rule.pack}/${rule.rule}`}>
                  <td>{visible(rule.title)}</td>
                  <td className="dim">{rule.pack}</td>
                  <td className="num">
                    <Outcome status="fail">{count(rule.hosts.fail)}</Outcome>
                  </td>
                  <td className="num">{count(rule.hosts.pass ?? 0)}</td>
                  <td className="num">{count(rule.hosts.unknown ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollX>
      )}
    </section>
  );
}

function Hosts({ run, versions }: { run: Run; versions: number[] }) {
  const pages = useRunHosts(run.id);
  const rows = pages.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section className="section" aria-label="Hosts then">
      <div className="row">
        <h2>
          Hosts then <span className="dim">{pages.data ? count(pages.data.pages[0]?.total) : ""}</span>
        </h2>
        <Download table={`judging-runs/${run.id}/hosts.csv`} about="these hosts" />
      </div>
      <Panel query={pages} height={260} lines={7} isEmpty={() => rows.length === 0} empty={<Empty title="No host was here then." />}>
        {() => (
          <>
            <ScrollX>
              <table className="data">
                <thead>
                  <tr>
                    <th scope="col">host</th>
                    <th scope="col">group then</th>
                    <th scope="col" className="num">
                      score
                    </th>
                    <th scope="col" className="num">
                      fail
                    </th>
                    <th scope="col" className="num">
                      waived
                    </th>
                    <th scope="col">note</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.host.id}>
                      <td>
                        <Link
                          to="/hosts/$hostId/past"
                          params={{ hostId: row.host.id }}
                          search={{ at: run.as_of, version: versions.length > 0 ? versions : undefined }}
                          className="link"
                        >
                          {visible(row.host.name)}
                        </Link>
                      </td>
                      <td>{row.group}</td>
                      <td className="num">{row.score_after ?? NO_DATA}</td>
                      <td className="num">{row.absent ? NO_DATA : count(row.counts.fail ?? 0)}</td>
                      <td className="num">{row.absent ? NO_DATA : count(row.counts.waived ?? 0)}</td>
                      <td className="dim">{row.absent || row.capped_after}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollX>
            {pages.hasNextPage ? (
              <Button mt={10} size="xs" onClick={() => void pages.fetchNextPage()} loading={pages.isFetchingNextPage}>
                Show more
              </Button>
            ) : null}
          </>
        )}
      </Panel>
    </section>
  );
}
