import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { usePack } from "@/entities/pack/queries";
import type { Draft, PackDetail, PackGroup } from "@/entities/pack/types";
import type { Session } from "@/entities/person/types";
import { RulesNav } from "@/entities/rule/rules-nav";
import { query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { PropertyList } from "@/shared/ui/property-list";
import { Empty, Failed, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { ChangeForm, type DrawPreview } from "./change-form";
import { PackDifference } from "./difference";
import styles from "./packs.module.css";
import { usePublish } from "./queries";
import type { PackSearch } from "./search";
import { SideBySide } from "./side-by-side";

interface PackPageProps {
  pack: string;
  search: PackSearch;
  setSearch: PatchSearch<PackSearch>;
  can: Partial<Session["can"]>;
  drawPreview: DrawPreview;
}

/** One pack: its draft if one is open, the active version of each group, its versions with their changes, its history. */
export function PackPage({ pack, search, setSearch, can, drawPreview }: PackPageProps) {
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
          <ChangeForm pack={pack} detail={undefined} search={search} setSearch={setSearch} can={can} drawPreview={drawPreview} />
        </>
      ) : isNew ? (
        <Empty
          title="Pack not found"
          action={
            <Link to="/packs" className="link">
              View all packs
            </Link>
          }
        >
          No pack with this name has been published.
        </Empty>
      ) : (
        <QueryPanel query={detail} height={560} lines={16}>
          {(data) => <Detail data={data} search={search} setSearch={setSearch} can={can} drawPreview={drawPreview} />}
        </QueryPanel>
      )}
    </>
  );
}

