import { Button, Checkbox } from "@mantine/core";
import type { PlanCreate, PlanDetail, PlannedWork } from "@/entities/plan/types";
import { plural } from "@/shared/lib/format";
import { visible } from "@/shared/lib/text";
import { FormBody, FormDialog } from "@/shared/ui/form-dialog";
import { useActForm } from "@/shared/ui/use-act-form";
import { settingsOf, usePlanAgain } from "./plan-again";
import styles from "./plans.module.css";

interface TakeOutProps {
  plan: PlanDetail;
  work: PlannedWork;
}

/** Takes hosts out of a plan before it is approved. What is left is planned again; findings of the hosts that go stay as they are. */
export function TakeOut({ plan, work }: TakeOutProps) {
  return (
    <FormDialog title="Remove hosts from this plan" opener={(open) => <Button onClick={open}>Remove hosts…</Button>}>
      {(close) => <TakeOutForm plan={plan} work={work} close={close} />}
    </FormDialog>
  );
}

function TakeOutForm({ plan, work, close }: TakeOutProps & { close: () => void }) {
  const again = usePlanAgain(plan);
  const findings = plan.request.findings as PlanCreate["findings"] & object;
  const before = (plan.request.options ?? {}) as NonNullable<PlanCreate["options"]>;
  const form = useActForm({
    initialValues: { out: [] as string[] },
    send: ({ out }) =>
      again.mutateAsync({
        findings: findings.filter((one) => !out.includes(one.host_id)),
        settings: settingsOf(plan).filter((one) => !out.includes(one.host_id)),
        options: { ...before, canary: before.canary && out.includes(before.canary) ? null : (before.canary ?? null) },
      }),
    whenDone: close,
  });
  const { out } = form.values;
  const left = work.hosts.length - out.length;
  return (
    <FormBody
      form={form}
      label={out.length === 0 ? "Remove hosts" : `Remove ${plural(out.length, "host")}`}
      missing={
        out.length === 0 ? "Select at least one host." : left === 0 ? "At least one host stays. To drop all, withdraw the plan." : ""
      }
      note={`${plural(left, "host")} stay${left === 1 ? "s" : ""} and will be planned again, as a plan with a new number.`}
    >
      <Checkbox.Group label="Hosts to remove" {...form.getInputProps("out")}>
        <div className={styles.choices}>
          {work.hosts.map((host) => (
            <Checkbox key={host.host} value={host.host} label={visible(host.name)} />
          ))}
        </div>
      </Checkbox.Group>
    </FormBody>
  );
}
