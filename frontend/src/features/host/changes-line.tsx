import { Button } from "@mantine/core";
import { query } from "@/shared/api/client";
import { ApiProblem } from "@/shared/api/problem";
import type { HostDetail, Session, WayToHost } from "@/shared/api/types";
import { shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { Copy } from "@/shared/ui/copy-button";
import { Failed } from "@/shared/ui/query-panel";
import { Outcome } from "@/shared/ui/status";
import { Instant } from "@/shared/ui/time-ago";
import { useRelease } from "./hold-form";
import styles from "./host.module.css";
import { ReachLine } from "./reach-line";

/** Whether Plumbline may change this host, and with what: its mode and whose it is, a hold, the way to it, its runner. */
export function ChangesLine({ host, can }: { host: HostDetail; can: Partial<Session["can"]> }) {
  const way = query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/remediation",
    { params: { path: { host_id: host.id } } },
    { enabled: host.state === "active", staleTime: 30_000 },
  );
  if (host.state !== "active") return null;
  const isUnset = way.error instanceof ApiProblem && way.error.status === 404;
  return (
    <>
      {host.hold ? <Held host={host} canHold={can.hold_hosts ?? false} /> : null}
      <section className={styles.facts} style={{ marginTop: 10 }} aria-label="How this host may be changed">
        <span>
          <b>Changes:</b> {modeWords(host)}
        </span>
        {way.data ? <Way way={way.data} platform={host.platform} /> : null}
        {isUnset ? <span>read-only: no address and credential for changes are on record</span> : null}
        {host.is_restart_pending ? <Outcome status="warn">waiting for restart</Outcome> : null}
      </section>
      <ReachLine hostId={host.id} />
      {way.error && !isUnset ? <Failed error={way.error} retry={way.refetch} /> : null}
    </>
  );
}

function Held({ host, canHold }: { host: HostDetail; canHold: boolean }) {
  const release = useRelease(host);
  const hold = host.hold;
  if (!hold) return null;
  return (
    <section className={styles.held} aria-label="Hold">
      <Outcome status="excluded">on hold</Outcome>
      <span>
        by {visible(hold.by)}: {visible(hold.reason)},{" "}
        {hold.until ? (
          <>
            until <Instant at={hold.until} form="exact" />
          </>
        ) : (
          "until it is released"
        )}
      </span>
      {canHold ? (
        <Button size="compact-sm" onClick={() => release.mutate()} loading={release.isPending}>
          Release
        </Button>
      ) : (
        <span className="dim small">Operators release it.</span>
      )}
    </section>
  );
}

/** The mode in words, with whose it is. */
export function modeWords(host: Pick<HostDetail, "mode" | "mode_effective" | "group_name">): string {
  if (host.mode_effective === "remediate") return `remediation allowed, as the group ${visible(host.group_name)}`;
  return host.mode === "observe" ? "observe only, set on this host" : `observe only, as the group ${visible(host.group_name)}`;
}

function Way({ way, platform }: { way: WayToHost; platform: string }) {
  return (
    <>
      <span>
        {way.channel === "ssh" ? "SSH" : "WinRM"} to {visible(way.address)}:{way.port} with {visible(way.credential_name)}
        {way.is_identity_known ? "" : "; its identity is not confirmed, so nothing is sent"}
      </span>
      {way.runner_sha256 ? (
        <span>
          <Outcome status={way.is_runner_current ? "pass" : "warn"}>{way.is_runner_current ? "runner current" : "another runner"}</Outcome>{" "}
          <Copy text={way.runner_sha256} shown={shortDigest(way.runner_sha256)} label="hash of the runner" />
          {way.runner_installed_at ? (
            <>
              , installed <Instant at={way.runner_installed_at} />
            </>
          ) : null}
        </span>
      ) : (
        <span>
          <Outcome status="unknown">no runner</Outcome>{" "}
          {platform === "esxi" ? "an admin puts it there" : "Install-Plumbline.ps1 puts it there, run on the host"}
        </span>
      )}
      {way.last_error ? (
        <span>
          <Outcome status="warn">the last try failed</Outcome> {visible(way.last_error)}
        </span>
      ) : null}
    </>
  );
}
