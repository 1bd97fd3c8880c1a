import { Link } from "@tanstack/react-router";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";
import { restartText } from "./path-layout";
import { PathPicture } from "./path-picture";
import { usePaths } from "./queries";

/** The path map in small, beside the findings. */
export function PathAside({ hostId }: { hostId: string }) {
  const paths = usePaths(hostId);
  return (
    <section aria-label="Paths">
      <h2>
        <Link to="/hosts/$hostId" params={{ hostId }} search={{ tab: "paths" }} className="link">
          Paths
        </Link>{" "}
        <span className="dim">
          {paths.data
            ? visible(
                paths.data.volumes
                  .slice(0, 4)
                  .map((volume) => volume.name || volume.id)
                  .join(", "),
              )
            : ""}
        </span>
      </h2>
      <QueryPanel
        query={paths}
        height={220}
        isEmpty={(data) => data.paths.length === 0}
        empty={<p className="dim">{paths.data?.problem ? `Unknown: ${visible(paths.data.problem)}` : "This host has no SAN volumes"}</p>}
      >
        {(data) => (
          <>
            <PathPicture map={data} mostVolumes={2} />
            {data.problem ? <p className="dim">{visible(data.problem)}</p> : null}
            <p className="dim" style={{ marginTop: 6 }}>
              {data.without.map((one) => visible(restartText(one))).join(" ")}
            </p>
          </>
        )}
      </QueryPanel>
    </section>
  );
}
