import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/shared/api/client";
import type { WaiverDetail } from "@/shared/api/types";
import { Failed } from "@/shared/ui/query-panel";
import { useReread } from "./queries";
import styles from "./waivers.module.css";

/** What can be done with a waiver now, and why not where it cannot. */
export function Decide({ waiver, canRequest }: { waiver: WaiverDetail; canRequest: boolean }) {
  const reread = useReread();
  const [isRefusing, refusing] = useDisclosure(false);
  const [isEnding, ending] = useDisclosure(false);
  const path = { params: { path: { waiver_id: waiver.id } } };
  const approve = useMutation({
    mutationFn: () => api.POST("/api/v1/waivers/{waiver_id}/approve", path),
    onSuccess: async () => {
      notifications.show({ message: `Waiver ${waiver.id} is in force; the scores have followed.` });
      await reread();
    },
  });
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
            <Button onClick={refusing.open}>Refuse</Button>
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
          <Button onClick={ending.open}>{waiver.state === "requested" ? "Take the request back" : "End it now"}</Button>
        ) : null}
      </div>
      {waiver.why_not_decide ? <p className="dim small">Not yours to decide: {waiver.why_not_decide}.</p> : null}
      {approve.error ? <Failed error={approve.error} /> : null}
      <Modal opened={isRefusing} onClose={refusing.close} title={`Refuse waiver ${waiver.id}`} closeButtonProps={{ "aria-label": "Close" }}>
        <ReasonForm act="refuse" label="Refuse" waiver={waiver} close={refusing.close} />
      </Modal>
      <Modal opened={isEnding} onClose={ending.close} title={`End waiver ${waiver.id}`} closeButtonProps={{ "aria-label": "Close" }}>
        <ReasonForm act="withdraw" label="End it" waiver={waiver} close={ending.close} />
      </Modal>
    </>
  );
}

function ReasonForm({ act, label, waiver, close }: { act: "refuse" | "withdraw"; label: string; waiver: WaiverDetail; close: () => void }) {
  const reread = useReread();
  const [reason, setReason] = useState("");
  const send = useMutation({
    mutationFn: () => api.POST(`/api/v1/waivers/{waiver_id}/${act}`, { params: { path: { waiver_id: waiver.id } }, body: { reason } }),
    onSuccess: async () => {
      await reread();
      close();
    },
  });
  const missing = reason.trim().length < 3;
  return (
    <div className={styles.form}>
      <p>
        {act === "refuse"
          ? "Whoever asked reads this reason."
          : waiver.state === "active"
            ? "What fails counts again at once. The reason is kept with the waiver."
            : "Nobody has decided on it yet. The reason is kept with the request."}
      </p>
      <Textarea
        label="Reason"
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {send.error ? <Failed error={send.error} /> : null}
      <Button variant="filled" disabled={missing} onClick={() => send.mutate()} loading={send.isPending}>
        {label}
      </Button>
    </div>
  );
}
