import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { query } from "@/shared/api/client";
import { NO_DATA, percent, plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Panel } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Said } from "@/shared/ui/verbatim";
import { Paths, Seen } from "./cells";
import styles from "./hosts.module.css";

/** A host beside the list: enough to know whether to open it. */
export function Peek({ hostId, close }: { hostId: string; close: () => void }) {
  const params = { path: { host_id: hostId } };
  const host = query.useQuery("get", "/api/v1/hosts/{host_id}", { params });
  const findings = query.useQuery("get", "/api/v1/hosts/{host_id}/findings", { params });
  return (
    <aside className={styles.peek} aria-label="The host at a look">
      <Panel query={host} height={130}>
        {(data) => (
          <>
            <div className={styles.peekHead}>
              <div>
                <h2 style={{ fontSize: 16, margin: 0 }}>{visible(data.name)}</h2>
                <div className="dim">{[data.os_name, data.group_name, data.adapters_line].filter(Boolean).map(visible).join(" · ")}</div>
              </div>
              <ActionIcon size={28} aria-label="Close the look" onClick={close}>
                <IconX size={16} />
              </ActionIcon>
            </div>
            <div className="row" style={{ gap: 16 }}>
              <span style={{ fontSize: 32, fontWeight: 600, lineHeight: 1 }}>{data.score ?? NO_DATA}</span>
              <span className="dim">
                coverage {percent(data.rule_coverage)}
                <br />
                paths <Paths host={data} />
              </span>
              <Seen host={data} />
            </div>
            {data.why.length > 0 ? (
              <div className="dim">
                {data.why
                  .slice(0, 3)
                  .map((one) => `${one.title} −${Math.round(one.points_lost)}`)
                  .join(" · ")}
              </div>
            ) : null}
          </>
        )}
      </Panel>
      <Panel
        query={findings}
        height={160}
        isEmpty={(data) => !data.items.some((one) => one.standing === "fail" || one.standing === "unknown")}
        empty={<Outcome status="pass">nothing fails and nothing is unknown</Outcome>}
      >
        {(data) => {
          const open = data.items.filter((one) => one.standing === "fail" || one.standing === "unknown");
          return (
            <>
              <ul className={styles.peekList}>
                {open.slice(0, 6).map((one) => (
                  <li key={`${one.pack}/${one.rule}/${one.subject.kind}/${one.subject.id}`}>
                    <Outcome status={one.standing === "fail" ? "fail" : "unknown"}>
                      <span style={{ whiteSpace: "normal", color: "var(--ink)" }}>{one.title}</span>
                    </Outcome>
                    <div className="dim" style={{ paddingLeft: 17 }}>
                      {visible(one.subject.label)}: {one.observed ? <Said of={one.observed} /> : visible(one.reason)}
                    </div>
                  </li>
                ))}
              </ul>
              {open.length > 6 ? <div className="dim">and {plural(open.length - 6, "more", "more")}</div> : null}
            </>
          );
        }}
      </Panel>
      <Button renderRoot={(props) => <Link to="/hosts/$hostId" params={{ hostId }} {...props} />}>Open the host</Button>
    </aside>
  );
}
