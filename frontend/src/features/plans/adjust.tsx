import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { useWindows } from "@/entities/controls/queries";
import type { PlanCreate, PlanDetail, PlannedWork } from "@/entities/plan/types";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { usePlanAgain } from "./plan-again";

/** Canary, pauses and window. A change makes a new plan on the current configuration and withdraws the plan before. */
export function Adjust({ plan, work }: { plan: PlanDetail; work: PlannedWork }) {
  return (
    <FormDialog title="Edit rollout" size="lg" opener={(open) => <Button onClick={open}>Edit rollout…</Button>}>
      {(close) => <AdjustForm plan={plan} work={work} close={close} />}
    </FormDialog>
  );
}

function AdjustForm({ plan, work, close }: { plan: PlanDetail; work: PlannedWork; close: () => void }) {
  const windows = useWindows();
  const before = (plan.request.options ?? {}) as Partial<PlanCreate["options"] & object>;
  const draft = usePlanAgain(plan);
  const form = useActForm({
    initialValues: {
      canary: work.waves[0]?.hosts[0] ?? null,
      bakeMinutes: Math.round((work.waves[0]?.bake_s ?? 600) / 60) as number | string,
      budget: work.failure_budget as number | string,
      attested: before.frame_attested_by ?? "",
      window: plan.window_id === null ? "" : String(plan.window_id),
    },
    send: ({ canary, bakeMinutes, budget, attested, window }) =>
      draft.mutateAsync({
        window_id: window === "" ? null : Number(window),
        options: {
          ...before,
          canary,
          canary_bake_s: Number(bakeMinutes) * 60,
          failure_budget: Number(budget),
          frame_attested_by: attested.trim() || null,
        },
      }),
    whenDone: close,
  });
  const open = (windows.data ?? []).filter((one) => one.ended_at === null);
  return (
    <FormBody form={form} label="Update plan">
      <Select
        label="Canary"
        description="Changed first, on its own."
        data={work.hosts.map((host) => ({ value: host.host, label: visible(host.name) }))}
        allowDeselect={false}
        searchable
        {...form.getInputProps("canary")}
      />
      <NumberInput label="Observe canary for (minutes)" min={0} max={10_080} allowDecimal={false} {...form.getInputProps("bakeMinutes")} />
      <NumberInput label="Pause after failed hosts" min={1} max={500} allowDecimal={false} {...form.getInputProps("budget")} />
      <Select
        label="Maintenance window"
        description="Jobs start only inside the window. A change freeze overrides it."
        data={[{ value: "", label: "Any time" }, ...open.map((one) => ({ value: String(one.id), label: visible(one.name) }))]}
        allowDeselect={false}
        {...form.getInputProps("window")}
      />
      <TextInput
        label="Jumbo frames on array and switches confirmed by"
        description="Only needed if no host has verified this frame size. Each step is still verified with a ping."
        {...form.getInputProps("attested")}
      />
    </FormBody>
  );
}
