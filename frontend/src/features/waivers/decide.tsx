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
              Approve
            </Button>
            <ActionDialog
              title={`Refuse waiver ${waiver.id}`}
              label="Refuse"
              opener={(open) => <Button onClick={open}>Refuse</Button>}
              reason={{ label: "Reason" }}
              onConfirm={({ reason }) => refuse.mutateAsync(reason)}
            >
              <p>Whoever asked reads this reason.</p>
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
            {waiver.state === "active" ? "Renew or change" : "Ask again"}
          </Button>
        ) : null}
        {waiver.may_withdraw && isLive ? (
          <ActionDialog
            title={`End waiver ${waiver.id}`}
            label="End it"
            opener={(open) => <Button onClick={open}>{waiver.state === "requested" ? "Take the request back" : "End it now"}</Button>}
            reason={{ label: "Reason" }}
            onConfirm={({ reason }) => withdraw.mutateAsync(reason)}
          >
            <p>
              {waiver.state === "active"
                ? "What fails counts again at once. The reason is kept with the waiver."
                : "Nobody has decided on it yet. The reason is kept with the request."}
            </p>
          </ActionDialog>
        ) : null}
      </div>
      {waiver.why_not_decide ? <p className="dim small">Not yours to decide: {waiver.why_not_decide}.</p> : null}
      {approve.error ? <Failed error={approve.error} /> : null}
    </>
  );
}
