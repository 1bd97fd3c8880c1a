import type { HostDetail } from "@/entities/host/types";
import { NO_DATA } from "@/shared/lib/format";
import { capital, visible } from "@/shared/lib/text";
import { duration } from "@/shared/lib/time";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";

const COLUMNS: Column<HostDetail["sections"][number]>[] = [
  { head: "Section", cell: (section) => section.name },
  {
    head: "Read",
    cell: (section) => (
      <StatusLabel status={section.status === "ok" ? "pass" : section.status === "unavailable" ? "not_applicable" : "warn"}>
        {section.status === "unavailable" ? "Not available" : section.status === "ok" ? "OK" : capital(section.status)}
      </StatusLabel>
    ),
  },
  { head: "Changed", className: "dim", cell: (section) => <TimeAgo at={section.changed_at} form="age" /> },
  {
    head: "Duration",
    isNumber: true,
    className: "dim nowrap",
    cell: (section) => (section.took_ms === null ? "–" : `${section.took_ms} ms`),
  },
];

/** A bundle says neither when a section changed nor how long reading it took. */
const BUNDLE_COLUMNS = COLUMNS.slice(0, 2);

/** The sections of the newest check-in: what was read, and what could not be. */
export function Sections({ host }: { host: HostDetail }) {
  const trouble = host.sections.filter((section) => section.status !== "ok");
  return (
    <section aria-label="Sections">
      <h2>
        Sections <span className="dim">{host.from_bundle ? "from the bundle" : "from the latest check-in"}</span>
      </h2>
      <DataTable
        columns={host.from_bundle ? BUNDLE_COLUMNS : COLUMNS}
        rows={host.sections}
        rowKey={(section) => section.name}
        isCards={false}
      />
      {trouble.map((section) => (
        <p key={section.name} className="dim small">
          {section.name}: {visible(section.error || "no reason reported")}
        </p>
      ))}
      {host.from_bundle ? null : (
        <p className="dim small" style={{ marginTop: 6 }}>
          Checks in every {duration(host.interval_seconds)} via{" "}
          {host.source === "collector" ? "agentless collection" : `its agent, version ${host.agent_version || NO_DATA}`}
          {host.skew_seconds !== null && Math.abs(host.skew_seconds) >= 1
            ? `; clock ${Math.abs(Math.round(host.skew_seconds))} s ${host.skew_seconds > 0 ? "ahead" : "behind"}`
            : ""}
          .{host.is_lab ? " Simulated host." : ""}
        </p>
      )}
    </section>
  );
}
