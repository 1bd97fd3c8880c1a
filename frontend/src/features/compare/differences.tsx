import { Link } from "@tanstack/react-router";
import { count, signed } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { type Column, DataTable } from "@/shared/ui/data-table/data-table";
import { Verbatim } from "@/shared/ui/verbatim";
import styles from "./compare.module.css";
import type { ComparedSetting, HostComparison } from "./types";

/** Configured settings first, since they are what somebody chose; then what the hardware and system are. */
export function Differences({ data }: { data: HostComparison }) {
  const configured = data.items.filter((item) => item.is_configured);
  const rest = data.items.filter((item) => !item.is_configured);
  const columns = columnsOf(data);
  return (
    <>
      {configured.length > 0 ? (
        <section className="section" aria-label="Settings">
          <h2>Settings</h2>
          <DataTable label="Settings" columns={columns} rows={configured} rowKey={keyOf} />
        </section>
      ) : null}
      {rest.length > 0 ? (
        <section className="section" aria-label="Hardware, drivers and items">
          <h2>Hardware, drivers and items</h2>
          <DataTable label="Hardware, drivers and items" columns={columns} rows={rest} rowKey={keyOf} />
        </section>
      ) : null}
    </>
  );
}

const keyOf = (item: ComparedSetting): string => `${item.subject.kind}/${item.subject.id}/${item.key}/${item.what}`;

const columnsOf = (data: HostComparison): Column<ComparedSetting>[] => [
  {
    head: "Item",
    cell: (item) => (
      <>
        {item.subject.kind === "host" ? "host" : visible(item.subject.label)}
        {item.other_subject && item.other_subject.label !== item.subject.label ? (
          <span className="dim small"> / {visible(item.other_subject.label)}</span>
        ) : null}
      </>
    ),
  },
  { head: "Setting", cell: (item) => item.label || <span className="dim">Entire {item.subject.kind.replaceAll("_", " ")}</span> },
  {
    head: data.reference === "running" ? "Stored" : data.bundle ? `${visible(data.host.name)} today` : visible(data.host.name),
    cell: (item) => <Verbatim of={item.left} />,
  },
  {
    head: data.other ? visible(data.other.name) : visible(data.right_label),
    cell: (item) => (
      <>
        <Verbatim of={item.right} />
        <Odd item={item} />
        {item.member ? <div className="dim small mono">{visible(item.member)}</div> : null}
      </>
    ),
  },
  { head: "Failing rules", cell: (item) => <Rules item={item} /> },
  // Nothing is restored from a bundle.
  ...(data.bundle ? [] : [restoreColumn(data)]),
];

const restoreColumn = (data: HostComparison): Column<ComparedSetting> => ({
  head: data.reference === "running" ? "Takes effect" : "Restore",
  className: "dim small",
  cell: (item) =>
    item.what !== "differs" ? "" : item.restore_to === null || item.restore_to === undefined ? visible(item.why_not_restore) : "possible",
});

/** How many peers agree, and who does not. */
function Odd({ item }: { item: ComparedSetting }) {
  if (item.agreeing === null || item.agreeing === undefined || !item.peers) return null;
  const more = item.peers - item.agreeing - item.odd.length;
  return (
    <div className="dim small">
      {count(item.agreeing)} of {count(item.peers)} peers
      {item.odd.length > 0 ? `; not ${item.odd.map((one) => `${visible(one.name)} (${visible(one.value)})`).join(", ")}` : ""}
      {more > 0 ? ` and ${count(more)} more` : ""}
    </div>
  );
}

function Rules({ item }: { item: ComparedSetting }) {
  return (
    <>
      {item.rules.map((rule) => (
        <div key={`${rule.pack}/${rule.rule}`} className={styles.rule}>
          <Link to="/rules/$pack/$rule" params={{ pack: rule.pack, rule: rule.rule }} className="link">
            {visible(rule.title)}
          </Link>{" "}
          {rule.points_lost > 0 ? <span className="dim small nowrap">{signed(-rule.points_lost)} points</span> : null}
        </div>
      ))}
    </>
  );
}
