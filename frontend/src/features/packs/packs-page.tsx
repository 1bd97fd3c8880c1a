import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { usePacks } from "@/entities/pack/queries";
import type { PackSummary } from "@/entities/pack/types";
import type { Session } from "@/entities/person/types";
import { RulesNav } from "@/entities/rule/rules-nav";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { CopyButton } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import { Drafts } from "./drafts";
import styles from "./packs.module.css";
import { useConflicts } from "./queries";
import type { PacksSearch } from "./search";
import { Upload } from "./upload";

interface PacksPageProps {
  search: PacksSearch;
  setSearch: PatchSearch<PacksSearch>;
  can: Partial<Session["can"]>;
}

/** Every pack with its active versions by group; admins upload new versions here. */
export function PacksPage({ search, setSearch, can }: PacksPageProps) {
  const packs = usePacks();
  const conflicts = useConflicts();
  const isUploading = search.upload === "yes" && can.publish_packs;
  return (
    <>
      <RulesNav undecided={conflicts.data?.undecided} />
      <div className="page-head">
        <h1>{packs.data ? plural(packs.data.items.length, "pack") : "Packs"}</h1>
        <div className="end">
          <Button
            size="xs"
            variant={isUploading ? "default" : "filled"}
            disabled={!can.publish_packs}
            title={can.publish_packs ? undefined : "Only admins of the root group can upload packs"}
            onClick={() => setSearch({ upload: isUploading ? undefined : "yes" })}
          >
            {isUploading ? "Close" : "Upload pack"}
          </Button>
        </div>
      </div>
      {isUploading ? <Upload /> : null}
      {can.publish_packs ? <Drafts /> : null}
      <QueryPanel query={packs} height={360} lines={8} isEmpty={(data) => data.items.length === 0} empty={<Empty title="No packs" />}>
        {(data) => <PackTable packs={data.items} />}
      </QueryPanel>
    </>
  );
}

const COLUMNS: Column<PackSummary>[] = [
  {
    head: "Pack",
    cell: (pack) => (
      <>
        <Link to="/packs/$pack" params={{ pack: pack.pack }} className="link">
          {pack.title}
        </Link>
        <div className="dim small">
          {pack.pack}, {pack.is_builtin ? "Built-in" : "Site pack"}
        </div>
        {pack.superseded_by ? <div className="dim small">Superseded by {pack.superseded_by}</div> : null}
      </>
    ),
  },
  { head: "Active", cell: (pack) => <InForce pack={pack} /> },
  {
    head: "Latest",
    className: "nowrap",
    cell: (pack) => (
      <>
        <span className="mono">{pack.newest.version}</span>
        {pack.in_force.length > 0 && !pack.in_force.some((one) => one.id === pack.newest.id) ? (
          <div>
            <StatusLabel status="warn">Not active yet</StatusLabel>
          </div>
        ) : null}
      </>
    ),
  },
  { head: "Rules", isNumber: true, cell: (pack) => count(pack.newest.rules) },
  { head: "Hosts evaluated", isNumber: true, cell: (pack) => count(pack.hosts) },
  {
    head: "Published",
    className: "nowrap",
    cell: (pack) => (
      <>
        <TimeAgo at={pack.newest.published_at} form="moment" />
        <div className="dim small">{pack.newest.published_by}</div>
      </>
    ),
  },
  {
    head: "Hash",
    className: `mono nowrap ${styles.hash}`,
    cell: (pack) => (
      <>
        {pack.newest.content_hash.slice(0, 12)}
        <CopyButton text={pack.newest.content_hash} label={`hash of ${pack.pack}`} />
      </>
    ),
  },
];

function PackTable({ packs }: { packs: PackSummary[] }) {
  return <DataTable columns={COLUMNS} rows={packs} rowKey={(pack) => pack.pack} />;
}

function InForce({ pack }: { pack: PackSummary }) {
  if (pack.in_force.length === 0) return <StatusLabel status="neutral">Not active</StatusLabel>;
  return (
    <>
      {pack.in_force.map((version) => (
        <div key={version.id}>
          <span className="mono">{version.version}</span>{" "}
          <span className="dim">on {version.groups.map((group) => group.name).join(", ") || NO_DATA}</span>
        </div>
      ))}
      {pack.grace_until ? (
        <div className="dim small">
          Grace period until <TimeAgo at={pack.grace_until} form="exact" />
        </div>
      ) : null}
    </>
  );
}
