import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { WaiverDetail } from "@/entities/waiver/types";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { useApproveWaiver, useRefuseWaiver, useWithdrawWaiver } from "./queries";
import styles from "./waivers.module.css";

/** What can be done with a waiver now, and why not where it cannot. */
export function Decide({ waiver, canRequest }: { waiver: WaiverDetail; canRequest: boolean }) {
  const approve = useApproveWaiver(waiver.id);
  const refuse = useRefuseWaiver(waiver.id);
  const withdraw = useWithdrawWaiver(waiver.id);
  const isLive = waiver.state === "requested" || waiver.state === "active";
  const canRenew = canRequest && (waiver.state === "active" || waiver.state === "expired" || waiver.state === "tripped");
  const hosts =
    waiver.scope.kind === "hosts" ? waiver.hosts.map((one) => one.host.id) : waiver.scope.host ? [waiver.scope.host.id] : undefined;
  return (
    <>
      <div className={styles.acts}>
        {waiver.may_decide ? (
          <>
            <Button variant="filled" onClick={() => approve.mutate()} loading={approve.isPending}>
              Approve waiver
            </Button>
            <ActionDialog
              title={`Reject waiver ${waiver.id}`}
              label="Reject waiver"
              opener={(open) => <Button onClick={open}>Reject…</Button>}
              reason={{ label: "Reason" }}
              onConfirm={({ reason }) => refuse.mutateAsync(reason)}
            >
              <p>The requester sees this reason.</p>
            </ActionDialog>
          </>
        ) : null}
        {canRenew ? (
          <Button
            renderRoot={(props) => (
              <Link
                to="/waivers/new"
                search={{
                  pack: waiver.rule.pack,
                  rule: waiver.rule.rule,
                  host: hosts,
                  group: waiver.scope.kind === "group" ? (waiver.scope.group_id ?? undefined) : undefined,
                  skind: waiver.scope.subject?.kind,
                  sid: waiver.scope.subject?.id,
                  replaces: waiver.id,
                }}
                {...props}
              />
            )}
          >
            {waiver.state === "active" ? "Renew or change" : "Request again"}
          </Button>
        ) : null}
        {waiver.may_withdraw && isLive ? (
          <ActionDialog
            title={waiver.state === "requested" ? `Withdraw request ${waiver.id}` : `End waiver ${waiver.id}`}
            label={waiver.state === "requested" ? "Withdraw request" : "End waiver"}
            opener={(open) => <Button onClick={open}>{waiver.state === "requested" ? "Withdraw request…" : "End waiver…"}</Button>}
            reason={{ label: "Reason" }}
            onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
          >
            <p>
              {waiver.state === "active"
                ? "Failing findings count again immediately. The reason is saved with the waiver."
                : "The request is still pending. The reason is saved with it."}
            </p>
          </ActionDialog>
        ) : null}
      </div>
      {waiver.why_not_decide ? <p className="dim small">You can't approve this: {waiver.why_not_decide}.</p> : null}
      {approve.error ? <Failed error={approve.error} /> : null}
    </>
  );
}
