import { Button } from "@mantine/core";
import { ActionDialog } from "@/shared/ui/action-dialog";
import { Failed } from "@/shared/ui/query-panel";
import { useDecideBaseline } from "./queries";
import type { BaselineRow } from "./types";

/** Accept, refuse or take back, as far as the one who looks may; else the reason why he may not. */
export function DecideBaseline({ baseline }: { baseline: BaselineRow }) {
  const decide = useDecideBaseline(baseline.id);
  const refuse = useDecideBaseline(baseline.id);
  const isOpen = baseline.state === "proposed";
  if (!isOpen && !baseline.may_withdraw) return null;
  return (
    <div style={{ display: "grid", gap: 8, margin: "12px 0" }}>
      <div style={{ display: "flex", flexWrap: "wrap", gap: 8 }}>
        {baseline.may_decide ? (
          <>
            <Button variant="filled" loading={decide.isPending} onClick={() => decide.mutate({ act: "accept", reason: "" })}>
              Accept baseline
            </Button>
            <ActionDialog
              title={`Reject proposal ${baseline.id}`}
              label="Reject"
              opener={(open) => <Button onClick={open}>Reject…</Button>}
              reason={{ label: "Reason", description: "Shown to the person who proposed it." }}
              onConfirm={({ reason }) => refuse.mutateAsync({ act: "refuse", reason })}
            />
          </>
        ) : null}
        {baseline.may_withdraw ? (
          <Button loading={decide.isPending} onClick={() => decide.mutate({ act: "withdraw", reason: "" })}>
            {isOpen ? "Withdraw proposal" : "Withdraw acceptance"}
          </Button>
        ) : null}
      </div>
      {baseline.why_not_decide ? <p className="dim small">You can't accept this: {baseline.why_not_decide}.</p> : null}
      {decide.error ? <Failed error={decide.error} /> : null}
    </div>
  );
}
