import { Link, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, memo, useCallback, useRef, useState } from "react";
import { NO_DATA } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { StatusIcon, statusText } from "@/shared/ui/status";
import styles from "./matrix.module.css";
import { moved } from "./order";
import { RuleHeads } from "./rule-heads";
import type { Matrix } from "./types";

interface HostGridProps {
  matrix: Matrix;
  isByCluster: boolean;
}

/** A real table; one cell at a time can be tabbed to, the arrow keys move from there. */
export function HostGrid({ matrix, isByCluster }: HostGridProps) {
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<[number, number]>([0, 0]);
  const { hosts, rules } = matrix;
  const look = useCallback(
    (hostId: string, finding: string) => void navigate({ to: "/hosts/$hostId", params: { hostId }, search: { finding } }),
    [navigate],
  );
  const onKey = (event: KeyboardEvent) => {
    const next = moved(at, event.key, hosts.length, rules.length);
    if (!next) return;
    event.preventDefault();
    setAt(next);
    frame.current?.querySelector<HTMLElement>(`[data-at="${next[0]}-${next[1]}"]`)?.focus();
  };
  return (
    <div className={styles.frame} ref={frame}>
      <table className={styles.table} onKeyDown={onKey}>
        <caption className="hidden-visually">Rule results by host</caption>
        <RuleHeads rules={rules} corner="Host, score" />
        <tbody>
          {hosts.map((host, row) => (
            <HostRow
              key={host.id}
              host={host}
              rules={rules}
              row={row}
              at={row === at[0] ? at[1] : null}
              isByCluster={isByCluster}
              isBetween={isByCluster && row > 0 && hosts[row - 1]?.cluster !== host.cluster}
              setAt={setAt}
              look={look}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HostRowProps {
  host: Matrix["hosts"][number];
  rules: Matrix["rules"];
  row: number;
  /** The column of the cell that can be tabbed to, where it lies in this row. */
  at: number | null;
  isByCluster: boolean;
  isBetween: boolean;
  setAt: (at: [number, number]) => void;
  look: (hostId: string, finding: string) => void;
}

/** Check-in status of a host whose figures may be old. */
const FRESHNESS: Record<string, string> = { late: "late", silent: "not reporting", never: "never checked in", bundle: "from a bundle" };

/** Drawn again only where something of it changed: an arrow key moves between two of what may be thousands of cells. */
const HostRow = memo(function HostRow({ host, rules, row, at, isByCluster, isBetween, setAt, look }: HostRowProps) {
  return (
    <tr className={isBetween ? styles.between : undefined}>
      <th scope="row">
        <Link to="/hosts/$hostId" params={{ hostId: host.id }} className="link">
          {visible(host.name)}
        </Link>{" "}
        <span className="dim">
          {host.score ?? NO_DATA}
          {isByCluster ? `, ${visible(host.cluster || "no cluster")}` : ""}
          {host.freshness === "fresh" ? "" : `, ${FRESHNESS[host.freshness] ?? host.freshness}`}
        </span>
      </th>
      {rules.map((rule, column) => {
        const cell = host.cells[column] ?? null;
        const name = `${host.name}, ${rule.title}: ${cell === null ? "not evaluated" : cell === "not_applicable" ? "not applicable" : statusText(cell).toLowerCase()}`;
        return (
          <td key={`${rule.pack}/${rule.rule}`}>
            <button
              type="button"
              className={styles.cell}
              data-status={cell ?? undefined}
              data-at={`${row}-${column}`}
              tabIndex={column === at ? 0 : -1}
              aria-label={name}
              title={name}
              onFocus={() => setAt([row, column])}
              onClick={() => look(host.id, `${rule.pack}/${rule.rule}`)}
            >
              {cell === null ? null : <StatusIcon status={cell} />}
            </button>
          </td>
        );
      })}
    </tr>
  );
});
