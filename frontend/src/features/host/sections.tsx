import type { HostDetail } from "@/entities/host/types";
import { visible } from "@/shared/lib/text";
import { duration } from "@/shared/lib/time";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";

const COLUMNS: Column<HostDetail["sections"][number]>[] = [
  { head: "section", cell: (section) => section.name },
  {
    head: "read",
    cell: (section) => (
      <StatusLabel status={section.status === "ok" ? "pass" : section.status === "unavailable" ? "not_applicable" : "warn"}>
        {section.status === "unavailable" ? "not there" : section.status}
      </StatusLabel>
    ),
  },
  { head: "changed", className: "dim", cell: (section) => <TimeAgo at={section.changed_at} form="age" /> },
  { head: "took", isNumber: true, className: "dim nowrap", cell: (section) => (section.took_ms === null ? "–" : `${section.took_ms} ms`) },
];

/** The sections of the newest check-in: what was read, and what could not be. */
export function Sections({ host }: { host: HostDetail }) {
  const trouble = host.sections.filter((section) => section.status !== "ok");
  return (
    <section aria-label="Sections">
      <h2>
        Sections <span className="dim">of the newest check-in</span>
      </h2>
      <DataTable columns={COLUMNS} rows={host.sections} rowKey={(section) => section.name} isCards={false} />
      {trouble.map((section) => (
        <p key={section.name} className="dim small">
          {section.name}: {visible(section.error || "no reason given")}
        </p>
      ))}
      <p className="dim small" style={{ marginTop: 6 }}>
        Checks in every {duration(host.interval_seconds)}, by {host.source === "collector" ? "a collector" : "its own agent"}
        {host.skew_seconds !== null && Math.abs(host.skew_seconds) >= 1
          ? `; its clock is ${Math.abs(Math.round(host.skew_seconds))} s ${host.skew_seconds > 0 ? "ahead" : "behind"}`
          : ""}
        .
      </p>
    </section>
  );
}
