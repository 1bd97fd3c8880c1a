import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { PackSummary } from "@/entities/pack/types";
import { RulesNav } from "@/entities/rule/rules-nav";
import type { Session } from "@/shared/api/types";
import { count, NO_DATA, plural } from "@/shared/lib/format";
import type { PatchSearch } from "@/shared/lib/patch-search";
import { CopyAction } from "@/shared/ui/copy-button";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { Drafts } from "./drafts";
import styles from "./packs.module.css";
import { useConflicts, usePacks } from "./queries";
import type { PacksSearch } from "./search";
import { Upload } from "./upload";

interface PacksPageProps {
  search: PacksSearch;
  setSearch: PatchSearch<PacksSearch>;
  can: Partial<Session["can"]>;
}

/** Every pack with what judges where; admins upload new versions here. */
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
            title={can.publish_packs ? undefined : "Packs are uploaded by an admin of the topmost group"}
            onClick={() => setSearch({ upload: isUploading ? undefined : "yes" })}
          >
            {isUploading ? "Close" : "Upload a pack"}
          </Button>
        </div>
      </div>
      {isUploading ? <Upload /> : null}
      {can.publish_packs ? <Drafts /> : null}
      <Panel
        query={packs}
        height={360}
        lines={8}
        isEmpty={(data) => data.items.length === 0}
        empty={<Empty title="No pack is published." />}
      >
        {(data) => <PackTable packs={data.items} />}
      </Panel>
    </>
  );
}

function PackTable({ packs }: { packs: PackSummary[] }) {
  return (
    <ScrollX>
      <table className="data" data-fits>
        <thead>
          <tr>
            <th scope="col">pack</th>
            <th scope="col">in force</th>
            <th scope="col" className="on-desk">
              newest
            </th>
            <th scope="col" className="num on-desk">
              rules
            </th>
            <th scope="col" className="num">
              hosts judged
            </th>
            <th scope="col" className="on-desk">
              published
            </th>
            <th scope="col" className="on-desk">
              hash
            </th>
          </tr>
        </thead>
        <tbody>
          {packs.map((pack) => (
            <tr key={pack.pack}>
              <td>
                <Link to="/packs/$pack" params={{ pack: pack.pack }} className="link">
                  {pack.title}
                </Link>
                <div className="dim small">
                  {pack.pack}, {pack.is_builtin ? "comes with Plumbline" : "of this site"}
                </div>
              </td>
              <td>
                <InForce pack={pack} />
              </td>
              <td className="nowrap on-desk">
                <span className="mono">{pack.newest.version}</span>
                {pack.in_force.length > 0 && !pack.in_force.some((one) => one.id === pack.newest.id) ? (
                  <div>
                    <Outcome status="warn">not in force yet</Outcome>
                  </div>
                ) : null}
              </td>
              <td className="num on-desk">{count(pack.newest.rules)}</td>
              <td className="num">{count(pack.hosts)}</td>
              <td className="nowrap on-desk">
                <Instant at={pack.newest.published_at} form="moment" />
                <div className="dim small">{pack.newest.published_by}</div>
              </td>
              <td className={`mono nowrap on-desk ${styles.hash}`}>
                {pack.newest.content_hash.slice(0, 12)}
                <CopyAction text={pack.newest.content_hash} label={`hash of ${pack.pack}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function InForce({ pack }: { pack: PackSummary }) {
  if (pack.in_force.length === 0) return <Outcome status="neutral">nowhere</Outcome>;
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
          grace until <Instant at={pack.grace_until} form="exact" />
        </div>
      ) : null}
    </>
  );
}