function Detail({ data, search, setSearch, can, drawPreview }: { data: PackDetail } & Omit<PackPageProps, "pack">) {
  const isCompared = search.draft !== undefined || search.new !== undefined;
  return (
    <>
      <div className="page-head">
        <h1>{data.title}</h1>
        <span className="dim mono">
          {data.pack}
          <CopyButton text={data.pack} label="name of the pack" />
        </span>
        <span className="dim">{data.is_builtin ? "Built-in" : "Site pack"}</span>
        <div className="end">
          {data.linked_packs.map((other) => (
            <Link key={other} to="/packs/$pack" params={{ pack: data.pack }} search={{ beside: other }} className="link">
              Compare with {other}
            </Link>
          ))}
          <Link to="/rules" search={{ pack: [data.pack] }} className="link">
            View rules
          </Link>
        </div>
      </div>
      <p className={styles.summary}>{data.summary}</p>
      {isCompared ? <PackDifference pack={data.pack} old={search.old} draft={search.draft} version={search.new} /> : null}
      {search.beside !== undefined ? <SideBySide pack={data.pack} other={search.beside} /> : null}
      <Groups data={data} setSearch={setSearch} canActivate={can.activate_packs ?? false} />
      <ChangeForm pack={data.pack} detail={data} search={search} setSearch={setSearch} can={can} drawPreview={drawPreview} />
      <Versions data={data} search={search} />
      <History data={data} />
      {data.no_rules.length > 0 ? (
        <section className="section" aria-label="Paper items without a rule">
          <details>
            <summary>{plural(data.no_rules.length, "paper item")} without a rule</summary>
            <PropertyList
              items={data.no_rules.map((one) => ({
                key: one.id,
                name: <span className="mono">{one.id}</span>,
                value: one.because,
              }))}
            />
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
  const draftQuery = query.useQuery("get", "/api/v1/pack-drafts/{draft_id}", { params: { path: { draft_id: draft } } });
  return (
    <QueryPanel query={draftQuery} height={110} lines={3}>
      {(data) =>
        data.pack === pack ? (
          <DraftShown draft={data} isNew={isNew} setSearch={setSearch} />
        ) : (
          <Empty title={`This draft belongs to pack ${data.pack}`} />
        )
      }
    </QueryPanel>
  );
}

function DraftShown({ draft, isNew, setSearch }: { draft: Draft; isNew: boolean; setSearch: PatchSearch<PackSearch> }) {
  const publish = usePublish();
  const [note, setNote] = useState("");
  if (draft.published_version_id !== null) {
    return (
      <p role="status">
        <StatusLabel status="pass">Version {draft.version} published. It has no effect until you activate it for a group.</StatusLabel>
      </p>
    );
  }
  return (
    <section aria-label="Draft" style={{ marginBottom: 24 }}>
      {isNew ? <h1>{draft.title}</h1> : null}
      <h2>
        Draft of {draft.pack} {draft.version}{" "}
        <span className="dim">
          {plural(draft.rules, "rule")}, {plural(draft.cases, "test case")}, all valid
        </span>
      </h2>
      {draft.obstacle ? (
        <StatusLabel status="warn">{draft.obstacle}</StatusLabel>
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
            label="Release note"
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" variant="filled" loading={publish.isPending}>
            Publish {draft.version}
          </Button>
        </form>
      )}
      {publish.error ? <Failed error={publish.error} /> : null}
      <p className="dim small">Published versions can't be changed or deleted. They take effect only where activated.</p>
    </section>
  );
}

const HOW: Record<PackGroup["how"], string> = {
  own: "Activated here",
  inherited: "Inherited from",
  off: "Turned off here",
  off_inherited: "Turned off by",
  none: "Not active",
};

const groupColumns = (depth: number, canActivate: boolean, change: (group: number) => void): Column<PackGroup>[] => [
  {
    head: "Group",
    className: "strong",
    cell: (group) => <div style={{ paddingLeft: 18 * (group.path.split("/").length - depth) }}>{group.name}</div>,
  },
  { head: "Version", className: "mono nowrap", cell: (group) => group.version ?? NO_DATA },
  {
    head: "Source",
    cell: (group) => (
      <>
        {HOW[group.how]} {group.how.includes("inherited") ? group.from_group || "a parent group" : ""}
        {group.grace_until ? (
          <div>
            <StatusLabel status="excluded">
              Grace period until <TimeAgo at={group.grace_until} form="exact" />
            </StatusLabel>
          </div>
        ) : null}
      </>
    ),
  },
  { head: "Hosts", isNumber: true, cell: (group) => count(group.hosts) },
  {
    head: "Since",
    className: "nowrap",
    cell: (group) => (
      <>
        {group.activated_at ? <TimeAgo at={group.activated_at} form="moment" /> : NO_DATA}
        <div className="dim small">{group.activated_by}</div>
      </>
    ),
  },
  { head: "Reason", className: "dim", cell: (group) => group.reason },
  {
    head: "Actions",
    isHeadHidden: true,
    isNumber: true,
    cell: (group) => (
      <Button
        size="compact-xs"
        disabled={!canActivate}
        title={canActivate ? undefined : "Only admins of the group can activate packs"}
        aria-label={`Change version for ${group.name}`}
        onClick={() => change(group.id)}
      >
        Change…
      </Button>
    ),
  },
];

function Groups({ data, setSearch, canActivate }: { data: PackDetail; setSearch: PatchSearch<PackSearch>; canActivate: boolean }) {
  const depth = Math.min(...data.groups.map((group) => group.path.split("/").length));
  return (
    <section className="section" aria-label="Where active">
      <h2>Where active</h2>
      <DataTable
        columns={groupColumns(depth, canActivate, (group) => setSearch({ group, what: "version", version: undefined, run: undefined }))}
        rows={data.groups}
        rowKey={(group) => group.id}
      />
    </section>
  );
}

const versionColumns = ({ pack, versions }: PackDetail): Column<PackDetail["versions"][number]>[] => [
  { head: "Version", className: "mono strong nowrap", cell: (version) => version.version },
  {
    head: "Published",
    className: "nowrap",
    cell: (version) => (
      <>
        <TimeAgo at={version.published_at} form="moment" />
        <div className="dim small">{version.published_by}</div>
      </>
    ),
  },
  { head: "Note", className: "dim", cell: (version) => version.note || NO_DATA },
  { head: "Rules", isNumber: true, cell: (version) => count(version.rules) },
  { head: "Active on", cell: (version) => version.groups.map((group) => group.name).join(", ") || NO_DATA },
  {
    head: "Hash",
    className: `mono nowrap ${styles.hash}`,
    cell: (version) => (
      <>
        {version.content_hash.slice(0, 12)}
        <CopyButton text={version.content_hash} label={`hash of ${version.version}`} />
      </>
    ),
  },
  {
    head: "Changes",
    className: "nowrap",
    cell: (version) => {
      const before = versions[versions.indexOf(version) + 1];
      if (!before) return NO_DATA;
      return (
        <Link to="/packs/$pack" params={{ pack }} search={{ old: before.id, new: version.id }} className="link">
          Compare with {before.version}
        </Link>
      );
    },
  },
];

function Versions({ data, search }: { data: PackDetail; search: PackSearch }) {
  return (
    <section className="section" aria-label="Versions">
      <h2>
        Versions <span className="dim">{count(data.versions.length)}</span>
      </h2>
      <DataTable
        columns={versionColumns(data)}
        rows={data.versions}
        rowKey={(version) => version.id}
        rowAttributes={(version) => ({ "data-active": search.new === version.id || undefined })}
      />
    </section>
  );
}

const HISTORY: Column<PackDetail["history"][number]>[] = [
  { head: "Time", className: "nowrap", cell: (event) => <TimeAgo at={event.at} form="exact" /> },
  { head: "Group", cell: (event) => event.group || NO_DATA },
  { head: "Event", cell: (event) => event.words },
  { head: "By", className: "dim", cell: (event) => event.by },
  { head: "Reason", className: "dim", cell: (event) => event.reason },
];

function History({ data }: { data: PackDetail }) {
  return (
    <section className="section" aria-label="History">
      <h2>History</h2>
      <DataTable columns={HISTORY} rows={data.history} rowKey={(event) => `${event.at}${event.group}${event.words}`} isHeadHidden />
    </section>
  );
}
