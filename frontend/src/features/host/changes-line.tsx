import { Button } from "@mantine/core";
import type { HostDetail } from "@/entities/host/types";
import type { Session } from "@/entities/person/types";
import { query } from "@/shared/api/client";
import { shortDigest } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { CopyableText } from "@/shared/ui/copy-button";
import { Failed } from "@/shared/ui/query-panel";
import { StatusLabel } from "@/shared/ui/status";
import { TimeAgo } from "@/shared/ui/time-ago";
import styles from "./host.module.css";
import { useReach, useReleaseHost } from "./queries";
import { ReachLine } from "./reach-line";
import type { RemediationTarget } from "./types";

/** Whether Plumbline may change this host, and with what: its mode and whose it is, a hold, how it is reached, its runner. */
export function ChangesLine({ host, can }: { host: HostDetail; can: Partial<Session["can"]> }) {
  const reach = useReach(host.id, host.state === "active");
  // The reasons say whether an address and a credential are set up; without them there is no target to read.
  const isUnset = reach.data?.reasons.some((one) => one.about === "way" && one.state === "no") ?? false;
  const target = query.useQuery(
    "get",
    "/api/v1/hosts/{host_id}/remediation",
    { params: { path: { host_id: host.id } } },
    { enabled: reach.data !== undefined && !isUnset, staleTime: 30_000 },
  );
  if (host.state !== "active") return null;
  return (
    <>
      {host.hold ? <OnHold host={host} canHold={can.hold_hosts ?? false} /> : null}
      <section className={styles.change} aria-label="Change settings for this host">
        <ReachLine
          reach={reach}
          before={
            <>
              <b>Remediation:</b> {modeText(host)}
            </>
          }
        >
          <div className={styles.facts}>
            {target.data ? <Target target={target.data} platform={host.platform} /> : null}
            {isUnset ? <span>Read-only: no remediation address and credential set up</span> : null}
          </div>
        </ReachLine>
      </section>
      {target.error ? <Failed error={target.error} retry={target.refetch} /> : null}
    </>
  );
}

function OnHold({ host, canHold }: { host: HostDetail; canHold: boolean }) {
  const release = useReleaseHost(host);
  const hold = host.hold;
  if (!hold) return null;
  return (
    <section className={styles.held} aria-label="Hold">
      <StatusLabel status="excluded">On hold</StatusLabel>
      <span>
        by {visible(hold.by)}: {visible(hold.reason)},{" "}
        {hold.until ? (
          <>
            until <TimeAgo at={hold.until} form="exact" />
          </>
        ) : (
          "until released"
        )}
      </span>
      {canHold ? (
        <Button size="compact-sm" onClick={() => release.mutate()} loading={release.isPending}>
          Release hold
        </Button>
      ) : (
        <span className="dim small">An operator can release it.</span>
      )}
    </section>
  );
}

/** The mode in words, with whose it is. */
function modeText(host: Pick<HostDetail, "mode" | "mode_effective" | "group_name">): string {
  if (host.mode_effective === "remediate") return `On (inherited from ${visible(host.group_name)})`;
  return host.mode === "observe" ? "Observe only (set on this host)" : `Observe only (inherited from ${visible(host.group_name)})`;
}

function Target({ target, platform }: { target: RemediationTarget; platform: string }) {
  return (
    <>
      <span>
        {target.channel === "ssh" ? "SSH" : "WinRM"} to {visible(target.address)}:{target.port}, credential{" "}
        {visible(target.credential_name)}
        {target.is_identity_known ? "" : "; host key not verified, so nothing is sent"}
      </span>
      {target.runner_sha256 ? (
        <span>
          <StatusLabel status={target.is_runner_current ? "pass" : "warn"}>
            {target.is_runner_current ? "Runner up to date" : "Runner differs"}
          </StatusLabel>{" "}
          <CopyableText text={target.runner_sha256} shown={shortDigest(target.runner_sha256)} label="runner hash" />
          {target.runner_installed_at ? (
            <>
              , installed <TimeAgo at={target.runner_installed_at} />
            </>
          ) : null}
        </span>
      ) : (
        <span>
          <StatusLabel status="unknown">No runner installed</StatusLabel>{" "}
          {platform === "esxi" ? "an admin can install it" : "run Install-Plumbline.ps1 on the host"}
        </span>
      )}
      {target.last_error ? (
        <span>
          <StatusLabel status="warn">Last attempt failed</StatusLabel> {visible(target.last_error)}
        </span>
      ) : null}
    </>
  );
}
