import { Button, Modal, NumberInput, Select, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useDraftPlan } from "@/entities/plan/queries";
import { api } from "@/shared/api/client";
import type { PlanCreate, PlanDetail, PlannedWork } from "@/shared/api/types";
import { visible } from "@/shared/lib/text";
import { Failed } from "@/shared/ui/query-panel";
import styles from "./plans.module.css";
import { useWindows } from "./queries";

/** How carefully it runs. What changes here is planned anew on the facts of now; the plan before is withdrawn. */
export function Adjust({ plan, work }: { plan: PlanDetail; work: PlannedWork }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button onClick={dialog.open}>Adjust …</Button>
      <Modal opened={isOpen} onClose={dialog.close} title="How carefully it runs" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
        <AdjustForm plan={plan} work={work} close={dialog.close} />
      </Modal>
    </>
  );
}

function AdjustForm({ plan, work, close }: { plan: PlanDetail; work: PlannedWork; close: () => void }) {
  const navigate = useNavigate();
  const windows = useWindows();
  const before = (plan.request.options ?? {}) as Partial<PlanCreate["options"] & object>;
  const [canary, setCanary] = useState<string | null>(work.waves[0]?.hosts[0] ?? null);
  const [bake, setBake] = useState<number | string>(Math.round((work.waves[0]?.bake_s ?? 600) / 60));
  const [budget, setBudget] = useState<number | string>(work.failure_budget);
  const [attested, setAttested] = useState(before.frame_attested_by ?? "");
  const [windowId, setWindow] = useState<string>(plan.window_id === null ? "" : String(plan.window_id));
  const draft = useDraftPlan((made) => {
    void api.POST("/api/v1/plans/{plan_id}/withdraw", {
      params: { path: { plan_id: plan.id } },
      body: { reason: `planned again as plan ${made.id}` },
    });
    close();
    void navigate({ to: "/remediate/$planId", params: { planId: String(made.id) }, replace: true });
  });
  const open = (windows.data ?? []).filter((one) => one.ended_at === null);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        draft.mutate({
          findings: plan.request.findings as PlanCreate["findings"],
          reason: plan.reason,
          ticket: plan.ticket,
          window_id: windowId === "" ? null : Number(windowId),
          options: {
            ...before,
            canary,
            canary_bake_s: Number(bake) * 60,
            failure_budget: Number(budget),
            frame_attested_by: attested.trim() || null,
          },
        });
      }}
    >
      <Select
        label="Canary"
        description="Changed first and alone."
        data={work.hosts.map((host) => ({ value: host.host, label: visible(host.name) }))}
        value={canary}
        onChange={setCanary}
        allowDeselect={false}
        searchable
      />
      <NumberInput
        label="Minutes to watch the canary before the next wave"
        min={0}
        max={10_080}
        allowDecimal={false}
        value={bake}
        onChange={setBake}
      />
      <NumberInput label="Pause after so many failed hosts" min={1} max={500} allowDecimal={false} value={budget} onChange={setBudget} />
      <Select
        label="Window"
        description="Outside of it nothing begins; a freeze beats a window."
        data={[{ value: "", label: "any time" }, ...open.map((one) => ({ value: String(one.id), label: visible(one.name) }))]}
        value={windowId}
        onChange={(chosen) => setWindow(chosen ?? "")}
        allowDeselect={false}
      />
      <TextInput
        label="Who says that array and switches carry a larger frame size"
        description="Needed only where no host has sent such a frame yet. Every step still proves it with a ping before it is kept."
        value={attested}
        onChange={(event) => setAttested(event.currentTarget.value)}
      />
      {draft.error ? <Failed error={draft.error} /> : null}
      <div className="row">
        <Button type="submit" variant="filled" loading={draft.isPending}>
          Plan again
        </Button>
        <Button onClick={close}>Back</Button>
      </div>
    </form>
  );
}
