import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useFindings } from "@/entities/finding/queries";
import { useHost } from "@/entities/host/queries";
import { NO_DATA, percent, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { QueryPanel } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { Verbatim } from "@/shared/ui/verbatim";
import { Paths, Seen } from "./cells";
import styles from "./hosts.module.css";

/** A host beside the list: enough to know whether to open it. */
export function Peek({ hostId, close }: { hostId: string; close: () => void }) {
  const host = useHost(hostId);
  const findings = useFindings(hostId);
  return (
    <aside className={styles.peek} aria-label="Host preview">
      <QueryPanel query={host} height={130}>
        {(data) => (
          <>
            <div className={styles.peekHead}>
              <div>
                <h2 style={{ fontSize: 16, margin: 0 }}>{visible(data.name)}</h2>
                <div className="dim">{[data.os_name, data.group_name, data.adapters_line].filter(Boolean).map(visible).join(" · ")}</div>
              </div>
              <ActionIcon size={28} aria-label="Close preview" onClick={close}>
                <IconX size={16} />
              </ActionIcon>
            </div>
            <div className="row" style={{ gap: 16 }}>
              <span style={{ fontSize: 32, fontWeight: 600, lineHeight: 1 }}>{data.score ?? NO_DATA}</span>
              <span className="dim">
                {percent(data.rule_coverage)} coverage
                <br />
                Paths <Paths host={data} />
              </span>
              <Seen host={data} />
            </div>
            {data.why.length > 0 ? (
              <div className="dim">
                {data.why
                  .slice(0, 3)
                  .map((one) => `${visible(one.headline || one.title)} −${Math.round(one.points_lost)}`)
                  .join(" · ")}
              </div>
            ) : null}
          </>
        )}
      </QueryPanel>
      <QueryPanel
        query={findings}
        height={160}
        isEmpty={(data) => !data.items.some((one) => one.standing === "fail" || one.standing === "unknown")}
        empty={<StatusLabel status="pass">No failures, nothing unknown</StatusLabel>}
      >
        {(data) => {
          const open = data.items.filter((one) => one.standing === "fail" || one.standing === "unknown");
          return (
            <>
              <ul className={styles.peekList}>
                {open.slice(0, 6).map((one) => (
                  <li key={`${one.pack}/${one.rule}/${one.subject.kind}/${one.subject.id}`}>
                    <StatusLabel status={one.standing === "fail" ? "fail" : "unknown"}>
                      <span style={{ whiteSpace: "normal", color: "var(--ink)" }}>{visible(one.headline)}</span>
                    </StatusLabel>
                    <div className="dim" style={{ paddingLeft: 17 }}>
                      {visible(one.subject.label)}: {one.observed ? <Verbatim of={one.observed} /> : visible(one.reason)}
                    </div>
                  </li>
                ))}
              </ul>
              {open.length > 6 ? <div className="dim">and {plural(open.length - 6, "more", "more")}</div> : null}
            </>
          );
        }}
      </QueryPanel>
      <Button renderRoot={(props) => <Link to="/hosts/$hostId" params={{ hostId }} {...props} />}>Open host</Button>
    </aside>
  );
}
