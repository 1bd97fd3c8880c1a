import { useCan } from "@/entities/person/queries";
import { bytes, count, NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Empty, QueryPanel } from "@/shared/ui/query-panel";
import { type Status, StatusIcon, StatusLabel } from "@/shared/ui/status";
import { Verbatim } from "@/shared/ui/verbatim";
import { Fabrics } from "./fabrics";
import { pathStateLabel, restartText } from "./path-layout";
import { PathLegend, PathPicture } from "./path-picture";
import styles from "./paths.module.css";
import { Probes } from "./probes";
import { usePaths } from "./queries";
import { SwitchPorts } from "./switch-ports";
import type { PathMap } from "./types";

const statusOf: Record<string, Status> = { healthy: "pass", standby: "neutral", dead: "fail", unknown: "unknown" };

export function PathsTab({ hostId }: { hostId: string }) {
  const paths = usePaths(hostId);
  const can = useCan();
  return (
    <QueryPanel
      query={paths}
      height={420}
      lines={10}
      isEmpty={hasNoPaths}
      empty={
        <>
          <Empty title={paths.data?.problem ? "Path state unknown" : "This host has no SAN volumes"}>
            {paths.data?.problem ? visible(paths.data.problem) : "The latest check-in lists no iSCSI sessions and no SAN volumes."}
          </Empty>
          {/* A host of Storage Spaces Direct has no SAN volume, and switches that matter all the same. */}
          <SwitchPorts adapters={paths.data?.adapters ?? []} />
        </>
      }
    >
      {(data) => (
        <>
          <section className="section" style={{ marginTop: 16 }} aria-label="Path map">
            {data.problem ? (
              <p style={{ marginBottom: 10 }}>Path data is inconsistent, so some states may be unknown: {visible(data.problem)}</p>
            ) : null}
            <PathPicture map={data} mostVolumes={8} />
            <PathLegend />
          </section>
          <PathsLeft map={data} />
          <SwitchPorts adapters={data.adapters} />
          {data.adapters.length > 0 ? <Fabrics hostId={hostId} adapters={data.adapters} canLabel={can.manage_groups ?? false} /> : null}
          <Probes hostId={hostId} canRun={can.check_now ?? false} />
          <Volumes map={data} />
          <PathTable map={data} />
        </>
      )}
    </QueryPanel>
  );
}

const hasNoPaths = (map: PathMap) => map.paths.length === 0 && map.volumes.length === 0;

function PathsLeft({ map }: { map: PathMap }) {
  return (
    <section className="section" aria-label="Paths left during an adapter restart">
      <h2>Paths left during an adapter restart</h2>
      {map.without.length === 0 ? (
        <p className="dim">No adapter has SAN paths</p>
      ) : (
        <ul className={styles.leaves}>
          {map.without.map((one) => (
            <li key={one.adapter}>
              {one.leaves.some((volume) => volume.healthy === 0) ? (
                <span className={styles.lost}>
                  <StatusIcon status="fail" size={12} /> {visible(restartText(one))}
                </span>
              ) : (
                visible(restartText(one))
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** ESXi's policies go by their names; those of Windows are words. */
const policyOf = ({ policy }: PathMap["volumes"][number]) => visible(policy.startsWith("VMW_") ? policy : policy.replaceAll("_", " "));

const VOLUMES: Column<PathMap["volumes"][number]>[] = [
  { head: "Volume", cell: (volume) => visible(volume.name || NO_DATA) },
  { head: "ID", cell: (volume) => <CopyableText text={volume.id} label="volume id" /> },
  { head: "Size", isNumber: true, className: "nowrap", cell: (volume) => bytes(volume.size_bytes) },
  { head: "Policy", cell: (volume) => policyOf(volume) || NO_DATA },
  { head: "Module", cell: (volume) => visible(volume.module || NO_DATA) },
  {
    head: "Healthy paths",
    isNumber: true,
    className: "nowrap",
    cell: (volume) =>
      volume.healthy < volume.total ? (
        <StatusLabel status="fail">
          {volume.healthy} of {volume.total}
        </StatusLabel>
      ) : (
        `${volume.healthy} of ${volume.total}`
      ),
  },
];

function Volumes({ map }: { map: PathMap }) {
  return (
    <section className="section" aria-label="Volumes">
      <h2>
        Volumes <span className="dim">{count(map.volumes.length)}</span>
      </h2>
      <DataTable columns={VOLUMES} rows={map.volumes} rowKey={(volume) => volume.id} />
    </section>
  );
}

const pathColumns = (nameOf: (id: string) => string): Column<PathMap["paths"][number]>[] => [
  { head: "Volume", cell: (path) => nameOf(path.volume) },
  { head: "State", cell: (path) => <StatusLabel status={statusOf[path.state] ?? "unknown"}>{pathStateLabel(path.state)}</StatusLabel> },
  { head: "Adapter", cell: (path) => nameOf(path.adapter) },
  { head: "From", className: "nowrap", cell: (path) => <Verbatim of={path.source_address} /> },
  { head: "Portal", className: "nowrap", cell: (path) => <Verbatim of={path.portal} /> },
  { head: "Target", cell: (path) => (path.target ? <CopyableText text={path.target} label="target IQN" /> : NO_DATA) },
  { head: "Runtime name", className: "nowrap", cell: (path) => <Verbatim of={path.runtime_name} /> },
];

function PathTable({ map }: { map: PathMap }) {
  const names = new Map([
    ...map.volumes.map((volume) => [volume.id, volume.name] as const),
    ...map.adapters.map((adapter) => [adapter.id, adapter.name] as const),
  ]);
  const nameOf = (id: string) => visible(names.get(id) || id || NO_DATA);
  return (
    <section className="section" aria-label="All paths">
      <h2>
        Paths <span className="dim">{count(map.paths.length)}</span>
      </h2>
      <DataTable
        columns={pathColumns(nameOf)}
        rows={map.paths}
        rowKey={(path) =>
          [path.volume, path.initiator, path.target, path.portal, path.source_address, path.adapter, path.runtime_name].join(" ")
        }
      />
    </section>
  );
}
