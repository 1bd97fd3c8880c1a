import { useCan } from "@/entities/person/queries";
import type { PathMap } from "@/shared/api/types";
import { bytes, count, NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Copy } from "@/shared/ui/copy-button";
import { Empty, Panel } from "@/shared/ui/query-panel";
import { ScrollX } from "@/shared/ui/scroll-x";
import { Outcome, type Status } from "@/shared/ui/status";
import { Said } from "@/shared/ui/verbatim";
import { Fabrics } from "./fabrics";
import { restartWords } from "./path-layout";
import { PathLegend, PathPicture } from "./path-picture";
import styles from "./paths.module.css";
import { Probes } from "./probes";
import { usePaths } from "./queries";

const statusOf: Record<string, Status> = { healthy: "pass", standby: "neutral", dead: "fail", unknown: "unknown" };

export function PathsTab({ hostId }: { hostId: string }) {
  const paths = usePaths(hostId);
  const can = useCan();
  return (
    <Panel
      query={paths}
      height={420}
      lines={10}
      isEmpty={(data) => data.paths.length === 0 && data.volumes.length === 0}
      empty={
        <Empty title={paths.data?.problem ? "The paths are not known." : "No SAN volume is reached from this host."}>
          {paths.data?.problem ? visible(paths.data.problem) : "Neither sessions nor volumes were read in the newest check-in."}
        </Empty>
      }
    >
      {(data) => (
        <>
          <section className="section" style={{ marginTop: 16 }} aria-label="Path map">
            {data.problem ? (
              <p style={{ marginBottom: 10 }}>Witnesses disagree, so states may be unknown: {visible(data.problem)}</p>
            ) : null}
            <PathPicture map={data} mostVolumes={8} />
            <PathLegend />
          </section>
          <section className="section" aria-label="What a restart leaves">
            <h2>What a restart of each adapter leaves</h2>
            {data.without.length === 0 ? (
              <p className="dim">No adapter carries a path.</p>
            ) : (
              <ul className={styles.leaves}>
                {data.without.map((one) => (
                  <li key={one.adapter}>
                    {one.leaves.some((volume) => volume.healthy === 0) ? (
                      <Outcome status="fail">{visible(restartWords(one))}</Outcome>
                    ) : (
                      visible(restartWords(one))
                    )}
                  </li>
                ))}
              </ul>
            )}
          </section>
          {data.adapters.length > 0 ? <Fabrics hostId={hostId} adapters={data.adapters} canLabel={can.manage_groups ?? false} /> : null}
          <Probes hostId={hostId} canRun={can.check_now ?? false} />
          <Volumes map={data} />
          <PathTable map={data} />
        </>
      )}
    </Panel>
  );
}

/** ESXi's policies go by their names; those of Windows are words. */
const policyOf = ({ policy }: PathMap["volumes"][number]) => visible(policy.startsWith("VMW_") ? policy : policy.replaceAll("_", " "));

function Volumes({ map }: { map: PathMap }) {
  return (
    <section className="section" aria-label="Volumes">
      <h2>
        Volumes <span className="dim">{count(map.volumes.length)}</span>
      </h2>
      <ScrollX>
        <table className="data" data-fits>
          <thead>
            <tr>
              <th scope="col">volume</th>
              <th scope="col" className="on-desk">
                id
              </th>
              <th scope="col" className="num on-desk">
                size
              </th>
              <th scope="col" className="on-desk">
                policy
              </th>
              <th scope="col" className="on-desk">
                module
              </th>
              <th scope="col" className="num">
                healthy paths
              </th>
            </tr>
          </thead>
          <tbody>
            {map.volumes.map((volume) => (
              <tr key={volume.id}>
                <td>
                  {visible(volume.name || NO_DATA)}
                  <div className="dim small on-phone">
                    {[bytes(volume.size_bytes), policyOf(volume), visible(volume.module)].filter(Boolean).join(", ")}
                    <div>
                      <Copy text={volume.id} label="volume id" />
                    </div>
                  </div>
                </td>
                <td className="on-desk">
                  <Copy text={volume.id} label="volume id" />
                </td>
                <td className="num nowrap on-desk">{bytes(volume.size_bytes)}</td>
                <td className="on-desk">{policyOf(volume) || NO_DATA}</td>
                <td className="on-desk">{visible(volume.module || NO_DATA)}</td>
                <td className="num nowrap">
                  {volume.healthy < volume.total ? (
                    <Outcome status="fail">
                      {volume.healthy} of {volume.total}
                    </Outcome>
                  ) : (
                    `${volume.healthy} of ${volume.total}`
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}

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
      <ScrollX>
        <table className="data" data-fits>
          <thead>
            <tr>
              <th scope="col">volume</th>
              <th scope="col">state</th>
              <th scope="col">adapter</th>
              <th scope="col">
                from<span className="on-phone">to</span>
              </th>
              <th scope="col" className="on-desk">
                portal
              </th>
              <th scope="col" className="on-desk">
                target
              </th>
              <th scope="col" className="on-desk">
                name on the host
              </th>
            </tr>
          </thead>
          <tbody>
            {map.paths.map((path) => (
              <tr
                key={[path.volume, path.initiator, path.target, path.portal, path.source_address, path.adapter, path.runtime_name].join(
                  " ",
                )}
              >
                <td>{nameOf(path.volume)}</td>
                <td>
                  <Outcome status={statusOf[path.state] ?? "unknown"}>{path.state}</Outcome>
                </td>
                <td>{nameOf(path.adapter)}</td>
                <td className="nowrap">
                  <Said of={path.source_address} />
                  <div className="on-phone">
                    <Said of={path.portal} />
                  </div>
                </td>
                <td className="nowrap on-desk">
                  <Said of={path.portal} />
                </td>
                <td className="on-desk">{path.target ? <Copy text={path.target} label="target IQN" /> : NO_DATA}</td>
                <td className="nowrap on-desk">
                  <Said of={path.runtime_name} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
    </section>
  );
}
