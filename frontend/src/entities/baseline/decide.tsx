import { Button, Modal, Textarea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { BaselineRow } from "@/shared/api/types";
import { Failed } from "@/shared/ui/query-panel";
import { useDecideBaseline } from "./queries";

/** Accept, refuse or take back, as far as the one who looks may; else the reason why he may not. */
export function DecideBaseline({ baseline }: { baseline: BaselineRow }) {
  const decide = useDecideBaseline(baseline.id);
  const [isRefusing, refusing] = useDisclosure(false);
  if (baseline.state !== "proposed") return null;
  return (
    <div style={{ display: "grid", gap: 8, margin: "12px 0" }}>
      <div style={{ display: "flex", flexWrap: "wrap", gap: 8 }}>
        {baseline.may_decide ? (
          <>
            <Button variant="filled" loading={decide.isPending} onClick={() => decide.mutate({ act: "accept", reason: "" })}>
              Accept
            </Button>
            <Button onClick={refusing.open}>Refuse</Button>
          </>
        ) : null}
        {baseline.may_withdraw ? (
          <Button loading={decide.isPending} onClick={() => decide.mutate({ act: "withdraw", reason: "" })}>
            Take it back
          </Button>
        ) : null}
      </div>
      {baseline.why_not_decide ? <p className="dim small">Not yours to accept: {baseline.why_not_decide}.</p> : null}
      {decide.error ? <Failed error={decide.error} /> : null}
      <Modal
        opened={isRefusing}
        onClose={refusing.close}
        title={`Refuse proposal ${baseline.id}`}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Refusal
          send={(reason) => decide.mutate({ act: "refuse", reason }, { onSuccess: refusing.close })}
          isPending={decide.isPending}
          error={decide.error}
        />
      </Modal>
    </div>
  );
}

function Refusal({ send, isPending, error }: { send: (reason: string) => void; isPending: boolean; error: unknown }) {
  const [reason, setReason] = useState("");
  return (
    <div style={{ display: "grid", gap: 14 }}>
      <Textarea
        label="Why not"
        description="Whoever proposed it reads this."
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {error ? <Failed error={error} /> : null}
      <Button variant="filled" disabled={reason.trim().length < 3} loading={isPending} onClick={() => send(reason.trim())}>
        Refuse
      </Button>
    </div>
  );
}
