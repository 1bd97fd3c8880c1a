import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, useState } from "react";
import type { Draft, PackDetail, PackGroup } from "@/entities/pack/types";
import { RulesNav } from "@/entities/rule/rules-nav";
import { query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { Session } from "@/shared/api/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { CopyAction } from "@/shared/ui/copy-button";
import { Empty, Failed, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { ChangeForm } from "./change-form";
import { PackDifference } from "./difference";
import styles from "./packs.module.css";
import { usePack, usePublish } from "./queries";
import type { PackSearch } from "./search";
import { Beside } from "./side-by-side";

interface PackPageProps {
  pack: string;
  search: PackSearch;
  setSearch: PatchSearch<PackSearch>;
  can: Partial<Session["can"]>;
}

/** One pack: its draft if one is looked at, what judges each group, its versions with their differences, its history. */
export function PackPage({ pack, search, setSearch, can }: PackPageProps) {
  const detail = usePack(pack);
  const isNew = detail.error instanceof ApiProblem && detail.error.status === 404;
  return (
    <>
      <RulesNav />
      {search.draft !== undefined && can.publish_packs ? (
        <DraftHead pack={pack} draft={search.draft} isNew={isNew} setSearch={setSearch} />
      ) : null}
      {isNew && search.draft !== undefined ? (
        <>
          <PackDifference pack={pack} old={undefined} draft={search.draft} version={undefined} />
          <ChangeForm pack={pack} detail={undefined} search={search} setSearch={setSearch} can={can} />
        </>
      ) : isNew ? (
        <Empty
          title={`There is no pack ${pack}.`}
          action={
            <Link to="/packs" className="link">
              To all packs
            </Link>
          }
        >
          Nothing was ever published under this name.
        </Empty>
      ) : (
        <Panel query={detail} height={560} lines={16}>
          {(data) => <Detail data={data} search={search} setSearch={setSearch} can={can} />}
        </Panel>
      )}
    </>
  );
}

function Detail({ data, search, setSearch, can }: { data: PackDetail } & Omit<PackPageProps, "pack">) {
  const isCompared = search.draft !== undefined || search.new !== undefined;
  return (
    <>
      <div className="page-head">
        <h1>{data.title}</h1>
        <span className="dim mono">
          {data.pack}
          <CopyAction text={data.pack} label="name of the pack" />
        </span>
        <span className="dim">{data.is_builtin ? "comes with Plumbline" : "of this site"}</span>
        <div className="end">
          {data.linked_packs.map((other) => (
            <Link key={other} to="/packs/$pack" params={{ pack: data.pack }} search={{ beside: other }} className="link">
              beside {other}
            </Link>
          ))}
          <Link to="/rules" search={{ pack: [data.pack] }} className="link">
            its rules
          </Link>
        </div>
      </div>
      <p className={styles.said}>{data.summary}</p>
      {isCompared ? <PackDifference pack={data.pack} old={search.old} draft={search.draft} version={search.new} /> : null}
      {search.beside !== undefined ? <Beside pack={data.pack} other={search.beside} /> : null}
      <Groups data={data} setSearch={setSearch} canActivate={can.activate_packs ?? false} />
      <ChangeForm pack={data.pack} detail={data} search={search} setSearch={setSearch} can={can} />
      <Versions data={data} search={search} />
      <History data={data} />
      {data.no_rules.length > 0 ? (
        <section className="section" aria-label="What became no rule">
          <details>
            <summary>{plural(data.no_rules.length, "item of the papers", "items of the papers")} that became no rule, and why</summary>
            <table className="data">
              <tbody>
                {data.no_rules.map((one) => (
                  <tr key={one.id}>
                    <td className="mono nowrap">{one.id}</td>
                    <td>{one.because}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        </section>
      ) : null}
    </>
  );
}

interface DraftHeadProps {
  pack: string;
  draft: number;
  /** No version of this pack was ever published: the draft is all there is, and the page is called after it. */
  isNew: boolean;
  setSearch: PatchSearch<PackSearch>;
}

function DraftHead({ pack, draft, isNew, setSearch }: DraftHeadProps) {
  const found = query.useQuery("get", "/api/v1/pack-drafts/{draft_id}", { params: { path: { draft_id: draft } } });
  return (
    <Panel query={found} height={110} lines={3}>
      {(data) =>
        data.pack === pack ? (
          <DraftShown draft={data} isNew={isNew} setSearch={setSearch} />
        ) : (
          <Empty title={`This draft is of the pack ${data.pack}.`} />
        )
      }
    </Panel>
  );
}

function DraftShown({ draft, isNew, setSearch }: { draft: Draft; isNew: boolean; setSearch: PatchSearch<PackSearch> }) {
  const publish = usePublish();
  const [note, setNote] = useState("");
  if (draft.published_version_id !== null) {
    return (
      <p role="status">
        <Outcome status="pass">{draft.version} is published. It judges nothing until it is activated for a group below.</Outcome>
      </p>
    );
  }
  return (
    <section aria-label="Draft" style={{ marginBottom: 24 }}>
      {isNew ? <h1>{draft.title}</h1> : null}
      <h2>
        Draft of {draft.pack} {draft.version}{" "}
        <span className="dim">
          {plural(draft.rules, "rule")}, {plural(draft.cases, "case")}, all in order
        </span>
      </h2>
      {draft.obstacle ? (
        <Outcome status="warn">{draft.obstacle}</Outcome>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            publish.mutate(
              { draft, note: note.trim() },
              {
                onSuccess: (done) =>
                  setSearch({
                    draft: undefined,
                    new: done.published_version_id ?? undefined,
                    what: "version",
                    version: done.published_version_id ?? undefined,
                    run: undefined,
                  }),
              },
            );
          }}
        >
          <TextInput
            className={styles.grow}
            size="xs"
            label="What is new in it"
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" variant="filled" loading={publish.isPending}>
            Publish {draft.version}
          </Button>
        </form>
      )}
      {publish.error ? <Failed error={publish.error} /> : null}
      <p className="dim small">A published version never changes and is never taken back; it judges only where somebody activates it.</p>
    </section>
  );
}

const HOW: Record<PackGroup["how"], string> = {
  own: "activated here",
  inherited: "from",
  off: "switched off here",
  off_inherited: "switched off by",
  none: "not activated",
};

function Groups({ data, setSearch, canActivate }: { data: PackDetail; setSearch: PatchSearch<PackSearch>; canActivate: boolean }) {
  const depth = Math.min(...data.groups.map((group) => group.path.split("/").length));
  return (
    <section className="section" aria-label="Where it judges">
      <h2>Where it judges</h2>
      <ScrollX>
        <table className="data" data-fits>
          <thead>
            <tr>
              <th scope="col">group</th>
              <th scope="col">version</th>
              <th scope="col">how</th>
              <th scope="col" className="num on-desk">
                hosts
              </th>
              <th scope="col" className="on-desk">
                since
              </th>
              <th scope="col" className="on-desk">
                why
              </th>
              <th scope="col">
                <span className="hidden-visually">acts</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.groups.map((group) => (
              <tr key={group.id}>
                <td className={`strong ${styles.indent}`} style={{ "--depth": group.path.split("/").length - depth } as CSSProperties}>
                  {group.name}
                </td>
                <td className="mono nowrap">{group.version ?? NO_DATA}</td>
                <td>
                  {HOW[group.how]} {group.how.includes("inherited") ? group.from_group || "a group above" : ""}
                  {group.grace_until ? (
                    <div>
                      <Outcome status="excluded">
                        grace until <Instant at={group.grace_until} form="exact" />
                      </Outcome>
                    </div>
                  ) : null}
                  <div className="dim small on-phone">
                    {plural(group.hosts, "host")}
                    {group.reason ? `; ${group.reason}` : ""}
                  </div>
                </td>
                <td className="num on-desk">{count(group.hosts)}</td>
                <td className="nowrap on-desk">
                  {group.activated_at ? <Instant at={group.activated_at} form="moment" /> : NO_DATA}
                  <div className="dim small">{group.activated_by}</div>
                </td>
                <td className="dim on-desk">{group.reason}</td>
                <td className="num">
                  <Button
                    size="compact-xs"
                    disabled={!canActivate}
                    title={canActivate ? undefined : "Packs are activated by an admin of the group"}
                    aria-label={`Change what judges ${group.name}`}
                    onClick={() => setSearch({ group: group.id, what: "version", version: undefined, run: undefined })}
                  >
                    Change …
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

function Versions({ data, search }: { data: PackDetail; search: PackSearch }) {
  return (
    <section className="section" aria-label="Versions">
      <h2>
        Versions <span className="dim">{count(data.versions.length)}</span>
      </h2>
      <ScrollX>
        <table className="data" data-fits>
          <thead>
            <tr>
              <th scope="col">version</th>
              <th scope="col">published</th>
              <th scope="col">note</th>
              <th scope="col" className="num on-desk">
                rules
              </th>
              <th scope="col" className="on-desk">
                activated on
              </th>
              <th scope="col" className="on-desk">
                hash
              </th>
              <th scope="col">difference</th>
            </tr>
          </thead>
          <tbody>
            {data.versions.map((version, index) => {
              const before = data.versions[index + 1];
              return (
                <tr key={version.id} data-active={search.new === version.id || undefined}>
                  <td className="mono strong nowrap">{version.version}</td>
                  <td className="nowrap">
                    <Instant at={version.published_at} form="moment" />
                    <div className="dim small">{version.published_by}</div>
                  </td>
                  <td className="dim">{version.note || NO_DATA}</td>
                  <td className="num on-desk">{count(version.rules)}</td>
                  <td className="on-desk">{version.groups.map((group) => group.name).join(", ") || NO_DATA}</td>
                  <td className={`mono nowrap on-desk ${styles.hash}`}>
                    {version.content_hash.slice(0, 12)}
                    <CopyAction text={version.content_hash} label={`hash of ${version.version}`} />
                  </td>
                  <td className="nowrap">
                    {before ? (
                      <Link to="/packs/$pack" params={{ pack: data.pack }} search={{ old: before.id, new: version.id }} className="link">
                        to {before.version}
                      </Link>
                    ) : (
                      NO_DATA
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

function History({ data }: { data: PackDetail }) {
  return (
    <section className="section" aria-label="History">
      <h2>History</h2>
      <ScrollX>
        <table className="data" data-fits>
          <tbody>
            {data.history.map((event) => (
              <tr key={`${event.at}${event.group}${event.words}`}>
                <td className="nowrap on-desk">
                  <Instant at={event.at} form="exact" />
                </td>
                <td>
                  {event.group || NO_DATA}
                  <div className="dim small on-phone">
                    <Instant at={event.at} form="exact" />
                  </div>
                </td>
                <td>
                  {event.words}
                  <div className="dim small on-phone">{[event.by, event.reason].filter(Boolean).join(": ")}</div>
                </td>
                <td className="dim on-desk">{event.by}</td>
                <td className="dim on-desk">{event.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}
